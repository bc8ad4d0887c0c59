//! How fast streams end: current ones by their age, and superseded ones
//! against those.

pub(crate) mod exposure;
pub(crate) mod hazard;
pub(crate) mod holds;
pub(crate) mod horizon;
pub(crate) mod observed;
