//! Plans that continue earlier attempts.

use super::*;
use crate::model::EarlierPairs;

const HALF_OF_OTHER: Relation = Relation { this: 0, of: Some(1), limit: 0.5, metric: Metric::TIME };

/// The measurements of an attempt as the next one knows them: settled if their finding is.
fn known(measured: &[Measurements]) -> Vec<BTreeMap<Metric, Known>> {
    let known = |measured: &Measurements| {
        let is_settled = matches!(finding(measured), Finding::Unchanged | Finding::Improved);
        let evidence = evidence(measured).clone();
        BTreeMap::from([(Metric::TIME, Known { evidence, is_settled })])
    };
    measured.iter().map(known).collect()
}

fn plan(benchmarks: usize, most: u32, seed: u64) -> Plan {
    Plan::new(vec![compare(); benchmarks], most, seed)
}

fn earlier(screening: u32, confirmation: u32) -> EarlierPairs {
    EarlierPairs { screening, confirmation }
}

#[test]
fn what_was_settled_is_not_measured_again_and_what_was_slower_gets_more_confirmation_pairs() {
    let slower = |turn: &Turn| [1.0, 1.2][turn.benchmark];
    let (_, first) = run(plan(2, 60, 1), slower);
    assert_eq!(pairs(&first[1]), [10, 15]);
    let (turns, second) = run(plan(2, 60, 2).after(1, known(&first)), slower);
    assert!(turns.iter().all(|turn| turn.benchmark == 1 && turn.stage == Stage::Confirmation));
    assert_eq!((pairs(&second[0]), pairs(&second[1])), ([6, 0], [10, 30]));
    assert_eq!(evidence(&second[0]).earlier, []);
    assert_eq!(evidence(&second[1]).earlier, [earlier(10, 15)]);
    assert_eq!(finding(&second[1]), Finding::Critical);
    let (_, third) = run(plan(2, 60, 3).after(2, known(&second)), slower);
    assert_eq!(evidence(&third[1]).earlier, [earlier(10, 15), earlier(0, 15)]);
    assert_eq!(pairs(&third[1]), [10, 45]);
}

#[test]
fn what_seemed_slower_once_is_unchanged_when_the_pairs_of_all_attempts_rule_it_out() {
    let (_, first) = run(plan(1, 60, 1), |_| 1.2);
    let (_, second) = run(plan(1, 60, 2).after(1, known(&first)), |_| 1.0);
    assert_eq!(finding(&second[0]), Finding::Unchanged);
    // Fifteen of 30 and of 45 pairs are too many to say so.
    assert_eq!(pairs(&second[0]), [10, 75]);
}

#[test]
fn a_screening_that_decided_nothing_goes_on_with_new_looks() {
    let scattered = |turn: &Turn| if turn.pair.is_multiple_of(2) { 0.7 } else { 1.4 };
    let (_, first) = run(plan(1, 22, 1), scattered);
    assert_eq!((pairs(&first[0]), finding(&first[0])), ([22, 0], Finding::Inconclusive));
    let (_, second) = run(plan(1, 22, 2).after(1, known(&first)), scattered);
    assert_eq!(pairs(&second[0]), [44, 0]);
    assert_eq!(evidence(&second[0]).earlier, [earlier(22, 0)]);
    let (_, second) = run(plan(1, 22, 2).after(1, known(&first)), |_| 1.0);
    assert_eq!(finding(&second[0]), Finding::Unchanged);
}

#[test]
fn a_candidate_without_time_for_confirmation_pairs_gets_them_in_the_next_attempt() {
    let mut plan_without_time = plan(1, 60, 1);
    while let Some(turn) = plan_without_time.next_turn() {
        plan_without_time.record(&turn, pair(1200.0), 0.04);
        plan_without_time.spend(if turn.pair == 9 { 1.0 } else { 0.0 });
    }
    let first = plan_without_time.into_measurements();
    assert_eq!((pairs(&first[0]), finding(&first[0])), ([10, 0], Finding::Inconclusive));
    let (turns, second) = run(plan(1, 60, 2).after(1, known(&first)), |_| 1.2);
    assert!(turns.iter().all(|turn| turn.stage == Stage::Confirmation));
    assert_eq!((pairs(&second[0]), finding(&second[0])), ([10, 15], Finding::Critical));
    // None of them was measured by the first attempt, and its error is spent all the same.
    let attempts: Vec<usize> = evidence(&second[0]).attempts(Stage::Confirmation).collect();
    assert_eq!(attempts, [0, 15]);
}

#[test]
fn an_attempt_without_time_leaves_what_was_known_as_it_was() {
    let (_, first) = run(plan(1, 60, 1), |_| 1.2);
    let mut second = plan(1, 60, 2).after(1, known(&first));
    second.spend(1.0);
    let second = second.into_measurements();
    assert_eq!(evidence(&second[0]), evidence(&first[0]));
}

#[test]
fn what_no_earlier_attempt_measured_is_measured_with_the_error_that_they_left() {
    let (_, second) = run(plan(1, 60, 1).after(2, vec![BTreeMap::new()]), |_| 1.2);
    assert_eq!(evidence(&second[0]).earlier, [EarlierPairs::default(); 2]);
    assert_eq!((pairs(&second[0]), finding(&second[0])), ([10, 15], Finding::Critical));
}

#[test]
fn an_exceeded_rule_gets_rounds_of_both_its_benchmarks_though_they_are_settled() {
    let attempt = |seed, attempts, known: Vec<_>| {
        let mut plan = plan(3, 60, seed).with_relations(vec![HALF_OF_OTHER]).after(attempts, known);
        let mut turns = Vec::new();
        while let Some(turn) = plan.next_turn() {
            // The first is 0.6 of the second, on both sides.
            let ns = [600.0, 1000.0, 500.0][turn.benchmark];
            plan.record(&turn, Reading::of_times(Sides::new(ns, ns)), 0.04);
            turns.push(turn.benchmark);
        }
        turns.sort_unstable();
        turns.dedup();
        (turns, plan.into_measurements())
    };
    let (_, first) = attempt(1, 0, Vec::new());
    let (turns, second) = attempt(2, 1, known(&first));
    assert_eq!(turns, [0, 1]);
    let of = |index: usize| (pairs(&second[index])[0], evidence(&second[index]).earlier.len());
    assert_eq!([of(0), of(1), of(2)], [(16, 1), (16, 1), (6, 0)]);
}

#[test]
fn rounds_that_the_first_attempt_had_no_time_for_are_recorded_by_the_second() {
    let record = || Plan::new(vec![Goal::Record(10)], 60, 1);
    let mut first = record();
    for _ in 0..4 {
        let turn = first.next_turn().unwrap();
        first.record(&turn, Reading::Round(Values::from([(Metric::TIME, 5.0)])), 0.04);
    }
    first.spend(1.0);
    let cut = first.into_measurements().remove(0).rounds.remove(&Metric::TIME).unwrap();
    let known = Known { evidence: cut, is_settled: true };
    let mut second = record().after(1, vec![BTreeMap::from([(Metric::TIME, known)])]);
    let mut turns = 0;
    while let Some(turn) = second.next_turn() {
        second.record(&turn, Reading::Round(Values::from([(Metric::TIME, 6.0)])), 0.04);
        turns += 1;
    }
    let second = second.into_measurements().remove(0).rounds.remove(&Metric::TIME).unwrap();
    assert_eq!((turns, second.rounds.head.len()), (10, 14));
    assert_eq!(second.earlier, [earlier(4, 0)]);
}

#[test]
fn a_rule_gets_the_pairs_that_the_first_attempt_had_no_time_for() {
    let limits = Limits::default();
    let goal = || Goal::Compare { limits: limits.clone(), at_least: 10, baseline: None };
    let mut first = Plan::new(vec![goal()], 60, 1);
    for _ in 0..3 {
        let turn = first.next_turn().unwrap();
        first.record(&turn, pair(1000.0), 0.04);
    }
    first.spend(1.0);
    let known = known(&first.into_measurements());
    let (turns, _) = run(Plan::new(vec![goal()], 60, 2).after(1, known), |_| 1.0);
    assert_eq!(turns.len(), 10);
}
