//! One result, many renderers: the report and how it is written as a table,
//! JSON, CSV or a line for a monitoring system. Nothing is computed here.

mod baseline;
mod canvas;
mod cost;
mod csv;
mod document;
mod escape;
mod facts;
mod fault;
mod fit;
mod formats;
mod grid;
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
mod words;

pub use baseline::BaselineReport;
pub use cost::CostReport;
pub use document::{
    BinReport, CeilingReport, ClientReport, EndedByReport, Finding,
    HoldsReport, InputReport, RejectedReport, Report, Severity, StreamsReport,
    TotalReport, TrendReport, WindowReport, write,
};
pub use escape::terminal;
pub use fault::{Cause, Confidence, Fault, Side};
pub(crate) use formats::formats;
pub use json::Seconds;
pub(crate) use json::write as write_json;
pub(crate) use page::Page;
pub(crate) use paint::Ink;
pub(crate) use simulated::{LogReport, SimulationReport, write_simulation};
pub use style::{Output, Style};
pub use words::{
    chance, change, count, counted, instant, mean, odds, percent, rate, share,
    span,
};

#[cfg(test)]
mod tests {
    pub(super) mod example;
}
