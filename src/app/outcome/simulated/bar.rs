//! The bar that shows how far a run is.

use std::net::SocketAddr;
use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::simulate::Sample;

/// A bar on standard error, or none.
pub(super) struct Bar(ProgressBar);

impl Bar {
    /// The bar of a run of that length, if it is to be seen, and where its
    /// server is, for who wants to bring another client.
    pub(super) fn new(at: SocketAddr, length: Duration, seen: bool) -> Bar {
        let target = if seen {
            ProgressDrawTarget::stderr()
        } else {
            ProgressDrawTarget::hidden()
        };
        let bar =
            ProgressBar::with_draw_target(Some(length.as_secs()), target);
        // What is typed here can be read.
        let style = "{prefix} {bar:30} {pos} of {len} s, {msg} open";
        let style = ProgressStyle::with_template(style)
            .unwrap_or_else(|_| ProgressStyle::default_bar())
            .progress_chars("=> ");
        Bar(bar
            .with_style(style)
            .with_prefix(at.to_string())
            .with_message("0"))
    }

    /// A second has passed.
    pub(super) fn show(&self, sample: &Sample) {
        self.0.set_message(sample.open.to_string());
        self.0.inc(1);
    }

    /// Takes it away.
    pub(super) fn clear(&self) {
        self.0.finish_and_clear();
    }
}
