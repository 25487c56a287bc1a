//! Searches on simulated histories: a noise model gives the values, and nothing is built.

#![expect(clippy::disallowed_macros, reason = "a simulation prints its rates")]

use std::collections::{BTreeMap, BTreeSet};

use proptest::prelude::*;
use rand_chacha::ChaCha8Rng;
use rand_core::{Rng, SeedableRng as _};

use super::errors::levels;
use super::*;
use crate::policy::Thresholds;
use crate::result::{
    BisectAnswer, BisectBenchmark, BisectCommit, BisectRefusal, FoundStep, WhySet,
};

/// A history and its host.
struct Host {
    history: History,
    known: Known,
    random: ChaCha8Rng,
    /// ln(time) of each commit, compared with the good one.
    logs: Vec<f64>,
    broken: BTreeSet<usize>,
    /// The first commit with the same machine code.
    codes: BTreeMap<usize, usize>,
    /// Instructions of each commit, if they can be counted.
    counts: Option<Vec<u64>>,
    noise: fn(&mut ChaCha8Rng) -> f64,
    /// The requests so far.
    asked: Vec<Next>,
}

impl Host {
    /// `steps` are commits and by how much they are slower than their parents.
    fn new(bad: usize, steps: &[(usize, f64)], seed: u64) -> Self {
        let log = |at: usize| steps.iter().filter(|s| s.0 <= at).map(|s| s.1.ln_1p()).sum();
        let (thresholds, most, error) = (Thresholds::default(), 120, 0.01);
        Self {
            history: History { bad, thresholds, most, error, seed },
            known: Known::default(),
            random: ChaCha8Rng::seed_from_u64(seed),
            logs: (0..=bad).map(log).collect(),
            broken: BTreeSet::new(),
            codes: BTreeMap::new(),
            counts: None,
            noise: sharp,
            asked: Vec::new(),
        }
    }

    /// Learns one thing; whether there was something to learn.
    fn learn(&mut self) -> bool {
        let Some(next) = advance(&self.history, &self.known).next else { return false };
        self.asked.push(next.clone());
        match next {
            Next::Build(commit) => {
                let same_as = self.codes.get(&commit).copied();
                let build = match self.broken.contains(&commit) {
                    true => Build::Untestable { reason: "it does not build".to_owned() },
                    false => Build::Testable { same_as },
                };
                assert_eq!(self.known.builds.insert(commit, build), None, "built twice");
            }
            Next::Count(commit) => {
                let count = self.counts.as_ref().map(|counts| counts[commit]);
                assert_eq!(self.known.instructions.insert(commit, count), None);
            }
            Next::Measure(round) => {
                for _ in round.round..round.until {
                    let noise = self.noise;
                    let value = |commit: &usize| {
                        let log = self.logs[*commit] + noise(&mut self.random);
                        1_000.0 * log.exp()
                    };
                    let values: Vec<f64> = round.members.iter().map(value).collect();
                    assert!(round.members.iter().all(|commit| !self.broken.contains(commit)));
                    self.known.add_round(round.step, &round.members, values);
                }
            }
        }
        true
    }

    fn search(&mut self) -> Progress {
        while self.learn() {}
        advance(&self.history, &self.known)
    }

    fn builds(&self) -> usize {
        self.asked.iter().filter(|asked| matches!(asked, Next::Build(_))).count()
    }
}

fn uniform(random: &mut ChaCha8Rng) -> f64 {
    (f64::from(random.next_u32()) + 0.5) / 4_294_967_296.0
}

fn normal(random: &mut ChaCha8Rng) -> f64 {
    (-2.0 * uniform(random).ln()).sqrt() * (std::f64::consts::TAU * uniform(random)).cos()
}

fn sharp(random: &mut ChaCha8Rng) -> f64 {
    let slow = if uniform(random) < 0.03 { 0.4 * uniform(random) } else { 0.0 };
    0.003 * normal(random) + slow
}

/// 40 % of processes are slow throughout: the mean of two is slower than one.
fn broad(random: &mut ChaCha8Rng) -> f64 {
    let slow = if uniform(random) < 0.4 { 0.3 * uniform(random) } else { 0.0 };
    0.04 * normal(random) + slow
}

fn quiet(_: &mut ChaCha8Rng) -> f64 {
    0.0
}

fn culprits(progress: &Progress) -> Vec<usize> {
    progress.found.iter().filter_map(FoundStep::culprit).collect()
}

#[test]
fn the_commit_that_a_slowdown_came_with_is_found_among_a_thousand() {
    let mut host = Host::new(1_000, &[(613, 0.06)], 1);
    let progress = host.search();
    assert_eq!(culprits(&progress), [613], "{progress:#?}");
    assert_eq!(progress.found.len(), 1);
    let change = progress.found[0].change.unwrap();
    assert!((change.estimate - 0.06).abs() < 0.005, "{change:?}");
    assert!(host.builds() <= levels(1_000) + 2, "{}", host.builds());
}

#[test]
fn two_slowdowns_are_both_found_whatever_their_sizes_and_order() {
    for steps in [
        [(20, 0.05), (70, 0.05)],
        [(20, 0.03), (70, 0.12)],
        [(20, 0.12), (70, 0.03)],
        [(20, 0.06), (21, 0.06)],
        [(1, 0.06), (100, 0.06)],
        [(20, -0.04), (70, 0.10)],
        [(20, 0.10), (70, -0.04)],
    ] {
        let mut host = Host::new(100, &steps, 2);
        let slower: Vec<usize> = steps.iter().filter(|s| s.1 > 0.0).map(|s| s.0).collect();
        assert_eq!(culprits(&host.search()), slower, "{steps:?}");
    }
}

#[test]
fn nothing_proven_between_the_ends_is_refused_with_what_it_would_take() {
    let mut host = Host::new(1_000, &[(500, 0.0)], 3);
    let progress = host.search();
    assert_eq!(host.builds(), 2);
    assert!(progress.found.is_empty());
    let Some(BisectRefusal::Unproven { detectable: Some(detectable), needed, .. }) =
        progress.refused
    else {
        panic!("{progress:?}")
    };
    assert!((0.02..0.03).contains(&detectable) && needed.is_none(), "{detectable} {needed:?}");

    let mut host = Host::new(1_000, &[(500, 0.03)], 3);
    host.noise = broad;
    host.history.most = 30;
    let refused = host.search().refused;
    let Some(BisectRefusal::Unproven { needed: Some(needed), rounds: 30, .. }) = refused else {
        panic!("{refused:?}")
    };
    assert!((100..100_000).contains(&needed), "{needed}");
}

#[test]
fn ends_that_cannot_be_compared_are_refused() {
    let mut host = Host::new(10, &[(5, 0.1)], 4);
    host.broken.insert(10);
    let reason = "it does not build".to_owned();
    assert_eq!(host.search().refused, Some(BisectRefusal::Untestable { commit: 10, reason }));
    let mut host = Host::new(10, &[], 4);
    host.codes.insert(10, 0);
    assert_eq!(host.search().refused, Some(BisectRefusal::SameCode));
    assert!(host.asked.iter().all(|asked| !matches!(asked, Next::Measure(_))));
}

#[test]
fn commits_that_do_not_build_are_in_the_set_and_never_skipped() {
    let mut host = Host::new(40, &[(21, 0.06)], 5);
    host.broken.extend([20, 21, 22]);
    let progress = host.search();
    let [found] = progress.found.as_slice() else { panic!("{progress:?}") };
    assert_eq!((found.good, found.bad, found.why_set), (19, 23, Some(WhySet::Untested)));
    assert!(found.change.is_some_and(|change| change.lower > Some(0.0)), "{found:?}");
}

#[test]
fn in_thirty_histories_with_a_fifth_of_the_commits_broken_the_set_holds_the_truth() {
    let mut sizes = Vec::new();
    for seed in 0..30 {
        let mut random = ChaCha8Rng::seed_from_u64(1_000 + seed);
        let bad = 20 + random.next_u32() as usize % 180;
        let truth = 1 + random.next_u32() as usize % bad;
        let mut host = Host::new(bad, &[(truth, 0.05)], seed);
        host.broken = (1..bad).filter(|_| random.next_u32() % 5 == 0).collect();
        let broken = host.broken.len();
        let progress = host.search();
        let [found] = progress.found.as_slice() else { panic!("{progress:?}") };
        assert!(found.holds(truth), "{truth} is not in {found:?}");
        // Nothing but broken commits makes a set.
        let inside = (found.good + 1..found.bad).filter(|at| !host.broken.contains(at)).count();
        assert_eq!(inside, 0, "{found:?} of {broken} broken ones");
        sizes.push(found.bad - found.good);
    }
    println!("sizes of the sets: {sizes:?}");
}

#[test]
fn the_builds_of_histories_of_one_slowdown_are_at_most_three_more_than_halvings() {
    for bad in [1, 2, 3, 7, 64, 65, 500, 1_000] {
        for truth in [1, bad / 3 + 1, bad] {
            let mut host = Host::new(bad, &[(truth, 0.08)], 6);
            host.noise = quiet;
            assert_eq!(culprits(&host.search()), [truth]);
            let builds = host.builds();
            assert!(builds as f64 <= (bad as f64).log2() + 3.0, "{builds} of {bad}");
        }
    }
}

#[test]
fn commits_with_the_same_machine_code_are_merged_and_not_measured() {
    let mut host = Host::new(64, &[(33, 0.06)], 7);
    // Only documentation before and after the culprit.
    host.codes = (1..33).map(|at| (at, 0)).chain((34..64).map(|at| (at, 64))).collect();
    host.codes.insert(33, 64);
    let progress = host.search();
    assert_eq!(culprits(&progress), [33]);
    let is_measured =
        |asked: &&Next| matches!(asked, Next::Measure(round) if round.members != [0, 64]);
    // Good and bad are proven, and the culprit against its parent.
    assert_eq!(host.asked.iter().filter(is_measured).count(), 1, "{:?}", host.asked);
    let merged = |answer| progress.steps.iter().filter(|step| step.answer == answer).count();
    assert_eq!(merged(BisectAnswer::SameAsGood) + merged(BisectAnswer::SameAsBad), 6);
}

#[test]
fn instructions_decide_where_they_explain_the_slowdown() {
    let mut host = Host::new(256, &[(100, 0.04)], 8);
    host.noise = broad;
    host.history.most = 2_000;
    host.counts = Some((0..=256).map(|at| if at < 100 { 10_000 } else { 10_390 }).collect());
    let progress = host.search();
    assert_eq!(culprits(&progress), [100], "{progress:#?}");
    let decided: Vec<_> = progress.steps.iter().filter(|step| step.commit.is_some()).collect();
    assert!(decided.len() == 8 && decided.iter().all(|step| step.by_instructions));
}

#[test]
fn more_instructions_that_take_no_time_do_not_name_a_commit() {
    let mut host = Host::new(64, &[(40, 0.05)], 9);
    host.counts = Some((0..=64).map(|at| if at < 10 { 10_000 } else { 10_500 }).collect());
    assert_eq!(culprits(&host.search()), [40]);
}

#[test]
fn a_slowdown_in_many_small_steps_is_a_set() {
    let steps: Vec<(usize, f64)> = (1..=60).map(|at| (at, 0.001)).collect();
    let mut host = Host::new(60, &steps, 10);
    let progress = host.search();
    assert_eq!(culprits(&progress), [0; 0], "{progress:#?}");
    assert!(
        !progress.found.is_empty() && progress.found.iter().all(|found| found.why_set.is_some())
    );
}

#[test]
fn a_search_goes_on_from_what_is_known_and_learns_nothing_twice() {
    let whole = Host::new(300, &[(77, 0.05)], 11).search();
    let mut host = Host::new(300, &[(77, 0.05)], 11);
    loop {
        let text = serde_json::to_string(&host.known).unwrap();
        host.known = serde_json::from_str(&text).unwrap();
        assert_eq!(host.known.mistake(301), None);
        if !host.learn() {
            break;
        }
    }
    assert_eq!(advance(&host.history, &host.known), whole);
}

#[test]
fn when_the_time_is_over_what_is_proven_is_a_set_that_holds_the_truth() {
    let mut host = Host::new(500, &[(200, 0.08)], 12);
    let mut refused = 0;
    loop {
        host.known.is_over = true;
        let progress = advance(&host.history, &host.known);
        assert_eq!(progress.next, None);
        match progress.refused {
            Some(BisectRefusal::NoTime) => refused += 1,
            _ => assert!(progress.found.iter().any(|found| found.holds(200)), "{progress:?}"),
        }
        host.known.is_over = false;
        if !host.learn() {
            break;
        }
    }
    // Two builds and the first rounds.
    assert_eq!(refused, 3);
}

#[test]
fn a_log_has_what_git_needs_to_come_to_the_same_commit() {
    let mut host = Host::new(9, &[(7, 0.06)], 13);
    host.broken.insert(5);
    let progress = host.search();
    let commits: Vec<BisectCommit> = (0..10)
        .map(|at| BisectCommit {
            commit: format!("{at:040}"),
            subject: format!("change {at}\u{7}"),
        })
        .collect();
    let benchmark = BisectBenchmark {
        package: "parser".into(),
        suite: "speed".into(),
        id: "decode\nlarge".into(),
        change: progress.change,
        refused: progress.refused,
        steps: progress.steps,
        found: progress.found,
    };
    let log = replay_log(&commits, &benchmark, &benchmark.found[0]);
    insta::assert_snapshot!(log.replace(&"0".repeat(39), "…"));
}

/// Wrong commits, sets that hold no truth, and culprits of histories with none to two steps.
#[test]
fn of_histories_with_none_to_two_slowdowns_almost_none_names_a_wrong_commit() {
    const HISTORIES: u64 = 300;
    let (mut named, mut wrong, mut missed, mut planted) = (0, 0, 0, 0);
    for seed in 0..HISTORIES {
        let mut random = ChaCha8Rng::seed_from_u64(7_000_000 + seed);
        let bad = 1 + random.next_u32() as usize % 1_000;
        let steps: Vec<(usize, f64)> = (0..random.next_u32() % 3)
            .map(|_| (1 + random.next_u32() as usize % bad, 0.03 + 0.12 * uniform(&mut random)))
            .collect();
        let mut host = Host::new(bad, &steps, seed);
        host.noise = [sharp, broad, quiet][seed as usize % 3];
        let progress = host.search();
        let is_true = |found: &FoundStep| steps.iter().any(|step| found.holds(step.0));
        named += progress.found.len();
        wrong += progress.found.iter().filter(|found| !is_true(found)).count();
        let is_found =
            |step: &&(usize, f64)| progress.found.iter().any(|found| found.holds(step.0));
        planted += steps.len();
        missed += steps.iter().filter(|step| !is_found(step)).count();
    }
    println!("{named} found, {wrong} wrong; of {planted} planted {missed} missed");
    assert!(wrong * 100 <= HISTORIES as usize, "{wrong} of {HISTORIES} name a wrong commit");
    assert!(named > 150);
}

proptest! {
    #[test]
    fn no_knowledge_causes_a_panic_or_an_endless_search(
        bad in 1_usize..40,
        truth in 0_usize..40,
        size in -0.5..0.5_f64,
        broken in prop::collection::btree_set(0_usize..40, 0..20),
        codes in prop::collection::btree_map(0_usize..40, 0_usize..40, 0..20),
        most in 1_usize..40,
        seed in any::<u64>(),
    ) {
        let mut host = Host::new(bad, &[(truth, size)], seed);
        host.broken = broken;
        host.codes = codes.into_iter().filter(|(at, of)| of < at).collect();
        host.history.most = most;
        host.counts = (seed % 2 == 0).then(|| (0..41).map(|at| 1_000 + at * (seed % 100)).collect());
        let progress = host.search();
        for found in &progress.found {
            prop_assert!(found.good < found.bad && found.bad <= bad);
        }
        prop_assert!(host.asked.len() < 2_000);
    }

    #[test]
    fn in_silence_a_step_is_found_exactly_or_in_a_set_of_broken_commits(
        bad in 1_usize..200,
        truth in 1_usize..200,
        size in 0.021..0.5_f64,
        broken in prop::collection::btree_set(1_usize..200, 0..60),
    ) {
        let truth = 1 + truth % bad;
        let mut host = Host::new(bad, &[(truth, size)], 1);
        host.noise = quiet;
        host.broken = broken.into_iter().filter(|at| *at < bad).collect();
        let outcome = host.search().found;
        prop_assert_eq!(outcome.len(), 1);
        prop_assert!(outcome[0].holds(truth));
    }
}
