//! The reader of logs, with what most tests want of it.

use std::collections::hash_map::RandomState;

use streamleak::internal::collect::{Harvester, KeyField, Selector};
use streamleak::internal::format::{Choice, Layout};
use streamleak::internal::input::MmapChoice;

/// Reads listen streams by their path, in whatever format a log has.
pub(crate) fn harvester() -> Harvester {
    let paths = ["/subscriptions/listen".to_owned()];
    Harvester {
        selector: Selector::new(&paths, "subscriptions/listen"),
        key: KeyField::Client,
        reader: Box::new(|sample| {
            Layout::of(&Choice::Auto, Default::default(), sample)
        }),
        marked: None,
        mmap: MmapChoice::Auto,
        survey: false,
        arrivals: None,
        hasher: RandomState::new(),
    }
}
