//! What the report says of the clients.

use serde_json::{Value, json};

use crate::program::{run, run_on};

const LEAK: &str = "fixtures/real-logs/leak/nginx-rt.log";

/// One stream of a log made by hand.
#[derive(Clone)]
struct Held {
    /// When it was opened, in seconds after midnight.
    opened: u32,
    /// For how long it was held, in seconds.
    hold: u32,
    address: String,
    agent: String,
}

impl Held {
    fn line(&self) -> String {
        let Held { opened, hold, address, agent } = self;
        let end = opened + hold;
        let (hours, minutes) = (end / 3600, end / 60 % 60);
        format!(
            "{address} - - [29/Nov/2026:{hours:02}:{minutes:02}:{:02} +0000] \
             \"GET /subscriptions/listen HTTP/1.1\" 200 9 \"-\" \"{agent}\" \
             {hold}.000\n",
            end % 60
        )
    }
}

/// A client that opens a stream every so many seconds for two hours, in all
/// `reopen`, and holds each for so many, `hold`.
fn client(address: &str, agent: &str, reopen: u32, hold: u32) -> Vec<Held> {
    let opened = (0..7200 / reopen).map(|n| 60 + n * reopen);
    let (address, agent) = (address.to_owned(), agent.to_owned());
    let stream = |opened| {
        let (address, agent) = (address.clone(), agent.clone());
        Held { opened, hold, address, agent }
    };
    opened.map(stream).collect()
}

/// The report of the log that a server writes of these clients.
fn report(clients: &[Vec<Held>], args: &[&str]) -> Value {
    let mut all = clients.concat();
    all.sort_by_key(|stream| stream.opened + stream.hold);
    let log: String = all.iter().map(Held::line).collect();
    let args = [&["-", "-o", "json"], args].concat();
    run_on(log.as_bytes(), &args).report()
}

/// What of these streams is opened after `from`, all closed by a restart at
/// `at`, in seconds after midnight.
fn restarted(streams: Vec<Held>, from: u32, at: u32) -> Vec<Held> {
    let within = |it: &Held| it.opened > from && it.opened < at;
    let cut = |it: Held| Held { hold: it.hold.min(at - it.opened), ..it };
    streams.into_iter().filter(within).map(cut).collect()
}

/// The finding of this name.
fn finding(report: &Value, code: &str) -> Option<Value> {
    let findings = report["findings"].as_array().expect("findings");
    findings.iter().find(|finding| finding["code"] == code).cloned()
}

fn text(finding: &Value) -> &str {
    finding["text"].as_str().expect("a text")
}

#[test]
fn a_leaking_client_of_a_defective_version_is_a_warning() {
    let report = run(&[LEAK, "--bin", "5s", "-o", "json"]).report();
    let found = finding(&report, "client-defect").expect("it is said");
    assert_eq!(found["severity"], "warning");
    let evidence = &found["evidence"];
    assert_eq!(evidence["product"], "claude-code");
    assert_eq!(evidence["versions"], json!(["2.1.231"]));
    assert_eq!(evidence["fixed_in"], "2.1.233");
    // The log has 34 lines of it, and 80 of three of version 2.1.240.
    let counts = ["clients", "suspects", "streams"].map(|n| &evidence[n]);
    assert_eq!(counts.map(Value::as_u64), [Some(1), Some(1), Some(34)]);
    assert!(text(&found).starts_with("1 of 4 clients is claude-code 2.1.231"));
    let defects = report["clients"].as_array().expect("clients").iter();
    let defects: Vec<&Value> = defects.map(|row| &row["defect"]).collect();
    let first = json!("claude-code, fixed in 2.1.233");
    assert_eq!(defects, [&first, &Value::Null, &Value::Null, &Value::Null]);
}

#[test]
fn one_that_leaves_nothing_open_is_worth_knowing_and_a_cured_one_is_not() {
    let old = client("10.0.0.1", "claude-code/2.1.204 (cli)", 60, 58);
    let cured = client("10.0.0.2", "claude-code/2.1.240 (cli)", 60, 58);
    let report = |clients: &[Vec<Held>]| report(clients, &[]);
    let found = report(&[old.clone(), cured.clone()]);
    let found = finding(&found, "client-defect").expect("it is said");
    assert_eq!(found["severity"], "info");
    assert_eq!(found["evidence"]["suspects"], 0);
    assert!(text(&found).contains("no old one is kept open here"));
    assert_eq!(finding(&report(&[cured]), "client-defect"), None);
}

#[test]
fn one_that_reopens_at_once_what_ends_at_once_is_a_warning_too() {
    let storm = client("10.0.0.1", "claude-code/2.1.204 (cli)", 2, 1);
    let healthy = client("10.0.0.2", "claude-code/2.1.204 (cli)", 60, 58);
    let report = report(&[storm, healthy], &[]);
    assert_eq!(report["verdict"], "storm");
    let found = finding(&report, "client-defect").expect("it is said");
    assert_eq!(found["severity"], "warning");
    assert_eq!(found["evidence"]["clients"], 2);
    assert_eq!(found["evidence"]["suspects"], 1);
}

#[test]
fn of_many_versions_those_with_the_most_streams_are_named() {
    let versions = |n: u32| {
        let agent = format!("claude-code/2.1.{n} (cli)");
        client(&format!("10.0.0.{n}"), &agent, 60 * (n + 1), 50)
    };
    let clients: Vec<Vec<Held>> = (0..8).map(versions).collect();
    let found = report(&clients, &[]);
    let found = finding(&found, "client-defect").expect("it is said");
    let named = ["2.1.0", "2.1.1", "2.1.2", "2.1.3", "2.1.4"];
    assert_eq!(found["evidence"]["versions"], json!(named));
    assert_eq!(found["evidence"]["clients"], 8);
    let start = "8 of 8 clients are claude-code 2.1.0, 2.1.1, 2.1.2, 2.1.3, \
                 2.1.4 and 3 more, ";
    assert!(text(&found).starts_with(start), "{}", text(&found));
}

/// What is said of a shared address, of logs with these clients: the number
/// of the address's last part, the user agent, and how many of 120 streams.
fn shared(clients: &[(&str, &str, u32)], args: &[&str]) -> Option<Value> {
    let held = |(address, agent, streams): &(&str, &str, u32)| {
        client(address, agent, 7200 / streams, 50)
    };
    let clients: Vec<Vec<Held>> = clients.iter().map(held).collect();
    finding(&report(&clients, args), "shared-key")
}

#[test]
fn many_user_agents_behind_one_address_are_told() {
    let few = [
        ("10.0.0.1", "node", 2),
        ("10.0.0.1", "curl", 3),
        ("10.0.0.1", "undici", 1),
        ("10.0.0.2", "node", 120),
        ("10.0.0.3", "node", 24),
    ];
    let found = shared(&few, &[]).expect("it is said");
    assert_eq!(found["severity"], "info");
    let evidence = json!({
        "address": "10.0.0.1",
        "user_agents": 3,
        "streams": 6,
        "share": 0.04,
        "egress": null,
    });
    assert_eq!(found["evidence"], evidence);
    let start = "3 user agents hold 6 of 150 streams (4%) at one address, \
                 10.0.0.1: these are kept apart";
    assert!(text(&found).starts_with(start), "{}", text(&found));
}

#[test]
fn two_user_agents_matter_where_many_streams_are() {
    let two = |other| {
        let clients = [
            ("10.0.0.1", "node", 10),
            ("10.0.0.1", "curl", 10),
            ("10.0.0.2", "node", other),
        ];
        shared(&clients, &[]).map(|it| it["evidence"]["share"].clone())
    };
    assert_eq!(two(80), Some(json!(0.2)));
    assert_eq!(two(90), None);
    let one = [("10.0.0.1", "node", 80), ("10.0.0.2", "node", 80)];
    assert_eq!(shared(&one, &[]), None);
}

#[test]
fn the_address_with_the_most_user_agents_is_named_then_the_busiest() {
    let named = |clients: &[(&str, &str, u32)]| {
        let found = shared(clients, &[]).expect("it is said");
        found["evidence"]["address"].as_str().expect("one").to_owned()
    };
    let mut clients = vec![
        ("10.0.0.1", "node", 60),
        ("10.0.0.1", "curl", 60),
        ("10.0.0.2", "node", 60),
        ("10.0.0.2", "curl", 60),
    ];
    assert_eq!(named(&clients), "10.0.0.1");
    clients[3].2 = 72;
    assert_eq!(named(&clients), "10.0.0.2");
    clients.push(("10.0.0.1", "undici", 1));
    assert_eq!(named(&clients), "10.0.0.1");
}

#[test]
fn only_keys_of_an_address_and_a_user_agent_share_one() {
    let clients = [
        ("10.0.0.1", "node", 60),
        ("10.0.0.1", "curl", 60),
        ("10.0.0.1", "undici", 60),
    ];
    assert!(shared(&clients, &["--key", "client"]).is_some());
    for key in ["address", "agent", "session"] {
        assert_eq!(shared(&clients, &["--key", key]), None, "{key}");
    }
    // No address was logged.
    let nowhere = clients.map(|(_, agent, streams)| ("-", agent, streams));
    assert_eq!(shared(&nowhere, &[]), None);
}

#[test]
fn a_hosted_connector_is_named_even_where_all_its_users_look_alike() {
    let egress = |address: &str| {
        let clients = [(address, "Claude-User", 60), ("10.0.0.2", "node", 90)];
        let found = shared(&clients, &[])?;
        assert!(text(&found).starts_with("one client holds 60 of 150 "));
        assert!(text(&found).contains("connectors call (160.79.104.0/21)"));
        found["evidence"]["egress"].as_str().map(str::to_owned)
    };
    let name = Some("Anthropic's hosted connectors".to_owned());
    for within in ["160.79.104.0", "160.79.111.255", "::ffff:160.79.105.7"] {
        assert_eq!(egress(within), name, "{within}");
    }
    for other in ["160.79.103.255", "160.79.112.0", "2001:db8::1", "-"] {
        assert_eq!(egress(other), None, "{other}");
    }
}

#[test]
fn who_leaves_more_open_than_it_opens_comes_before_who_holds_more() {
    // Fifty open all along, one more every two minutes, one at a time; the
    // log begins where the first of the fifty ends, and the restart leaves
    // only the last client.
    let steady = restarted(client("10.0.0.1", "steady", 60, 3000), 0, 7200);
    let leak = client("10.0.0.2", "leak", 120, 7200);
    let leak = restarted(leak, 3060, 7200);
    let healthy = client("10.0.0.3", "healthy", 60, 58).into_iter();
    let healthy = healthy.map(|it| Held { opened: it.opened + 3060, ..it });
    let all = [steady, leak, healthy.collect()];
    let report = report(&all, &[]);
    assert_eq!(report["verdict"], "climbing");
    let rows = report["clients"].as_array().expect("clients");
    let agents: Vec<&Value> = rows.iter().map(|r| &r["user_agent"]).collect();
    assert_eq!(agents, ["leak", "steady", "healthy"]);
    let number =
        |row: usize, name: &str| rows[row][name].as_f64().unwrap_or(f64::NAN);
    // The window ends 58 s, the last client's hold, before the log: 4258 s
    // long. For the 120 s after its nth opening the leak has n - 1
    // superseded, after its 34th for 60 s; the steady one 49 for 4140 s.
    let near = |row: usize, name: &str, expected: f64, off: f64| {
        let found = number(row, name);
        assert!((found - expected).abs() < off, "{row}: {name} {found}");
    };
    let leak = 120.0 * (33.0 * 32.0 / 2.0) + 60.0 * 33.0;
    near(0, "superseded", leak / 4258.0, 1e-6);
    near(1, "superseded", 49.0 * 4140.0 / 4258.0, 1e-6);
    near(2, "superseded", 0.0, 1e-6);
    // From the first half to the second the leak gains half of its rise.
    near(0, "unexplained", 17.0, 0.5);
    near(1, "unexplained", 0.0, 0.5);
    assert!(rows[2]["unexplained"].is_null());
    let reopen = [0, 1, 2].map(|row| number(row, "reopen_s"));
    let overlaps = [0, 1, 2].map(|row| number(row, "overlaps"));
    assert_eq!((reopen, overlaps), ([120.0, 60.0, 60.0], [1.0, 1.0, 0.0]));
}

#[test]
fn a_client_that_opened_once_has_no_time_to_the_next() {
    let once = client("10.0.0.1", "once", 7200, 600);
    let often = client("10.0.0.2", "often", 90, 89);
    let report = report(&[once, often], &[]);
    let rows = report["clients"].as_array().expect("clients");
    let once = rows.iter().find(|row| row["user_agent"] == "once");
    let once = once.expect("it is listed");
    assert_eq!([&once["reopen_s"], &once["overlaps"]], [&Value::Null; 2]);
}

#[test]
fn the_table_shows_overlaps_where_there_is_room() {
    let head = |args: &[&str]| {
        let clients = [
            client("10.0.0.1", "claude-code/2.1.240 (cli)", 60, 90),
            client("10.0.0.2", "node", 3000, 90),
        ];
        let mut all = clients.concat();
        all.sort_by_key(|stream| stream.opened + stream.hold);
        let log: String = all.iter().map(Held::line).collect();
        let table = run_on(log.as_bytes(), &[&["-"], args].concat()).out;
        let from = table.find("user agent").expect("a table");
        let table = table[from..].lines().take(4).map(str::to_owned);
        table.collect::<Vec<String>>()
    };
    let wide = head(&[]);
    let columns = "user agent                 address   streams  max open  \
                   superseded  overlaps";
    assert_eq!(wide[0], columns);
    assert!(wide[2].ends_with("100%"), "{wide:?}");
    assert!(wide[3].ends_with(" 0%"), "{wide:?}");
}
