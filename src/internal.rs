//! What the program, its tests and its benches reach for. No part of the
//! library: it changes without notice.

/// What was typed, done and written.
pub mod app {
    pub use crate::app::{Args, Env, Plan, run};
}

/// Records made rows.
pub mod collect {
    pub use crate::collect::{
        Answer, Harvest, Harvester, KeyField, KeyId, Marked, Others,
        Overrides, SAMPLE, Selector,
    };
}

/// Numbers made a verdict.
pub mod detect {
    pub use crate::detect::{
        Analysis, Climb, ClimbSeries, Detection, Evidence, Flagged, Found,
        JudgeFinding, Judged, Level, Log, Openings, Options, Prepared, Reason,
        Settings, Shape, SlopeTest, Verdict, analyse, detect, resolution,
        welch,
    };
}

/// The bytes of one record.
pub mod format {
    pub use crate::format::{
        Broken, Choice, DecodeOptions, EndedBy, Event, Format, Layout,
        Pattern, Record, Reject, Template, Value, Wanted, conf, json, walk,
    };
}

/// Any source.
pub mod input {
    pub use crate::input::{
        Chunk, Framing, Input, MmapChoice, Prefilter, Source, chunk,
        chunk_count, forward, scan,
    };
}

/// Streams made numbers over time.
pub mod series {
    pub use crate::series::{Bin, Means, Part, Series};
}

/// A log in the making.
pub mod simulate {
    pub use crate::simulate::{
        Agreement, Entry, Era, Habit, Lacking, Log, Pace, Run, Sample, Server,
        Simulation, Stop, listen,
    };
}

/// What every storey shares.
pub mod stats {
    pub use crate::stats::upper_tail;
}

/// Rows made streams.
pub mod streams {
    pub use crate::streams::{Log, Stream};
}

/// Work spread over cores.
pub mod threads {
    pub use crate::threads::on_threads;
}

/// Instants.
pub mod time {
    pub use crate::time::{Clock, Micros, Unit, clf, rfc3339};
}
