//! What is known of the outside world, each with its source and date: clients
//! with defects, networks that many people share, limits of platforms.

mod clients;
mod limits;
mod networks;

pub(super) use clients::{Defect, known_defect};
pub(super) use limits::{Kind, Limit, limits, own};
pub(super) use networks::{Egress, shared_network};
