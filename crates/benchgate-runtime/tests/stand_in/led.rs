//! Led by the gate.

use benchgate_runtime::protocol::Answer;

use crate::built::{VERSIONS, programs};
use crate::walk::{Walk, ids};

/// What is the same in all versions is asked of one with each way of `black_box`.
const OLD_AND_NEW: [&str; 2] = ["0.5.1", "0.8.2"];

fn ran(answer: Option<Answer>) -> (f64, u64) {
    match answer {
        Some(Answer::Ran { value, whole }) => (value, whole),
        other => panic!("expected `ran`, found {other:?}"),
    }
}

fn reason(answer: Option<Answer>) -> String {
    match answer {
        Some(Answer::None { reason }) => reason,
        other => panic!("expected `none`, found {other:?}"),
    }
}

#[test]
fn every_program_of_every_version_is_led_from_the_first_benchmark_to_the_end() {
    for version in VERSIONS {
        for program in programs(version) {
            let quiet = ["own_main", "new_0_5"];
            if !quiet.contains(&program) {
                assert!(!ids(version, program).is_empty(), "{version} {program}");
            }
        }
    }
}

#[test]
fn the_filter_of_the_code_holds_for_a_led_run() {
    assert_eq!(ids("0.4.0", "settings"), ["settings", "group/x"]);
    // One benchmark of four has its filter against it, one its exact id.
    assert_eq!(ids("0.8.2", "new_0_5"), ["target", "target"]);
}

#[test]
fn ids_are_those_of_criterion_and_arrive_as_they_are_written() {
    let long = "ä".repeat(150);
    for version in VERSIONS {
        let expected = [
            "same/id",
            "same/id",
            "same/id",
            "line\nfeed\r and \\ and \u{7}",
            " spaces  ",
            "a/b/c",
            "🦀 µ",
            &long,
            "empty value//",
            "same/id",
            "same/id",
            "same/id",
        ];
        assert_eq!(ids(version, "ids"), expected, "{version}");
    }
    assert_eq!(
        ids("0.3.6", "old_0_3"),
        [
            "group/one",
            "group/two",
            "same",
            "parameters/one/1",
            "parameters/one/2",
            "parameters/two/1",
            "parameters/two/2",
            "functions/first",
            "functions/second",
            "inputs/1",
            "inputs/2",
            "text/\"a\"",
            "text/\"b\"",
            "large",
            "batch",
        ]
    );
}

#[test]
fn an_id_that_is_taken_in_its_group_ends_the_process() {
    let mut walk = Walk::start("0.5.1", "ids", &[("TWICE", "1")]);
    walk.skip_to("twice/id");
    walk.order(benchgate_runtime::protocol::Command::Next);
    // No benchmark follows; that it did not end well is in its exit code.
    assert_eq!(walk.hear(), Some(Answer::End));
    let (status, errors) = walk.end();
    assert_eq!(status.code(), Some(101));
    assert!(errors.contains("Encountered duplicated benchmark ID twice/id"), "{errors}");
}

#[test]
fn a_benchmark_is_run_as_often_as_is_asked_or_skipped() {
    for version in OLD_AND_NEW {
        let mut walk = Walk::start(version, "iterations", &[]);
        walk.skip_to("given time");
        assert_eq!(ran(walk.run(1, 0)).0, 7.0);
        assert_eq!(ran(walk.run(1_000_000_000, 5)).0, 7e9);
        assert_eq!(walk.next_id().as_deref(), Some("closure"));
        // The closure is called once for each measurement, and once more where there are untimed iterations.
        assert_eq!(ran(walk.run(9, 0)).0, 1.0);
        assert_eq!(ran(walk.run(9, 9)).0, 3.0);
        assert_eq!(ran(walk.run(9, 0)).0, 4.0);
        assert_eq!(walk.next_id().as_deref(), Some("seen iterations"));
        assert_eq!(ran(walk.run(12, 34)).0, 12.0);
        assert!(walk.end().0.success());
    }
}

#[test]
fn the_whole_call_is_measured_with_its_set_up() {
    let mut walk = Walk::start("0.5.1", "iterations", &[]);
    walk.skip_to("set-up");
    let (value, whole) = ran(walk.run(1, 1));
    assert_eq!(value, 1.0);
    assert!((20_000_000..40_000_000_000).contains(&whole), "{whole}");
    // The set-up of the untimed call is not in it: two of them would be 40 ms.
    let shortest = (0..5).map(|_| ran(walk.run(1, 1)).1).min().unwrap();
    assert!(shortest < 40_000_000, "{shortest}");
}

#[test]
fn of_several_iter_methods_the_last_one_counts_and_without_one_there_is_no_value() {
    for version in OLD_AND_NEW {
        let mut walk = Walk::start(version, "iterations", &[]);
        assert_eq!(walk.arrive().as_deref(), Some("two"));
        assert_eq!(ran(walk.run(2, 0)).0, 10.0);
        assert_eq!(walk.next_id().as_deref(), Some("zero time"));
        assert_eq!(ran(walk.run(5, 0)).0, 0.0);
        while walk.next_id().as_deref() != Some("none") {}
        assert_eq!(reason(walk.run(1, 0)), "the closure called no `iter`");
        assert_eq!(reason(walk.run(1, 1)), "the closure called no `iter`");
        // It costs that benchmark alone.
        assert_eq!(walk.next_id().as_deref(), Some("last"));
        ran(walk.run(1, 0));
        assert_eq!(walk.next_id(), None);
        assert!(walk.end().0.success());
    }
}

#[test]
fn names_are_those_that_criterion_writes() {
    for version in VERSIONS {
        let mut walk = Walk::start(version, "ids", &[]);
        walk.skip_to("line\nfeed\r and \\ and \u{7}");
        let expected = concat!(
            r#"{"group_id":"line\u000afeed\u000d and \\ and \u0007","function_id":null,"value_str":null,"#,
            r#""throughput":null,"full_id":"line\u000afeed\u000d and \\ and \u0007","#,
            r#""directory_name":"line\u000afeed\u000d and _ and \u0007","#,
            r#""title":"line\u000afeed\u000d and \\ and \u0007"}"#,
        );
        assert_eq!(walk.names(), expected);
        while walk.next_id().as_deref() != Some("empty value//") {}
        let expected = concat!(
            r#"{"group_id":"empty value","function_id":"","value_str":"","throughput":{"Bytes":64},"#,
            r#""full_id":"empty value//","directory_name":"empty value//","title":"empty value//"}"#,
        );
        assert_eq!(walk.names(), expected);
    }
}

#[test]
fn a_measurement_of_its_own_has_its_unit_and_its_scale() {
    for version in VERSIONS {
        let mut walk = Walk::start(version, "measurement", &[]);
        assert_eq!(walk.arrive().as_deref(), Some("time"));
        assert_eq!(walk.unit(), Some(Answer::Unit { unit: "ns".to_owned() }));
        assert!(ran(walk.run(1000, 0)).0 > 0.0);
        assert_eq!(walk.next_id().as_deref(), Some("bytes"));
        assert_eq!(walk.unit(), Some(Answer::Unit { unit: "KiB".to_owned() }));
        assert_eq!(ran(walk.run(1000, 0)).0, 2.0);
        assert_eq!(walk.next_id().as_deref(), Some("batched"));
        // Ten batches, whose values the measurement adds.
        assert_eq!(ran(walk.run(1000, 0)).0, 20.0);
        assert_eq!(walk.next_id().as_deref(), Some("custom"));
        assert_eq!(ran(walk.run(1000, 0)).0, 1000.0);
    }
}

/// What `tests/programs/batches.rs` says of one call with so many iterations.
fn batches(version: &str, iterations: u64) -> Vec<String> {
    let mut walk = Walk::start(version, "batches", &[]);
    let mut at = walk.arrive();
    while at.is_some() {
        ran(walk.run(iterations, 0));
        at = walk.next_id();
    }
    walk.end().1.lines().map(str::to_owned).collect()
}

#[test]
fn batches_have_criterions_size_and_order_of_drops() {
    for version in VERSIONS {
        // An input dies inside of the routine, an output after its batch: at most a batch of both is alive.
        assert_eq!(
            batches(version, 25),
            [
                "value small most 4 dropped 50 iiioooiiiooo",
                "ref small most 6 dropped 50 oooiiioooiii",
                "value large most 2 dropped 50 ioioioioioio",
                "ref large most 2 dropped 50 oioioioioioi",
                "value one most 2 dropped 50 ioioioioioio",
                "ref one most 2 dropped 50 oioioioioioi",
                "value two batches most 14 dropped 50 iiiiiiiiiiii",
                "ref two batches most 26 dropped 50 oooooooooooo",
                "value threes most 4 dropped 50 iiioooiiiooo",
                "ref threes most 6 dropped 50 oooiiioooiii",
                "large drop most 3 dropped 25 oooooooooooo",
                "setup most 2 dropped 50 ioioioioioio",
                "plain most 1 dropped 25 oooooooooooo",
            ],
            "{version}"
        );
        // Batches of one are timed one by one.
        let single = batches(version, 10);
        assert_eq!(single[0], "value small most 2 dropped 20 ioioioioioio", "{version}");
        assert_eq!(single[1], "ref small most 2 dropped 20 oioioioioioi", "{version}");
    }
}

#[test]
fn what_the_bench_prints_and_reads_never_meets_the_protocol() {
    for version in OLD_AND_NEW {
        let mut walk = Walk::start(version, "streams", &[]);
        assert_eq!(walk.arrive().as_deref(), Some("prints"));
        ran(walk.run(2, 1));
        assert_eq!(walk.next_id().as_deref(), Some("reads"));
        ran(walk.run(2, 1));
        assert_eq!(walk.next_id().as_deref(), Some("child"));
        ran(walk.run(1, 0));
        assert_eq!(walk.next_id(), None);
        assert_eq!(walk.noise, [""]);
        let (status, errors) = walk.end();
        assert!(status.success());
        for printed in ["no end of linein the target\n", "in the closure\n", "in the routine "] {
            assert!(errors.contains(printed), "{errors}");
        }
        assert!(errors.contains("child not led\n"), "{errors}");
    }
}

#[test]
fn what_is_printed_before_the_first_use_is_noise() {
    let mut walk = Walk::start("0.8.2", "own_main", &[]);
    assert_eq!(walk.noise, ["before the first use", ""]);
    assert_eq!(walk.arrive().as_deref(), Some("own"));
    assert_eq!(walk.next_id().as_deref(), Some("other"));
    // A `main` of the bench's own needs no final summary for the end.
    assert_eq!(walk.next_id(), None);
    assert!(walk.end().0.success());
}

#[test]
fn threads_may_iterate_and_locks_of_std_may_be_held() {
    for version in OLD_AND_NEW {
        let mut walk = Walk::start(version, "threads", &[]);
        for expected in ["scope", "custom", "locked"] {
            assert_eq!(walk.arrive().as_deref(), Some(expected), "{version}");
            ran(walk.run(10, 1));
            walk.order(benchgate_runtime::protocol::Command::Next);
        }
        assert_eq!(walk.hear(), Some(Answer::End));
    }
}

#[test]
fn a_process_that_ends_at_a_benchmark_never_says_that_all_were_passed() {
    for (place, code) in [
        ("setup", Some(101)),
        ("routine", Some(101)),
        ("exit in a benchmark", Some(0)),
        ("abort", None),
    ] {
        let mut walk = Walk::start("0.6.0", "panics", &[("PANIC", place)]);
        let mut at = walk.arrive();
        while at.is_some() {
            match walk.run(1, 0) {
                Some(_) => at = walk.next_id(),
                None => break,
            }
        }
        assert!(at.is_some(), "{place}");
        assert_eq!(walk.end().0.code(), code, "{place}");
    }
    let mut walk = Walk::start("0.6.0", "panics", &[("PANIC", "target")]);
    walk.skip_to("second");
    walk.order(benchgate_runtime::protocol::Command::Next);
    assert_eq!(walk.hear(), Some(Answer::End));
    assert_eq!(walk.end().0.code(), Some(101));
}

#[test]
fn an_exit_between_benchmarks_is_an_end_with_its_code() {
    let mut walk = Walk::start("0.6.0", "panics", &[("PANIC", "exit")]);
    walk.skip_to("second");
    assert_eq!(walk.next_id(), None);
    assert_eq!(walk.end().0.code(), Some(3));
}

#[test]
fn a_gate_that_ends_takes_the_executable_along_quietly() {
    let mut walk = Walk::start("0.8.2", "types", &[]);
    walk.arrive();
    walk.write("run 1");
    let (status, errors) = walk.end();
    assert_eq!((status.code(), errors.as_str()), (Some(0), ""));
}

#[test]
fn a_line_that_is_no_command_ends_the_executable_with_a_message() {
    let mut walk = Walk::start("0.8.2", "types", &[]);
    walk.arrive();
    walk.write("run -1 0\n");
    assert_eq!(walk.hear(), None);
    let (status, errors) = walk.end();
    assert_eq!(status.code(), Some(2));
    assert!(errors.contains("`run -1 0` is not a line of the protocol, version 1"), "{errors}");
}
