//! Streams made numbers over time: how many are open, exactly, by bin and
//! between any two instants, and when a restart closed them.

mod bins;
mod cost;
mod means;
mod timeline;

pub use bins::{Bin, Series, TooManyBins};
pub use cost::Hours;
pub use means::{Means, Part};
pub use timeline::{Row, Timeline, union};
