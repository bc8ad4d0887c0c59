//! Writes a seeded nginx log to standard output, for measuring speed:
//! `generate BYTES SHARE SEED`, with `SHARE` the part of the lines that are
//! listen streams.
//!
//! Lines are in the order of their ends, as nginx writes them; one in 5000
//! has the stream's path in its referrer only, and neighbours of the path
//! (`/subscriptions/list`) are among the rest.

use std::io::{self, BufWriter, Write};

/// Steele, Lea and Flood's `SplitMix64`, <https://doi.org/10.1145/2660193.2660195>.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    fn below(&mut self, limit: u64) -> u64 {
        self.next() % limit
    }
}

const PATHS: [&str; 8] = [
    "/api/v1/tools?cursor=eyJvZmZzZXQiOjQwfQ",
    "/subscriptions/list",
    "/index.html",
    "/assets/app.5f3c1d1e.js",
    "/subscriptions",
    "/api/v1/resources/read?uri=file%3A%2F%2F%2Ftmp%2Fa",
    "/listen",
    "/mcp",
];

const AGENTS: [&str; 4] = [
    "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) \
     Chrome/126.0 Safari/537.36",
    "claude-code/2.1.240 (cli)",
    "node",
    "python-httpx/0.28.1",
];

const REFERRER: &str = "https://mcp.example.com/dashboard?tab=streams";
const DECOY: &str = "https://mcp.example.com/subscriptions/listen";

fn main() -> io::Result<()> {
    let mut args = std::env::args().skip(1);
    let mut number = |default: f64| {
        args.next().and_then(|arg| arg.parse().ok()).unwrap_or(default)
    };
    let (bytes, share) = (number(1e6) as u64, number(0.05));
    let mut random = Random(number(42.0) as u64);
    let mut out = BufWriter::with_capacity(1 << 20, io::stdout().lock());
    let mut written = 0;
    // The log spans a day, whatever its size: about 237 bytes a line.
    let step = 86_400_000 * 237 / bytes.max(1) + 1;
    let mut now = 0;
    while written < bytes {
        now += random.below(2 * step);
        let line = line(&mut random, now, (share * 1e6) as u64);
        out.write_all(line.as_bytes())?;
        written += line.len() as u64;
    }
    out.flush()
}

/// One line, ended `now` milliseconds into the day.
fn line(random: &mut Random, now: u64, share: u64) -> String {
    let stream = random.below(1_000_000) < share;
    let client = random.below(2_000);
    let hold =
        if stream { 55_000 + random.below(10_000) } else { random.below(300) };
    let path = if stream {
        "/subscriptions/listen?session=5f3c1d1e7a2b4d7b"
    } else {
        PATHS[random.below(8) as usize]
    };
    let referrer = match random.below(5_000) {
        0 => DECOY,
        _ => REFERRER,
    };
    let seconds = now / 1000;
    let (day, seconds) = (1 + seconds / 86_400, seconds % 86_400);
    format!(
        "10.{}.{}.7 - - [{:02}/Nov/2026:{:02}:{:02}:{:02} +0000] \
         \"GET {path} HTTP/1.1\" 200 {} \"{referrer}\" \"{}\" \
         rt={}.{:03} uct=\"0.000\" urt=\"{}.{:03}\"\n",
        client / 250,
        client % 250,
        day,
        seconds / 3_600,
        seconds / 60 % 60,
        seconds % 60,
        200 + random.below(9_000),
        AGENTS[(client % 4) as usize],
        hold / 1000,
        hold % 1000,
        hold / 1000,
        hold % 1000,
    )
}
