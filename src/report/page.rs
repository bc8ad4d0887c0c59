//! The page a person reads: lines no wider than the terminal.

use std::borrow::Cow;

use super::Style;
use super::escape;
use super::fit::{cut, cut_middle, width, wrap};
use super::paint::Ink;

/// Columns that the labels at the left take.
const LABEL: usize = 12;

/// A page being written.
pub(crate) struct Page<'a> {
    style: &'a Style,
    text: String,
    /// Whether a blank line is due before the next line.
    gap: bool,
}

impl<'a> Page<'a> {
    /// An empty page.
    pub(crate) fn new(style: &'a Style) -> Page<'a> {
        Page { style, text: String::new(), gap: false }
    }

    /// The style it is written in.
    pub(super) fn style(&self) -> &'a Style {
        self.style
    }

    /// Columns a line may take.
    pub(super) fn width(&self) -> usize {
        self.style.columns()
    }

    /// What was written.
    pub(crate) fn into_text(self) -> String {
        self.text
    }

    /// A line that is escaped, fitted and painted already.
    pub(super) fn line(&mut self, line: &str) {
        if self.gap && !self.text.is_empty() {
            self.text.push('\n');
        }
        self.gap = false;
        self.text.push_str(line.trim_end());
        self.text.push('\n');
    }

    /// A blank line between two sections: never two, and none at the top or
    /// the bottom.
    pub(crate) fn gap(&mut self) {
        self.gap = true;
    }

    /// The text with all that a terminal would obey escaped.
    fn safe<'t>(&self, text: &'t str) -> Cow<'t, str> {
        escape::terminal(text, self.style.unicode)
    }

    /// A logged text of at most so many columns, cut in the middle.
    pub(crate) fn short(&self, text: &str, columns: usize) -> String {
        cut_middle(&self.safe(text), columns, self.style.ellipsis())
    }

    /// A heading.
    pub(crate) fn heading(&mut self, text: &str) {
        let text = cut(text, self.width(), self.style.ellipsis());
        self.line(&Ink::Strong.paint(self.style.color, &text));
    }

    /// A paragraph, its first word or words in an ink of their own.
    pub(super) fn paragraph(&mut self, lead: &str, ink: Ink, text: &str) {
        let text = format!("{lead} {}", self.safe(text));
        let lines = wrap(&text, self.width());
        for (at, line) in lines.iter().enumerate() {
            match line.strip_prefix(lead) {
                Some(rest) if at == 0 => {
                    let lead = ink.paint(self.style.color, lead);
                    self.line(&format!("{lead}{rest}"));
                }
                _ => self.line(line),
            }
        }
    }

    /// A fact: a label at the left, the text beside it, in as many lines as
    /// it takes. Nothing is written for an empty text.
    pub(crate) fn fact(&mut self, label: &str, ink: Ink, text: &str) {
        if text.is_empty() {
            return;
        }
        let lines = wrap(&self.safe(text), self.width() - LABEL);
        for (at, line) in lines.iter().enumerate() {
            let label = if at == 0 { label } else { "" };
            let pad = LABEL.saturating_sub(width(label));
            let label = ink.paint(self.style.color, label);
            self.line(&format!("{label}{:pad$}{line}", ""));
        }
    }
}

impl Style {
    /// Columns a line may take.
    pub(super) fn columns(&self) -> usize {
        self.width.max(40)
    }

    /// What marks a cut.
    pub(super) fn ellipsis(&self) -> &'static str {
        if self.unicode { "…" } else { "..." }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What `draw` writes on a page of 40 columns.
    fn page(color: bool, draw: impl FnOnce(&mut Page<'_>)) -> String {
        let style = Style { width: 40, color, ..Style::default() };
        let mut page = Page::new(&style);
        draw(&mut page);
        page.into_text()
    }

    #[test]
    fn a_fact_hangs_beside_its_label() {
        let text = page(false, |page| {
            page.fact(
                "trusted",
                Ink::Dim,
                "the last 6 min 2 s are not all in",
            );
            page.fact("restarts", Ink::Dim, "");
            page.fact("read", Ink::Dim, "a\x1b[0m very long name of a file");
        });
        let expected = "\
trusted     the last 6 min 2 s are not
            all in
read        a\\x1b[0m very long name of a
            file
";
        assert_eq!(text, expected);
    }

    #[test]
    fn only_the_lead_of_a_paragraph_is_painted() {
        let text = page(true, |page| {
            page.paragraph("FLAT:", Ink::Good, "nothing climbs");
        });
        assert_eq!(text, "\x1b[1m\x1b[32mFLAT:\x1b[0m nothing climbs\n");
    }

    #[test]
    fn sections_are_one_blank_line_apart() {
        let text = page(false, |page| {
            page.gap();
            page.heading("a");
            page.gap();
            page.gap();
            page.heading("b");
            page.gap();
        });
        assert_eq!(text, "a\n\nb\n");
    }
}
