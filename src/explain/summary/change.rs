//! What would change the answer: numbers of this log and what they would
//! have to be.

use super::{about, brief, chance, counted, explained, missing, shorter_bin};
use crate::collect::{KeyField, Tally};
use crate::detect::{
    BaselineLog, Baselines, Class, Criterion, Decisive, Detection, Found,
    Settings, Unexplained, Verdict, Why, WindowTest,
};
use crate::series::Part;
use crate::time::Micros;

/// What would have made the answer another one, as a phrase: `opens that
/// explain …`. Never empty.
pub fn would_change(
    found: &Found,
    settings: &Settings,
    key: KeyField,
) -> String {
    let Some(detection) = &found.detection else {
        return lacking(found).to_owned();
    };
    let baseline = found.baseline.as_ref().map(BaselineLog::numbers);
    let ground = Ground {
        found,
        detection,
        settings,
        key,
        baseline: baseline.unwrap_or_default(),
    };
    match (detection.class, &detection.decisive) {
        (Class::Leak, Some(decisive)) => ground.climbing(decisive),
        (Class::Leak, None) => ground.multiplying(),
        (Class::Saturated, Some(decisive)) => ground.levelled(decisive),
        (Class::Saturated | Class::Stacked, _) => ground.stacked(),
        (Class::Storm, _) => ground.storm(),
        (Class::Growth, Some(decisive)) => ground.growing(decisive),
        (Class::Step, Some(decisive)) => ground.stepped(decisive),
        (Class::Cycling, _) => ground.cycling(),
        (Class::Insufficient(why), _) => longer(&why, found),
        (Class::Growth | Class::Step | Class::Flat, _) => ground.climb(),
    }
}

/// What a log without any stream that can be judged lacks.
fn lacking(found: &Found) -> &'static str {
    let Tally { records, selected, .. } = Tally::of(&found.harvests);
    match () {
        () if found.empty() => "a log with records in it",
        () if records == 0 => {
            "a --log-format that its records have (`streamleak formats` lists \
             them)"
        }
        () if !found.log.unheld.is_empty() => {
            "a log that tells how long each request took (`streamleak setup \
             nginx` prints the lines for nginx), or --assume-hold"
        }
        () if found.log.brief > 0 => "a shorter --min-hold",
        () if selected > 0 => "records with a time that can be used",
        () => "the --path or --path-regex of the streams",
    }
}

/// How much more of a log that shows too little is needed.
fn longer(why: &Why, found: &Found) -> String {
    match (why, missing(why, found)) {
        (Why::FewStreams { found, needed }, _) => {
            format!(
                "{} or more; here are {found}",
                counted(*needed as u64, "stream")
            )
        }
        (Why::NoStreams, _) => "a log with streams in it".to_owned(),
        (_, Some(wait)) => format!(
            "about {} more of the log{}",
            brief(about(wait)),
            shorter_bin(why, found)
        ),
        (_, None) => "a longer log".to_owned(),
    }
}

/// What the phrases are taken from.
struct Ground<'a> {
    found: &'a Found,
    detection: &'a Detection,
    settings: &'a Settings,
    key: KeyField,
    baseline: Baselines,
}

impl Ground<'_> {
    /// The least climb that there would have been.
    fn climb(&self) -> String {
        let whole = self.detection.headline(Part::Superseded);
        let Some(window) = whole.or(self.detection.pooled.as_ref()) else {
            return "superseded streams that are held more briefly: of these \
                    no stretch is long enough to be tested"
                .to_owned();
        };
        let base = self.baseline.superseded.as_ref();
        format!(
            "superseded streams that rise by {:.1} or more in the {} to {} \
             with a p below {} (here {}, {}), and no more opens to explain it",
            window.least_climb(base),
            brief(window.until - window.from),
            window.until.to_rfc3339(),
            odds(window.alpha),
            rise(window.test.rise),
            chance(window.p),
        )
    }

    fn cycling(&self) -> String {
        let climb = self.climb();
        let Some(ceiling) = self.found.holds.ceiling() else { return climb };
        let share = self.detection.reopenings.share();
        format!(
            "{climb}; to flat alone, fewer than {} of the streams at the \
             ceiling of {} ({} are) or fewer than {} of them opened again \
             ({} are)",
            percent(self.settings.ceiling),
            brief(ceiling.hold),
            percent(ceiling.share),
            percent(self.settings.reopened),
            percent(share),
        )
    }

    fn growing(&self, decisive: &Decisive) -> String {
        let work = match self.found.silent {
            Some(_) => "",
            None => {
                "; --silent-clients tells whether the new clients ask for \
                 anything beside streams"
            }
        };
        let window = &decisive.window;
        match (&window.unexplained, decisive.part) {
            (Some(unexplained), Part::Superseded) => {
                format!("{}{work}", self.unexplained(window, unexplained))
            }
            _ => format!("{}{work}", self.climb()),
        }
    }

    /// When opens would no longer explain a rise.
    fn unexplained(&self, window: &WindowTest, part: &Unexplained) -> String {
        let settings = self.settings;
        let rise = window.test.rise;
        let least = settings.unexplained * rise;
        let least_around = settings.unexplained_segment * part.segment_rise;
        if part.window < least || part.segment < least_around {
            return format!(
                "opens that explain no more than {} of the rise (they explain \
                 {}) and no more than {} of that of the whole stretch ({})",
                percent(1.0 - 2.0 * settings.unexplained),
                percent(explained(part.window, rise)),
                percent(1.0 - 2.0 * settings.unexplained_segment),
                percent(explained(part.segment, part.segment_rise)),
            );
        }
        let goes_on = window.trailing && window.test.still >= settings.still;
        let times = match goes_on {
            true => settings.climbing_sd,
            false => settings.unexplained_sd,
        };
        format!(
            "a rise that stands out from chance: {:.1} streams that opens do \
             not explain, and {:.1} are",
            times * part.sd,
            part.window
        )
    }

    /// A level after the step that climbs, and how long that takes to show.
    fn stepped(&self, decisive: &Decisive) -> String {
        let window = &decisive.window;
        let Some(at) = window.step_at() else { return self.climb() };
        let wait = self.wait(window, at);
        let show = match wait > Micros::ZERO {
            true => {
                let wait = brief(about(wait));
                format!("which about {wait} more of the log can show")
            }
            false => "which the log is long enough to show".to_owned(),
        };
        format!(
            "a level that itself climbs after {}: superseded streams that \
             rise by {:.1} or more, {show}",
            at.to_rfc3339(),
            self.settings.min_rise,
        )
    }

    /// How much longer the segment must get for its last half or quarter to
    /// lie after an instant and to be tested.
    fn wait(&self, window: &WindowTest, at: Micros) -> Micros {
        let rule = &self.settings.window;
        let bins = (rule.bin.0.saturating_mul(rule.slices as i64)).max(1);
        let (from, until) = (window.segment.from, window.segment.until);
        let before = (at - from).0;
        let half = before.saturating_mul(2).max(bins.saturating_mul(2));
        let quarter =
            (before / 3).saturating_mul(4).max(bins.saturating_mul(4));
        Micros(half.min(quarter)) - (until - from)
    }

    fn climbing(&self, decisive: &Decisive) -> String {
        let window = &decisive.window;
        let mut all = Vec::new();
        let mut but = String::new();
        if let Some(part) = &window.unexplained {
            match part.held_on(self.settings) {
                false => all.push(self.enough_opens(window, part)),
                true => {
                    but = format!(
                        "; no number of opens, while {} of {} superseded \
                         streams stay open for half the time",
                        part.held_on, part.held
                    );
                }
            }
        }
        all.push(format!(
            "a p of {} or more ({})",
            odds(window.alpha),
            chance(window.p)
        ));
        all.push(format!(
            "a rise below {:.1} ({:.1})",
            window.threshold, window.test.rise
        ));
        all.push(match self.found.baseline {
            Some(_) => "a baseline that climbs as steeply".to_owned(),
            None => "a healthy --baseline that climbs as steeply".to_owned(),
        });
        format!("{}{}{but}", all.join(", or "), self.then())
    }

    /// What the log would be without the rule that decided.
    fn then(&self) -> String {
        let Some(ruling) = self.detection.second() else {
            return String::new();
        };
        match (ruling.class, ruling.rule) {
            (Some(Class::Leak), Criterion::Pooled) => {
                "; and the same of the common slope of all stretches"
                    .to_owned()
            }
            (Some(Class::Leak), _) => {
                "; and that streams multiply as well".to_owned()
            }
            (Some(class), _) => {
                let word = Verdict::from(&class).word();
                format!("; it would be {word} then")
            }
            (None, _) => String::new(),
        }
    }

    fn enough_opens(&self, window: &WindowTest, part: &Unexplained) -> String {
        format!(
            "opens that explain more than {} of it (they explain {})",
            percent(1.0 - 2.0 * self.settings.unexplained),
            percent(explained(part.window, window.test.rise)),
        )
    }

    fn levelled(&self, decisive: &Decisive) -> String {
        let window = &decisive.window;
        let opens = window.unexplained.as_ref();
        let opens = opens
            .filter(|part| !part.held_on(self.settings))
            .map(|part| format!("{}, or ", self.enough_opens(window, part)));
        let on = match window.trailing {
            true => format!(
                "{} or more of the rise in its last third ({})",
                percent(self.settings.still),
                percent(window.test.still)
            ),
            false => {
                let until = window.until.to_rfc3339();
                format!("a rise that goes on after {until}")
            }
        };
        format!(
            "{}{}; to climbing, {on}",
            opens.unwrap_or_default(),
            self.finer_key()
        )
    }

    fn stacked(&self) -> String {
        let level = self.detection.level.filter(|level| level.higher);
        let rhythms = &self.detection.rhythms;
        let decided = self.detection.decided().map(|ruling| ruling.rule);
        let numbers = match (level, decided) {
            (Some(level), Some(Criterion::Level)) => format!(
                "a baseline with {:.1} superseded streams or more ({:.1})",
                level.own.mean - level.threshold,
                level.base.mean
            ),
            _ => format!(
                "openings so uneven that p is {} or more ({})",
                odds(self.settings.rhythm.alpha_share * self.settings.alpha),
                chance(rhythms.p)
            ),
        };
        format!("{numbers}, or {}", self.finer_key())
    }

    /// What shows several clients where one key shows several streams.
    fn finer_key(&self) -> &'static str {
        match self.key {
            KeyField::Session => {
                "a key finer than the session of which each holds one stream"
            }
            KeyField::Client | KeyField::Address | KeyField::Agent => {
                "a finer key, such as --key session, of which each holds one \
                 stream"
            }
        }
    }

    fn multiplying(&self) -> String {
        format!(
            "fewer than {:.0} openings beyond one for each stream that ended \
             that come within {} of an end ({} did)",
            self.settings.threshold(1.0).ceil(),
            brief(self.settings.branch.soon),
            crate::detect::gained(&self.detection.branchings),
        )
    }

    fn storm(&self) -> String {
        let rule = &self.settings.storm;
        let every = self.detection.storms.worst().map(|storm| {
            let each = storm.lasted().as_secs() / storm.streams as f64;
            let each = brief(Micros::from_secs_f64(each));
            format!(" (the worst opened one every {each})")
        });
        format!(
            "streams that are held for more than {} or opened again more \
             than {} later{}, or fewer than {} in a row",
            brief(rule.held),
            brief(rule.again),
            every.unwrap_or_default(),
            rule.least,
        )
    }
}

/// A chance that is a threshold: `0.01`, `0.0014`, `1.0e-30`.
fn odds(alpha: f64) -> String {
    match alpha >= 0.0001 {
        true => format!("{alpha:.4}").trim_end_matches('0').to_owned(),
        false => format!("{alpha:.1e}"),
    }
}

/// A rise with its sign, `+0.0` where there is none.
fn rise(streams: f64) -> String {
    format!("{:+.1}", (streams * 10.0).round() / 10.0 + 0.0)
}

fn percent(share: f64) -> String {
    format!("{:.0} %", share * 100.0)
}
