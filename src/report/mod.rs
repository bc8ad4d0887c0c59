//! One result, many renderers: the report and how it is written as a table,
//! JSON, CSV or a line for a monitoring system. Nothing is computed here.

mod baseline;
mod canvas;
mod cost;
mod csv;
mod document;
mod escape;
#[cfg(test)]
mod example;
mod facts;
mod fit;
mod formats;
mod grid;
mod human;
mod json;
mod legend;
mod nagios;
mod page;
mod paint;
mod plot;
mod scale;
mod simulated;
mod style;
mod table;

pub use baseline::BaselineReport;
pub use cost::CostReport;
pub use document::{
    BinReport, CeilingReport, ClientReport, EndedByReport, FaultReport,
    Finding, HoldsReport, InputReport, RejectedReport, Report, Severity,
    StreamsReport, TotalReport, TrendReport, WindowReport, write,
};
pub use escape::terminal;
pub(crate) use formats::formats;
pub(crate) use json::write as write_json;
pub(crate) use page::Page;
pub(crate) use paint::Ink;
pub(crate) use simulated::{LogReport, SimulationReport, write_simulation};
pub use style::{Output, Style};
