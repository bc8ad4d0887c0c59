//! Log formats found in a server's own configuration file.
//!
//! A configuration is not parsed as a whole: it may hold Lua, Perl or the
//! directives of any module. Only the directives that define a log format
//! are looked for, where a directive can stand, and each is read by itself.

use nom::branch::alt;
use nom::bytes::complete::{is_not, tag, tag_no_case};
use nom::character::complete::{char, space0, space1};
use nom::combinator::{opt, recognize, value};
use nom::multi::many1_count;
use nom::sequence::{preceded, terminated};
use nom::{IResult, Parser};

use super::template::{quoted, space};
use super::{Template, TemplateError};

/// A format that a configuration defines.
#[derive(Clone, Debug)]
pub struct Named {
    /// Its name. A format without one has the path of the log it is for, or
    /// is `default` when it is for Apache's `TransferLog`.
    pub name: String,
    /// The format, or what is wrong with it.
    pub template: Result<Template, TemplateError>,
}

/// Every log format that an `nginx.conf` or an Apache configuration defines,
/// in the order of the file; nginx's first.
///
/// `log_format`, `LogFormat`, and `CustomLog` or `GlobalLog` with a format
/// of its own are read. A `CustomLog` that names a format defines none. An
/// included file is not followed.
pub fn formats(text: &str) -> Vec<Named> {
    let mut formats = nginx(text);
    formats.extend(logical_lines(text).iter().filter_map(|line| apache(line)));
    formats
}

/// Of these formats, the one that reads most of the sample's lines. Of
/// equals, one from which start and end can be told goes first, then the one
/// with more values in a line, then the first.
pub fn fitting<'f>(
    formats: &'f [Named],
    sample: &[&[u8]],
) -> Option<&'f Named> {
    let scored = formats.iter().rev().filter_map(|named| {
        let template = named.template.as_ref().ok()?;
        let read =
            sample.iter().filter(|line| template.parse(line).is_ok()).count();
        let score = (read, template.has_interval(), template.values());
        (read > 0).then_some((named, score))
    });
    // `max_by_key` takes the last of equals: hence the reversed order.
    scored.max_by_key(|(_, score)| *score).map(|(named, _)| named)
}

/// The word that begins a format of nginx.
const DIRECTIVE: &str = "log_format";

/// nginx's formats.
fn nginx(text: &str) -> Vec<Named> {
    let starts = text.match_indices(DIRECTIVE).map(|(at, _)| at);
    starts
        .filter(|&at| may_stand(&text[..at]))
        .filter_map(|at| {
            let rest = &text[at..];
            let (rest, name) = nginx_head(rest).ok()?;
            let template = match nginx_value(rest) {
                Ok((_, value)) => Template::nginx(value),
                Err(_) => Err(TemplateError::unclosed(rest)),
            };
            Some(Named { name: name.to_owned(), template })
        })
        .collect()
}

/// Whether a directive can stand behind this text: at the start of a line or
/// behind another directive, and in no comment.
fn may_stand(before: &str) -> bool {
    let line = before.rfind('\n').map_or(0, |newline| newline + 1);
    let line = before[line..].trim_end();
    let begins = line.is_empty() || line.ends_with([';', '{', '}']);
    begins && !line.contains('#')
}

/// `log_format NAME`; yields the name.
fn nginx_head(input: &str) -> IResult<&str, &str> {
    let head = terminated(tag(DIRECTIVE), recognize(space));
    terminated(preceded(head, is_not(" \t\r\n;{}'\"")), space).parse(input)
}

/// Everything up to the semicolon that ends the directive.
fn nginx_value(input: &str) -> IResult<&str, &str> {
    let blank = recognize(many1_count(is_not("';\"#")));
    let comment = recognize((char('#'), opt(is_not("\r\n"))));
    let part = alt((value((), quoted), value((), blank), value((), comment)));
    terminated(recognize(many1_count(part)), char(';')).parse(input)
}

/// The lines of an Apache configuration; a backslash at the end of a line
/// goes on with the next.
fn logical_lines(text: &str) -> Vec<String> {
    let mut lines = Vec::new();
    let mut line = String::new();
    for physical in text.lines() {
        match physical.strip_suffix('\\') {
            Some(part) => line.push_str(part),
            None => {
                line.push_str(physical);
                lines.push(std::mem::take(&mut line));
            }
        }
    }
    lines.push(line);
    lines
}

/// The format that a line of an Apache configuration defines.
fn apache(line: &str) -> Option<Named> {
    if let Ok((_, (format, name))) = log_format(line) {
        // With one argument that is a nickname, nothing is defined.
        let defines = name.is_some() || format.contains('%');
        let name = name.unwrap_or("default").to_owned();
        let template = Template::apache(format);
        return defines.then_some(Named { name, template });
    }
    let (_, (path, format)) = custom_log(line).ok()?;
    let template = Template::apache(format);
    let name = path.to_owned();
    format.contains('%').then_some(Named { name, template })
}

/// `LogFormat FORMAT [NICKNAME]`; the format with its quotes.
fn log_format(line: &str) -> IResult<&str, (&str, Option<&str>)> {
    let directive = (space0, tag_no_case("LogFormat"), space1);
    let nickname = opt(preceded(space1, argument));
    preceded(directive, (raw_argument, nickname)).parse(line)
}

/// `CustomLog PATH FORMAT`; the format with its quotes.
fn custom_log(line: &str) -> IResult<&str, (&str, &str)> {
    let name = alt((tag_no_case("CustomLog"), tag_no_case("GlobalLog")));
    let directive = (space0, name, space1);
    let format = preceded(space1, raw_argument);
    preceded(directive, (argument, format)).parse(line)
}

/// An argument without its quotes.
fn argument(input: &str) -> IResult<&str, &str> {
    alt((quoted, is_not(" \t\r\n"))).parse(input)
}

/// An argument as it stands.
fn raw_argument(input: &str) -> IResult<&str, &str> {
    alt((recognize(quoted), is_not(" \t\r\n"))).parse(input)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const NGINX: &str = r#"
http {
  # log_format commented '$status';
  log_format  main  '$remote_addr - $remote_user [$time_local] "$request" '
                    # a note; with a semicolon and a quote '
                    '$status $body_bytes_sent "$http_referer" '
                    '"$http_user_agent" "$http_x_forwarded_for"';
  access_log /var/log/nginx/log_format.log main; log_format short $msec;
  log_format obj escape=json '{"t":"$time_iso8601",'
    '"rt":$request_time,"ua":"$http_user_agent"}';
  content_by_lua_block { ngx.say("don't") }
  log_format bad "$request$status";
  log_format open '$status
"#;

    fn names(formats: &[Named]) -> Vec<&str> {
        formats.iter().map(|named| named.name.as_str()).collect()
    }

    #[test]
    fn nginx_formats_are_found_wherever_a_directive_can_stand() {
        let formats = formats(NGINX);
        assert_eq!(names(&formats), ["main", "short", "obj", "bad", "open"]);
        let good: Vec<bool> =
            formats.iter().map(|named| named.template.is_ok()).collect();
        assert_eq!(good, [true, true, true, false, false]);
    }

    #[test]
    fn pieces_on_several_lines_are_one_format() {
        let formats = formats(NGINX);
        let main = formats[0].template.as_ref().unwrap();
        let line = b"192.0.2.7 - - [29/Nov/2026:13:44:23 +0000] \
            \"GET /x HTTP/1.1\" 200 5 \"-\" \"curl/8\" \"198.51.100.9\"";
        let record = main.parse(line).unwrap();
        assert_eq!(&*record.address, b"198.51.100.9");
        assert_eq!(&*record.agent, b"curl/8");
        let object = formats[2].template.as_ref().unwrap();
        let line =
            br#"{"t":"2026-11-29T13:44:23+00:00","rt":1.5,"ua":"a\"b"}"#;
        assert_eq!(&*object.parse(line).unwrap().agent, b"a\"b");
    }

    const APACHE: &str = r#"
# LogFormat "%h" commented
<IfModule log_config_module>
    LogFormat "%h %l %u %t \"%r\" %>s %b" common
    logformat "%h %l %u %t \"%r\" %>s %b \
\"%{Referer}i\" \"%{User-Agent}i\" %D" timed
    LogFormat common
    LogFormat "%t %h"
    CustomLog "logs/access.log" common
    CustomLog "|bin/rotatelogs logs/a 60" '%t "%r" %{ms}T' env=!quiet
    GlobalLog logs/all.log "%t %s"
</IfModule>
"#;

    #[test]
    fn apache_formats_are_found_with_their_nickname_or_their_log() {
        let formats = formats(APACHE);
        let expected = [
            "common",
            "timed",
            "default",
            "|bin/rotatelogs logs/a 60",
            "logs/all.log",
        ];
        assert_eq!(names(&formats), expected);
        let holds: Vec<bool> = formats
            .iter()
            .map(|named| named.template.as_ref().unwrap().has_hold())
            .collect();
        assert_eq!(holds, [false, true, false, true, false]);
    }

    const LINE: &[u8] = b"192.0.2.7 - - [29/Nov/2026:13:44:23 +0000] \
        \"GET /x HTTP/1.1\" 200 5 \"-\" \"curl/8\" 60002793";

    #[test]
    fn the_format_that_reads_most_lines_fits() {
        let formats = formats(APACHE);
        let sample: &[&[u8]] = &[LINE, b"torn", LINE];
        assert_eq!(fitting(&formats, sample).unwrap().name, "timed");
        let short: &[u8] = LINE.split_at(LINE.len() - 22).0;
        assert_eq!(fitting(&formats, &[short]).unwrap().name, "common");
        assert!(fitting(&formats, &[b"torn"]).is_none());
    }

    #[test]
    fn of_formats_that_fit_alike_one_with_a_duration_is_taken() {
        let text = "log_format a '$msec $status $foo $bar';\n\
                    log_format b '$msec $status $foo $request_time';\n\
                    log_format c '$msec $status $baz $request_time';";
        let formats = formats(text);
        let sample: &[&[u8]] = &[b"1795959863.164 200 x 1.000"];
        assert_eq!(fitting(&formats, sample).unwrap().name, "b");
    }

    #[test]
    fn a_format_without_an_end_is_reported_where_it_begins() {
        let formats = formats("log_format open '$status\n");
        let error = formats[0].template.as_ref().unwrap_err().to_string();
        assert!(error.contains("'$status\n  ^ close its quote"), "{error}");
    }

    proptest! {
        #[test]
        fn no_text_makes_it_panic(
            text in "(log_format|LogFormat|CustomLog|[ \t\n;{}'\"#\\\\]\
                     |[$%][a-z{}]{0,9}|\\PC){0,40}",
        ) {
            let formats = formats(&text);
            let _ = fitting(&formats, &[LINE, text.as_bytes()]);
        }
    }
}
