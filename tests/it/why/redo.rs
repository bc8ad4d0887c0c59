//! The decision, redone from what `--why -o json` says alone.

use serde_json::Value;
use statrs::distribution::{ContinuousCDF, StudentsT};

/// A number of the document.
pub(super) fn number(value: &Value) -> f64 {
    value.as_f64().unwrap_or_else(|| panic!("{value} is no number"))
}

/// A list of the document.
pub(super) fn list(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

/// A climb's test, redone from its slices.
pub(super) struct Redone {
    pub(super) rise: f64,
    pub(super) level: f64,
    pub(super) t: f64,
    pub(super) p: f64,
    pub(super) threshold: f64,
}

impl Redone {
    pub(super) fn of(climb: &Value, rules: &Value) -> Redone {
        let slices: Vec<f64> =
            list(&climb["slices"]).iter().map(number).collect();
        let n = slices.len() as f64;
        let mean = slices.iter().sum::<f64>() / n;
        let x = |k: usize| k as f64 - (n - 1.0) / 2.0;
        let sxx = n * (n * n - 1.0) / 12.0;
        let sxy: f64 =
            slices.iter().enumerate().map(|(k, z)| x(k) * (z - mean)).sum();
        let slope = sxy / sxx;
        let rest: Vec<f64> = slices
            .iter()
            .enumerate()
            .map(|(k, z)| z - mean - slope * x(k))
            .collect();
        let rss: f64 = rest.iter().map(|u| u * u).sum();
        let lagged: f64 = rest.windows(2).map(|u| u[0] * u[1]).sum();
        let r1 = if rss > 1e-12 { lagged / rss } else { 0.0 };
        let cap = number(&rules["rho_cap"]);
        let rho = (r1 + 2.0 / n).max(0.0).min(cap);
        let plain = (rss / (n - 2.0) / sxx).sqrt().max(1e-9);
        let t = slope / (plain * ((1.0 + rho) / (1.0 - rho)).sqrt());
        let student = StudentsT::new(0.0, 1.0, n - 2.0).expect("df");
        let level = (mean - slope * (n - 1.0) / 2.0).max(0.0);
        Redone {
            rise: slope * n,
            level,
            t,
            p: student.sf(t),
            threshold: threshold(level, rules),
        }
    }

    /// Whether it rises, by its own numbers.
    pub(super) fn rises(&self, alpha: f64) -> bool {
        self.p < alpha && self.rise >= self.threshold
    }
}

fn threshold(level: f64, rules: &Value) -> f64 {
    let rule = |name: &str| number(&rules[name]);
    let poisson = rule("poisson_rise") * (2.0 * level).sqrt();
    rule("least_rise").max(rule("relative_rise") * level).max(poisson)
}

/// The verdict on one endpoint.
pub(super) fn verdict(endpoint: &Value) -> &str {
    let analysis = &endpoint["analysis"];
    if analysis.is_null() {
        return "unknown";
    }
    let climbs = list(&analysis["climbs"]);
    let leaks = climbs.iter().filter(|climb| climb["series"] != "total");
    let has = |shape: &str| leaks.clone().any(|climb| climb["shape"] == shape);
    if has("climbing") {
        "climbing"
    } else if !analysis["standing"].is_null() || has("stacked") {
        "stacked"
    } else {
        quiet(analysis)
    }
}

/// What no leak is called.
fn quiet(analysis: &Value) -> &str {
    match analysis["ground"].as_str() {
        Some("total") => {
            let risen = list(&analysis["climbs"]).iter().rev();
            let total = risen.filter(|climb| climb["series"] == "total");
            let shape = total.map(|c| &c["shape"]).find(|s| !s.is_null());
            let steps = shape.is_some_and(|shape| shape == "stepped");
            if steps { "stepped" } else { "growing" }
        }
        Some("shift") => "stepped",
        Some("cuts") => "cycling",
        Some("nothing") => "flat",
        Some(_) => "unknown",
        None => "stepped",
    }
}
