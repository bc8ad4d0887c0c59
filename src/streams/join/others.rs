//! What the clients of streams asked for beside them.

use super::Log;
use crate::collect::{Asked, Harvest};

impl Log {
    /// Counts what each of its clients asked for beside streams, as a survey
    /// of the inputs found it. A request that two logs tell of, a proxy's
    /// and the one of the server behind it, counts twice.
    #[must_use]
    pub fn with_others(self, harvests: &[Harvest]) -> Log {
        let mut asked = vec![Asked::default(); self.clients.len()];
        for found in harvests.iter().map(|harvest| &harvest.found) {
            for (client, more) in found.everyone.iter().zip(&found.asked) {
                if let Ok(at) = self.clients.binary_search(client) {
                    asked[at].add(*more);
                }
            }
        }
        let other = asked.into_iter().map(Asked::others).collect();
        Log { other, ..self }
    }
}
