//! Which openings may leave a stream open.

use std::collections::{HashMap, HashSet};

use crate::collect::{Dialect, Harvest, Row};

/// For each dialect of each input, whether an opening of it without an end
/// says that a stream is open.
///
/// It does where the same format logs ends too, in this input or another
/// one: then the end would be there. Where it logs none, as servers do that
/// write a line when a response starts and no other, the ends must be in a
/// log of another format, joined to some of the openings. Whatever other
/// logs hold, openings whose ends are logged nowhere must not pile up.
pub(super) fn believed(
    harvests: &[Harvest],
    rows: &[Vec<Row>],
) -> Vec<Vec<bool>> {
    let mut ends: HashMap<String, (u64, u64)> = HashMap::new();
    for dialect in harvests.iter().flat_map(|h| &h.found.dialects) {
        let name = dialect.format.name();
        let (timed, timeless) = ends.entry(name).or_default();
        *timed += dialect.ends;
        *timeless += dialect.timeless_ends;
    }
    // Ends without a time join nothing.
    let logs_ends = |dialect: &Dialect| {
        let ends = ends.get(&dialect.format.name());
        ends.is_some_and(|(timed, timeless)| timed > timeless)
    };
    let all = harvests.iter().map(|h| h.found.dialects.iter());
    let mut known: Vec<Vec<bool>> =
        all.map(|own| own.map(logs_ends).collect()).collect();
    join_elsewhere(rows, &mut known);
    known
}

/// Adds the dialects with an opening whose id an end of another one carries.
fn join_elsewhere(rows: &[Vec<Row>], known: &mut [Vec<bool>]) {
    let opens = |row: &&Row| row.id != 0 && row.is_opening();
    let unknown = |known: &[bool], row: &Row| {
        known.get(usize::from(row.dialect)) == Some(&false)
    };
    let all = || rows.iter().zip(&*known);
    let mut waits = all().flat_map(|(rows, known)| {
        let opens = rows.iter().filter(opens);
        opens.filter(|row| unknown(known, row))
    });
    if waits.next().is_none() {
        return;
    }
    let ended = rows.iter().flatten();
    let ended = ended.filter(|row| row.id != 0 && !opens(row));
    let ended: HashSet<u64> = ended.map(|row| row.id).collect();
    for (rows, known) in rows.iter().zip(known) {
        for row in rows.iter().filter(opens) {
            if unknown(known, row) && ended.contains(&row.id) {
                known[usize::from(row.dialect)] = true;
            }
        }
    }
}
