//! What clients do when their stream goes quiet.

use std::str::FromStr;

/// What a client does when its stream goes quiet, or ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Habit {
    /// Opens another and keeps the old socket: the leak.
    Abandon,
    /// Closes it, waits, and opens another.
    Close,
    /// Closes it and opens another at once.
    Storm,
}

impl Habit {
    /// All of them, in order.
    pub const ALL: [Habit; 3] = [Habit::Abandon, Habit::Close, Habit::Storm];

    /// Its name on the command line and in user agents.
    pub fn name(self) -> &'static str {
        match self {
            Habit::Abandon => "abandon",
            Habit::Close => "close",
            Habit::Storm => "storm",
        }
    }

    /// The habit of that name.
    pub(super) fn from_name(name: &str) -> Option<Habit> {
        Habit::ALL.into_iter().find(|habit| habit.name() == name)
    }
}

/// Habits in proportion, such as `abandon=1,close=3`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mix(Vec<(Habit, usize)>);

/// The most that one part of a mix may weigh.
const HEAVIEST: usize = super::MOST_CLIENTS;

impl Mix {
    /// So many clients, shared out in proportion, each habit at least once;
    /// without a number, as many as the mix names.
    ///
    /// A habit's clients follow each other, in the order of the mix.
    pub fn clients(&self, count: Option<usize>) -> Vec<Habit> {
        let total: usize = self.0.iter().map(|(_, weight)| weight).sum();
        let count = count.unwrap_or(total).max(self.0.len());
        let mut clients = Vec::new();
        let mut weighed = 0;
        for (at, (habit, weight)) in self.0.iter().enumerate() {
            weighed += weight;
            // Those after it need a place each.
            let most = count - (self.0.len() - 1 - at);
            let upto = (count * weighed + total / 2) / total;
            let upto = upto.clamp(clients.len() + 1, most);
            clients.resize(upto, *habit);
        }
        clients
    }
}

impl FromStr for Mix {
    type Err = String;

    fn from_str(text: &str) -> Result<Mix, String> {
        let mut mix: Vec<(Habit, usize)> = Vec::new();
        for part in text.split(',') {
            let (name, weight) = part.split_once('=').unwrap_or((part, "1"));
            let habit = Habit::from_name(name.trim()).ok_or_else(|| {
                format!("{name:?} is not one of abandon, close, storm")
            })?;
            let weight = weight.trim().parse().ok();
            let weight = weight.filter(|w| (1..=HEAVIEST).contains(w));
            let weight = weight.ok_or_else(|| {
                format!("{part:?}: not a number from 1 to {HEAVIEST}")
            })?;
            if mix.iter().any(|(known, _)| *known == habit) {
                return Err(format!("{} is named twice", habit.name()));
            }
            mix.push((habit, weight));
        }
        Ok(Mix(mix))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// How many clients of each habit.
    fn shares(mix: &str, count: Option<usize>) -> [usize; 3] {
        let clients = mix.parse::<Mix>().unwrap().clients(count);
        Habit::ALL.map(|habit| clients.iter().filter(|c| **c == habit).count())
    }

    #[test]
    fn a_mix_without_a_number_is_as_many_as_it_names() {
        assert_eq!(shares("abandon", None), [1, 0, 0]);
        assert_eq!(shares("abandon=1,close=3", None), [1, 3, 0]);
        assert_eq!(shares("storm=2, close", None), [0, 1, 2]);
    }

    #[test]
    fn clients_are_shared_out_in_proportion() {
        assert_eq!(shares("abandon=1,close=3", Some(40)), [10, 30, 0]);
        assert_eq!(shares("abandon,close,storm", Some(10)), [3, 4, 3]);
        assert_eq!(shares("close", Some(7)), [0, 7, 0]);
    }

    #[test]
    fn each_habit_has_a_client() {
        assert_eq!(shares("abandon=200,close=1,storm=1", Some(5)), [3, 1, 1]);
        assert_eq!(shares("abandon,close=200", Some(1)), [1, 1, 0]);
    }

    #[test]
    fn what_is_no_mix_is_refused() {
        for text in ["", "abandon,", "leak", "close=0", "close=x", "close=201"]
        {
            assert!(text.parse::<Mix>().is_err(), "{text:?}");
        }
        let twice = "close,close=2".parse::<Mix>().unwrap_err();
        assert_eq!(twice, "close is named twice");
    }
}
