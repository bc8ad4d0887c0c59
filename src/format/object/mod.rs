//! One JSON object and what is wanted of it.
//!
//! The wrappers around a record and the formats inside them read objects
//! alike: one walk from end to end ([`walk()`]), a compiled tree of the keys
//! wanted ([`Wanted`]), and escapes undone in one place.

mod escape;
mod walk;
mod wanted;

pub use escape::unescape;
pub use walk::{Broken, Raw, Value, walk};
pub use wanted::Wanted;
