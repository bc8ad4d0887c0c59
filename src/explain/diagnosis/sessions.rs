//! Clients that climb in number: people at work, or sessions that nobody
//! ends.

use super::{Context, texts};
use crate::report::{Cause, Confidence, Fault, Side, counted, percent};

/// What opens a session: `initialize` and the note that it is done.
const HANDSHAKE: u32 = 2;

/// `None` where they do some work, or where nobody looked.
pub(super) fn fault(context: &Context<'_>) -> Option<Fault> {
    let log = &context.found.log;
    let streaming =
        context.keys.keys().filter_map(|key| log.other.get(key.0 as usize));
    let all: Vec<_> = streaming.collect();
    let silent = all.iter().filter(|o| o.requests <= HANDSHAKE).count();
    let ended = all.iter().filter(|o| o.deletes > 0).count();
    if all.is_empty() || silent * 2 < all.len() || ended * 10 > all.len() {
        return None;
    }
    let none = all.iter().filter(|o| o.requests == 0).count();
    Some(Fault {
        side: Side::Client,
        cause: Cause::SessionLeak,
        confidence: Confidence::Medium,
        evidence: vec![
            format!(
                "{silent} of {} that hold a stream ({}) never asked for \
                 anything but to open their session; {} did some work",
                counted(all.len() as u64, "client"),
                percent(silent, all.len()),
                all.len() - silent,
            ),
            format!(
                "{none} of them ({}) made no other request at all",
                percent(none, all.len())
            ),
            format!("{ended} of them ended their session with a DELETE"),
        ],
        next: texts([
            "on the client: end the session (DELETE) when the work is done or \
             the process stops, and open none that is not needed",
            "on the server: expire idle sessions and cap sessions per client",
            "run again with another --key: by client it shows whether one \
             client mints all these sessions",
        ]),
    })
}
