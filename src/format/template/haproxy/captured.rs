//! The headers that a proxy captures.

use crate::format::Field;

use super::super::draft::Value;
use super::super::header;
use super::super::take::Take;

/// The names of the headers that a proxy captures, in their order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(in crate::format) struct Captured {
    pub(in crate::format) request: Vec<String>,
    pub(in crate::format) response: Vec<String>,
}

impl Captured {
    /// What each captured header of a request is.
    pub(super) fn of_request(&self) -> Vec<Option<Field>> {
        let names = self.request.iter();
        names.map(|name| field(header::request(0, name))).collect()
    }

    /// What each captured header of a response is.
    pub(super) fn of_response(&self) -> Vec<Option<Field>> {
        let names = self.response.iter();
        names.map(|name| field(header::response(0, name))).collect()
    }
}

/// The field that a value fills.
fn field(value: Value) -> Option<Field> {
    match value.take {
        Take::Field(field) => Some(field),
        _ => None,
    }
}
