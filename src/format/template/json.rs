//! The escapes of nginx's `escape=json`.

use std::borrow::Cow;

use crate::format::Text;

/// The text with its escapes undone, borrowed when it has none. What is no
/// escape of JSON stays as it stands: the line may be cut or made by hand.
pub(super) fn unescaped(text: &[u8]) -> Text<'_> {
    let Some(first) = memchr::memchr(b'\\', text) else {
        return Cow::Borrowed(text);
    };
    let mut plain = text[..first].to_vec();
    let mut rest = &text[first..];
    while let Some((&byte, tail)) = rest.split_first() {
        rest = match (byte, tail.split_first()) {
            (b'\\', Some((b'u', digits))) => unicode(digits, &mut plain),
            (b'\\', Some((&code, after))) => {
                match control(code) {
                    Some(meant) => plain.push(meant),
                    None => plain.extend([b'\\', code]),
                }
                after
            }
            _ => {
                plain.push(byte);
                tail
            }
        };
    }
    Cow::Owned(plain)
}

/// What a one-letter escape stands for.
fn control(code: u8) -> Option<u8> {
    Some(match code {
        b'"' | b'\\' | b'/' => code,
        b'n' => b'\n',
        b'r' => b'\r',
        b't' => b'\t',
        b'b' => 0x08,
        b'f' => 0x0c,
        _ => return None,
    })
}

/// Undoes `\uXXXX`, of which the digits are at the start of `rest`, and a
/// second one behind it when the two are a surrogate pair; yields what
/// follows.
fn unicode<'a>(rest: &'a [u8], plain: &mut Vec<u8>) -> &'a [u8] {
    let Some((high, after)) = code_unit(rest) else {
        plain.extend(b"\\u");
        return rest;
    };
    let low = after.strip_prefix(b"\\u").and_then(code_unit);
    let pair = low.and_then(|(low, after)| {
        let units = [high, low];
        let one = char::decode_utf16(units).next()?.ok()?;
        // A high unit that stands alone would have been an error above, and
        // any other first unit stands for itself.
        (one.len_utf16() == 2).then_some((one, after))
    });
    let alone =
        char::from_u32(u32::from(high)).unwrap_or(char::REPLACEMENT_CHARACTER);
    let (one, after) = pair.unwrap_or((alone, after));
    plain.extend(one.encode_utf8(&mut [0; 4]).as_bytes());
    after
}

/// Four hexadecimal digits and what follows them.
fn code_unit(text: &[u8]) -> Option<(u16, &[u8])> {
    let (digits, after) = text.split_at_checked(4)?;
    let mut unit = 0;
    for &digit in digits {
        let digit = char::from(digit).to_digit(16)?;
        unit = unit * 16 + u16::try_from(digit).ok()?;
    }
    Some((unit, after))
}
