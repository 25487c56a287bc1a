//! Suites that are led: both sides alive at the same time.

use crate::fakes::{check, check_with, findings, repo, write};
use crate::support::Repo;

#[test]
fn a_slowdown_is_proven_and_what_did_not_change_is_not_flagged() {
    let repo = repo("led", &["a|1000|", "b|2000|", "c|30000000|"]);
    write(&repo, "led", &["a|1000|", "b|2300|", "c|30000000|"]);
    repo.commit("slower");
    let ran = check(&repo).expect(100);
    assert_eq!(findings(&repo), ["a time: unchanged", "b time: critical", "c time: unchanged"]);
    assert!(ran.stdout.contains("+15.0 %"), "{}", ran.stdout);
}

#[test]
fn a_slowdown_of_some_slices_or_of_some_processes_is_a_note() {
    let repo = repo("led", &["a|1000|", "b|1000|", "c|1000|"]);
    let changed =
        ["a|1000|is slow in every third slice", "b|1000|is slow in every third process", "c|1000|"];
    write(&repo, "led", &changed);
    repo.commit("now and then");
    let ran = check_with(&repo, 60).expect(0);
    assert_eq!(findings(&repo), ["a time: note", "b time: note", "c time: unchanged"]);
    for words in [
        "the mean is 33.3 % slower",
        "in 20 of 60 pairs the mean of the head is higher by more than 20.0 %, in none that of the base",
    ] {
        assert!(ran.stdout.contains(words), "{words}: {}", ran.stdout);
    }
}

#[test]
fn benchmarks_that_come_in_another_order_in_each_process_are_measured() {
    let lines = |of_c: &str| {
        let of = |id: &str| format!("{id}|{}|has no order", if id == "c" { of_c } else { "1000" });
        ["a", "b", "c", "d", "e", "f"].map(of)
    };
    let repo = repo("led", &lines("1000").each_ref().map(String::as_str));
    write(&repo, "led", &lines("1150").each_ref().map(String::as_str));
    repo.commit("slower");
    check(&repo).expect(100);
    let found = findings(&repo);
    let expected = ["a", "b", "c", "d", "e", "f"].map(|id| match id {
        "c" => "c time: critical".to_owned(),
        id => format!("{id} time: unchanged"),
    });
    assert_eq!(found, expected);
}

#[test]
fn the_sum_of_several_threads_is_longer_than_the_call_and_is_measured() {
    let repo = repo("led", &["a|1000|sums over eight threads"]);
    write(&repo, "led", &["a|1200|sums over eight threads"]);
    repo.commit("slower");
    check(&repo).expect(100);
    assert_eq!(findings(&repo), ["a time: critical"]);
}

#[test]
fn quantities_of_benches_have_each_its_own_unit_in_every_report_and_are_never_mixed() {
    let base = [
        "a|288.234|measures cycles",
        "b|2000000000|measures bytes",
        "c|7|measures cache misses",
        "d|5|measures bytes",
    ];
    let repo = repo("led", &base);
    let of_d = "d|5|measures cycles";
    write(&repo, "led", &["a|330|measures cycles", base[1], base[2], of_d, "e|1000|"]);
    repo.commit("more cycles");
    let ran = check(&repo).expect(100);
    assert!(!ran.stderr.contains("built again"), "{}", ran.stderr);
    let findings = findings(&repo);
    let expected = [
        "a custom: critical",
        "b custom: unchanged",
        "c custom: unchanged",
        "d time: failed",
        "e time: new",
    ];
    assert_eq!(findings, expected, "{}", ran.stdout);
    let result = repo.result();
    let rows = result["benchmarks"].as_array().unwrap();
    let of = |id: &str| rows.iter().find(|row| row["id"] == id).unwrap();
    for (id, unit) in [("a", "cycles"), ("b", "bytes"), ("c", "cache misses")] {
        assert_eq!(of(id)["unit"], unit);
        assert_eq!(of(id)["floor_ns"], 0.0);
    }
    assert!(
        of("d")["reason"]
            .as_str()
            .unwrap()
            .contains("the head measures cycles, and the base bytes")
    );
    for format in ["terminal", "markdown", "html", "json", "csv", "junit"] {
        let shown = repo.plain(&["report", "target/benchgate/result.json", "--format", format]);
        let expected = if matches!(format, "json" | "csv") { "cycles" } else { "288.2 cycles" };
        assert!(shown.stdout.contains(expected), "{format}: {}", shown.stdout);
        assert!(!shown.stdout.contains(" units"), "{format}: {}", shown.stdout);
    }
    // Which has nanoseconds alone.
    let exported = repo.plain(&["report", "target/benchgate/result.json", "--format", "critcmp"]);
    let exported: serde_json::Value = serde_json::from_str(&exported.stdout).unwrap();
    let names: Vec<&String> = exported["benchmarks"].as_object().unwrap().keys().collect();
    assert!(names.iter().all(|name| !["a", "b", "c", "d"].contains(&name.as_str())), "{names:?}");
}

#[test]
fn a_set_up_of_each_iteration_that_is_dear_takes_a_slice_and_not_minutes() {
    let repo = repo("led", &["a|20|has a set-up of 5,000 iterations before each"]);
    write(&repo, "led", &["a|24|has a set-up of 5,000 iterations before each"]);
    repo.commit("slower");
    check(&repo).expect(100);
    assert_eq!(findings(&repo), ["a time: critical"]);
}

#[test]
fn a_clock_that_shows_no_time_after_one_iteration_is_read_after_more() {
    let repo = repo("led", &["a|20|counts whole microseconds"]);
    write(&repo, "led", &["a|24|counts whole microseconds"]);
    repo.commit("slower");
    check(&repo).expect(100);
    assert_eq!(findings(&repo), ["a time: critical"]);
}

#[test]
fn benchmarks_of_one_side_or_in_another_order_are_led_by_their_names() {
    let repo = repo("led", &["a|1000|", "b|2000|", "c|3000|", "gone|1000|"]);
    write(&repo, "led", &["c|3000|", "new|1000|", "b|2000|", "a|1000|"]);
    repo.commit("another order");
    check(&repo).expect(101);
    let expected = [
        "a time: unchanged",
        "b time: unchanged",
        "c time: unchanged",
        "gone time: missing",
        "new time: new",
    ];
    assert_eq!(findings(&repo), expected);
}

#[test]
fn a_side_that_spins_while_it_waits_is_stopped_meanwhile() {
    // Its fake takes half the time until it was stopped once.
    let repo = repo("led", &["a|1000|spins while it waits"]);
    write(&repo, "led", &["a|1000|"]);
    repo.commit("calm");
    check(&repo).expect(0);
    assert_eq!(findings(&repo), ["a time: unchanged"]);
}

#[test]
fn what_a_bench_prints_is_not_taken_for_an_answer() {
    let repo = repo("led", &["a|1000|", "b|1000|prints without an end"]);
    write(&repo, "led", &["a|1000|prints without an end", "b|1000|"]);
    repo.commit("noisy");
    check(&repo).expect(0);
    assert_eq!(findings(&repo), ["a time: unchanged", "b time: unchanged"]);
}

#[test]
fn a_led_suite_that_registers_nothing_is_skipped_whatever_it_prints() {
    let repo = repo("led", &[]);
    repo.commit("nothing");
    check(&repo).expect(0);
    let suite = repo.result()["suites"][0].clone();
    let found = (&suite["suite"], &suite["finding"], &suite["skip"]);
    assert_eq!(found, (&"fake".into(), &"skipped".into(), &"no-benchmarks".into()));
    // One that had a benchmark is not skipped.
    write(&repo, "led", &["a|1000|"]);
    repo.commit("one");
    write(&repo, "led", &[]);
    repo.commit("none");
    check(&repo).expect(101);
}

#[test]
fn a_benchmark_that_gives_another_name_is_not_led() {
    let repo = repo("led", &["a|1000|", "b|1000|has another name"]);
    repo.commit("next");
    let ran = check(&repo).expect(101);
    assert!(ran.stdout.contains("`b` calls itself `other`"), "{}", ran.stdout);
}

/// The beginnings and ends of the processes of both sides that measured, in their order.
fn lives(memory: &str) -> (String, Repo, String) {
    let speeds = ["a|1000|logs its life", "b|2000|logs its life"];
    let repo = repo("led", &speeds);
    repo.policy(&format!("[measure]\n{memory}"));
    repo.commit("a limit");
    write(&repo, "led", &["a|1000|logs its life", "b|2300|logs its life"]);
    repo.commit("slower");
    let ran = check(&repo).expect(100);
    assert_eq!(findings(&repo), ["a time: unchanged", "b time: critical"]);
    let lives = std::fs::read_to_string(repo.outside("log/rounds.lives")).unwrap();
    (lives, repo, ran.stdout)
}

#[test]
fn sides_that_do_not_fit_into_memory_together_take_turns_and_the_report_gives_the_reason() {
    let (lives, repo, shown) = lives("memory = \"64KiB\"");
    assert!(lives.len() > 40 && lives.replace("+-", "").is_empty(), "{lives}");
    let memory = repo.result()["measured"][0].clone();
    assert_eq!((&memory["suite"], &memory["in_turn"]), (&"fake".into(), &true.into()));
    let words = "base and head took turns, because both together do not fit into memory";
    assert!(shown.contains(words), "{shown}");
}

#[test]
fn sides_that_fit_are_alive_together_and_the_report_says_what_they_held() {
    let (lives, repo, _) = lives("");
    assert!(lives.contains("++--"), "{lives}");
    let memory = repo.result()["measured"][0].clone();
    assert_eq!(memory.get("in_turn"), None);
    for side in ["base", "head"] {
        assert!(memory["peaks"][side].as_u64().is_some_and(|bytes| bytes > 100_000), "{memory}");
    }
    let page = std::fs::read_to_string(repo.path("target/benchgate/report.md")).unwrap();
    assert!(page.contains("- memory: both sides of "), "{page}");
}

#[test]
fn what_one_side_leaves_in_the_folder_for_temporary_files_the_other_one_does_not_find() {
    for harness in ["led", "criterion"] {
        for sandbox in ["[sandbox]", "[sandbox]\nenabled = false"] {
            let repo = repo(harness, &["a|1000|keeps its speed in a temporary file"]);
            repo.edit_policy("[sandbox]", sandbox);
            repo.commit("with or without a sandbox");
            write(&repo, harness, &["a|2000|keeps its speed in a temporary file"]);
            repo.commit("slower");
            check(&repo).expect(100);
            assert_eq!(findings(&repo), ["a time: critical"], "{harness} {sandbox}");
        }
    }
}

/// As of a list of inputs, one for each iteration, of which the later ones are longer.
#[test]
fn iterations_that_a_short_slice_does_not_come_to_are_measured() {
    let repo = repo("led", &["a|30000|", "b|30000|"]);
    let slow = "takes five times as long after the hundredth iteration";
    write(&repo, "led", &[&format!("a|30000|{slow}"), "b|30000|"]);
    repo.commit("slower in the end");
    check(&repo).expect(100);
    assert_eq!(findings(&repo), ["a time: critical", "b time: unchanged"]);
}

#[test]
fn what_a_process_does_only_after_thousands_of_iterations_is_measured_in_each() {
    let gathers = |ns| format!("a|{ns}|takes 500 ns in the first 50,000 iterations of its process");
    let repo = repo("led", &[&gathers(1_000), "b|1000|"]);
    write(&repo, "led", &[&gathers(1_200), "b|1000|"]);
    repo.commit("slower when it is full");
    let ran = check(&repo).expect(100);
    assert_eq!(findings(&repo), ["a time: critical", "b time: unchanged"]);
    assert!(ran.stdout.contains("+20.0 %"), "{}", ran.stdout);
}
