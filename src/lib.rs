//! streamleak: whether old streams are ever closed, from the access log a
//! server already writes.
//!
//! Data flows one way, and a room uses only those to its left:
//!
//! ```text
//! time → split → scan → object → wrap → format → select, client, answer,
//!      defects, egress → row → harvest → reading → join → timeline → means
//!      → cost, series, hold, ranking → ends → reset, drain, trend → level, window
//!      → opens → storm, reopen, rhythm, branch → verdict → forecast
//!      → analysis → summary → why, diagnosis, findings → assemble → report
//! ```
//!
//! `radix` and `input` stand alone at the left end, and so does [`simulate`],
//! which reads no log: it makes one. `cli` is seen by [`plan`] only, and only
//! [`analysis`], [`explain`], [`why`] and [`assemble`] see a plan. [`method`]
//! is no room but a page: how the verdict is derived, with its sources.

pub mod app;
pub mod collect;
pub mod detect;
pub mod explain;
pub mod format;
pub mod input;
pub mod report;
pub mod series;
pub mod simulate;
pub mod stats;
pub mod streams;
pub mod threads;
pub mod time;
