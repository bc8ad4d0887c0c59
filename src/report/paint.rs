//! Colours. They only repeat what words and shapes already say.

use anstyle::{Ansi256Color, AnsiColor, Style as Look};

/// What a piece of text is, for the eye.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ink {
    /// Ordinary text.
    Plain,
    /// A heading.
    Strong,
    /// Less important, or not to be relied on.
    Dim,
    /// All is well.
    Good,
    /// Look at it in the morning.
    Warning,
    /// Look at it now.
    Critical,
    /// The plot's newest stream of each client.
    Clients,
    /// The plot's superseded streams.
    Superseded,
}

impl Ink {
    /// The plot's blue and orange are told apart by every kind of colour
    /// vision (Okabe and Ito, <https://jfly.uni-koeln.de/color/>) and read
    /// on dark and on light ground.
    fn look(self) -> Look {
        let bold = |color: AnsiColor| color.on_default().bold();
        match self {
            Ink::Plain => Look::new(),
            Ink::Strong => Look::new().bold(),
            Ink::Dim => Look::new().dimmed(),
            Ink::Good => bold(AnsiColor::Green),
            Ink::Warning => bold(AnsiColor::Yellow),
            Ink::Critical => bold(AnsiColor::Red),
            Ink::Clients => Ansi256Color(32).on_default(),
            Ink::Superseded => Ansi256Color(208).on_default(),
        }
    }

    /// The text in this ink if `color` is wanted.
    pub(super) fn paint(self, color: bool, text: &str) -> String {
        if !color || self == Ink::Plain || text.is_empty() {
            return text.to_owned();
        }
        let look = self.look();
        format!("{look}{text}{look:#}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_are_put_around_the_text_and_only_when_wanted() {
        let red = "\x1b[1m\x1b[31mclimbing\x1b[0m";
        assert_eq!(Ink::Critical.paint(true, "climbing"), red);
        assert_eq!(Ink::Critical.paint(false, "climbing"), "climbing");
        assert_eq!(Ink::Plain.paint(true, "climbing"), "climbing");
    }
}
