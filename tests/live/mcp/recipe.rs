//! What `streamleak setup nginx` says, followed to the letter.

use std::path::Path;
use std::process::Command;

use crate::place::Place;

/// The name of the log of openings that it says to write.
pub(super) const OPENS: &str = "open.log";

/// What begins the lines of the server's block.
const SERVER: &str = "# In the server block";

/// Writes the lines for a configuration to include; of them only the folder
/// of the logs and the upstream are others.
///
/// # Errors
///
/// There are no such lines, or they cannot be written.
pub(super) fn write(place: &Place) -> Result<(), String> {
    let lines = lines()?;
    let folder = format!("{}/", place.folder.display());
    let upstream = format!("http://127.0.0.1:{}", place.upstream);
    let (http, server) =
        lines.split_once(SERVER).ok_or("no lines for a server block")?;
    let http = put(http, "/var/log/nginx/", &folder)?;
    let server = put(server, "/var/log/nginx/", &folder)?;
    let server = put(&server, "http://your_upstream", &upstream)?;
    std::fs::create_dir_all(&place.folder).map_err(|e| e.to_string())?;
    save(&place.folder.join("http.conf"), &http)?;
    save(&place.folder.join("server.conf"), &format!("{SERVER}{server}"))
}

/// All that is printed.
fn lines() -> Result<String, String> {
    let ran = Command::new(env!("CARGO_BIN_EXE_streamleak"))
        .args(["setup", "nginx"])
        .output()
        .map_err(|e| e.to_string())?;
    String::from_utf8(ran.stdout).map_err(|e| e.to_string())
}

/// The text with this in place of that, which must be in it.
fn put(text: &str, that: &str, this: &str) -> Result<String, String> {
    if text.contains(that) {
        Ok(text.replace(that, this))
    } else {
        Err(format!("no {that} in:\n{text}"))
    }
}

fn save(path: &Path, text: &str) -> Result<(), String> {
    std::fs::write(path, text).map_err(|e| e.to_string())
}
