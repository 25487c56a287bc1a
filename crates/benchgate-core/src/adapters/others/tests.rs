//! Texts and what is read of them.

use proptest::prelude::*;

use super::*;
use crate::adapters::{critcmp, jmh, unread};

/// What a text says, line by line: values and rounds of each benchmark, then what is refused and why.
fn said(text: &str) -> String {
    let record = match record(text.as_bytes()) {
        None => return "not read".to_owned(),
        Some(Err(error)) => return format!("error: {error}"),
        Some(Ok(record)) => record,
    };
    let values = record.benchmarks.iter().map(|(key, it)| match it.rounds.as_slice() {
        [] => format!("{key}: {}\n", it.mean),
        rounds => format!("{key}: {} {rounds:?}\n", it.mean),
    });
    let refused = record.refused.iter().map(|(key, why)| format!("{key}: refused: {why}\n"));
    values.chain(refused).collect()
}

fn hyperfine(results: &str) -> String {
    said(&format!(r#"{{"results":[{results}],"mean":"command"}}"#))
}

fn google(runs: &[&str]) -> String {
    said(&format!(r#"{{"context":{{"num_cpus":8}},"benchmarks":[{}]}}"#, runs.join(",")))
}

#[test]
fn each_run_of_hyperfine_is_a_round() {
    insta::assert_snapshot!(hyperfine(
        r#"{"command":"sort x","mean":0.002,"stddev":0.001,"median":0.002,"times":[0.001,0.003],"exit_codes":[0,0]},
           {"command":"sort","mean":0.5,"stddev":null,"parameters":{"n":"9"}}"#
    ), @"
    sort x: 2000000 [1000000.0, 3000000.0]
    sort/n=9: 500000000
    ");
}

#[test]
fn a_command_of_hyperfine_without_a_usable_time_is_refused_and_the_others_are_read() {
    insta::assert_snapshot!(hyperfine(
        r#"{"command":"fine","mean":1},
           {"command":"no mean","mean":0,"times":[]},
           {"command":"a time of 0","mean":1,"times":[1,0.0]},
           {"command":"negative","mean":1,"times":[1,-1]},
           {"command":"not a number","mean":NaN},
           {"command":"too large","mean":1e999},
           {"command":"overflows","mean":1e300},
           {"command":"failed","mean":1,"times":[1,1],"exit_codes":[0,1]},
           {"command":"killed","mean":1,"times":[1,1],"exit_codes":[null,0]},
           {"name":"unknown","mean":1},
           7"#
    ), @"
    fine: 1000000000
    a time of 0: refused: `results[2].times`: a run took 0 s, without the shell's start; with `-N` there is none
    failed: refused: `results[7].exit_codes`: a run failed, and its time is not that of its work
    killed: refused: `results[8].exit_codes`: a run failed, and its time is not that of its work
    negative: refused: `results[3].times`: invalid time -1: must be > 0
    no mean: refused: `results[1].mean`: invalid time 0: must be > 0
    not a number: refused: `results[4].mean`: invalid type: null, expected a number
    overflows: refused: `results[6].mean`: invalid time inf: must be > 0
    results[10]: refused: `results[10]`: invalid type: integer `7`, expected an object
    results[9]: refused: `results[9]`: missing field `command`
    too large: refused: `results[5].mean`: number out of range
    ");
}

#[test]
fn commands_of_one_name_are_told_apart_by_parameters_or_refused() {
    insta::assert_snapshot!(hyperfine(
        r#"{"command":"run","mean":1,"parameters":{"n":"1"}},{"command":"run","mean":1,"parameters":{"n":2}},
           {"command":"v12","mean":1,"parameters":{"n":"1"}},{"command":"v12","mean":1,"parameters":{"n":"2"}},
           {"command":"twice","mean":1},{"command":"twice","mean":1}"#
    ), @"
    run/n=1: 1000000000
    run/n=2: 1000000000
    v12/n=1: 1000000000
    v12/n=2: 1000000000
    twice: refused: it is there twice, and nothing tells the two apart
    ");
}

#[test]
fn each_repetition_of_google_benchmark_is_a_round_and_aggregates_are_none() {
    let runs = [
        r#"{"name":"a","run_name":"a","run_type":"iteration","real_time":1.0,"time_unit":"us"}"#,
        r#"{"name":"a","run_name":"a","run_type":"iteration","real_time":3.0,"time_unit":"us"}"#,
        r#"{"name":"a_mean","run_name":"a","run_type":"aggregate","aggregate_name":"mean","real_time":2.0,"time_unit":"us"}"#,
        r#"{"name":"a_cv","run_name":"a","run_type":"aggregate","aggregate_name":"cv","real_time":NaN,"time_unit":"us"}"#,
        r#"{"name":"a_BigO","run_name":"b","run_type":"aggregate","aggregate_name":"BigO","real_coefficient":1}"#,
    ];
    insta::assert_snapshot!(google(&runs), @"a: 2000 [1000.0, 3000.0]");
    insta::assert_snapshot!(google(&runs[2..]), @"a: 2000");
}

#[test]
fn a_run_of_google_benchmark_without_a_usable_time_is_refused_and_the_others_are_read() {
    insta::assert_snapshot!(google(&[
        r#"{"name":"fine","real_time":1}"#,
        r#"{"name":"not a number","real_time":NaN}"#,
        r#"{"name":"infinite","real_time":-Infinity}"#,
        r#"{"name":"zero","real_time":0}"#,
        r#"{"name":"days","real_time":1,"time_unit":"days"}"#,
        r#"{"name":"error","error_occurred":true,"error_message":"no file","real_time":0}"#,
        r#"{"name":"half","real_time":1,"repetition_index":0}"#,
        r#"{"name":"half","error_occurred":true,"repetition_index":1}"#,
        r#"{"name":"skipped","skipped":true,"skip_message":"no AVX"}"#,
        r#"{"name":"no mean","run_type":"aggregate","aggregate_name":"stddev","real_time":1}"#,
        r#"{"name":"another","run_name":"two","real_time":1,"repetition_index":0}"#,
        r#"{"name":"another","run_name":"two","real_time":1,"repetition_index":0}"#,
        r#"{"name":"text","real_time":"1"}"#,
        r#"{"real_time":1}"#,
    ]), @r#"
    benchmarks[13]: 1
    fine: 1
    days: refused: `benchmarks[4].time_unit`: invalid unit `days`: expected ns, us, ms or s
    error: refused: `benchmarks[5]`: it ended with an error: no file
    half: refused: `benchmarks[7]`: it ended with an error
    infinite: refused: `benchmarks[2].real_time`: not a number
    no mean: refused: `benchmarks[9]`: neither a repetition nor their mean is there
    not a number: refused: `benchmarks[1].real_time`: not a number
    skipped: refused: `benchmarks[8]`: it was skipped: no AVX
    text: refused: `benchmarks[12].real_time`: invalid type: string "1", expected a number
    two: refused: `benchmarks[11]`: two benchmarks have this name
    zero: refused: `benchmarks[3].real_time`: invalid time 0: must be > 0
    "#);
}

#[test]
fn lines_of_bencher_and_libtest_are_read_with_commas_and_fractions() {
    insta::assert_snapshot!(said(
        "\nrunning 2 tests\ntest parse::big ... bench:   1,234,567 ns/iter (+/- 8,900) = 12 MB/s\n\
         test parse::small ... bench:          12.34 ns/iter (+/- 0.50)\ntest x ... ignored\n"
    ), @"
    parse::big: 1234567
    parse::small: 12.34
    ");
}

#[test]
fn a_line_of_libtest_without_a_usable_time_is_refused_and_the_others_are_read() {
    insta::assert_snapshot!(said(
        "test fine ... bench: 1 ns/iter (+/- 0)\n\
         test zero ... bench: 0 ns/iter (+/- 0)\n\
         test negative ... bench: -1 ns/iter (+/- 0)\n\
         test cycles ... bench: 288 cycles/iter (+/- 2)\n\
         test words ... bench: soon\n\
         test panicked ... FAILED\n\
         test twice ... bench: 1 ns/iter (+/- 0)\n\
         test twice ... bench: 1 ns/iter (+/- 0)\n\
         test prints ... hello\n\
         bench: 5 ns/iter (+/- 0)\n"
    ), @"
    fine: 1
    cycles: refused: line 4: it is `288 cycles/iter (+/- 2)`: only nanoseconds per iteration are compared
    line 10: refused: line 10: its name is not in this line
    negative: refused: line 3: invalid time -1: must be > 0
    panicked: refused: line 6: it failed
    twice: refused: it is there twice, and nothing tells the two apart
    words: refused: line 5: it is `soon`: only nanoseconds per iteration are compared
    zero: refused: line 2: it took 0 ns: nothing is left of it to time, as without `black_box`
    ");
    insta::assert_snapshot!(said("test a ... bench: 288 cycles/iter (+/- 2)"), @"a: refused: line 1: it is `288 cycles/iter (+/- 2)`: only nanoseconds per iteration are compared");
}

#[test]
fn one_function_in_two_targets_is_two_benchmarks() {
    insta::assert_snapshot!(said(
        "     Running unittests src/lib.rs (target/release/deps/it-0123456789abcdef)\n\
         test push ... bench: 1 ns/iter (+/- 0)\n\
         \u{1b}[1m\u{1b}[32m     Running\u{1b}[0m benches/a.rs (C:\\a b\\target\\release\\deps\\a-0123456789abcdef.exe)\n\
         test push ... bench: 2 ns/iter (+/- 0)\n\
         Running target/release/deps/b_c-0123456789abcdef\n\
         Running out of paper-0123456789abcdef, says the benchmark\n\
         test push ... bench: 3 ns/iter (+/- 0)\n"
    ), @"
    a: push: 2
    b_c: push: 3
    it: push: 1
    ");
}

#[test]
fn messages_of_cargo_criterion_are_read_by_iteration_and_what_is_no_time_is_refused() {
    let message = |id: &str, counts: &str, values: &str, unit: &str| {
        format!(
            r#"{{"reason":"benchmark-complete","id":"{id}","iteration_count":{counts},"measured_values":{values},"unit":"{unit}"}}"#
        )
    };
    let lines = [
        message("g/a", "[1,2]", "[3.0,10.0]", "ns"),
        r#"{"reason":"group-complete","group_name":"g","benchmarks":["g/a"]}"#.to_owned(),
        "words".to_owned(),
        message("cycles", "[1]", "[1]", "cycles"),
        message("nothing", "[]", "[]", "ns"),
        message("no iteration", "[0]", "[1]", "ns"),
        message("null", "[1]", "[null]", "ns"),
        message("cut", "[1]", "[1]", "ns")[..60].to_owned(),
    ];
    insta::assert_snapshot!(said(&lines.join("\n")), @"
    g/a: 4
    cycles: refused: `line 4`: it is in `cycles`: only nanoseconds are compared
    line 8: refused: `line 8.iteration_count`: EOF while parsing a value
    no iteration: refused: `line 6`: invalid time inf: must be > 0
    nothing: refused: `line 5`: it has no values
    null: refused: `line 7.measured_values[0]`: invalid type: null, expected a number
    ");
}

#[test]
fn what_is_of_no_other_tool_is_not_read_and_an_empty_list_is_an_error() {
    for text in ["", "words", "{}", "[]", "test a ... ok\n", "[INFO] test a"] {
        assert_eq!(said(text), "not read", "{text}");
    }
    assert_eq!(hyperfine(""), "error: it holds no benchmark");
    assert_eq!(google(&[]), "error: it holds no benchmark");
    assert!(hyperfine("{").starts_with("error: "));
}

/// A text with one of these words after another.
fn text() -> impl Strategy<Value = String> {
    let words = [
        "{",
        "}",
        "[",
        "]",
        ":",
        ",",
        "\"",
        "\\",
        " ",
        "\n",
        "0",
        "1e999",
        "-1",
        "NaN",
        "null",
        "true",
        "é",
        "\"results\"",
        "\"command\"",
        "\"mean\"",
        "\"times\"",
        "\"context\"",
        "\"num_cpus\"",
        "\"benchmarks\"",
        "\"name\"",
        "\"real_time\"",
        "\"reason\"",
        "\"measured_values\"",
        "\"benchmark\"",
        "\"primaryMetric\"",
        "test ",
        " ... ",
        "bench:",
        " ns/iter",
        "FAILED",
        "Running ",
        "a-0123456789abcdef",
        ")",
        "\"criterion_estimates_v1\"",
        "time:   [",
    ];
    let word = prop_oneof![4 => proptest::sample::select(words.to_vec()).prop_map(str::to_owned), 1 => ".{0,3}"];
    proptest::collection::vec(word, 0..40).prop_map(|words| words.concat())
}

/// Files that are read, to be damaged.
const WHOLE: [&str; 4] = [
    r#"{"results":[{"command":"a","mean":1,"times":[1,2],"exit_codes":[0,0],"parameters":{"n":"1"}},{"command":"b","mean":1}]}"#,
    r#"{"context":{"num_cpus":1},"benchmarks":[{"name":"a","run_name":"a","real_time":1,"time_unit":"us"}]}"#,
    r#"[{"benchmark":"a","mode":"avgt","primaryMetric":{"scoreUnit":"ns/op","rawData":[[1,2],[3]]}}]"#,
    "{\"reason\":\"benchmark-complete\",\"id\":\"a\",\"iteration_count\":[1],\"measured_values\":[1],\"unit\":\"ns\"}\n",
];

/// Values where a number was.
const VALUES: [&str; 9] = ["0", "-1", "1e999", "1e300", "1e-320", "NaN", "null", "\"a\"", "[]"];

fn damaged() -> impl Strategy<Value = String> {
    let any_place = |whole: &str| (0..whole.len()).collect::<Vec<_>>();
    let numbers = |whole: &str| whole.match_indices('1').map(|(at, _)| at).collect::<Vec<_>>();
    let damage =
        move |(whole, at, (is_value, text)): (&str, proptest::sample::Index, (bool, String))| {
            let places = if is_value { numbers(whole) } else { any_place(whole) };
            let (before, after) = whole.split_at(*at.get(&places));
            format!("{before}{text}{}", after.get(1..).unwrap_or_default())
        };
    let value =
        proptest::sample::select(VALUES.to_vec()).prop_map(|value| (true, value.to_owned()));
    let by = prop_oneof![value, text().prop_map(|text| (false, text))];
    (proptest::sample::select(WHOLE.to_vec()), any::<proptest::sample::Index>(), by)
        .prop_map(damage)
}

proptest! {
    #[test]
    fn no_text_panics_and_every_value_that_is_read_is_a_time(text in prop_oneof![text(), damaged()]) {
        let bytes = text.as_bytes();
        unread::named(bytes);
        jmh::is_spoken(bytes);
        let records = [record(bytes).and_then(Result::ok), jmh::record(bytes).ok(), critcmp::record(bytes).ok()];
        for record in records.into_iter().flatten() {
            for values in record.benchmarks.values() {
                let rounds = values.rounds.iter().chain([&values.mean]);
                prop_assert!(rounds.into_iter().all(|time| *time > 0.0 && time.is_finite()));
            }
        }
    }
}
