//! Tests with files of JMH 1.37 and with invalid ones.

use super::*;

/// One benchmark with parameters in the mode `avgt`; figures that are not read are cut.
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
