//! The integration tests, one crate.
mod json;
