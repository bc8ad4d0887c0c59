//! What is paid for: stream hours, and those of them that were no use to
//! anyone because their client had opened a newer stream.

use crate::series::means::{Means, Part};

/// Hours for which streams were held over a stretch of the log, summed over
/// the streams.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hours {
    /// How long the stretch is.
    pub length: f64,
    /// Those of all streams.
    pub total: f64,
    /// Those of the superseded ones.
    pub superseded: f64,
}

impl Hours {
    /// The hours from the origin of these means to `until`, in seconds from
    /// it. `None` when that is no time at all.
    pub fn of(means: &Means, until: f64) -> Option<Hours> {
        let held = |part| means.held(part, 0.0, until).max(0.0) / 3600.0;
        (until > 0.0).then(|| Hours {
            length: until / 3600.0,
            total: held(Part::Total),
            superseded: held(Part::Superseded),
        })
    }

    /// The rate of the stretch, in hours a day.
    pub fn a_day(&self, hours: f64) -> f64 {
        hours / self.length * 24.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::collect::KeyId;
    use crate::format::EndedBy;
    use crate::streams::Stream;
    use crate::time::Micros;

    // By hand, in minutes: of the first 90, the first client holds one stream
    // from before the log to 60, 60 long, and one from 30 on, 60 long, of
    // which 30 overlap; the second client one of 15. So 135 held, 30 of them
    // superseded, in 90 minutes: 16 times as much in a day.
    #[test]
    fn hours_are_what_a_hand_counts() {
        let stream = |opened: i64, closed: Option<i64>, key: u32| Stream {
            opened: Micros::from_secs(opened * 60),
            closed: closed.map(|closed| Micros::from_secs(closed * 60)),
            key: KeyId(key),
            ended_by: EndedBy::Unknown,
            answer: crate::collect::Answer::default(),
        };
        let streams = [
            stream(-45, Some(60), 0),
            stream(30, None, 0),
            stream(10, Some(25), 1),
            stream(100, Some(110), 1),
        ];
        let day = Micros::from_secs(86_400);
        let means = Means::new(&streams, Micros::ZERO, day);
        let found = Hours::of(&means, 5400.0).expect("hours");
        let expected = Hours { length: 1.5, total: 2.25, superseded: 0.5 };
        assert_eq!(found, expected);
        assert!((found.a_day(found.total) - 36.0).abs() < 1e-12);
        assert!((found.a_day(found.superseded) - 8.0).abs() < 1e-12);
        assert_eq!(Hours::of(&means, 0.0), None);
    }
}
