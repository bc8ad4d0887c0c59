//! Where the healthy stretch is that logs are held against.

use std::path::{Path, PathBuf};

use anyhow::bail;

use super::text::instant;
use crate::detect::Healthy;
use crate::input::Input;
use crate::time::Micros;

/// Reads `--baseline`: a file if there is one of that name, else a
/// stretch. `zone` is for times that show none.
pub(super) fn healthy(
    given: PathBuf,
    inputs: &[Input],
    zone: i64,
    now: Micros,
) -> anyhow::Result<Healthy> {
    let name = given.display().to_string();
    let input = Input::from_arg(given.clone());
    if input == Input::Stdin && inputs.contains(&input) {
        bail!("--baseline -: standard input is the log already");
    }
    if input == Input::Stdin || Path::new(&given).exists() {
        return Ok(Healthy::File(input));
    }
    let time = |text| instant("--baseline", text, zone, now).ok();
    let sides = given.to_str().and_then(|text| text.split_once(".."));
    let times =
        sides.and_then(|(from, until)| Some((time(from)?, time(until)?)));
    match times {
        Some((from, until)) if from < until => {
            Ok(Healthy::Stretch { from, until })
        }
        Some(_) => bail!("--baseline {name}: ends before it begins"),
        None => bail!(
            "--baseline {name}: neither a file nor two times such as \
             2026-11-28..2026-11-29 or -3h..-2h"
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 2026-11-29T00:00:00Z.
    const NOW: Micros = Micros::from_secs(1_795_910_400);

    fn read(text: &str) -> Result<Healthy, String> {
        healthy(text.into(), &[Input::Stdin], 0, NOW)
            .map_err(|error| error.to_string())
    }

    #[test]
    fn two_times_are_a_stretch_in_any_form_of_time() {
        let (from, until) = (NOW - Micros::HOUR, NOW);
        for text in [
            "2026-11-28T23:00:00Z..2026-11-29T00:00:00Z",
            "2026-11-28 23:00..2026-11-29",
            "1795906800..1795910400",
            "-1h..2026-11-29",
            "-60m..-0s",
        ] {
            let found = read(text);
            assert_eq!(found, Ok(Healthy::Stretch { from, until }), "{text}");
        }
    }

    #[test]
    fn a_file_of_that_name_comes_first() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("2026-11-28..2026-11-29");
        std::fs::write(&path, "").expect("a file");
        let found = healthy(path.clone(), &[], 0, NOW);
        assert_eq!(found.ok(), Some(Healthy::File(Input::File(path))));
    }

    #[test]
    fn what_is_neither_is_refused_with_what_it_might_be() {
        for (text, told) in [
            ("2026-11-29..2026-11-28", "ends before it begins"),
            ("2026-11-29..2026-11-29", "ends before it begins"),
            ("2026-11-28..soon", "neither a file nor two times"),
            ("yesterday.log", "neither a file nor two times"),
            ("../yesterday.log", "neither a file nor two times"),
            ("", "neither a file nor two times"),
            ("-", "standard input is the log already"),
        ] {
            let error = read(text).expect_err(text);
            assert!(error.contains(told), "{text}: {error}");
        }
    }
}
