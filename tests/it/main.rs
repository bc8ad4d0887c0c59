//! The integration tests, one crate.

mod cli;
mod fixture;
mod json;
mod leak;
mod program;
mod reference;
mod same;
mod template;
mod truth;
