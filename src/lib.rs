//! streamleak: whether old streams are ever closed, from the access log a
//! server already writes.
#![doc(html_no_source)]

pub mod client;
pub mod format;
pub mod means;
pub mod opens;
pub mod quantile;
pub mod report;
pub mod reset;
pub mod split;
pub mod stream;
pub mod time;
pub mod trend;
pub mod verdict;
pub mod window;
