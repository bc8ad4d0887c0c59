//! The statistics that every storey shares: quantiles, Student's t.

mod quantile;
mod student;

pub use quantile::{median, quantile};
pub use student::{t_quantile, upper_tail};
