//! streamleak: whether old streams are ever closed, from the access log a
//! server already writes.
#![doc(html_no_source)]

pub mod cli;
pub mod client;
pub mod format;
pub mod harvest;
pub mod hold;
pub mod input;
pub mod join;
pub mod ranking;
pub mod reading;
pub mod report;
pub mod requests;
pub mod row;
pub mod scan;
pub mod select;
pub mod series;
pub mod setup;
pub mod split;
pub mod stream;
pub mod time;
