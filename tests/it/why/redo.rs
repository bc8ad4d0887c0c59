//! The judgement once more, from the JSON of `--why` alone and by formulas
//! of its own: normal equations, Student's t in closed form.

use serde_json::Value;

use crate::fixture::read;

/// A number of a document.
pub(super) fn number(value: &Value) -> f64 {
    value.as_f64().unwrap_or_else(|| panic!("no number: {value}"))
}

fn numbers(value: &Value) -> Vec<f64> {
    value.as_array().expect("a list").iter().map(number).collect()
}

pub(super) fn list(value: &Value) -> &[Value] {
    value.as_array().expect("a list")
}

/// The test of a window, redone.
#[derive(Debug)]
pub(super) struct Redone {
    /// A minute, as `se`.
    pub(super) slope: f64,
    pub(super) se: f64,
    pub(super) t: f64,
    pub(super) p: f64,
    pub(super) rise: f64,
    pub(super) level: f64,
    pub(super) still: f64,
    pub(super) threshold: f64,
}

impl Redone {
    /// From the slices of a window.
    pub(super) fn of(window: &Value, rules: &Value) -> Redone {
        let slices = &window["slices"][0];
        let z = numbers(&slices["means"]);
        let minutes = number(&slices["slice_s"]) / 60.0;
        let k = z.len() as f64;
        let (a, b) = normal_equations(&z);
        let u: Vec<f64> =
            (0..z.len()).map(|x| z[x] - a - b * x as f64).collect();
        let rss: f64 = u.iter().map(|u| u * u).sum();
        let lagged: f64 = (1..u.len()).map(|x| u[x] * u[x - 1]).sum();
        let r1 = if rss > 1e-12 { lagged / rss } else { 0.0 };
        let rho = (r1 + 2.0 / k).clamp(0.0, number(&rules["rho_cap"]));
        let sxx = (k * k * k - k) / 12.0;
        let plain = (rss / (k - 2.0) / sxx).sqrt().max(1e-9);
        let se = plain * ((1.0 + rho) / (1.0 - rho)).sqrt();
        let level = a.max(0.0);
        Redone {
            slope: b / minutes,
            se: se / minutes,
            t: b / se,
            p: upper_tail(b / se, z.len() - 2),
            rise: b * k,
            level,
            still: still(&z),
            threshold: threshold(level, rules),
        }
    }

    fn climbs(&self, alpha: f64) -> bool {
        self.p < alpha && self.rise >= self.threshold
    }
}

/// The common slope of several stretches, each with a level of its own:
/// slope and standard error a minute without any widening, degrees of
/// freedom, and the rise over all of them.
pub(super) fn pooled(window: &Value) -> [f64; 4] {
    let (mut sxx, mut sxz, mut szz, mut n, mut minutes) =
        (0.0, 0.0, 0.0, 0.0, 0.0);
    let stretches = list(&window["slices"]);
    for stretch in stretches {
        let z = numbers(&stretch["means"]);
        let each = number(&stretch["slice_s"]) / 60.0;
        let x: Vec<f64> = (0..z.len()).map(|k| k as f64 * each).collect();
        let (x_mean, z_mean) = (mean(&x), mean(&z));
        for (x, z) in x.iter().zip(&z) {
            let (x, z) = (x - x_mean, z - z_mean);
            (sxx, sxz, szz) = (sxx + x * x, sxz + x * z, szz + z * z);
        }
        n += z.len() as f64;
        minutes += each * z.len() as f64;
    }
    let slope = sxz / sxx;
    let df = n - stretches.len() as f64 - 1.0;
    let rss = szz - slope * sxz;
    [slope, (rss / df / sxx).sqrt(), df, slope * minutes]
}

/// Intercept and slope at x = 0, 1, 2, …: the two equations of Gauss,
/// solved by Cramer's rule.
fn normal_equations(z: &[f64]) -> (f64, f64) {
    let (mut sx, mut sxx, mut sz, mut sxz) = (0.0, 0.0, 0.0, 0.0);
    for (x, z) in z.iter().enumerate() {
        let x = x as f64;
        (sx, sxx, sz, sxz) = (sx + x, sxx + x * x, sz + z, sxz + x * z);
    }
    let n = z.len() as f64;
    let determinant = n * sxx - sx * sx;
    let a = (sz * sxx - sx * sxz) / determinant;
    (a, (n * sxz - sx * sz) / determinant)
}

/// P(T > t) in closed form for whole degrees of freedom (Abramowitz and
/// Stegun 26.7.3 and 26.7.4); good to 1e-15, not to any digits far out.
fn upper_tail(t: f64, df: usize) -> f64 {
    let theta = (t / (df as f64).sqrt()).atan();
    let (sin, cos) = theta.sin_cos();
    let first = df % 2;
    let mut term = if first == 1 { cos } else { 1.0 };
    let mut sum = if df > 1 { term } else { 0.0 };
    let mut n = first + 2;
    while n < df {
        term *= cos * cos * (n - 1) as f64 / n as f64;
        sum += term;
        n += 2;
    }
    let within = match first {
        1 => (theta + sin * sum) * 2.0 / std::f64::consts::PI,
        _ => sin * sum,
    };
    (1.0 - within) / 2.0
}

fn threshold(level: f64, rules: &Value) -> f64 {
    let rule = |name: &str| number(&rules[name]);
    let chance = rule("chance_rise") * (2.0 * level).sqrt();
    rule("min_rise").max(rule("relative_rise") * level).max(chance)
}

fn mean(z: &[f64]) -> f64 {
    z.iter().sum::<f64>() / z.len() as f64
}

fn still(z: &[f64]) -> f64 {
    let third = z.len() / 3;
    let last = mean(&z[z.len() - third..]);
    let climb = last - mean(&z[..third]);
    if climb > 1e-9 {
        (last - mean(&z[third..z.len() - third])) / climb
    } else {
        0.0
    }
}

/// L, if all of its terms are there.
pub(super) fn unexplained(opens: &Value) -> Option<f64> {
    let keys = list(&opens["first"]);
    let term = |key: &Value| {
        let of = |name: &str| number(&key[name]);
        of("n_b") - of("n_a") * (of("o_b") + 0.5) / (of("o_a") + 0.5)
    };
    let all = opens["keys"].as_u64() == Some(keys.len() as u64);
    all.then(|| keys.iter().map(term).sum())
}

/// The part of L of keys whose superseded streams stay, if all are there.
fn staying(opens: &Value, share: f64) -> f64 {
    let keys = list(&opens["first"]);
    if opens["keys"].as_u64() != Some(keys.len() as u64) {
        return number(&opens["staying"]);
    }
    let stays = |key: &&Value| {
        let (held, on) = (number(&key["held"]), number(&key["held_on"]));
        held >= 2.0 && on >= share * held
    };
    keys.iter().filter(stays).map(|key| number(&key["term"])).sum()
}

/// What the whole log is, by the windows of E and N alone.
pub(super) fn class(why: &Value) -> &'static str {
    let (rules, detector) = (&why["thresholds"], &why["detector"]);
    let alpha = number(&rules["alpha"]);
    let superseded = list(&detector["superseded"]);
    let mut gravest = None;
    for window in superseded {
        let test = Redone::of(window, rules);
        if test.climbs(alpha / superseded.len() as f64) {
            let class = climb(window, &test, rules);
            gravest = gravest.min(Some(class)).or(Some(class));
            if class == (0, "climbing") {
                break;
            }
        }
    }
    let total = list(&detector["total"]);
    let climbs = |window: &&Value| {
        let test = Redone::of(window, rules);
        test.climbs(alpha / total.len() as f64)
    };
    let jumps = |window: &Value| jumps(window, rules);
    match (gravest, total.iter().find(climbs)) {
        (Some((_, class)), _) => class,
        (None, Some(window)) => {
            if is_step(window, rules) {
                "stepped"
            } else {
                "growing"
            }
        }
        _ if superseded.iter().chain(total).any(jumps) => "stepped",
        _ => "flat",
    }
}

/// Whether hardly a bin is half-way up.
fn is_step(window: &Value, rules: &Value) -> bool {
    number(&window["shape"]["occupancy"]) < number(&rules["occupancy"])
}

/// The class of a climb of E, behind its rank.
fn climb(window: &Value, test: &Redone, rules: &Value) -> (u8, &'static str) {
    let rule = |name: &str| number(&rules[name]);
    let opens = &window["opens"];
    let of = |name: &str| number(&opens[name]);
    let own = unexplained(opens).unwrap_or(of("unexplained"));
    let held = (of("held"), of("held_on"));
    let hold_on =
        held.0 >= rule("min_streams") && held.1 >= rule("held_on") * held.0;
    let segment = rule("unexplained_segment") * of("segment_rise").max(0.0);
    let explained = own < rule("unexplained") * test.rise
        || of("segment_unexplained") < segment;
    if explained && !hold_on {
        (4, "growing")
    } else if is_step(window, rules) {
        (5, "stepped")
    } else if window["trailing"] == true && test.still >= rule("still") {
        let stay = staying(opens, rule("held_on")) >= 0.5 * own;
        if own < rule("climbing_sd") * of("sd") && !stay {
            (4, "growing")
        } else {
            (0, "climbing")
        }
    } else if own < rule("unexplained_sd") * of("sd") && !hold_on {
        (4, "growing")
    } else {
        (1, "stacked")
    }
}

/// Whether the best jump of a whole segment explains nearly all of it.
fn jumps(window: &Value, rules: &Value) -> bool {
    let z = numbers(&window["slices"][0]["means"]);
    let all = mean(&z);
    let total: f64 = z.iter().map(|z| (z - all).powi(2)).sum();
    let fit = |at: usize| {
        let (before, after) = (mean(&z[..at]), mean(&z[at..]));
        let n = (at as f64, (z.len() - at) as f64);
        let between =
            n.0 * (before - all).powi(2) + n.1 * (after - all).powi(2);
        (between / total, after - before, before)
    };
    let fits = (2..z.len() - 1).map(fit);
    let best = fits.max_by(|one, two| one.0.total_cmp(&two.0));
    window["name"] == "1/1"
        && total > 1e-12
        && best.is_some_and(|(r2, jump, base)| {
            r2 >= number(&rules["step_r2"]) && jump >= threshold(base, rules)
        })
}

#[test]
fn students_t_has_the_tails_of_scipy() {
    let table = read("reference/student_t_sf.json");
    let table: Value = serde_json::from_str(&table).expect("JSON");
    let mut seen = 0;
    for row in list(&table) {
        let (t, df) = (number(&row["t"]), number(&row["df"]));
        if df.fract() == 0.0 && df <= 30.0 {
            let (found, sf) = (upper_tail(t, df as usize), number(&row["sf"]));
            assert!((found - sf).abs() < 1e-12, "{t} {df}: {found} {sf}");
            seen += 1;
        }
    }
    assert!(seen > 30, "{seen}");
}
