//! The series: how many streams were open, bin by bin.
//!
//! Bins lie on the clock: with a bin of a minute each starts on a full
//! minute. The first and the last one are cut to the log's span, and their
//! means are over what is left of them. All sums are of whole microseconds,
//! so the result does not depend on the order of anything.

use std::ops::Range;

use crate::series::means::{Means, Part};
use crate::streams::Stream;
use crate::time::Micros;

/// The most bins a series may have.
pub const MOST: i64 = 1_000_000;

/// Open streams over time.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Series {
    /// The length of a bin.
    pub step: Micros,
    /// The bins in order of time.
    pub bins: Vec<Bin>,
}

/// One step of a series.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Bin {
    /// Its start, on the clock.
    pub start: Micros,
    /// Streams opened in it.
    pub opens: u64,
    /// Streams closed in it.
    pub closes: u64,
    /// The fewest open at an instant of it.
    pub min: u64,
    /// The most open at an instant of it.
    pub max: u64,
    /// The time-weighted mean open.
    pub mean: f64,
    /// The mean number of keys with a stream open.
    pub clients: f64,
    /// The mean number of superseded streams: `mean - clients`.
    pub superseded: f64,
}

/// The span has more than [`MOST`] bins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooManyBins(pub i64);

/// The bins of a span: on the clock, cut to it.
struct Grid {
    from: i64,
    until: i64,
    step: i64,
    first: i64,
    count: usize,
}

impl Grid {
    fn new(
        from: Micros,
        until: Micros,
        step: Micros,
    ) -> Result<Grid, TooManyBins> {
        let step = step.0.max(1);
        let first = from.0.div_euclid(step);
        // A span that ends on a full bin has nothing of the next one.
        let last = (until.0 - 1).div_euclid(step).max(first);
        let count = last - first + 1;
        if count > MOST {
            return Err(TooManyBins(count));
        }
        let count = count as usize;
        Ok(Grid { from: from.0, until: until.0, step, first, count })
    }

    /// Where a bin is, cut to the span.
    fn bin(&self, number: usize) -> Range<i64> {
        let start = (self.first + number as i64) * self.step;
        start.max(self.from)..(start + self.step).min(self.until)
    }
}

/// How many intervals are open over one bin.
#[derive(Clone, Copy, Debug, Default)]
struct Load {
    /// Open time summed, in microseconds.
    area: i128,
    min: i64,
    max: i64,
    opens: u64,
    closes: u64,
}

impl Series {
    /// The series of these streams over `[from, until]`.
    ///
    /// # Errors
    ///
    /// [`TooManyBins`] when the span is too long for such short steps.
    pub fn new(
        streams: &[Stream],
        from: Micros,
        until: Micros,
        step: Micros,
    ) -> Result<Series, TooManyBins> {
        // Beyond all that will be asked about.
        let horizon = until + Micros::HOUR;
        let means = Means::new(streams, from, horizon);
        Series::of(&means, from, until, step)
    }

    /// The same of streams whose means are prepared, with `from` as their
    /// origin.
    ///
    /// # Errors
    ///
    /// As for [`Series::new`].
    pub fn of(
        means: &Means,
        from: Micros,
        until: Micros,
        step: Micros,
    ) -> Result<Series, TooManyBins> {
        let grid = Grid::new(from, until, step)?;
        let mut total = Sweep::new(means.steps(Part::Total), &grid);
        let mut clients = Sweep::new(means.steps(Part::Clients), &grid);
        let bins = (0..grid.count).map(|number| {
            let range = grid.bin(number);
            let held = total.load(range.clone());
            bin(&grid, number, held, clients.load(range))
        });
        Ok(Series { step, bins: bins.collect() })
    }
}

impl Series {
    /// Counts an opening of which nothing but its time is known.
    pub fn count_opening(&mut self, at: Micros) {
        let Some(first) = self.bins.first() else { return };
        let number = (at - first.start).0.div_euclid(self.step.0.max(1));
        let bin = usize::try_from(number)
            .ok()
            .and_then(|number| self.bins.get_mut(number));
        if let Some(bin) = bin {
            bin.opens += 1;
        }
    }
}

/// One bin out of its loads.
fn bin(grid: &Grid, number: usize, total: Load, clients: Load) -> Bin {
    let range = grid.bin(number);
    let length = (range.end - range.start).max(1) as f64;
    Bin {
        start: Micros((grid.first + number as i64) * grid.step),
        opens: total.opens,
        closes: total.closes,
        min: total.min.max(0) as u64,
        max: total.max.max(0) as u64,
        mean: total.area as f64 / length,
        clients: clients.area as f64 / length,
        superseded: (total.area - clients.area) as f64 / length,
    }
}

/// Openings and closings in order, relative to the span's start, and how far
/// the sweep over them has come.
struct Sweep<'a> {
    opens: &'a [i64],
    closes: &'a [i64],
    /// How many are open where the sweep stands.
    open: i64,
    /// Openings and closings that were counted for a bin.
    counted: [&'a [i64]; 2],
    from: i64,
    until: i64,
}

impl<'a> Sweep<'a> {
    fn new((opens, closes): (&'a [i64], &'a [i64]), grid: &Grid) -> Sweep<'a> {
        let inside = |times: &'a [i64]| {
            &times[times.partition_point(|time| *time < 0)..]
        };
        let mut sweep = Sweep {
            opens,
            closes,
            open: 0,
            counted: [inside(opens), inside(closes)],
            from: grid.from,
            until: grid.until - grid.from,
        };
        sweep.pass(0);
        sweep
    }

    /// The next instant at which something changes.
    fn next(&self) -> Option<i64> {
        match (self.opens.first(), self.closes.first()) {
            (Some(open), Some(close)) => Some(*open.min(close)),
            (open, close) => open.or(close).copied(),
        }
    }

    /// Goes to an instant: what closes then is closed before what opens
    /// then is opened, so a stream and its successor are never both open,
    /// and one that closes as it opens never is.
    fn pass(&mut self, at: i64) {
        let closed = passed(&mut self.closes, |time| time <= at);
        let opened = passed(&mut self.opens, |time| time <= at);
        self.open += opened as i64 - closed as i64;
    }

    /// The load of a bin, which starts where the sweep stands.
    fn load(&mut self, bin: Range<i64>) -> Load {
        let bin = bin.start - self.from..bin.end - self.from;
        // The last bin has the span's last instant as well.
        let until = bin.end + i64::from(bin.end >= self.until);
        let [opens, closes] = &mut self.counted;
        let mut load = Load {
            area: 0,
            min: self.open,
            max: self.open,
            opens: passed(opens, |time| time < until) as u64,
            closes: passed(closes, |time| time < until) as u64,
        };
        let mut at = bin.start;
        while let Some(next) = self.next().filter(|next| *next < bin.end) {
            load.area += i128::from(self.open) * i128::from(next - at);
            self.pass(next);
            load.min = load.min.min(self.open);
            load.max = load.max.max(self.open);
            at = next;
        }
        let rest = (bin.end - at).max(0);
        load.area += i128::from(self.open) * i128::from(rest);
        self.pass(bin.end);
        load
    }
}

/// Takes the first times off that are such; says how many.
fn passed(times: &mut &[i64], such: impl Fn(i64) -> bool) -> usize {
    let count = times.iter().take_while(|time| such(**time)).count();
    *times = &times[count..];
    count
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::collect::KeyId;

    fn stream(key: u32, opened: i64, closed: Option<i64>) -> Stream {
        Stream::new(Micros(opened), closed.map(Micros), KeyId(key))
    }

    fn series(
        streams: &[Stream],
        from: i64,
        until: i64,
        step: i64,
    ) -> Vec<Bin> {
        let (from, until) = (Micros(from), Micros(until));
        Series::new(streams, from, until, Micros(step)).unwrap().bins
    }

    #[test]
    fn a_stream_counts_for_the_part_of_a_bin_it_is_open() {
        let bins = series(&[stream(0, 5, Some(25))], 0, 40, 10);
        let means: Vec<f64> = bins.iter().map(|bin| bin.mean).collect();
        assert_eq!(means, [0.5, 1.0, 0.5, 0.0]);
        assert_eq!((bins[0].opens, bins[2].closes), (1, 1));
        assert_eq!((bins[0].min, bins[0].max), (0, 1));
    }

    #[test]
    fn a_stream_from_before_the_log_counts_from_its_first_bin() {
        let streams = [stream(0, -500, Some(12)), stream(1, 3, None)];
        let bins = series(&streams, 0, 20, 10);
        assert!((bins[0].mean - 1.7).abs() < 1e-12);
        assert_eq!((bins[0].opens, bins[0].min), (1, 1));
        assert!((bins[1].mean - 1.2).abs() < 1e-12);
    }

    #[test]
    fn a_stream_and_its_successor_are_never_both_open() {
        let streams = [stream(0, 0, Some(10)), stream(0, 10, Some(20))];
        let bins = series(&streams, 0, 20, 20);
        assert_eq!((bins[0].min, bins[0].max), (1, 1));
        assert!(bins[0].superseded.abs() < 1e-12);
    }

    #[test]
    fn an_instant_is_no_concurrency() {
        let bins = series(&[stream(0, 5, Some(5))], 0, 10, 10);
        assert_eq!((bins[0].max, bins[0].opens, bins[0].closes), (0, 1, 1));
    }

    #[test]
    fn bins_lie_on_the_clock_and_are_cut_to_the_log() {
        let bins = series(&[stream(0, 0, None)], 25, 47, 10);
        let starts: Vec<i64> = bins.iter().map(|bin| bin.start.0).collect();
        assert_eq!(starts, [20, 30, 40]);
        assert!(bins.iter().all(|bin| (bin.mean - 1.0).abs() < 1e-12));
    }

    #[test]
    fn a_span_too_long_for_its_step_is_refused() {
        let far = Micros(MOST + 1);
        let refused = Series::new(&[], Micros(0), far, Micros(1));
        assert_eq!(refused, Err(TooManyBins(MOST + 1)));
    }

    /// Counts each microsecond by itself.
    fn counted(streams: &[Stream], until: i64, step: i64) -> Vec<(f64, f64)> {
        let open = |at: i64| {
            let there: Vec<u32> = streams
                .iter()
                .filter(|s| {
                    s.opened.0 <= at && s.closed.is_none_or(|c| at < c.0)
                })
                .map(|s| s.key.0)
                .collect();
            let mut keys = there.clone();
            keys.sort_unstable();
            keys.dedup();
            (there.len() as f64, keys.len() as f64)
        };
        (0..until / step)
            .map(|n| {
                let bin: Vec<_> =
                    (n * step..(n + 1) * step).map(open).collect();
                let mean = |of: fn(&(f64, f64)) -> f64| {
                    bin.iter().map(of).sum::<f64>() / step as f64
                };
                (mean(|load| load.0), mean(|load| load.1))
            })
            .collect()
    }

    proptest! {
        #[test]
        fn the_sweep_equals_counting_every_instant(
            all in prop::collection::vec((0u32..4, -20i64..80, 0i64..60, any::<bool>()), 0..30),
        ) {
            let streams: Vec<Stream> = all
                .iter()
                .map(|&(key, at, hold, open)| {
                    stream(key, at, (!open).then_some(at + hold))
                })
                .collect();
            let bins = series(&streams, 0, 60, 12);
            for (bin, (mean, clients)) in
                bins.iter().zip(counted(&streams, 60, 12))
            {
                prop_assert!((bin.mean - mean).abs() < 1e-9);
                prop_assert!((bin.clients - clients).abs() < 1e-9);
                let parts = bin.clients + bin.superseded;
                prop_assert!((bin.mean - parts).abs() < 1e-9);
                prop_assert!(bin.min as f64 <= mean && mean <= bin.max as f64);
            }
        }
    }
}
