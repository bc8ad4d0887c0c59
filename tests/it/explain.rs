//! `--explain`: how the first records of a log are read.

use crate::program::{run, run_on};

#[test]
fn the_fields_of_a_record_are_shown_with_what_becomes_of_it() {
    let ran =
        run(&["--explain", "fixtures/groundtruth/apache/combined_D.log"]);
    assert_eq!(ran.status, 0, "{}", ran.err);
    for line in [
        "  detected by: combined + trailing duration (us) reads 11 of \
         the first 11 records\n",
        "its time is the start (file order:",
        "\nrecord 1, byte 0\n",
        "\n  time (start) 2026-11-29T13:43:33Z, in steps of 1 s\n",
        "\n  hold         3.002906 s\n",
        "\n  so it is     a stream from 2026-11-29T13:43:33Z to \
         2026-11-29T13:43:36.002906Z\n",
        "\n  so it is     not selected\n",
    ] {
        assert!(ran.out.contains(line), "{line:?} in\n{}", ran.out);
    }
}

#[test]
fn a_record_that_is_not_read_is_shown_with_the_place_and_no_bare_escape() {
    let good = "192.0.2.1 - - [29/Nov/2026:13:44:23 +0000] \"GET /a \
                HTTP/1.1\" 200 7 \"-\" \"\x1b[31m\" rt=1.000\n";
    let log = format!("{good}half a line\n{good}");
    let ran = run_on(log.as_bytes(), &["--explain", "-"]);
    assert!(ran.out.contains(" of it: expected "), "{}", ran.out);
    assert!(!ran.out.contains('\x1b'), "{}", ran.out);
    let ran = run_on(b"no log\n", &["--explain", "-"]);
    assert!(ran.out.contains("its format is not known"), "{}", ran.out);
}

#[test]
fn a_later_piece_of_a_record_is_told() {
    let pieces = "fixtures/wrappers/cri-pieces.log";
    let ran = run(&["--explain", pieces]);
    let told = "record 2, byte 125\n";
    let (_, second) = ran.out.split_once(told).expect(told);
    let told = "read as      a piece of the record at byte 0\n";
    assert!(second.contains(told), "{second}");
}
