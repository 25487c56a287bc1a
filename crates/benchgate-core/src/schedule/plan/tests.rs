use super::*;
use crate::judge::Sequence;
use crate::model::Finding;
use crate::policy::Limits;

fn compare() -> Goal {
    Goal::Compare { limits: Limits::default(), at_least: 0, baseline: None }
}

/// Runs a plan on benchmarks whose pairs come from `ratio`; gives what was run, and what is left.
fn run(mut plan: Plan, mut ratio: impl FnMut(&Turn) -> f64) -> (Vec<Turn>, Vec<Outcome>) {
    let mut turns = Vec::new();
    while let Some(turn) = plan.next_turn() {
        plan.tell(&turn, Seen::Pair([1000.0, 1000.0 * ratio(&turn)]), 0.04);
        turns.push(turn);
        assert!(turns.len() < 100_000, "it does not end");
    }
    (turns, plan.into_outcomes())
}

fn finding(outcome: &Outcome) -> Finding {
    outcome.sequence.conclude(&Limits::default(), true).unwrap().finding
}

fn pairs(outcome: &Outcome) -> [usize; 2] {
    let Sequence { screening, confirmation } = &outcome.sequence;
    [screening.base.len(), confirmation.base.len()]
}

#[test]
fn what_is_unchanged_gets_six_pairs_and_what_is_slower_fresh_ones() {
    let plan = Plan::new(vec![compare(), compare(), compare()], 60, 1);
    let (turns, outcomes) = run(plan, |turn| [1.0, 1.2, 0.8][turn.benchmark]);
    let told: Vec<_> = outcomes.iter().map(|o| (finding(o), pairs(o))).collect();
    assert_eq!(
        told,
        [
            (Finding::Unchanged, [6, 0]),
            (Finding::Critical, [10, 15]),
            (Finding::Improved, [10, 15])
        ]
    );
    // In rotation, and the fresh pairs after all first ones.
    assert_eq!(order(&turns[..9]), "012012012");
    assert!(turns.is_sorted_by_key(|turn| turn.stage == Stage::Confirmation));
}

#[test]
fn nothing_is_measured_beyond_the_most_pairs() {
    // Two modes, as far apart as possible: never decided.
    let scattered = |turn: &Turn| if turn.pair.is_multiple_of(2) { 0.7 } else { 1.4 };
    for (most, expected) in [(60, [60, 0]), (22, [22, 0]), (8, [8, 0]), (1, [1, 0])] {
        let (_, outcomes) = run(Plan::new(vec![compare()], most, 1), scattered);
        assert_eq!(pairs(&outcomes[0]), expected);
        assert_eq!(finding(&outcomes[0]), Finding::Inconclusive);
    }
}

#[test]
fn a_rule_about_a_benchmark_gets_its_pairs_though_it_is_decided() {
    let goal = Goal::Compare { limits: Limits::default(), at_least: 9, baseline: None };
    let (_, outcomes) = run(Plan::new(vec![goal], 60, 1), |_| 1.0);
    assert_eq!(pairs(&outcomes[0]), [10, 0]);
}

#[test]
fn what_only_one_side_has_gets_its_rounds_beside_the_pairs() {
    let mut plan = Plan::new(vec![compare(), Goal::Record(3)], 60, 1);
    while let Some(turn) = plan.next_turn() {
        let seen = [Seen::Pair([1.0, 1.0]), Seen::Round(7.0)][turn.benchmark];
        plan.tell(&turn, seen, 0.04);
    }
    assert_eq!(plan.into_outcomes()[1].rounds, [7.0; 3]);
}

#[test]
fn a_benchmark_that_fails_is_left_alone_and_the_others_keep_their_draws() {
    let both = || Plan::new(vec![compare(), compare()], 60, 3);
    let (all, _) = run(both(), |_| 1.0);
    let mut plan = both();
    let mut kept = Vec::new();
    while let Some(turn) = plan.next_turn() {
        let seen = if turn.benchmark == 0 { Seen::Nothing } else { Seen::Pair([1.0, 1.0]) };
        plan.tell(&turn, seen, 0.04);
        kept.push(turn);
    }
    assert_eq!(kept.iter().filter(|turn| turn.benchmark == 0).count(), 1);
    let second = |turns: &[Turn]| -> Vec<Turn> {
        turns.iter().filter(|turn| turn.benchmark == 1).copied().collect()
    };
    assert_eq!(second(&kept), second(&all));
}

#[test]
fn when_the_time_is_short_candidates_are_proven_and_the_rest_is_named() {
    let mut plan = Plan::new(vec![compare(), compare(), compare()], 60, 1);
    let mut turns = 0;
    while let Some(turn) = plan.next_turn() {
        // Slower; scattered; slower, and it fails to be proven in time.
        let ratio = [1.2, if turn.pair.is_multiple_of(2) { 0.7 } else { 1.4 }, 1.2][turn.benchmark];
        plan.tell(&turn, Seen::Pair([1000.0, 1000.0 * ratio]), 0.04);
        turns += 1;
        plan.spend(f64::from(turns) / 60.0);
    }
    assert_eq!(turns, 60);
    let outcomes = plan.into_outcomes();
    let told: Vec<_> = outcomes.iter().map(|o| (finding(o), pairs(o), o.is_cut)).collect();
    insta::assert_debug_snapshot!(told);
}

/// As [`compare`], on a machine whose committed baseline is so many nanoseconds.
fn since(baseline: f64) -> Goal {
    Goal::Compare { limits: Limits::default(), at_least: 0, baseline: Some(baseline) }
}

fn order(turns: &[Turn]) -> String {
    turns.iter().map(|turn| turn.benchmark.to_string()).collect()
}

#[test]
fn what_is_slower_than_the_committed_baseline_is_settled_before_the_others_go_on() {
    let goals = || vec![since(1000.0), since(1000.0), compare()];
    let (turns, outcomes) = run(Plan::new(goals(), 60, 1), |turn| [1.0, 1.2, 1.0][turn.benchmark]);
    // A first look of three pairs at all, the suspect's ten, the other six, and its fresh pairs.
    assert_eq!(
        order(&turns),
        format!("012012012{}{}{}", "1".repeat(7), "20".repeat(3), "1".repeat(15))
    );
    assert_eq!(finding(&outcomes[1]), Finding::Critical);
    // Every pair is drawn as it would have been.
    let (free, _) =
        run(Plan::new(vec![compare(); 3], 60, 1), |turn| [1.0, 1.2, 1.0][turn.benchmark]);
    let of = |turns: &[Turn], benchmark| -> Vec<Turn> {
        turns.iter().filter(|turn| turn.benchmark == benchmark).copied().collect()
    };
    for benchmark in 0..3 {
        assert_eq!(of(&turns, benchmark), of(&free, benchmark));
    }
}

#[test]
fn a_rule_keeps_its_benchmarks_together_whatever_is_suspicious() {
    let in_rule = || Goal::Compare { limits: Limits::default(), at_least: 9, baseline: None };
    let plan = Plan::new(vec![in_rule(), since(800.0), in_rule()], 60, 1);
    let (turns, _) = run(plan, |_| 1.0);
    assert_eq!(order(&turns), format!("{}{}", "012".repeat(6), "02".repeat(4)));
}

#[test]
fn what_the_time_is_too_short_for_is_not_what_is_suspicious() {
    let goals = (0..20).map(|benchmark| since(if benchmark == 13 { 900.0 } else { 1000.0 }));
    let mut plan = Plan::new(goals.collect(), 60, 1);
    let mut turns = 0;
    while let Some(turn) = plan.next_turn() {
        plan.tell(&turn, Seen::Pair([1000.0, 1000.0]), 0.04);
        turns += 1;
        plan.spend(f64::from(turns) / 100.0);
    }
    let outcomes = plan.into_outcomes();
    assert!(!outcomes[13].is_cut && outcomes[19].is_cut);
    assert_eq!(pairs(&outcomes[13]), [6, 0]);
}

#[test]
fn what_remains_is_known_until_the_next_look() {
    let mut plan = Plan::new(vec![compare(), Goal::Record(2)], 60, 1);
    assert_eq!(plan.remaining(), 8);
    while let Some(turn) = plan.next_turn() {
        let seen = [Seen::Pair([1.0, 1.0]), Seen::Round(7.0)][turn.benchmark];
        plan.tell(&turn, seen, 0.04);
    }
    assert_eq!(plan.remaining(), 0);
    assert_eq!(Plan::new(Vec::new(), 60, 1).next_turn(), None);
}

#[test]
fn a_machine_that_changes_in_the_middle_of_a_run_is_never_a_regression() {
    type Noise = fn(&Turn, Side) -> f64;
    let machines: [(&str, Noise); 4] = [
        // Everything takes 1.6 times as long from the fourth pair on, in the middle of a pair.
        ("throttled", |turn, side| {
            let late = turn.pair > 3 || (turn.pair == 3 && side != turn.first);
            if late { 1600.0 } else { 1000.0 }
        }),
        (
            "suspended",
            |turn, side| {
                if turn.pair == 2 && side == Side::Head { 9e12 } else { 1000.0 }
            },
        ),
        ("loaded for five pairs", |turn, side| {
            let (n, second) = (turn.pair, f64::from(u8::from(side != turn.first)));
            if (2..7).contains(&n) { 1500.0 + 700.0 * second } else { 1000.0 }
        }),
        ("ever slower", |turn, side| {
            1000.0 * 1.02_f64.powi(2 * turn.pair as i32 + i32::from(side != turn.first))
        }),
    ];
    for (what, noise) in machines {
        for seed in 0..50 {
            let mut plan = Plan::new(vec![compare(); 4], 60, seed);
            while let Some(turn) = plan.next_turn() {
                let pair = [noise(&turn, Side::Base), noise(&turn, Side::Head)];
                plan.tell(&turn, Seen::Pair(pair), 0.04);
            }
            for outcome in plan.into_outcomes() {
                let found = finding(&outcome);
                assert!(found.level().is_none(), "{what}, seed {seed}: {found:?}");
            }
        }
    }
}

#[test]
fn what_a_plan_stops_at_is_what_its_values_come_to() {
    // The loop ends where the judge, who sees the values alone, says the same.
    for seed in 0..200 {
        let ratio = |turn: &Turn| {
            let wave = f64::from((turn.pair * 7 + seed as u32) % 11) / 11.0 - 0.5;
            1.0 + f64::from(turn.benchmark as u32) * 0.02 + wave * 0.08
        };
        let (_, outcomes) = run(Plan::new(vec![compare(); 8], 60, seed), ratio);
        let limits = Limits::default();
        for outcome in outcomes {
            let found = outcome.sequence.conclude(&limits, true).unwrap();
            let [screened, confirmed] = pairs(&outcome);
            if found.finding == Finding::Inconclusive {
                assert!(screened == 60 || confirmed == 60, "{found:?}");
            }
            assert!(!outcome.is_cut);
        }
    }
}
