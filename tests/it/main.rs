//! The integration tests, one crate.

mod fixture;
mod template;
