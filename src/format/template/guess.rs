//! Whose format string it is, told by what stands in it.

use super::dialect::Dialect;
use super::{envoy, haproxy};

/// The directives that name the server.
const DIRECTIVES: [(&str, Dialect); 3] = [
    ("log_format", Dialect::Nginx),
    ("LogFormat", Dialect::Apache),
    ("log-format", Dialect::Haproxy),
];

/// The letters that only Apache has.
const APACHE_ONLY: &str = "AaDdeghIiklLmnOpPqRSuvVX";

impl Dialect {
    /// The server this format string is for: by the directive before it,
    /// else by the marks in it that only one of them has. `$name` is nginx's,
    /// `%NAME%` Envoy's; `%` alone is Apache's unless more of what follows
    /// it is HAProxy's.
    pub fn of(format: &str) -> Dialect {
        let text = format.trim_start();
        for (directive, dialect) in DIRECTIVES {
            let head = text.get(..directive.len()).unwrap_or("");
            if head.eq_ignore_ascii_case(directive) {
                return dialect;
            }
        }
        if envoy::has_operator(format) {
            return Dialect::Envoy;
        }
        let variables = variables(format);
        let (apache, haproxy) = directives(format);
        if variables > 0 && variables >= apache.max(haproxy) {
            return Dialect::Nginx;
        }
        match (haproxy > apache, format.contains('%')) {
            (true, _) => Dialect::Haproxy,
            (false, false) if format.contains('$') => Dialect::Nginx,
            (false, _) => Dialect::Apache,
        }
    }
}

/// How many of nginx's variables stand in it.
fn variables(format: &str) -> usize {
    let named = |rest: &&str| {
        rest.starts_with(|one: char| {
            one.is_ascii_lowercase() || one == '_' || one == '{'
        })
    };
    format.split('$').skip(1).filter(named).count()
}

/// How many directives only Apache has, and how many only HAProxy has.
fn directives(format: &str) -> (usize, usize) {
    let (mut apache, mut haproxy) = (0, 0);
    let mut rest = format;
    while let Some((_, behind)) = rest.split_once('%') {
        rest = behind.strip_prefix('%').unwrap_or(behind);
        if rest.len() < behind.len() {
            continue;
        }
        match whose(rest) {
            Some(Dialect::Haproxy) => haproxy += 1,
            Some(_) => apache += 1,
            None => {}
        }
    }
    (apache, haproxy)
}

/// Whose directive begins with this, behind the percent sign.
fn whose(rest: &str) -> Option<Dialect> {
    let word = rest.split(|one: char| !one.is_ascii_alphanumeric()).next()?;
    if word.len() > 1 && haproxy::is_alias(word) {
        return Some(Dialect::Haproxy);
    }
    match rest.chars().next()? {
        '[' | '(' => Some(Dialect::Haproxy),
        '{' if rest[1..].starts_with(['+', '-']) => Some(Dialect::Haproxy),
        '{' | '>' | '<' | '!' | '^' => Some(Dialect::Apache),
        one if APACHE_ONLY.contains(one) => Some(Dialect::Apache),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_string_tells_whose_it_is() {
        use Dialect::{Apache, Envoy, Haproxy, Nginx};
        for (format, dialect) in [
            ("$remote_addr [$time_local]", Nginx),
            ("log_format a '%h $status'", Nginx),
            ("$ uri", Nginx),
            (r#"{"a":"$msec","b":"100%"}"#, Nginx),
            (r#"%h %l %u %t "%r" %>s %b"#, Apache),
            ("LogFormat \"%t %r\"", Apache),
            ("%t %r %b", Apache),
            ("%h took %Ts %Dus", Apache),
            ("%{begin:msec}t %{Mcp-Method}i $5", Apache),
            ("%%", Apache),
            ("log-format %t", Haproxy),
            ("%ci:%cp [%tr] %ft %b/%s %{+Q}r", Haproxy),
            ("%ci - - [%trg] %{+Q}r %ST %B", Haproxy),
            (r#"{"Ts":%Ts,"ms":%ms,"a":"$x"}"#, Haproxy),
            ("%[capture.req.hdr(0)] %t", Haproxy),
            ("${HOSTNAME} %ci %ST %Ta", Haproxy),
            ("%{+Q}o %t %s", Haproxy),
            ("%ST%B", Haproxy),
            ("[%START_TIME%] \"%REQ(:METHOD)%\"", Envoy),
            ("%START_TIME(%s.%3f)% %DURATION%", Envoy),
            ("%REQ(MCP-METHOD):64%", Envoy),
            (r#"{"start_time":"%START_TIME%"}"#, Envoy),
        ] {
            assert_eq!(Dialect::of(format), dialect, "{format}");
        }
    }
}
