//! The escapes inside a JSON string, undone.

/// Undoes the escapes of a string: those of RFC 8259 §7, and the `\xHH` that
/// nginx writes when its `log_format` lacks `escape=json`. Half of a
/// surrogate pair becomes U+FFFD; any other backslash stays as it is.
pub fn unescape(raw: &[u8]) -> Vec<u8> {
    let mut text = Vec::with_capacity(raw.len());
    let mut rest = raw;
    while let Some(at) = memchr::memchr(b'\\', rest) {
        text.extend_from_slice(&rest[..at]);
        rest = one(&rest[at..], &mut text);
    }
    text.extend_from_slice(rest);
    text
}

/// Undoes the escape this begins with and returns what follows it.
fn one<'a>(escape: &'a [u8], text: &mut Vec<u8>) -> &'a [u8] {
    let Some((&letter, rest)) = escape.get(1..).and_then(<[u8]>::split_first)
    else {
        text.extend_from_slice(escape);
        return &[];
    };
    let byte = match letter {
        b'"' | b'\\' | b'/' => letter,
        b'n' => b'\n',
        b't' => b'\t',
        b'r' => b'\r',
        b'b' => 8,
        b'f' => 12,
        b'u' | b'x' => return coded(letter, rest, text),
        _ => {
            text.extend_from_slice(&[b'\\', letter]);
            return rest;
        }
    };
    text.push(byte);
    rest
}

/// Undoes `\uHHHH` or `\xHH`, whose letter has been read.
fn coded<'a>(letter: u8, rest: &'a [u8], text: &mut Vec<u8>) -> &'a [u8] {
    let digits = if letter == b'u' { 4 } else { 2 };
    let Some((code, after)) = hex(rest, digits) else {
        text.extend_from_slice(&[b'\\', letter]);
        return rest;
    };
    if letter == b'x' {
        text.push(code as u8);
        return after;
    }
    let (letter, after) = paired(code, after);
    let mut utf8 = [0; 4];
    text.extend_from_slice(letter.encode_utf8(&mut utf8).as_bytes());
    after
}

/// The character of a `\u` code, which may be the first half of a pair.
fn paired(code: u32, after: &[u8]) -> (char, &[u8]) {
    let low = after.strip_prefix(b"\\u").and_then(|rest| hex(rest, 4));
    if let (0xD800..=0xDBFF, Some((low @ 0xDC00..=0xDFFF, rest))) = (code, low)
    {
        let whole = 0x1_0000 + ((code - 0xD800) << 10) + (low - 0xDC00);
        return (char::from_u32(whole).unwrap_or('\u{FFFD}'), rest);
    }
    (char::from_u32(code).unwrap_or('\u{FFFD}'), after)
}

/// This many hexadecimal digits, and what follows them.
fn hex(text: &[u8], count: usize) -> Option<(u32, &[u8])> {
    let (digits, rest) = text.split_at_checked(count)?;
    let mut value = 0;
    for &digit in digits {
        value = value * 16 + char::from(digit).to_digit(16)?;
    }
    Some((value, rest))
}

#[cfg(test)]
mod tests {
    use super::unescape;

    #[test]
    fn nginx_default_escapes_are_bytes() {
        assert_eq!(
            unescape(br"\x22q\x22\x5Cz\xC3\xA9"),
            "\"q\"\\zé".as_bytes()
        );
    }

    #[test]
    fn broken_escapes_stay_as_written() {
        for text in [r"\x2", r"\xZZ", r"\u12", r"\q", "\\"] {
            assert_eq!(unescape(text.as_bytes()), text.as_bytes());
        }
    }

    #[test]
    fn half_a_pair_is_replaced() {
        let text = unescape(br"\uD83Dx\uDE00");
        assert_eq!(text, "\u{FFFD}x\u{FFFD}".as_bytes());
        assert_eq!(unescape(br"\uD83D\u0041"), "\u{FFFD}A".as_bytes());
        assert_eq!(unescape(br"\ud83d\ude00"), "😀".as_bytes());
    }
}
