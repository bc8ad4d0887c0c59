//! Apache's `%{…}t`: a time that may be made of several pieces.
//!
//! `%{%Y-%m-%dT%H:%M:%S}t.%{usec_frac}t%{%z}t` is one instant in three
//! directives. Pieces that stand close together and add something to each
//! other are read as one time; a piece left alone is read when it is a whole
//! time by itself, and passed over when it is not.

use crate::format::{Field, Mark, Shape};

use super::draft::{Form, Token, Value};

/// Everything that a time can hold. A set of these is a sum of them.
mod holds {
    pub(super) const YEAR: u8 = 1;
    pub(super) const MONTH: u8 = 2;
    pub(super) const DAY: u8 = 4;
    pub(super) const HOUR: u8 = 8;
    pub(super) const MINUTE: u8 = 16;
    pub(super) const FRACTION: u8 = 32;
    pub(super) const ZONE: u8 = 64;
    pub(super) const EPOCH: u8 = 128;
    pub(super) const DATE: u8 = YEAR | MONTH | DAY;
    pub(super) const CLOCK: u8 = HOUR | MINUTE;
    /// What no time can be read without.
    pub(super) const WHOLE: u8 = DATE | CLOCK;
}

/// A part of a `LogFormat`, of which a time may be made of several.
pub(super) enum Element {
    /// Text or a value.
    Token(Token),
    /// A piece of a time.
    Piece(Piece),
}

/// What `%t` alone writes.
const CLF: &str = "[%d/%b/%Y:%H:%M:%S %z]";

/// A piece of a time.
#[derive(Clone)]
pub(super) struct Piece {
    /// Where it stands in the text of the format.
    at: usize,
    /// Whose time it is.
    mark: Mark,
    /// As a `strftime` pattern; a fraction is chrono's `%3f`, `%6f` or
    /// `%9f`.
    pattern: String,
    /// What it holds.
    holds: u8,
    /// How long it is, when that is always the same.
    width: Option<usize>,
    /// Whether every part of the pattern can be read.
    readable: bool,
}

impl Piece {
    /// The piece that `%{format}t` writes.
    pub(super) fn of(at: usize, format: &str) -> Piece {
        let (mark, format) = match format.split_once(':') {
            Some(("begin", format)) => (Mark::Start, format),
            Some(("end", format)) => (Mark::End, format),
            _ if format == "end" => (Mark::End, ""),
            _ if format == "begin" => (Mark::Start, ""),
            _ => (Mark::Start, format),
        };
        let pattern = match format {
            "" => CLF,
            "sec" => "%s",
            "msec" | "usec" => return Piece::count(at, mark, format),
            "msec_frac" => "%3f",
            "usec_frac" => "%6f",
            pattern => pattern,
        };
        Piece::strftime(at, mark, pattern)
    }

    /// A whole count of milliseconds or microseconds.
    fn count(at: usize, mark: Mark, unit: &str) -> Piece {
        let width = if unit == "msec" { 13 } else { 16 };
        Piece {
            at,
            mark,
            pattern: "%s".to_owned(),
            holds: holds::EPOCH | holds::FRACTION,
            width: Some(width),
            readable: true,
        }
    }

    /// A `strftime` pattern.
    pub(super) fn strftime(at: usize, mark: Mark, pattern: &str) -> Piece {
        let mut piece = Piece {
            at,
            mark,
            pattern: String::new(),
            holds: 0,
            width: Some(0),
            readable: true,
        };
        let mut chars = pattern.chars();
        while let Some(one) = chars.next() {
            if one != '%' {
                piece.push_text(one);
                continue;
            }
            match chars.next() {
                Some(digits @ ('3' | '6' | '9')) => {
                    piece.readable &= chars.next() == Some('f');
                    piece.push_fraction(digits);
                }
                Some(letter) => piece.push_letter(letter),
                None => piece.readable = false,
            }
        }
        piece
    }

    /// Adds a character that is written as it stands.
    fn push_text(&mut self, one: char) {
        if one == '%' {
            self.pattern.push('%');
        }
        self.pattern.push(one);
        self.widen(Some(one.len_utf8()));
    }

    /// Adds a fraction of this many digits.
    fn push_fraction(&mut self, digits: char) {
        self.pattern.extend(['%', digits, 'f']);
        self.holds |= holds::FRACTION;
        self.widen(digits.to_digit(10).map(|width| width as usize));
    }

    /// Adds a conversion of `strftime`. Short forms are written out, so that
    /// one time has one pattern.
    fn push_letter(&mut self, letter: char) {
        let long = match letter {
            'F' => "%Y-%m-%d",
            'T' => "%H:%M:%S",
            'R' => "%H:%M",
            'D' => "%m/%d/%y",
            'c' => "%a %b %e %H:%M:%S %Y",
            '%' => return self.push_text('%'),
            _ => return self.push_plain(letter),
        };
        let long = Piece::strftime(self.at, self.mark, long);
        self.pattern.push_str(&long.pattern);
        self.holds |= long.holds;
        self.widen(long.width);
    }

    /// Adds a conversion that stands for itself.
    fn push_plain(&mut self, letter: char) {
        use holds::{DAY, EPOCH, HOUR, MINUTE, MONTH, YEAR, ZONE};
        let (held, width) = match letter {
            'Y' => (YEAR, Some(4)),
            'y' => (YEAR, Some(2)),
            'm' => (MONTH, Some(2)),
            'b' | 'h' => (MONTH, Some(3)),
            'B' => (MONTH, None),
            'd' | 'e' => (DAY, Some(2)),
            'j' => (MONTH | DAY, Some(3)),
            'H' | 'I' => (HOUR, Some(2)),
            'M' => (MINUTE, Some(2)),
            'S' | 'p' => (0, Some(2)),
            'a' => (0, Some(3)),
            'A' | 'Z' => (0, None),
            'z' => (ZONE, Some(5)),
            's' => (EPOCH, Some(10)),
            _ => {
                self.readable = false;
                (0, None)
            }
        };
        self.pattern.extend(['%', letter]);
        self.holds |= held;
        self.widen(width);
    }

    /// Adds to the width, if it is still known.
    fn widen(&mut self, by: Option<usize>) {
        self.width = self.width.zip(by).map(|(width, by)| width + by);
    }

    /// Whether the other piece, after this text, goes on with this time.
    fn takes(&self, gap: &str, other: &Piece) -> bool {
        let close =
            gap.len() <= 3 && gap.chars().all(|one| " .,:T+-/_".contains(one));
        let adds = self.holds & other.holds == 0 && other.holds != 0;
        // A zone is the same at both ends of a request, and a count since
        // 1970 needs none.
        let same = self.mark == other.mark || other.holds == holds::ZONE;
        let counted = (self.holds | other.holds) & holds::EPOCH != 0;
        let fits = !counted || other.holds == holds::FRACTION;
        close && adds && same && fits && self.readable && other.readable
    }

    /// Adds the other piece after this text.
    fn add(&mut self, gap: &str, other: &Piece) {
        for one in gap.chars() {
            self.push_text(one);
        }
        self.pattern.push_str(&other.pattern);
        self.holds |= other.holds;
        self.widen(other.width);
    }

    /// How the text is read; `None` when it is no whole time.
    fn shape(&self) -> Option<Shape> {
        let whole = self.holds & holds::EPOCH != 0
            || self.holds & holds::WHOLE == holds::WHOLE;
        if !whole || !self.readable {
            return None;
        }
        Some(match self.pattern.as_str() {
            "%d/%b/%Y:%H:%M:%S %z" => Shape::Clf,
            "%s" | "%s.%3f" | "%s.%6f" | "%s.%9f" => Shape::Epoch,
            "%s%3f" | "%s%6f" | "%s%9f" => Shape::Epoch,
            pattern if is_rfc3339(pattern) => Shape::Rfc3339,
            pattern => Shape::Pattern(pattern.to_owned(), 0),
        })
    }

    /// The value this time is.
    pub(super) fn value(self) -> Value {
        let form = self.width.map_or(Form::Text, Form::Fixed);
        match self.shape() {
            Some(shape) => {
                Value::field(self.at, Field::Time(self.mark, shape))
                    .formed(form)
            }
            None => Value::skipped(self.at, form),
        }
    }
}

/// Whether a pattern is one of the shapes of RFC 3339.
fn is_rfc3339(pattern: &str) -> bool {
    let Some(rest) = pattern.strip_prefix("%Y-%m-%d") else {
        return false;
    };
    let rest = rest.strip_prefix(['T', ' ']).unwrap_or("");
    let Some(rest) = rest.strip_prefix("%H:%M:%S") else {
        return false;
    };
    let rest = match rest.strip_prefix(['.', ',']) {
        Some(fraction) => fraction
            .strip_prefix("%3f")
            .or_else(|| fraction.strip_prefix("%6f"))
            .or_else(|| fraction.strip_prefix("%9f"))
            .unwrap_or(""),
        None => rest,
    };
    rest == "%z" || rest == "Z"
}

/// Reads pieces that belong together as one time each.
pub(super) fn joined(parts: Vec<Element>) -> Vec<Token> {
    let mut tokens: Vec<Token> = Vec::with_capacity(parts.len());
    // The time that is being put together, and the text behind it.
    let mut open: Option<(Piece, String)> = None;
    for part in parts {
        match (part, &mut open) {
            (Element::Piece(piece), Some((time, gap)))
                if time.takes(gap, &piece) =>
            {
                let gap = std::mem::take(gap);
                time.add(&gap, &piece);
            }
            (Element::Piece(piece), _) => {
                flush(&mut open, &mut tokens);
                open = Some((piece, String::new()));
            }
            (Element::Token(Token::Literal(text)), Some((_, gap))) => {
                gap.push_str(&text);
            }
            (Element::Token(token), _) => {
                flush(&mut open, &mut tokens);
                tokens.push(token);
            }
        }
    }
    flush(&mut open, &mut tokens);
    tokens
}

/// Adds a finished time and the text behind it.
fn flush(open: &mut Option<(Piece, String)>, tokens: &mut Vec<Token>) {
    let Some((mut time, gap)) = open.take() else {
        return;
    };
    // The brackets of `%t` are text of the format: a user's name before it,
    // which may have blanks, ends at the bracket.
    let bare = time.pattern.strip_prefix('[');
    let bare = bare.and_then(|bare| bare.strip_suffix(']'));
    let bare = bare.map(ToOwned::to_owned);
    let (left, right) = if bare.is_some() { ("[", "]") } else { ("", "") };
    if let Some(bare) = bare {
        time.pattern = bare;
        time.width = time.width.map(|width| width.saturating_sub(2));
    }
    let texts = [left.to_owned(), format!("{right}{gap}")];
    let [before, after] = texts.map(Token::Literal);
    tokens.extend([before, Token::Value(time.value()), after]);
}
