//! The stages one by one, in bytes a second: `cargo bench`.

use std::fmt::Write;
use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use streamleak::internal::collect::{KeyId, Selector};
use streamleak::internal::detect::{
    Log, Openings, Prepared, Settings, resolution,
};
use streamleak::internal::format::{Choice, Format, Layout};
use streamleak::internal::input::{
    Framing, Prefilter, chunk, chunk_count, scan,
};
use streamleak::internal::series::Series;
use streamleak::internal::streams::Stream;
use streamleak::internal::time::{Micros, clf, rfc3339};

/// How many records each log has.
const RECORDS: usize = 40_000;

/// nginx lines with a duration, one in twenty a stream.
fn nginx() -> String {
    let mut log = String::new();
    for n in 0..RECORDS {
        let (path, hold) = match n % 20 {
            0 => ("/subscriptions/listen?session=5f3c1d1e", 60_000 + n % 999),
            _ => ("/api/v1/tools?cursor=eyJvZmZzZXQiOjQwfQ", n % 300),
        };
        writeln!(
            log,
            "10.0.{}.7 - - [29/Nov/2026:{:02}:{:02}:{:02} +0000] \"GET {path} \
             HTTP/1.1\" 200 {n} \"https://mcp.example.com/dashboard\" \
             \"Mozilla/5.0 (X11; Linux x86_64) Chrome/126.0\" rt={}.{:03} \
             uct=\"0.000\"",
            n % 250,
            n / 3600 % 24,
            n / 60 % 60,
            n % 60,
            hold / 1000,
            hold % 1000,
        )
        .expect("memory");
    }
    log
}

/// The same as nginx's JSON.
fn nginx_json() -> String {
    let mut log = String::new();
    for n in 0..RECORDS {
        writeln!(
            log,
            "{{\"time_iso8601\":\"2026-11-29T13:17:49+00:00\",\"msec\":\
             \"{}.018\",\"remote_addr\":\"10.0.{}.7\",\"request\":\"GET \
             /subscriptions/listen HTTP/1.1\",\"status\":200,\
             \"body_bytes_sent\":2,\"request_time\":60.00{},\
             \"http_user_agent\":\"Mozilla/5.0\",\"request_id\":\
             \"1b9d3a1ec92d3925e3b6fe64df{n:06}\"}}",
            1_795_958_269 + n,
            n % 250,
            n % 10,
        )
        .expect("memory");
    }
    log
}

/// Cloudflare's rows.
fn cloudflare() -> String {
    let mut log = String::new();
    for n in 0..RECORDS {
        let start = 1_785_585_600_123_000_000_u64 + n as u64 * 1_000_000_000;
        writeln!(
            log,
            "{{\"ClientIP\":\"192.0.2.7\",\"ClientRequestHost\":\
             \"mcp.example.com\",\"ClientRequestMethod\":\"GET\",\
             \"ClientRequestURI\":\"/subscriptions/listen?x=1\",\
             \"ClientRequestPath\":\"/subscriptions/listen\",\
             \"ClientRequestSource\":\"eyeball\",\"EdgeStartTimestamp\":\
             {start},\"EdgeEndTimestamp\":{},\"EdgeResponseStatus\":200,\
             \"RayID\":\"87a1b2c3d4e5{n:04}\",\"ParentRayID\":\"00\"}}",
            start + 60_001_000_000,
        )
        .expect("memory");
    }
    log
}

/// Splitting and searching, without and with a prefilter.
fn scanning(criterion: &mut Criterion) {
    let log = nginx();
    let mut group = criterion.benchmark_group("scan");
    group.throughput(Throughput::Bytes(log.len() as u64));
    let paths = ["/subscriptions/listen".to_owned()];
    let selector = Selector::new(&paths, "subscriptions/listen");
    let literals = Prefilter::any_of(&selector.literals(), 0);
    for (name, filter) in
        [("every record", Prefilter::none()), ("prefiltered", literals)]
    {
        group.bench_function(name, |bencher| {
            bencher.iter(|| {
                let mut seen = 0;
                for number in 0..chunk_count(log.len()) {
                    let bytes = log.as_bytes();
                    let chunk = chunk(bytes, number, Framing::Lines);
                    scan(chunk, Framing::Lines, &filter, |line| {
                        seen += line.bytes.len();
                    });
                }
                black_box(seen)
            });
        });
    }
    group.finish();
}

/// Every record of a log parsed.
fn parsing(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("parse");
    let template = "$remote_addr - - [$time_local] \"$request\" $status \
        $body_bytes_sent \"$http_referer\" \"$http_user_agent\" \
        rt=$request_time uct=\"$upstream_connect_time\"";
    for (name, log, given) in [
        ("nginx combined", nginx(), None),
        ("nginx format string", nginx(), Some(template)),
        ("nginx json", nginx_json(), None),
        ("cloudflare", cloudflare(), None),
    ] {
        let choice = Choice::from_arg(given).expect("a format");
        let sample = &log.as_bytes()[..log.len().min(1 << 16)];
        let end = sample.iter().rposition(|&b| b == b'\n').expect("a line");
        let layout = Layout::of(&choice, Default::default(), &sample[..end])
            .expect("it is known");
        let format = &layout.formats[0];
        group.throughput(Throughput::Bytes(log.len() as u64));
        group.bench_function(name, |bencher| {
            bencher.iter(|| parse_all(format, log.as_bytes()));
        });
    }
    group.finish();
}

fn parse_all(format: &Format, log: &[u8]) -> usize {
    let lines = log.split(|&byte| byte == b'\n');
    lines.filter(|line| black_box(format.parse(line, 0)).is_ok()).count()
}

/// The two texts that fill logs.
fn times(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("time");
    let common: &[u8] = b"29/Nov/2026:13:44:23 +0000";
    let iso: &[u8] = b"2026-11-29T13:44:23.164+00:00";
    group.throughput(Throughput::Bytes(common.len() as u64));
    group.bench_function("clf", |b| b.iter(|| clf(black_box(common))));
    group.throughput(Throughput::Bytes(iso.len() as u64));
    group.bench_function("rfc3339", |b| b.iter(|| rfc3339(black_box(iso))));
    group.finish();
}

/// The series and the verdict of 100 000 streams, 40 bytes each.
fn judging(criterion: &mut Criterion) {
    let stream = |n: i64| {
        Stream::new(
            Micros(n * 860_000),
            Some(Micros(n * 860_000 + 60_000_000 + n % 977 * 1_000)),
            KeyId(n as u32 % 2_000),
        )
    };
    let streams: Vec<Stream> = (0..100_000).map(stream).collect();
    let (from, until) = (Micros::ZERO, Micros(86_400_000_000));
    let mut group = criterion.benchmark_group("judge");
    group.throughput(Throughput::Bytes(streams.len() as u64 * 40));
    group.bench_function("series", |bencher| {
        bencher.iter(|| Series::new(&streams, from, until, Micros::MINUTE));
    });
    let log = Log {
        streams: &streams,
        endpoints: &[],
        first: from,
        last: until,
        resolution: resolution(&streams),
        openings: Openings::Unlogged,
    };
    let settings = Settings::default();
    group.bench_function("verdict", |bencher| {
        bencher.iter(|| Prepared::new(&log).detect(&settings));
    });
    group.finish();
}

criterion_group!(benches, scanning, parsing, times, judging);
criterion_main!(benches);
