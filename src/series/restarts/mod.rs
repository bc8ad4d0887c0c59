//! Restarts: many streams closed at once, or over the minutes of a drain.

mod ages;
mod drain;
mod events;
mod sudden;

pub use drain::{DrainRule, restarts};
pub use sudden::{Restart, Sign, SuddenRule, within_restart};
