//! Which units are suspected, and for what reason.

pub(crate) mod abandoned;
pub(crate) mod evidence;
pub(crate) mod grain;
pub(crate) mod reasons;
pub(crate) mod rhythm;
