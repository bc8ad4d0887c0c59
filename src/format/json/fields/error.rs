//! What is wrong with the fields a user names.

use std::fmt;

use super::NAMES;

/// Why the fields cannot be used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FieldError {
    /// This is not `NAME=PATH`.
    Shape(String),
    /// No field has this name.
    Unknown(String),
    /// The path in this is empty, or a part of it is.
    Path(String),
    /// This path is given for two names.
    Twice(String),
    /// No time is among them.
    Timeless,
    /// A word for an event is given, but no key that holds it.
    Eventless,
}

impl fmt::Display for FieldError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = NAMES.map(|(name, _)| name).join(", ");
        match self {
            FieldError::Shape(item) => write!(
                f,
                "{item}: write NAME=PATH, as in time=ts or \
                 path=request.uri; the names are {names}"
            ),
            FieldError::Unknown(name) => {
                write!(f, "no field is named {name}; the names are {names}")
            }
            FieldError::Path(item) => write!(
                f,
                "{item}: the path is empty or a part of it is; write the \
                 keys from the outermost in, as in path=request.uri (the \
                 names are {names})"
            ),
            FieldError::Twice(path) => write!(
                f,
                "{path} is given for two fields; each path can be one"
            ),
            FieldError::Timeless => f.write_str(
                "no time is among the fields, so nothing can be placed; add \
                 time=PATH, or start=PATH or end=PATH where it is known \
                 which of them is logged",
            ),
            FieldError::Eventless => f.write_str(
                "words for events are given, but not which key holds them; \
                 add event=PATH",
            ),
        }
    }
}

impl std::error::Error for FieldError {}
