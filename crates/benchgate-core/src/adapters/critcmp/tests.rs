//! Tests with exports and baselines, whole and broken.

use super::*;

fn identity(id: &str) -> Identity {
    Identity {
        group_id: id.to_owned(),
        function_id: None,
        value_str: None,
        throughput: Some(serde_json::json!({"Bytes": 64})),
        full_id: id.to_owned(),
        directory_name: id.replace('/', "_"),
        title: id.to_owned(),
    }
}

fn meta() -> BaselineMeta {
    BaselineMeta {
        schema: BASELINE_SCHEMA.into(),
        package: "p".into(),
        suite: "s".into(),
        commit: "c0ffee".into(),
        time: "2026-01-02T03:04:05Z".into(),
        machine: Machine { name: "m".into(), cpu: "x".into(), ..Machine::default() },
        toolchain: Toolchain::default(),
        rounds: BTreeMap::new(),
    }
}

fn sample() -> String {
    let benchmark =
        BaselineBenchmark { identity: identity("a/b"), rounds: vec![100.0, 102.0, 98.0, 101.0] };
    write("main", meta(), &[benchmark])
}

#[test]
fn a_baseline_is_critcmps_export_with_one_more_key() {
    insta::assert_snapshot!(sample());
}

#[test]
fn what_was_written_is_read_back() {
    let recorded = read(sample().as_bytes()).unwrap();
    assert_eq!(recorded.commit.as_deref(), Some("c0ffee"));
    let entry = &recorded.benchmarks[&BenchmarkKey::new("p", "s", "a/b")];
    assert_eq!(entry.rounds, [100.0, 102.0, 98.0, 101.0]);
    assert_eq!(entry.mean, 100.25);
}

#[test]
fn a_plain_export_has_no_package_and_no_rounds() {
    let export = r#"{"name":"a","benchmarks":{"x":{"baseline":"a","fullname":"a/x",
        "criterion_benchmark_v1":{"full_id":"x"},
        "criterion_estimates_v1":{"mean":{"point_estimate":5.5},"std_dev":{"point_estimate":0}}}}}"#;
    let recorded = read(export.as_bytes()).unwrap();
    let entry = &recorded.benchmarks[&BenchmarkKey::new("", "", "x")];
    assert_eq!((entry.mean, entry.rounds.len()), (5.5, 0));
}

#[test]
fn a_runs_export_is_read_back_and_tells_suites_apart_where_ids_do_not() {
    let values = |rounds: &[f64]| recorded(rounds.to_vec());
    let run = Recorded {
        benchmarks: BTreeMap::from([
            (BenchmarkKey::new("p", "one", "twice"), values(&[1.0, 3.0])),
            (BenchmarkKey::new("p", "two", "twice"), values(&[5.0, 7.0])),
            (BenchmarkKey::new("p", "two", "once"), values(&[11.0])),
            (BenchmarkKey::new("p", "two", "lost"), values(&[])),
        ]),
        ..Recorded::default()
    };
    let back = read(export("this run", &run).as_bytes()).unwrap();
    let means: Vec<_> =
        back.benchmarks.iter().map(|(key, values)| (key.id.as_str(), values.mean)).collect();
    assert_eq!(means, [("once", 11.0), ("p.one/twice", 2.0), ("p.two/twice", 6.0)]);
}

#[test]
fn a_benchmark_of_an_export_is_refused_by_name_and_a_baseline_is_read_whole_or_not_at_all() {
    let entry = |mean: &str| {
        format!(
            r#"{{"criterion_estimates_v1":{{"mean":{{"point_estimate":{mean}}},"std_dev":{{"point_estimate":1}}}}}}"#
        )
    };
    let entries =
        ["5", "0", "null", "1e999", "NaN"].map(|mean| format!(r#""{mean}":{}"#, entry(mean)));
    let export = format!(r#"{{"benchmarks":{{{},"none":{{}}}}}}"#, entries.join(","));
    assert!(read(export.as_bytes()).is_err());
    let parsed = record(export.as_bytes()).unwrap();
    assert_eq!(parsed.benchmarks[&BenchmarkKey::new("", "", "5")].mean, 5.0);
    assert_eq!(parsed.benchmarks.len(), 1);
    let refused: String =
        parsed.refused.iter().map(|(key, why)| format!("{key}: {why}\n")).collect();
    insta::assert_snapshot!(refused, @"
    0: `benchmarks.0.mean.point_estimate`: invalid time 0: must be > 0
    1e999: `benchmarks.1e999.criterion_estimates_v1.mean.point_estimate`: number out of range
    NaN: `benchmarks.NaN.criterion_estimates_v1.mean.point_estimate`: invalid type: null, expected a number
    none: `benchmarks.none`: missing field `criterion_estimates_v1`
    null: `benchmarks.null.criterion_estimates_v1.mean.point_estimate`: invalid type: null, expected a number
    ");
    let baseline = sample();
    assert_eq!(record(baseline.as_bytes()), read(baseline.as_bytes()));
    let broken = baseline.replace("102.0", "0.0");
    assert_eq!(record(broken.as_bytes()), read(broken.as_bytes()));
}

#[test]
fn a_broken_baseline_is_an_error_that_names_the_key() {
    let good = sample();
    let entry = |mean: &str| {
        format!(
            r#"{{"criterion_estimates_v1":{{"mean":{{"point_estimate":{mean}}},"std_dev":{{"point_estimate":1}}}}}}"#
        )
    };
    let table: String = [
        ("empty", String::new()),
        ("truncated", good[..good.len() / 2].to_owned()),
        ("not JSON", "hello".to_owned()),
        ("another JSON", "[]".to_owned()),
        ("zero mean", format!(r#"{{"benchmarks":{{"x":{}}}}}"#, entry("0"))),
        ("negative mean", format!(r#"{{"benchmarks":{{"x":{}}}}}"#, entry("-1"))),
        ("infinite mean", format!(r#"{{"benchmarks":{{"x":{}}}}}"#, entry("1e999"))),
        ("text for a mean", format!(r#"{{"benchmarks":{{"x":{}}}}}"#, entry("\"1\""))),
        ("null mean", format!(r#"{{"benchmarks":{{"x":{}}}}}"#, entry("null"))),
        ("double key", format!(r#"{{"benchmarks":{{"x":{0},"x":{0}}}}}"#, entry("1"))),
        ("another schema", good.replace("benchgate.baseline/1", "benchgate.baseline/9")),
        ("another unit", good.replace("\"unit\": \"ns\"", "\"unit\": \"us\"")),
        ("zero round", good.replace("102.0", "0.0")),
        ("unknown key of ours", good.replace("\"commit\"", "\"comit\"")),
        ("rounds of nothing", good.replacen("\"a/b\": {", "\"a/c\": {", 1)),
        ("double rounds", good.replace("\"rounds\": {", "\"rounds\": { \"a/b\": {},")),
        ("no suite", good.replace("\"suite\": \"s\"", "\"suite\": \"\"")),
    ]
    .iter()
    .map(|(what, text)| format!("{what}: {}\n", read(text.as_bytes()).unwrap_err()))
    .collect();
    insta::assert_snapshot!(table);
}
