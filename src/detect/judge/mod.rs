//! The judgement: each endpoint of a log by itself, step by step.

pub(crate) mod detect;
pub(crate) mod detection;
pub(crate) mod endpoint;
pub(crate) mod ground;
