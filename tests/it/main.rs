//! The integration tests, one crate.

mod answer;
mod baseline;
mod calibration;
mod cases;
mod cli;
mod clients;
mod cost;
mod explain;
mod fixture;
mod formats;
mod json;
mod leak;
mod mixed;
mod opens;
mod options;
mod prefilter;
mod program;
mod reader;
mod readme;
mod reference;
mod report;
mod same;
mod samples;
mod template;
mod truth;
mod wrappers;
