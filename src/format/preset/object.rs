//! Records that are one JSON object.

use crate::format::json::{Keys, Note, Texts};
use crate::format::{Parsed, Reject};

/// The texts of a record that is one object and holds `telling`, which few
/// foreign ones do: most of those are refused before they are walked.
pub(super) fn object<'a>(
    record: &'a [u8],
    telling: &'static str,
    keys: &'static Keys,
) -> Parsed<Texts<'a, 'static>> {
    if record.first() != Some(&b'{') {
        return Err(Reject::shape(0, "an object"));
    }
    if memchr::memmem::find(record, telling.as_bytes()).is_none() {
        return Err(Reject::shape(0, telling));
    }
    keys.find(record)
}

/// What was logged under a note's keys; empty if nothing was.
pub(super) fn noted<'f>(found: &'f Texts<'_, '_>, note: Note) -> &'f [u8] {
    found.note(note).map_or(b"", |(text, _)| text)
}
