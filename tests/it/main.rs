//! The integration tests, one crate.
mod reference;
