//! streamleak: whether old streams are ever closed, from the access log a
//! server already writes.
#![doc(html_no_source)]

pub mod client;
pub mod format;
pub mod harvest;
pub mod input;
pub mod join;
pub mod reading;
pub mod report;
pub mod requests;
pub mod row;
pub mod scan;
pub mod select;
pub mod series;
pub mod split;
pub mod stream;
pub mod time;
