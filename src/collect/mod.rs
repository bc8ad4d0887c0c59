//! Records made rows, on all cores: which records are streams, whose they
//! are, and what their times mark.

mod client;
mod harvest;
mod read;
mod response;
mod row;
mod select;
mod stamps;
mod survey;

pub use client::{Client, Clients, KeyField, KeyId};
pub use harvest::{
    Asked, Dialect, Found, Harvest, Harvester, Others, Rejected, SAMPLE, Tally,
};
pub use read::{Collected, Overrides, ReadOptions};
pub use response::Answer;
pub use row::{Row, When};
pub use select::Selector;
pub use stamps::{Marked, Order, Reading};
pub use survey::{Request, Requests};
