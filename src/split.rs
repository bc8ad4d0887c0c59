//! Bytes cut into chunks of whole records.

/// The longest record that is read, in bytes; a longer one is skipped and
/// counted.
pub const LONGEST: usize = 1 << 20;
