//! What is said of a format that cannot be read.

use super::*;

#[test]
fn faults_are_shown_where_they_are() {
    let cases = [
        (Template::nginx("'$status' '$ $uri'"), 11, "name of a variable"),
        (Template::nginx("$status ${uri"), 8, "name of a variable"),
        (
            Template::nginx("$remote_user$http_cookie$status"),
            24,
            "side by side",
        ),
        (Template::nginx("%h %l %u"), 0, "would be Apache's"),
        (Template::nginx("escape=xml '$status'"), 7, "escape=json"),
        (Template::apache("%h %{User-Agent"), 3, "directive"),
        (Template::apache("%h %"), 3, "directive"),
        (Template::apache(r#""\"%r\" %h%>s""#), 10, "side by side"),
        (Template::apache("$status"), 0, "would be nginx's"),
        (Template::haproxy("%ci %"), 4, "an alias"),
        (Template::haproxy("%ci %[src"), 4, "an alias"),
        (Template::haproxy(r"'%ci\ %r%ST'"), 8, "side by side"),
        (Template::haproxy("log-format \"%ci"), 11, "close its quote"),
        (Template::haproxy("$status"), 0, "HAProxy writes"),
        (Template::envoy("%START_TIME% %REQ(A)"), 13, "%REQ(MCP"),
        (Template::envoy(r#"{"a":"%REQ(A)%","b":"%X"}"#), 21, "%REQ(MCP"),
        (Template::envoy("%REQ(A)%%REQ(:PATH)%"), 8, "side by side"),
        (Template::envoy(r#"{"a":"x","b":5}"#), 0, "Envoy as"),
    ];
    for (result, at, words) in cases {
        let error = result.unwrap_err();
        let text = error.to_string();
        assert_eq!(error.at(), at, "{text}");
        assert!(text.contains(words), "{text}");
    }
}

#[test]
fn the_caret_stands_under_the_place() {
    let format = "log_format é '$status '\n\t'$request$uri';";
    let error = Template::nginx(format).unwrap_err().to_string();
    let lines: Vec<&str> = error.lines().collect();
    assert!(lines[0].ends_with("(read as an nginx log_format)"));
    assert_eq!(lines[1], "  \\t'$request$uri';");
    assert_eq!(lines[2], "             ^");
    let advice = "put a blank or quotes before this one, in the server's \
                  configuration and here";
    assert_eq!(lines[3], advice);
}
