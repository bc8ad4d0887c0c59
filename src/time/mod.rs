//! Instants and spans in whole microseconds, and the texts servers write
//! them in.
//!
//! No time passes through a float: a 19-digit count of nanoseconds does not
//! fit one. The fast readers below know the two texts that fill logs, the
//! common log format's `29/Nov/2026:13:44:23 +0000` and RFC 3339; everything
//! rarer goes through `chrono`, which is also their oracle in the tests.

mod micros;
mod span;
mod stamp;
#[cfg(test)]
mod tests;
mod unit;

pub use micros::{Clock, Micros};
pub use span::{decimal, span};
pub(crate) use stamp::month;
pub use stamp::{clf, epoch, rfc3339, strftime, yearless, zone_offset};
pub use unit::Unit;
