use proptest::prelude::*;

use super::*;
use crate::judge::Counted;
use crate::model::{Evidence, Machine, Means, Rounds, Side, SuiteKey, Twice, Verdict};
use crate::result::{Origin, ShardReport, ShardSuite};

/// Everything that a run may hold, in four suites: rules, a waiver, a quarantine, a rename.
const POLICY: &str = r##"
[gate]
trailers = true

[[rule]]
benchmark = "fast"
of = "slow"
share = 0.5
reason = "twice as fast"

[[rule]]
benchmark = "budgeted"
budget = "900ns"
reason = "published"

[[waiver]]
benchmark = "waived"
ceiling = 40
until = 2099-01-01
issue = "#1"
reason = "known"

[[quarantine]]
benchmark = "noisy"
until = 2099-01-01
issue = "#2"
reason = "flaky"

[[rename]]
from = "old"
to = "young"

[[override]]
benchmark = "strict"
fail-on = "note"
"##;

fn policy() -> Policy {
    Policy::parse(POLICY).unwrap()
}

fn today() -> Date {
    "2026-01-02".parse().unwrap()
}

fn compared(suite: &str, id: &str, ratios: &[f64], confirmed: bool) -> Observation {
    let rounds = Rounds {
        base: vec![1000.0; ratios.len()],
        head: ratios.iter().map(|r| 1000.0 * r).collect(),
    };
    let mean = Means::new(Some(1000.0), Some(1000.0));
    let confirmation = if confirmed { rounds.clone() } else { Rounds::default() };
    let evidence = Evidence { rounds, confirmation, mean, ..Evidence::default() };
    let renamed_from = (id == "young").then(|| BenchmarkKey::new("p", suite, "old"));
    observation(suite, id, Outcome::Compared { evidence: Box::new(evidence), renamed_from })
}

fn observation(suite: &str, id: &str, outcome: Outcome) -> Observation {
    Observation { key: BenchmarkKey::new("p", suite, id), metric: Metric::TIME, outcome }
}

/// A run with every kind of observation.
fn observations_of_a_run() -> Vec<Observation> {
    let failed =
        || Outcome::Failed { side: Side::Head, reason: "exit 1".into(), output: "boom".into() };
    let counted = Counted::twice(Twice::new(2.0, 2.0), Twice::new(3.0, 3.0));
    vec![
        compared("a", "fast", &[0.6; 15], false),
        compared("a", "slow", &[1.0; 15], false),
        compared("a", "slower", &[1.2; 15], true),
        compared("b", "waived", &[1.2; 15], true),
        compared("b", "young", &[1.0; 15], false),
        compared("b", "strict", &[1.03; 15], true),
        observation("b", "noisy", failed()),
        observation("b", "noisy2", Outcome::new_one(vec![1000.0; 15])),
        compared("c", "budgeted", &[1.0; 15], false),
        observation("c", "gone", Outcome::Missing { candidates: vec![], base: vec![] }),
        observation("c", "skipped", Outcome::Skipped { reason: "left out".into() }),
        observation("c", "late", Outcome::Unreached { reason: "no time".into() }),
        Observation {
            metric: Metric::ALLOC_BLOCKS,
            ..observation("d", "blocks", Outcome::Counted { counted, renamed_from: None })
        },
        observation("d", "same", Outcome::Identical { reason: "equal".into(), head: vec![] }),
        observation("d", "removed", Outcome::Removed { reason: "old".into(), is_accepted: false }),
    ]
}

fn whole_context() -> Context {
    Context {
        version: "0.1.0".into(),
        time: "2026-01-02T03:04:05Z".into(),
        today: today(),
        origins: Sides::new(
            Origin { commit: "b".repeat(40), name: "main".into(), dirty: false },
            Origin { commit: "c".repeat(40), name: "HEAD".into(), dirty: false },
        ),
        reproduce: "benchgate check".into(),
        ..Context::default()
    }
}

fn shard_of(suite: &str) -> u32 {
    match suite {
        "a" => 1,
        "b" | "c" => 2,
        _ => 3,
    }
}

/// The results of the shards of a run, each decided by itself; the fourth has nothing to do.
fn shards(observed: &[Observation], policy: &Policy) -> Vec<(String, RunResult)> {
    shards_with(observed, policy, &[])
}

/// Like `shards`, where the third shard measures these benchmarks of the first one's suite.
fn shards_with(
    observed: &[Observation],
    policy: &Policy,
    moved: &[&str],
) -> Vec<(String, RunResult)> {
    let suites = ["a", "b", "c", "d"];
    let elsewhere: BTreeMap<String, u32> = moved.iter().map(|id| ((*id).to_owned(), 3)).collect();
    let inventory = suites.map(|suite| ShardSuite {
        package: "p".into(),
        suite: suite.into(),
        shard: shard_of(suite),
        elsewhere: if suite == "a" { elsewhere.clone() } else { BTreeMap::new() },
    });
    let mut report = ShardReport {
        part: Shard::new(1, 4).unwrap(),
        checkouts: Sides::new("b".repeat(40), "c".repeat(40)),
        tip: None,
        policy: "1".repeat(64),
        settings: "2".repeat(64),
        is_narrowed: false,
        inventory: inventory.to_vec(),
        left: Vec::new(),
        digest: String::new(),
    };
    let shard = |number| {
        report.part.number = number;
        let (own, others): (Vec<Observation>, Vec<Observation>) =
            observed.iter().cloned().partition(|o| report.shard_of(&o.key) == number);
        let is_left = |o: &&Observation| report.has(&o.key.suite_key());
        report.left = others.iter().filter(is_left).map(|o| o.key.clone()).collect();
        let is_silent = |suite: &&&str| !own.iter().any(|o| o.key.suite == ***suite);
        let left_out = suites.iter().filter(is_silent).map(|suite| {
            let key = SuiteKey::new("p", *suite);
            let is_own = report.has(&key);
            let skip = if is_own { SkipReason::Features } else { SkipReason::OtherShard };
            SuiteReport::skipped(key, skip, "left out")
        });
        let context = Context {
            shard: Some(report.clone()),
            is_narrowed: true,
            notices: vec!["said by all".into(), notice_of_shard(report.part)],
            ..whole_context()
        };
        let left_out = left_out.collect();
        (format!("{number}/result.json"), decide(own, left_out, policy, context))
    };
    (1..=4).map(shard).collect()
}

fn merging(policy: &Policy) -> Merging<'_> {
    Merging { policy, head_policy: None, trailers: &[], today: today() }
}

/// The suites of a run that none of the observations is of.
fn silent(observed: &[Observation]) -> Vec<SuiteReport> {
    let is_silent = |suite: &&str| !observed.iter().any(|o| o.key.suite == **suite);
    ["a", "b", "c", "d"]
        .into_iter()
        .filter(|suite| is_silent(suite))
        .map(|suite| {
            SuiteReport::skipped(SuiteKey::new("p", suite), SkipReason::Features, "left out")
        })
        .collect()
}

#[test]
fn the_findings_of_merged_shards_are_those_of_one_run_of_the_same_values() {
    let (policy, observed) = (policy(), observations_of_a_run());
    let context = Context { notices: vec!["said by all".into()], ..whole_context() };
    let one = decide(observed.clone(), Vec::new(), &policy, context);
    assert_eq!(one.verdict, Verdict::Regression);
    let merged = merge(&shards(&observed, &policy), &merging(&policy)).unwrap();
    assert_eq!(merged.reproduce, ["benchgate check"; 4].join(" && "));
    assert_eq!(RunResult { reproduce: one.reproduce.clone(), ..merged }, one);
}

#[test]
fn a_shard_has_its_share_of_the_error_and_the_run_all_of_it() {
    // Thirteen of fifteen pairs are slower: p = 0.0037, over all looks 0.0074, between 1 %/4 and 1 %.
    let policy = Policy::default();
    let ratios: Vec<f64> = (0..15).map(|i| if i < 13 { 1.2 } else { 1.0 }).collect();
    let observed = vec![compared("a", "slower", &ratios, true)];
    let shards = shards(&observed, &policy);
    let finding = |result: &RunResult| result.benchmarks[0].finding;
    assert_eq!(shards[0].1.false_alarm, Some(0.0025));
    assert_eq!(finding(&shards[0].1), Finding::Inconclusive);
    let merged = merge(&shards, &merging(&policy)).unwrap();
    assert_eq!((finding(&merged), merged.false_alarm), (Finding::Critical, Some(0.01)));
}

#[test]
fn the_explanations_of_all_shards_are_kept_but_not_of_what_a_shard_did_not_measure() {
    let policy = Policy::default();
    let slower = |suite, id| compared(suite, id, &[1.2; 15], true);
    let mut shards = shards(&[slower("a", "first"), slower("b", "second")], &policy);
    let [first, second] = [("a", "first"), ("b", "second")]
        .map(|(suite, id)| Explanation::of(&BenchmarkKey::new("p", suite, id)));
    shards[0].1.explanations = vec![first.clone(), second.clone()];
    shards[1].1.explanations = vec![second.clone()];
    let merged = merge(&shards, &merging(&policy)).unwrap();
    assert_eq!(merged.explanations, [first, second]);
}

#[test]
fn a_shard_without_suites_passes_and_a_run_without_values_does_not() {
    let policy = Policy::default();
    let shards = shards(&[], &policy);
    assert!(shards.iter().all(|(_, result)| result.verdict == Verdict::Pass));
    let merged = merge(&shards, &merging(&policy)).unwrap();
    assert_eq!(merged.verdict, Verdict::Incomplete);
}

#[test]
fn shards_of_several_machines_are_one_result_that_names_none_of_them() {
    let policy = Policy::default();
    let mut shards = shards(&[compared("a", "x", &[1.0; 15], false)], &policy);
    let machine = |name: &str| Machine {
        name: name.into(),
        cpu: "Example".into(),
        cores: 8,
        stepping: None,
        microcode: None,
        kernel: "Linux".into(),
        governor: None,
        boost: None,
        smt: None,
        memory_mib: 1,
    };
    shards[0].1.machine = Some(machine("one"));
    shards[1].1.machine = Some(machine("two"));
    let merged = merge(&shards, &merging(&policy)).unwrap();
    assert_eq!(merged.machine, None);
    let notice = merged.notices.iter().find(|notice| notice.contains("several machines"));
    insta::assert_snapshot!(notice.unwrap());
}

type Edit<'a> = dyn Fn(&mut Vec<(String, RunResult)>) + 'a;

fn part(shards: &mut [(String, RunResult)], index: usize) -> &mut ShardReport {
    shards[index].1.shard.as_mut().unwrap()
}

#[test]
fn what_is_not_all_the_shards_of_one_run_is_refused_by_name() {
    let edits: [(&str, &Edit<'_>); 17] = [
        ("none", &|s| s.clear()),
        ("a lost one", &|s| drop(s.remove(2))),
        ("two lost ones", &|s| s.truncate(2)),
        ("a doubled one", &|s| s[2] = s[1].clone()),
        ("a whole run", &|s| s[1].1.shard = None),
        ("of another number", &|s| part(s, 1).part.of = 5),
        ("of another base", &|s| s[1].1.base.commit = "d".repeat(40)),
        ("of another head", &|s| s[2].1.head.commit = "d".repeat(40)),
        ("of another working tree", &|s| part(s, 1).checkouts.head = "d".repeat(40)),
        ("under another policy", &|s| part(s, 3).policy = "3".repeat(64)),
        ("with other settings", &|s| part(s, 3).settings = "3".repeat(64)),
        ("of another inventory", &|s| part(s, 1).inventory[2].shard = 3),
        ("by another version", &|s| s[3].1.version = "0.2.0".into()),
        ("with a milder finding", &|s| {
            let slower = s[0].1.benchmarks.iter_mut().find(|b| b.id == "slower").unwrap();
            slower.finding = Finding::Unchanged;
            slower.blocking = false;
        }),
        ("without one of its suites", &|s| s[2].1.benchmarks.clear()),
        ("with another one's suite", &|s| {
            let other = s[2].1.benchmarks.clone();
            s[1].1.benchmarks.extend(other);
        }),
        ("judged by other limits", &|s| {
            s[0].1.benchmarks.iter_mut().for_each(|b| b.floor_ns = 0.5);
        }),
    ];
    let (policy, observed) = (policy(), observations_of_a_run());
    let table: String = edits
        .iter()
        .map(|(what, edit)| {
            let mut shards = shards(&observed, &policy);
            edit(&mut shards);
            format!("{what}: {}\n", merge(&shards, &merging(&policy)).unwrap_err())
        })
        .collect();
    insta::assert_snapshot!(table);
}

#[test]
fn a_suite_of_several_shards_is_merged_as_if_one_had_measured_it() {
    let (policy, observed) = (policy(), observations_of_a_run());
    let of_one = merge(&shards(&observed, &policy), &merging(&policy)).unwrap();
    let of_two = merge(&shards_with(&observed, &policy, &["slower"]), &merging(&policy)).unwrap();
    assert_eq!(of_two.benchmarks, of_one.benchmarks);
    assert_eq!((of_two.verdict, of_two.suites), (of_one.verdict, of_one.suites));
}

#[test]
fn a_benchmark_that_no_shard_measured_or_the_wrong_one_is_refused_by_name() {
    let (policy, observed) = (policy(), observations_of_a_run());
    let split = |observed: &[Observation]| shards_with(observed, &policy, &["slower"]);
    let without: Vec<Observation> =
        observed.iter().filter(|o| o.key.id != "slower").cloned().collect();
    let (without, whole) = (split(&without), shards(&observed, &policy));
    let edits: [(&str, &Edit<'_>); 3] = [
        ("left, and not there", &|s| s[2] = without[2].clone()),
        ("measured by the one that left it", &|s| {
            let shard = s[0].1.shard.clone();
            s[0].1 = RunResult { shard, ..whole[0].1.clone() };
        }),
        ("shared out differently", &|s| s[1] = whole[1].clone()),
    ];
    let refused = |(what, edit): &(&str, &Edit<'_>)| {
        let mut shards = split(&observed);
        edit(&mut shards);
        format!("{what}: {}\n", merge(&shards, &merging(&policy)).unwrap_err())
    };
    insta::assert_snapshot!(edits.iter().map(refused).collect::<String>());
}

#[test]
fn a_rule_on_benchmarks_of_two_shards_is_refused_by_name() {
    let policy = policy();
    let observed =
        [compared("a", "fast", &[0.4; 15], false), compared("b", "slow", &[1.0; 15], false)];
    let error = merge(&shards(&observed, &policy), &merging(&policy)).unwrap_err();
    insta::assert_snapshot!(error);
}

proptest! {
    #[test]
    fn merging_changes_no_finding_of_any_values(
        ratios in prop::collection::vec((0..4_usize, 0.9..1.3_f64, 0_u32..7, any::<bool>()), 1..14),
    ) {
        let policy = Policy::default();
        let observed: Vec<Observation> = ratios
            .iter()
            .enumerate()
            .map(|(index, (suite, ratio, others, confirmed))| {
                let ratios: Vec<f64> =
                    (0..15).map(|i| if i < *others { 1.0 } else { *ratio }).collect();
                compared(["a", "b", "c", "d"][*suite], &format!("{index:02}"), &ratios, *confirmed)
            })
            .collect();
        let one = decide(observed.clone(), silent(&observed), &policy, whole_context());
        let merged = merge(&shards(&observed, &policy), &merging(&policy)).unwrap();
        prop_assert_eq!(&merged.benchmarks, &one.benchmarks);
        prop_assert_eq!(merged.verdict, one.verdict);
        prop_assert_eq!(&merged.suites, &one.suites);
        // A finding that a shard proves with its share of the error is also proven among all.
        prop_assert_eq!(super::super::contradictions(&merged), Vec::<String>::new());
    }
}
