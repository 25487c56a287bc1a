//! Tests with files of JMH 1.37 and with invalid ones.

use super::*;

/// A benchmark with parameters in the mode `avgt`; figures that are not read are cut.
const AVERAGE: &str = include_str!("average.json");

fn shown(values: &BTreeMap<Metric, f64>) -> String {
    values.iter().map(|(metric, value)| format!("{metric:?} {value} ")).collect()
}

/// The file with other raw data, unit and mode.
fn file(unit: &str, mode: &str, raw: &str) -> String {
    format!(
        r#"[{{"benchmark":"p.A.a","mode":"{mode}","threads":1,"measurementTime":"1 s",
        "primaryMetric":{{"score":1,"scoreError":"NaN","scoreConfidence":["NaN","NaN"],
        "scoreUnit":"{unit}",{raw}}},"secondaryMetrics":{{}}}}]"#
    )
}

#[test]
fn a_round_is_the_lower_quartile_of_the_iterations_and_the_least_that_they_allocate() {
    let values = round(AVERAGE.as_bytes(), "p.Probe.alloc/kind=b/size=20").unwrap();
    assert_eq!(shown(&values), "time 964.831753574257 alloc.bytes 176 ");
    let dotted = AVERAGE.replace("\"gc.alloc.rate.norm\"", "\"·gc.alloc.rate.norm\"");
    assert_eq!(round(dotted.as_bytes(), "p.Probe.alloc/kind=b/size=20"), Ok(values));
}

#[test]
fn what_jmh_allocates_itself_is_not_an_allocation_of_the_benchmark() {
    // 20 operations in an iteration: up to 410 bytes of each are JMH's.
    let long = |norm: &str| {
        file("ms/op", "avgt", r#""rawData":[[50,50]]"#).replace(
            r#""secondaryMetrics":{}"#,
            &format!(
                r#""secondaryMetrics":{{"gc.alloc.rate.norm":{{"scoreUnit":"B/op","rawData":[[{norm}]]}}}}"#
            ),
        )
    };
    let bytes = |norm: &str| shown(&round(long(norm).as_bytes(), "p.A.a").unwrap());
    assert_eq!(bytes("260, 300"), "time 50000000 alloc.bytes 0 ");
    assert_eq!(bytes("1048850.5, 1048900"), "time 50000000 alloc.bytes 1048440 ");
    let wrong = round(long("260, \"NaN\"").as_bytes(), "p.A.a").unwrap_err().to_string();
    insta::assert_snapshot!(wrong);
}

#[test]
fn every_unit_becomes_nanoseconds_and_a_rate_is_inverted() {
    let raw = r#""rawData":[[4,4]]"#;
    let table: String =
        ["ns/op", "us/op", "µs/op", "ms/op", "s/op", "min/op", "ops/ns", "ops/ms", "ops/s"]
            .map(|unit| {
                let values = round(file(unit, "thrpt", raw).as_bytes(), "p.A.a").unwrap();
                format!("{unit}: {}\n", shown(&values))
            })
            .concat();
    insta::assert_snapshot!(table);
}

#[test]
fn samples_are_read_as_the_mean_of_each_iteration() {
    let raw = r#""rawDataHistogram":[[[[3e-8,3],[7e-8,1]],[[4e-8,10]],[[9e-8,1]]]]"#;
    let values = round(file("s/op", "sample", raw).as_bytes(), "p.A.a").unwrap();
    assert_eq!(shown(&values), "time 40 ");
}

#[test]
fn a_file_of_any_number_of_forks_and_benchmarks_is_a_record_with_a_round_for_each_fork() {
    let two = file("us/op", "avgt", r#""rawData":[[1,2,3],[2,3,4]]"#);
    let other = file("us/op", "avgt", r#""rawData":[[1,2]]"#).replace("p.A.a", "p.A.b");
    let both = format!("{},{}", two.trim_end_matches(']'), &other[1..]);
    insta::assert_debug_snapshot!(record(both.as_bytes()).unwrap().benchmarks);
}

#[test]
fn a_file_without_one_usable_result_is_refused_with_benchmark_key_and_value() {
    let raw = r#""rawData":[[1]]"#;
    let good = file("ns/op", "avgt", raw);
    let table: String = [
        String::new(),
        "[ ]".to_owned(),
        "{}".to_owned(),
        good[..40].to_owned(),
        good.replace("ns/op", "ns"),
        good.replace("ns/op", "furlongs/op"),
        good.replace("[[1]]", "[]"),
        good.replace("[[1]]", "[[]]"),
        good.replace("[[1]]", "[[0]]"),
        good.replace("[[1]]", "[[-1]]"),
        good.replace("[[1]]", "[[\"NaN\"]]"),
        good.replace("[[1]]", "[[1],[1]]"),
        good.replace("ns/op", "ops/ns").replace("[[1]]", "[[1e-320]]"),
        good.replace("\"mode\":\"avgt\",", ""),
        good.replace("p.A.a", "p.A.b"),
        format!("{},{}", good.trim_end_matches(']'), &good[1..]),
        format!("{},{}", good.trim_end_matches(']'), &good[1..].replace("p.A.a", "p.A.b")),
    ]
    .iter()
    .map(|text| format!("{}\n", round(text.as_bytes(), "p.A.a").unwrap_err()))
    .collect();
    insta::assert_snapshot!(table);
}

/// Entries of one list.
fn list(entries: &[&str]) -> String {
    let inner = |entry: &&str| entry.trim_start_matches('[').trim_end_matches(']').to_owned();
    format!("[{}]", entries.iter().map(inner).collect::<Vec<_>>().join(","))
}

fn said(text: &str) -> String {
    let record = record(text.as_bytes()).unwrap();
    let values = record.benchmarks.iter().map(|(key, it)| format!("{key}: {}\n", it.mean));
    let refused = record.refused.iter().map(|(key, why)| format!("{key}: refused: {why}\n"));
    values.chain(refused).collect()
}

#[test]
fn a_benchmark_without_a_usable_time_is_refused_and_the_others_are_read() {
    let good = file("ns/op", "avgt", r#""rawData":[[1]]"#);
    let of = |name: &str, old: &str, new: &str| good.replace("p.A.a", name).replace(old, new);
    let entries = [
        good.clone(),
        of("no sample", "[[1]]", "[[]]"),
        of("no fork", "[[1]]", "[]"),
        of("not a number", "[[1]]", "[[NaN]]"),
        of("text", "[[1]]", "[[\"NaN\"]]"),
        of("zero", "[[1]]", "[[0]]"),
        of("unit", "ns/op", "bytes/op"),
        of("no mode", "\"mode\"", "\"made\""),
        "{\"benchmark\":7}".to_owned(),
    ];
    let entries: Vec<&str> = entries.iter().map(String::as_str).collect();
    insta::assert_snapshot!(said(&list(&entries)), @r#"
    p.A.a: 1
    [8]: refused: `[8].benchmark`: invalid type: integer `7`, expected a string
    no fork: refused: `[2].primaryMetric.rawDataHistogram`: no iteration: nothing was measured
    no mode: refused: `[7]`: missing field `mode`
    no sample: refused: `[1].primaryMetric.rawData`: no iteration: nothing was measured
    not a number: refused: `[3].primaryMetric.rawData[0][0]`: invalid type: null, expected a number
    text: refused: `[4].primaryMetric.rawData[0][0]`: invalid type: string "NaN", expected a number
    unit: refused: `[6].primaryMetric.scoreUnit`: unknown unit `bytes/op`: expected a time per `op`, or `ops` per time
    zero: refused: `[5].primaryMetric.rawData[0][0]`: invalid time 0: must be > 0
    "#);
}

#[test]
fn a_method_in_two_modes_is_two_benchmarks_and_one_that_is_there_twice_is_refused() {
    let raw = r#""rawData":[[4]]"#;
    let [average, rate] = [file("ns/op", "avgt", raw), file("ops/ns", "thrpt", raw)];
    let two_threads = average.replace("\"threads\":1", "\"threads\":2");
    insta::assert_snapshot!(said(&list(&[&average, &rate])), @"
    p.A.a/mode=avgt: 4
    p.A.a/mode=thrpt: 0.25
    ");
    insta::assert_snapshot!(said(&list(&[&average, &two_threads])), @"
    p.A.a/mode=avgt/threads=1: 4
    p.A.a/mode=avgt/threads=2: 4
    ");
    insta::assert_snapshot!(said(&list(&[&average, &average, &average.replace("p.A.a", "p.A.b")])), @"
    p.A.b: 4
    p.A.a/mode=avgt/threads=1: refused: it is there twice, and nothing tells the two apart
    ");
}

#[test]
fn a_text_that_begins_with_a_bracket_is_not_jmhs() {
    for (text, expected) in [
        ("[ ]", true),
        (" [\n {\"jmhVersion\": \"1.37\", \"benchmark\": \"a\"}]", true),
        ("[2026-01-02] {\"benchmark\"", false),
        ("[INFO] test a ... bench: 1 ns/iter", false),
        ("[{\"name\": 1}]", false),
        ("[1, 2]", false),
        ("{}", false),
        ("", false),
    ] {
        assert_eq!(is_spoken(text.as_bytes()), expected, "{text}");
    }
}
