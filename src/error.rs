//! What went wrong, in one type.

use std::fmt;

/// Why an analysis could not be done. Its text names the input or the option
/// and what to change.
pub struct Error(anyhow::Error);

/// What an analysis gives, or why it could not be done.
pub type Result<T> = std::result::Result<T, Error>;

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:#}", self.0)
    }
}

impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl std::error::Error for Error {}

impl From<anyhow::Error> for Error {
    fn from(error: anyhow::Error) -> Error {
        Error(error)
    }
}
