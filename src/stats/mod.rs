//! The statistics that every storey shares: quantiles, Student's t, tails
//! of counts.

mod quantile;
mod student;
mod tails;

pub use quantile::{median, quantile};
pub use student::{t_quantile, upper_tail};
pub use tails::{
    binomial_at_least, binomial_at_most, log_gamma, poisson_at_most,
};
