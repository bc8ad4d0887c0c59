//! The judge against its reference, on whole logs.

mod case;
mod edges;
mod more;
mod reference;
mod windows;
