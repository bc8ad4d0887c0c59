//! The prefiltered result equals the unfiltered one, however paths are
//! spelled.

use proptest::prelude::*;
use streamleak::internal::collect::Overrides;
use streamleak::internal::collect::{Harvester, Selector};
use streamleak::internal::input::Input;
use streamleak::internal::streams::{Log, Stream};

use crate::program::Folder;
use crate::reader::harvester;

/// The streams of a log, and how many records were parsed to find them.
fn streams(
    input: &Input,
    selector: &Selector,
    everything: bool,
) -> (Vec<Stream>, u64) {
    let harvester = Harvester {
        selector: selector.clone(),
        survey: everything,
        ..harvester()
    };
    let (harvests, rows) = harvester.read_all(std::slice::from_ref(input));
    assert_eq!(harvests[0].error, None);
    let parsed = harvests[0].found.tally.parsed;
    let log = Log::join(&harvests, rows, selector, Overrides::default());
    (log.streams, parsed)
}

/// One byte of a path in one of its spellings.
fn spelled(byte: char, how: u8, json: bool) -> String {
    match how {
        0 => format!("%{:02x}", byte as u32),
        1 => format!("%{:02X}", byte as u32),
        2 if json => format!("\\u{:04x}", byte as u32),
        3 if json => format!("\\u{:04X}", byte as u32),
        4 if json && byte == '/' => "\\/".to_owned(),
        5 if json => format!("\\u0025{:02x}", byte as u32),
        6 if byte == '/' => "//".to_owned(),
        _ => byte.to_string(),
    }
}

/// A path whose bytes are spelled as told, the rest plainly.
fn path(base: &str, spellings: &[(usize, u8)], json: bool) -> String {
    let how = |at: usize| {
        spellings.iter().find(|(n, _)| n % base.len() == at).map(|s| s.1)
    };
    base.chars()
        .enumerate()
        .map(|(at, byte)| spelled(byte, how(at).unwrap_or(9), json))
        .collect()
}

/// One record; every base is a whole path or a neighbour of one.
fn record(at: usize, path: &str, method: &str, json: bool) -> String {
    if json {
        return format!(
            "{{\"msec\":\"{}.000\",\"remote_addr\":\"10.0.0.{}\",\
             \"request\":\"POST {path} HTTP/1.1\",\"status\":200,\
             \"request_time\":5.000,\"http_mcp_method\":\"{method}\",\
             \"http_user_agent\":\"a%20b\"}}\n",
            1_795_959_863 + at,
            at % 250
        );
    }
    format!(
        "10.0.0.{} - - [29/Nov/2026:13:{:02}:{:02} +0000] \"POST {path} \
         HTTP/1.1\" 200 9 \"https://x/subscriptions/listen\" \"a%20b\" \
         rt=5.000 mm=\"{method}\"\n",
        at % 250,
        at / 60 % 60,
        at % 60
    )
}

const BASES: [&str; 8] = [
    "/subscriptions/listen",
    "/api/v1/subscriptions/listen",
    "https://host/subscriptions/listen",
    "/subscriptions/listener",
    "/subscriptions/list",
    "/listen",
    "/mcp",
    "/sse",
];

const METHODS: [&str; 3] = ["-", "subscriptions/listen", "tools/call"];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn the_prefilter_never_hides_a_stream(
        rows in prop::collection::vec(
            (
                0..BASES.len(),
                prop::collection::vec((0usize..40, 0u8..9), 0..4),
                0..METHODS.len(),
            ),
            1..60,
        ),
        json: bool,
        two_paths: bool,
    ) {
        let log: String = rows
            .iter()
            .enumerate()
            .map(|(at, (base, spellings, method))| {
                let path = path(BASES[*base], spellings, json);
                record(at, &path, METHODS[*method], json)
            })
            .collect();
        let folder = Folder::new();
        let file = folder.write("access.log", log.as_bytes());
        let input = Input::File(file.into());
        let mut paths = vec!["/subscriptions/listen".to_owned()];
        if two_paths {
            paths.push("/sse".to_owned());
        }
        let selector = Selector::new(&paths, "subscriptions/listen");
        let (filtered, parsed) = streams(&input, &selector, false);
        let (all, every) = streams(&input, &selector, true);
        prop_assert_eq!(&filtered, &all);
        prop_assert!(parsed <= every && every == rows.len() as u64);
    }
}

#[test]
fn the_prefilter_keeps_what_cannot_be_a_stream_from_being_parsed() {
    let rows = (0..100).map(|at| {
        let path = if at % 10 == 0 { BASES[0] } else { "/index.html" };
        let line = record(at, path, "-", false);
        line.replace("https://x/subscriptions/listen", "-")
    });
    let folder = Folder::new();
    let log: String = rows.collect();
    let file = folder.write("access.log", log.as_bytes());
    let paths = ["/subscriptions/listen".to_owned()];
    let selector = Selector::new(&paths, "subscriptions/listen");
    let (found, parsed) = streams(&Input::File(file.into()), &selector, false);
    assert_eq!((found.len(), parsed), (10, 10));
}
