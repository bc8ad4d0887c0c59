//! Numbers of streams over time: what climbs, what stands, what is quiet.

pub(crate) mod climb;
pub(crate) mod level;
pub(crate) mod pile;
pub(crate) mod quiet;
pub(crate) mod spread;
pub(crate) mod window;
