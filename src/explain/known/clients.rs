//! Clients known to leave streams behind or to reopen them without end, and
//! the version that cured them.

use std::fmt;

use memchr::memmem;

/// A defect of one client, cured in a later version.
#[derive(Debug, PartialEq, Eq)]
pub struct Defect {
    /// How the product begins in the user agent, its slash included.
    pub product: &'static str,
    /// The first version without the defect, number by number.
    pub fixed_in: [u32; 3],
    /// What earlier ones do, as the rest of a sentence about them.
    pub what: &'static str,
    /// Where its makers say so.
    pub source: &'static str,
    /// The day they said it: `2026-08-14`.
    pub date: &'static str,
}

/// All of them. A row needs a product that names its version in the user
/// agent and its makers' word for the version that cures it: most clients
/// send the name of their HTTP library instead, and a reporter's word that an
/// update helped is none. Of two rows of one product the later cure stands
/// first, as the earlier one is no reason to stop there.
const DEFECTS: &[Defect] = &[Defect {
    product: "claude-code/",
    fixed_in: [2, 1, 233],
    what: "reopens the subscriptions/listen streams of MCP v2 without end \
           where a server ends them after a fixed time",
    source: "https://github.com/anthropics/claude-code/blob/main/CHANGELOG.md",
    date: "2026-08-14",
}];

/// The defect of the client with this user agent. `None` also where its
/// version is not told: that is no reason to accuse it.
pub fn known_defect(agent: &[u8]) -> Option<&'static Defect> {
    DEFECTS.iter().find(|defect| defect.has(agent))
}

impl Defect {
    /// The product's name alone.
    pub fn name(&self) -> &'static str {
        self.product.trim_end_matches('/')
    }

    /// The first version without it, as its makers write it.
    pub fn fixed_in(&self) -> String {
        self.fixed_in.map(|number| number.to_string()).join(".")
    }

    /// The numbers of the version in a user agent, `2.1.231`; empty without
    /// any.
    pub fn version<'a>(&self, agent: &'a [u8]) -> &'a str {
        let text = self.release(agent).unwrap_or_default();
        let is_part = |b: &&u8| b.is_ascii_digit() || **b == b'.';
        let length = text.iter().take(VERSION).take_while(is_part).count();
        let numbers = str::from_utf8(&text[..length]).unwrap_or_default();
        numbers.trim_end_matches('.')
    }

    /// Whether this user agent is of a version that has it.
    fn has(&self, agent: &[u8]) -> bool {
        let release = self.release(agent);
        release.is_some_and(|release| is_before(release, self.fixed_in))
    }

    /// What follows the product's slash. Inside of a word the same letters
    /// are the end of another product's name.
    fn release<'a>(&self, agent: &'a [u8]) -> Option<&'a [u8]> {
        let begins = |at: &usize| *at == 0 || agent[*at - 1] == b' ';
        let at = memmem::find_iter(agent, self.product).find(begins)?;
        Some(&agent[at + self.product.len()..])
    }
}

impl fmt::Display for Defect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}, fixed in {}", self.name(), self.fixed_in())
    }
}

/// The most that is shown of a version, in bytes.
const VERSION: usize = 32;
/// The most digits a number of a version may have.
const DIGITS: usize = 9;

/// Whether a version comes before this one, by its numbers alone: a
/// pre-release of the cure may hold it already. `2.1` may be any `2.1.x`, so
/// it comes before `2.2.0` and not before `2.1.233`.
fn is_before(version: &[u8], fixed_in: [u32; 3]) -> bool {
    let mut rest = version;
    for cured in fixed_in {
        let Some((seen, after)) = number(rest) else { return false };
        if seen != cured {
            return seen < cured;
        }
        let Some(next) = after.strip_prefix(b".") else { return false };
        rest = next;
    }
    false
}

/// The number a text begins with, and what follows it.
fn number(text: &[u8]) -> Option<(u32, &[u8])> {
    let digits = text.iter().take_while(|b| b.is_ascii_digit()).count();
    if digits > DIGITS {
        return None;
    }
    let (digits, rest) = text.split_at(digits);
    Some((str::from_utf8(digits).ok()?.parse().ok()?, rest))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// The versions whose user agent, as this makes it, has a defect.
    fn with_defect<'a>(
        versions: &[&'a str],
        agent: fn(&str) -> String,
    ) -> Vec<&'a str> {
        let has = |v: &&&str| known_defect(agent(v).as_bytes()).is_some();
        versions.iter().filter(has).copied().collect()
    }

    #[test]
    fn versions_are_compared_number_by_number() {
        let old = ["2.1.232", "2.1.9", "2.0.999", "1.999.999", "0.2.40"];
        let cured = ["2.1.233", "2.1.1000", "2.2.0", "3.0.0", "10.0.1"];
        let all = [old, cured].concat();
        let found = with_defect(&all, |v| format!("claude-code/{v} (cli)"));
        assert_eq!(found, old);
    }

    #[test]
    fn what_follows_the_numbers_does_not_matter() {
        let old = ["2.1.232-alpha.7.2", "2.1.204+build", "2.0.0.9.9"];
        let cured = ["2.1.233-alpha.1", "2.1.233.0", "0233.0.0"];
        let all = [old, cured].concat();
        let found = with_defect(&all, |v| format!("claude-code/{v}"));
        assert_eq!(found, old);
        let desktop = "(claude-desktop, agent-sdk/0.3.2)";
        let agent = format!("claude-code/2.1.247 {desktop}");
        assert_eq!(known_defect(agent.as_bytes()), None);
        let agent = format!("claude-code/2.1.231 {desktop}");
        assert!(known_defect(agent.as_bytes()).is_some());
    }

    #[test]
    fn a_version_that_does_not_tell_accuses_nobody() {
        let unclear = ["", "dev", ".", "2", "2.1", "2.1.", "2..1", "v1.0.0"];
        let long = ["2.1.0000000001", "99999999999999999999.0.0"];
        let all = [&unclear[..], &long[..]].concat();
        let found = with_defect(&all, |v| format!("claude-code/{v}"));
        assert_eq!(found, [""; 0]);
        let enough =
            with_defect(&["1", "2.0"], |v| format!("claude-code/{v}"));
        assert_eq!(enough, ["1", "2.0"]);
    }

    #[test]
    fn only_a_product_of_its_own_counts() {
        let version = ["2.1.1"];
        for agent in [
            |v: &str| format!("claude-code/{v}"),
            |v: &str| format!("mcp-remote/1 claude-code/{v}"),
            |v: &str| format!("not-claude-code/9 claude-code/{v}"),
        ] {
            assert_eq!(with_defect(&version, agent), version);
        }
        for agent in [
            |v: &str| format!("not-claude-code/{v}"),
            |v: &str| format!("claude-code {v}"),
            |v: &str| format!("Claude-Code/{v}"),
            |v: &str| format!("codex-mcp-client/{v}"),
            // The first one is what it is.
            |v: &str| format!("claude-code/2.1.250 claude-code/{v}"),
        ] {
            assert_eq!(with_defect(&version, agent), [""; 0]);
        }
    }

    #[test]
    fn a_version_is_shown_by_its_numbers() {
        let [defect, ..] = DEFECTS else { panic!("a defect") };
        for (agent, version) in [
            ("claude-code/2.1.231 (cli)", "2.1.231"),
            ("claude-code/0.151.0-alpha.7.2", "0.151.0"),
            ("claude-code/2.1.", "2.1"),
            ("claude-code/dev", ""),
            ("curl/8", ""),
        ] {
            assert_eq!(defect.version(agent.as_bytes()), version);
        }
        let endless = format!("claude-code/{}", "1".repeat(1000));
        assert_eq!(defect.version(endless.as_bytes()).len(), VERSION);
        assert_eq!(defect.to_string(), "claude-code, fixed in 2.1.233");
    }

    #[test]
    fn every_row_names_a_product_and_who_says_so() {
        for (at, defect) in DEFECTS.iter().enumerate() {
            let release = defect.product.strip_suffix('/');
            assert!(release.is_some_and(|name| !name.contains('/')));
            assert!(defect.source.starts_with("https://"));
            let at_noon = format!("{}T12:00:00Z", defect.date);
            assert!(crate::time::rfc3339(at_noon.as_bytes()).is_some());
            let earlier = &DEFECTS[..at];
            let same = |other: &&Defect| other.product == defect.product;
            let mut later = earlier.iter().filter(same);
            assert!(later.all(|other| other.fixed_in > defect.fixed_in));
        }
    }

    proptest! {
        #[test]
        fn no_user_agent_however_wild_makes_it_panic(
            before in proptest::collection::vec(any::<u8>(), 0..40),
            version in "[0-9]{0,30}[.]?[0-9]{0,12}[.]?\\PC{0,20}",
            after in proptest::collection::vec(any::<u8>(), 0..40),
        ) {
            let product = &b" claude-code/"[..];
            let agent =
                [&before, product, version.as_bytes(), &after].concat();
            known_defect(&agent);
            known_defect(&agent[before.len()..]);
            let shown = DEFECTS[0].version(&agent);
            prop_assert!(shown.len() <= VERSION);
        }

        #[test]
        fn an_order_of_numbers_is_the_order_of_versions(
            one in [0..400_u32, 0..400, 0..400],
            other in [0..400_u32, 0..400, 0..400],
        ) {
            let [major, minor, patch] = one;
            let version = format!("{major}.{minor}.{patch} (cli)");
            let before = is_before(version.as_bytes(), other);
            prop_assert_eq!(before, one < other);
        }
    }
}
