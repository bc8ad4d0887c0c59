//! A real client and a real server of the Model Context Protocol, both by
//! its SDK, with an nginx between them that is set up as
//! `streamleak setup nginx` says: its log against what the client saw.
//!
//! One client closes each listen stream before it opens the next. Another
//! opens the next beside those it has, and leaves them all when it is told
//! to end; until then only the openings that are logged tell of them.

mod bench;
mod comparison;
mod recipe;
mod simulated;
mod truth;

use std::path::PathBuf;

use self::bench::Bench;
use crate::place::Program;
use crate::server::{Output, Spec};
use crate::table::debian;

/// A client of the test, with an address of its own.
struct Client {
    spec: Spec,
    address: &'static str,
    streams: u32,
}

/// Closes each stream before it opens the next.
static TIDY: Client = Client {
    spec: sdk(
        "tidy",
        "@LIVE@/mcp/client.py http://127.0.0.1:@PORT@/mcp \
         --from 127.0.0.21 --streams 3 --hold 0.4",
    ),
    address: "127.0.0.21",
    streams: 3,
};

/// Opens each stream beside those it has.
static LEAKS: Client = Client {
    spec: sdk(
        "leaks",
        "@LIVE@/mcp/client.py http://127.0.0.1:@PORT@/mcp \
         --from 127.0.0.22 --streams 4 --hold 0.3 --abandon --stay",
    ),
    address: "127.0.0.22",
    streams: 4,
};

static SERVER: Spec = sdk("mcp", "@LIVE@/mcp/server.py @PORT@");

static PROXY: Spec = debian(
    "nginx",
    "nginx-light",
    &["mcp.conf"],
    "-p @DIR@ -e @DIR@/error.log -c @DIR@/mcp.conf",
);

/// How many streams there are.
const STREAMS: u32 = TIDY.streams + LEAKS.streams;

/// Something of the SDK.
const fn sdk(name: &'static str, args: &'static str) -> Spec {
    Spec {
        name,
        program: Program::Sdk,
        conf: &[],
        args,
        output: Output::Kept,
        logger: None,
        flush: None,
    }
}

#[test]
fn listen_streams_of_the_mcp_sdk_are_found_behind_nginx_as_set_up() {
    let found = [SERVER.program, PROXY.program].map(Program::find);
    let programs: Result<Vec<PathBuf>, String> = found.into_iter().collect();
    let compared = programs.and_then(|programs| {
        Bench::start(&programs[0], &programs[1]).and_then(Bench::compare)
    });
    assert!(compared.is_ok(), "{}", compared.unwrap_err());
}
