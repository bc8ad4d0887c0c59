//! Log formats found in a server's own configuration file.
//!
//! A configuration is not parsed as a whole: it may hold Lua, Perl or the
//! directives of any module. Only the directives that define a log format
//! are looked for, where a directive can stand, and each is read by itself.

mod envoy;
mod haproxy;

use nom::branch::alt;
use nom::bytes::complete::{is_not, tag, tag_no_case};
use nom::character::complete::{char, multispace1, space0, space1};
use nom::combinator::{opt, recognize, value};
use nom::multi::many1_count;
use nom::sequence::{preceded, terminated};
use nom::{IResult, Parser};

use super::template::{quoted, space};
use super::{Dialect, Template, TemplateError};

/// A format that a configuration defines.
#[derive(Clone, Debug)]
pub struct Named {
    /// Its name. A format without one has the path of the log it is for, or
    /// is `default` when it is for Apache's `TransferLog`; HAProxy's have
    /// the name of their section, Envoy's their key and line.
    pub name: String,
    /// The format, or what is wrong with it.
    pub template: Result<Template, TemplateError>,
}

/// Every log format that a configuration of nginx, Apache, HAProxy or Envoy
/// defines, in the order of the file.
///
/// nginx's `log_format`; Apache's `LogFormat`, and `CustomLog` or
/// `GlobalLog` with a format of its own (a `CustomLog` that names a format
/// defines none); HAProxy's `log-format`, read with the section's captures;
/// Envoy's `inline_string`, `text_format`, `format`, `json_format` and
/// Istio's `accessLogFormat`. An included file is not followed.
pub fn formats(text: &str) -> Vec<Named> {
    let mut formats = nginx(text);
    formats.extend(logical_lines(text).iter().filter_map(|line| apache(line)));
    formats.extend(haproxy::formats(text));
    formats.extend(envoy::formats(text));
    formats
}

/// Whether the configuration has its server log in a format of the server's
/// own, such as HAProxy's `option httplog`, which needs no string to be
/// known.
pub fn has_own(text: &str) -> bool {
    haproxy::has_own(text) || envoy::has_own(text)
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
                Err(_) => Err(TemplateError::unclosed(Dialect::Nginx, rest)),
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
    let head = (tag(DIRECTIVE), multispace1, space);
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
            .map(|named| named.template.as_ref().unwrap().has_duration())
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
        assert!(error.contains("'$status\n  ^\nclose its quote"), "{error}");
    }

    const HAPROXY: &str = r#"
defaults
    option httplog
    log-format "%ci:%cp [%tr] %Ta %HM %HU"   # a note
frontend web
    # log-format "%ci %T"
    capture request header User-Agent len 64
    http-request capture req.hdr(mcp-method) len 40
    log-format '{"t":"%trg","ms":%Ta,"uri":"%HU"}'
    log-format %ci\ [%tr]\ %Ta\ %hr\ %{+Q}r\ "%[capture.req.hdr(1)]"
    log-format-sd "[x@1 a=\"%ci\"]"
listen broken
    log-format "%ci
"#;

    #[test]
    fn haproxys_formats_are_found_by_section_with_their_captures() {
        let formats = formats(HAPROXY);
        assert_eq!(names(&formats), ["defaults", "web", "web", "broken"]);
        assert!(formats[3].template.is_err());
        let line = b"192.0.2.7 [29/Nov/2026:13:44:23.164] 60001 \
            {curl/8 (a b)|subscriptions/listen} \"GET /x HTTP/1.1\" \
            subscriptions/listen";
        let fit = fitting(&formats, &[line]).unwrap();
        let record = fit.template.as_ref().unwrap().parse(line).unwrap();
        assert_eq!(&*record.agent, b"curl/8 (a b)");
        assert_eq!(&*record.mcp_method, b"subscriptions/listen");
        assert!(has_own(HAPROXY) && !has_own(NGINX) && !has_own(APACHE));
    }

    const ENVOY: &str = r#"
access_log:
- name: envoy.access_loggers.file
  typed_config:
    path: /dev/stdout
    log_format:
      text_format_source:
        inline_string: "[%START_TIME%] \"%REQ(:METHOD)% %REQ(:PATH)%\"
          %DURATION%\n"
- typed_config:
    format: '[%START_TIME%] %REQ(X)% it''s %DURATION%'
- typed_config:
    log_format:
      json_format:
        # a note: "%X%"
        start: "%START_TIME%"
        request:
          path: '%REQ(:PATH)%'
          mcp-method: "%REQ(MCP-METHOD)%"
        took: %DURATION% # in ms
        fixed: text
      content_type: application/json
accessLogFormat: |
  [%START_TIME%] %RESPONSE_FLAGS%
format: "%h %l"
"#;

    #[test]
    fn envoys_formats_are_found_as_text_and_as_mappings() {
        let formats = formats(ENVOY);
        let expected = [
            "inline_string:8",
            "format:11",
            "json_format:14",
            "accessLogFormat:23",
        ];
        assert_eq!(names(&formats), expected);
        let read = |at: usize, line: &'static [u8]| {
            formats[at].template.as_ref().unwrap().parse(line).unwrap()
        };
        let text = b"[2026-11-29T13:44:23.164Z] \"GET /x\" 60001";
        assert_eq!(&*read(0, text).target, b"/x");
        let text = b"[2026-11-29T13:44:23.164Z] - it's 60001";
        assert!(read(1, text).duration.is_some());
        let object = br#"{"took":60001,"request":{"mcp-method":"a/b",
            "path":"/x"},"start":"2026-11-29T13:44:23.164Z"}"#;
        let record = read(2, object);
        assert_eq!(&*record.target, b"/x");
        assert_eq!(&*record.mcp_method, b"a/b");
        assert!(record.duration.is_some() && record.start.is_some());
        let text = b"[2026-11-29T13:44:23.164Z] DC";
        assert_eq!(read(3, text).ended_by, crate::format::EndedBy::Client);
        assert!(has_own(ENVOY));
    }

    #[test]
    fn envoys_configuration_may_be_json() {
        let text = r#"{"log_format": {
            "json_format": {
              "start": "%START_TIME%", "took": "%DURATION%",
              "a": {"b": "%REQ(:PATH)%"}
            }
        }, "format": "%START_TIME% %REQ(:PATH)%\n"}"#;
        let formats = formats(text);
        assert_eq!(names(&formats), ["json_format:2"]);
        let template = formats[0].template.as_ref().unwrap();
        assert_eq!(template.describe(), "start, duration (ms), path");
    }

    proptest! {
        #[test]
        fn no_text_makes_it_panic(
            text in "(log_format|LogFormat|CustomLog|log-format|frontend\
                     |json_format:|inline_string:|%DURATION%|http-request\
                     |[ \t\n;{}'\"#\\\\]\
                     |[$%][a-z{}]{0,9}|\\PC){0,40}",
        ) {
            let formats = formats(&text);
            let _ = fitting(&formats, &[LINE, text.as_bytes()]);
        }
    }
}
