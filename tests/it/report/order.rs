//! The order of the JSON report's keys.

use std::fmt;

use serde::de::{Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};

use super::reports;

/// The keys of the contract, in its order.
const ORDER: [(&str, &[&str]); 16] = [
    (
        "",
        &[
            "schema",
            "verdict",
            "summary",
            "would_change",
            "exit_code",
            "inputs",
            "window",
            "streams",
            "trend",
            "total",
            "cost",
            "baseline",
            "fault",
            "findings",
            "clients",
            "series",
        ],
    ),
    (
        "/inputs",
        &[
            "name",
            "format",
            "timestamp",
            "duration_unit",
            "bytes",
            "records",
            "selected",
            "rejected",
            "first",
            "last",
        ],
    ),
    ("/inputs/rejected", &["shape", "time", "duration"]),
    (
        "/window",
        &[
            "start",
            "end",
            "bin_s",
            "bins",
            "trusted_from",
            "trusted_until",
            "resets",
        ],
    ),
    (
        "/streams",
        &[
            "ended",
            "open",
            "clients",
            "stream_hours",
            "hold_s",
            "ended_by",
            "ceiling",
        ],
    ),
    ("/streams/hold_s", &["min", "p50", "p90", "p99", "max"]),
    ("/streams/ended_by", &["client", "server", "unknown"]),
    ("/streams/ceiling", &["hold_s", "share"]),
    (
        "/trend",
        &[
            "metric",
            "slope_per_hour",
            "ci_low",
            "ci_high",
            "p_value",
            "rise",
            "unexplained",
            "from",
            "until",
        ],
    ),
    (
        "/total",
        &[
            "slope_per_hour",
            "ci_low",
            "ci_high",
            "p_value",
            "rise",
            "limit_at",
            "limit_from",
            "limit_until",
            "limit_reached",
        ],
    ),
    (
        "/cost",
        &[
            "stream_hours",
            "superseded_hours",
            "stream_hours_per_day",
            "superseded_hours_per_day",
            "price_per_hour",
            "price",
            "wasted",
            "wasted_per_day",
        ],
    ),
    ("/baseline", &["name", "from", "until", "slope_per_hour", "level"]),
    ("/fault", &["side", "confidence", "evidence", "next"]),
    ("/findings", &["code", "severity", "text", "evidence"]),
    (
        "/clients",
        &[
            "key",
            "address",
            "user_agent",
            "streams",
            "max_open",
            "superseded",
            "unexplained",
        ],
    ),
    (
        "/series",
        &[
            "t",
            "opens",
            "closes",
            "min",
            "mean",
            "max",
            "clients",
            "superseded",
            "trusted",
        ],
    ),
];

#[test]
fn keys_stand_in_the_order_of_the_contract() {
    let mut seen = Vec::new();
    for (name, ran) in reports() {
        let document = serde_json::from_str(&ran.out).expect("JSON");
        let mut found = Vec::new();
        keys(&document, "", &mut found);
        for (place, keys) in found {
            let known = ORDER.iter().find(|(known, _)| *known == place);
            let Some((known, order)) = known else {
                assert!(place.ends_with("/evidence"), "{name}: {place}");
                continue;
            };
            let old = keys.iter().filter(|key| order.contains(&&***key));
            assert!(old.eq(order.iter()), "{name}: {place}: {keys:?}");
            seen.push(*known);
        }
    }
    // Nothing names a fault yet.
    for (place, _) in ORDER.iter().filter(|(place, _)| *place != "/fault") {
        assert!(seen.contains(place), "no report has {place}");
    }
}

/// A JSON document with its keys in the order of the text.
enum Ordered {
    Object(Vec<(String, Ordered)>),
    Array(Vec<Ordered>),
    Leaf,
}

/// The keys of each object, with the place of it.
fn keys(value: &Ordered, place: &str, all: &mut Vec<(String, Vec<String>)>) {
    match value {
        Ordered::Object(object) => {
            let names = object.iter().map(|(key, _)| key.clone()).collect();
            all.push((place.to_owned(), names));
            for (key, value) in object {
                keys(value, &format!("{place}/{key}"), all);
            }
        }
        Ordered::Array(items) => {
            items.iter().for_each(|item| keys(item, place, all));
        }
        Ordered::Leaf => {}
    }
}

impl<'de> Deserialize<'de> for Ordered {
    fn deserialize<D: Deserializer<'de>>(
        from: D,
    ) -> Result<Ordered, D::Error> {
        from.deserialize_any(AsItStands)
    }
}

struct AsItStands;

impl<'de> Visitor<'de> for AsItStands {
    type Value = Ordered;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("JSON")
    }

    fn visit_map<A: MapAccess<'de>>(
        self,
        mut map: A,
    ) -> Result<Ordered, A::Error> {
        let mut object = Vec::new();
        while let Some(entry) = map.next_entry()? {
            object.push(entry);
        }
        Ok(Ordered::Object(object))
    }

    fn visit_seq<A: SeqAccess<'de>>(
        self,
        mut seq: A,
    ) -> Result<Ordered, A::Error> {
        let mut items = Vec::new();
        while let Some(item) = seq.next_element()? {
            items.push(item);
        }
        Ok(Ordered::Array(items))
    }

    fn visit_unit<E>(self) -> Result<Ordered, E> {
        Ok(Ordered::Leaf)
    }

    fn visit_bool<E>(self, _: bool) -> Result<Ordered, E> {
        Ok(Ordered::Leaf)
    }

    fn visit_u64<E>(self, _: u64) -> Result<Ordered, E> {
        Ok(Ordered::Leaf)
    }

    fn visit_i64<E>(self, _: i64) -> Result<Ordered, E> {
        Ok(Ordered::Leaf)
    }

    fn visit_f64<E>(self, _: f64) -> Result<Ordered, E> {
        Ok(Ordered::Leaf)
    }

    fn visit_str<E>(self, _: &str) -> Result<Ordered, E> {
        Ok(Ordered::Leaf)
    }
}
