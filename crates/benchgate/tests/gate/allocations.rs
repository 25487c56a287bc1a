//! Allocations as a gated metric, through the real binary.

use crate::support::Repo;

fn findings(repo: &Repo) -> Vec<String> {
    let result = repo.result();
    let benchmarks = result["benchmarks"].as_array().expect("a list");
    benchmarks
        .iter()
        .map(|b| format!("{} {}: {}", b["id"], b["metric"], b["finding"]).replace('"', ""))
        .collect()
}

#[test]
fn one_more_allocation_is_red_on_blocks_alone_while_the_time_stays() {
    let repo = Repo::new(&["encode|1000|"]);
    repo.allocations(&["encode|10|0|0|0", "decode|10|20|5000|500"]);
    repo.commit("allocations");
    repo.allocations(&["encode|10|10|240|0", "decode|10|20|5000|500"]);
    repo.commit("one String per message");
    let ran = repo.benchgate(&["check", "--pairs", "8"]).expect(100);
    assert_eq!(
        findings(&repo),
        [
            "decode alloc.blocks: unchanged",
            "decode alloc.bytes: unchanged",
            "decode alloc.peak: unchanged",
            "encode alloc.blocks: critical",
            "encode alloc.bytes: critical",
            "encode alloc.peak: unchanged",
            "encode time: unchanged",
        ]
    );
    assert!(ran.stdout.contains("encode alloc.blocks: from 0 to 1 blocks"), "{}", ran.stdout);
}

#[test]
fn the_same_allocations_pass_and_fewer_are_an_improvement() {
    let repo = Repo::new(&["encode|1000|"]);
    repo.allocations(&["encode|1|4|100|100"]);
    repo.commit("allocations");
    repo.allocations(&["encode|1|3|100|100"]);
    repo.commit("one less");
    repo.benchgate(&["check", "--pairs", "8"]).expect(0);
    assert_eq!(
        findings(&repo),
        [
            "encode alloc.blocks: improved",
            "encode alloc.bytes: unchanged",
            "encode alloc.peak: unchanged",
            "encode time: unchanged",
        ]
    );
}

#[test]
fn counts_that_differ_from_run_to_run_are_named_non_deterministic_and_not_judged() {
    let repo = Repo::new(&["encode|1000|"]);
    repo.allocations(&["encode|1|10|100|100"]);
    repo.commit("allocations");
    repo.allocations(&["encode|1|10..11|100|100"]);
    repo.commit("a random seed");
    repo.benchgate(&["check", "--pairs", "8"]).expect(102);
    assert_eq!(findings(&repo)[0], "encode alloc.blocks: non-deterministic");
}

#[test]
fn a_benchmark_that_is_no_longer_counted_is_incomplete_not_green() {
    let repo = Repo::new(&["encode|1000|"]);
    repo.allocations(&["encode|1|10|100|100", "decode|1|10|100|100"]);
    repo.commit("allocations");
    repo.allocations(&["encode|1|10|100|100"]);
    repo.commit("decode is gone");
    repo.benchgate(&["check", "--pairs", "8"]).expect(101);
    assert_eq!(findings(&repo)[0], "decode alloc.blocks: missing");
}

#[test]
fn a_suite_that_counts_nonsense_is_incomplete_with_the_line() {
    let repo = Repo::new(&["encode|1000|"]);
    repo.allocations(&["encode|1|10|100|100"]);
    repo.commit("allocations");
    repo.allocations(&["encode|0|10|100|100"]);
    repo.commit("broken");
    let ran = repo.benchgate(&["check", "--pairs", "8"]).expect(101);
    assert!(ran.stdout.contains("head: `line 2`: `encode` was not run once"), "{}", ran.stdout);
}

#[test]
fn allocations_are_left_out_of_a_baseline_by_name() {
    let repo = Repo::new(&["encode|1000|"]);
    repo.allocations(&["encode|1|10|100|100"]);
    repo.commit("allocations");
    let ran = repo.benchgate(&["baseline", "save", "--machine", "workshop"]).expect(0);
    assert!(
        ran.stdout.contains("skipped: parser.allocations: a baseline has times"),
        "{}",
        ran.stdout
    );
    repo.commit("baseline");
    repo.commit("next");
    repo.benchgate(&["check", "--baseline", "--machine", "workshop"]).expect(0);
    assert_eq!(repo.result()["suites"][0]["suite"], "allocations");
}
