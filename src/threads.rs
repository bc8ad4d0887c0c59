//! How work is spread over cores: the only file that knows rayon.

use rayon::prelude::*;

/// Runs work on this many threads.
///
/// # Errors
///
/// The system gives no threads.
pub fn on_threads<T: Send>(
    threads: usize,
    work: impl FnOnce() -> T + Send,
) -> anyhow::Result<T> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build()?;
    Ok(pool.install(work))
}

/// Does two things at once, if the threads it runs on are not busy.
pub fn both<A: Send, B: Send>(
    one: impl FnOnce() -> A + Send,
    two: impl FnOnce() -> B + Send,
) -> (A, B) {
    rayon::join(one, two)
}

/// Maps a slice on all threads; the results are in its order.
pub fn map<T: Sync, U: Send>(
    items: &[T],
    one: impl Fn(&T) -> U + Sync + Send,
) -> Vec<U> {
    items.par_iter().map(one).collect()
}

/// Folds the numbers below `count` on all threads. Neighbours share an
/// accumulator; `join` puts two of them together, in order.
pub fn fold<T: Send>(
    count: usize,
    new: impl Fn() -> T + Sync + Send,
    add: impl Fn(T, usize) -> T + Sync + Send,
    join: impl Fn(T, T) -> T + Sync + Send,
) -> T {
    (0..count).into_par_iter().fold(&new, add).reduce(&new, join)
}
