//! The integration tests, one crate.

mod json;
mod reference;
mod template;
