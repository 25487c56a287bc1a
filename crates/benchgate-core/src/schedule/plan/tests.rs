mod attempts;

use super::*;
use crate::judge::conclude;
use crate::model::{Evidence, Finding};
use crate::policy::Limits;

fn compare() -> Goal {
    Goal::Compare { limits: Limits::default(), at_least: 0, baseline: None }
}

fn pair(head: f64) -> Reading {
    Reading::of_times(Sides::new(1000.0, head))
}

fn evidence(measured: &Measurements) -> &Evidence {
    &measured.evidence[&Metric::TIME]
}

/// Runs a plan on benchmarks whose pairs come from `ratio`; returns the turns and the measurements.
fn run(mut plan: Plan, mut ratio: impl FnMut(&Turn) -> f64) -> (Vec<Turn>, Vec<Measurements>) {
    let mut turns = Vec::new();
    while let Some(turn) = plan.next_turn() {
        plan.record(&turn, pair(1000.0 * ratio(&turn)), 0.04);
        turns.push(turn);
        assert!(turns.len() < 100_000, "it does not end");
    }
    (turns, plan.into_measurements())
}

fn finding(measured: &Measurements) -> Finding {
    conclude(evidence(measured), &Limits::default(), true, 60).unwrap().finding
}

fn pairs(measured: &Measurements) -> [usize; 2] {
    let Evidence { rounds, confirmation, .. } = evidence(measured);
    [rounds.base.len(), confirmation.base.len()]
}

#[test]
fn what_is_unchanged_gets_six_pairs_and_what_is_slower_confirmation_pairs() {
    let plan = Plan::new(vec![compare(), compare(), compare()], 60, 1);
    let (turns, measured) = run(plan, |turn| [1.0, 1.2, 0.8][turn.benchmark]);
    let findings: Vec<_> = measured.iter().map(|o| (finding(o), pairs(o))).collect();
    assert_eq!(
        findings,
        [
            (Finding::Unchanged, [6, 0]),
            (Finding::Critical, [10, 15]),
            (Finding::Improved, [10, 15])
        ]
    );
    // In rotation, and the confirmation pairs after all screening pairs.
    assert_eq!(order(&turns[..9]), "012012012");
    assert!(turns.is_sorted_by_key(|turn| turn.stage == Stage::Confirmation));
}

#[test]
fn each_layout_is_taken_once_before_any_is_taken_again_by_confirmation_pairs_alone() {
    let slower = |turn: &Turn| [1.0, 1.2][turn.benchmark];
    let layouts = |layouts: u32| {
        let plan = Plan::new(vec![compare(), compare()], 60, 1).with_layouts(layouts);
        let (turns, measured) = run(plan, slower);
        let of_stage = |stage: Stage| turns.iter().filter(move |turn| turn.stage == stage);
        assert!(of_stage(Stage::Screening).all(|turn| turn.layout.is_none()));
        let asked: Vec<u32> =
            of_stage(Stage::Confirmation).filter_map(|turn| turn.layout).collect();
        assert_eq!(evidence(&measured[1]).layouts, asked);
        assert_eq!(evidence(&measured[0]).layouts, Vec::<u32>::new());
        asked
    };
    assert_eq!(layouts(30), (1..=15).collect::<Vec<_>>());
    assert_eq!(layouts(6), [1, 2, 3, 4, 5, 6, 1, 2, 3, 4, 5, 6, 1, 2, 3]);
    assert_eq!(layouts(0), [0; 15]);
    let (turns, measured) = run(Plan::new(vec![compare()], 60, 1), |_| 1.2);
    assert!(turns.iter().all(|turn| turn.layout.is_none()));
    assert_eq!(evidence(&measured[0]).layouts, Vec::<u32>::new());
}

#[test]
fn what_is_recorded_is_the_layout_that_a_pair_ran_in() {
    let mut plan = Plan::new(vec![compare()], 60, 1).with_layouts(30);
    while let Some(turn) = plan.next_turn() {
        // The suite could not be linked again.
        let layout = turn.layout.map(|_| 0);
        plan.record(&Turn { layout, ..turn }, pair(1200.0), 0.04);
    }
    assert_eq!(evidence(&plan.into_measurements()[0]).layouts, [0; 15]);
}

#[test]
fn nothing_is_measured_beyond_the_maximum_of_pairs() {
    // Two modes at the maximum distance: never decided.
    let scattered = |turn: &Turn| if turn.pair.is_multiple_of(2) { 0.7 } else { 1.4 };
    for (most, expected) in [(60, [60, 0]), (22, [22, 0]), (8, [8, 0]), (1, [1, 0])] {
        let (_, measured) = run(Plan::new(vec![compare()], most, 1), scattered);
        assert_eq!(pairs(&measured[0]), expected);
        assert_eq!(finding(&measured[0]), Finding::Inconclusive);
    }
}

#[test]
fn a_rule_about_a_benchmark_gets_its_pairs_though_it_is_decided() {
    let goal = Goal::Compare { limits: Limits::default(), at_least: 9, baseline: None };
    let (_, measured) = run(Plan::new(vec![goal], 60, 1), |_| 1.0);
    assert_eq!(pairs(&measured[0]), [10, 0]);
}

#[test]
fn what_only_one_side_has_gets_its_rounds_alongside_the_pairs() {
    let mut plan = Plan::new(vec![compare(), Goal::Record(3)], 60, 1);
    while let Some(turn) = plan.next_turn() {
        let reading = match turn.benchmark {
            0 => pair(1000.0),
            _ => Reading::Round(Values::from([(Metric::TIME, 7.0)])),
        };
        plan.record(&turn, reading, 0.04);
    }
    assert_eq!(plan.into_measurements()[1].rounds[&Metric::TIME].rounds.head, [7.0; 3]);
}

#[test]
fn a_benchmark_that_fails_is_left_alone_and_the_others_keep_their_draws() {
    let both = || Plan::new(vec![compare(), compare()], 60, 3);
    let (all, _) = run(both(), |_| 1.0);
    let mut plan = both();
    let mut turns = Vec::new();
    while let Some(turn) = plan.next_turn() {
        let reading = if turn.benchmark == 0 { Reading::Failed } else { pair(1000.0) };
        plan.record(&turn, reading, 0.04);
        turns.push(turn);
    }
    assert_eq!(turns.iter().filter(|turn| turn.benchmark == 0).count(), 1);
    let second = |turns: &[Turn]| -> Vec<Turn> {
        turns.iter().filter(|turn| turn.benchmark == 1).copied().collect()
    };
    assert_eq!(second(&turns), second(&all));
}

#[test]
fn when_the_time_is_short_candidates_are_proven_and_the_rest_is_named() {
    let mut plan = Plan::new(vec![compare(), compare(), compare()], 60, 1);
    let mut turns = 0;
    while let Some(turn) = plan.next_turn() {
        // Slower; scattered; slower, but not proven in time.
        let ratio = [1.2, if turn.pair.is_multiple_of(2) { 0.7 } else { 1.4 }, 1.2][turn.benchmark];
        plan.record(&turn, pair(1000.0 * ratio), 0.04);
        turns += 1;
        plan.spend(f64::from(turns) / 60.0);
    }
    assert_eq!(turns, 60);
    let measured = plan.into_measurements();
    let findings: Vec<_> = measured.iter().map(|o| (finding(o), pairs(o), o.is_cut)).collect();
    insta::assert_debug_snapshot!(findings);
}

/// As [`compare`], with a committed baseline of this many nanoseconds.
fn since(baseline: f64) -> Goal {
    Goal::Compare { limits: Limits::default(), at_least: 0, baseline: Some(baseline) }
}

fn order(turns: &[Turn]) -> String {
    turns.iter().map(|turn| turn.benchmark.to_string()).collect()
}

#[test]
fn what_is_slower_than_the_committed_baseline_is_settled_before_the_others_go_on() {
    let goals = || vec![since(1000.0), since(1000.0), compare()];
    let (turns, measured) = run(Plan::new(goals(), 60, 1), |turn| [1.0, 1.2, 1.0][turn.benchmark]);
    // Three pairs of all, the suspect's ten, the others' six, and the suspect's confirmation pairs.
    assert_eq!(
        order(&turns),
        format!("012012012{}{}{}", "1".repeat(7), "20".repeat(3), "1".repeat(15))
    );
    assert_eq!(finding(&measured[1]), Finding::Critical);
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
fn a_rule_keeps_its_benchmarks_together_even_if_one_is_suspect() {
    let in_rule = || Goal::Compare { limits: Limits::default(), at_least: 9, baseline: None };
    let plan = Plan::new(vec![in_rule(), since(800.0), in_rule()], 60, 1);
    let (turns, _) = run(plan, |_| 1.0);
    assert_eq!(order(&turns), format!("{}{}", "012".repeat(6), "02".repeat(4)));
}

#[test]
fn suspects_are_measured_even_when_the_time_is_short() {
    let goals = (0..20).map(|benchmark| since(if benchmark == 13 { 900.0 } else { 1000.0 }));
    let measured = run_within(100, goals.collect(), |_| 1.0);
    assert!(!measured[13].is_cut && measured[19].is_cut);
    assert_eq!(pairs(&measured[13]), [6, 0]);
}

/// Runs a plan within the time of this number of turns.
fn run_within(limit: u32, goals: Vec<Goal>, ratio: impl Fn(&Turn) -> f64) -> Vec<Measurements> {
    let mut plan = Plan::new(goals, 60, 1);
    let mut turns = 0;
    while let Some(turn) = plan.next_turn() {
        plan.record(&turn, pair(1000.0 * ratio(&turn)), 0.04);
        turns += 1;
        plan.spend(f64::from(turns) / f64::from(limit));
    }
    assert!(turns <= limit);
    plan.into_measurements()
}

#[test]
fn while_nothing_is_to_be_confirmed_all_of_the_time_is_for_screening() {
    // Six pairs of three benchmarks are 18 turns: more than the share that candidates leave to screening.
    let measured = run_within(18, vec![compare(); 3], |_| 1.0);
    let findings: Vec<_> = measured.iter().map(|o| (finding(o), pairs(o))).collect();
    assert_eq!(findings, [(Finding::Unchanged, [6, 0]); 3]);
    let measured = run_within(17, vec![compare(); 3], |_| 1.0);
    assert_eq!(measured.iter().map(|o| o.is_cut).collect::<Vec<_>>(), [false, false, true]);
}

#[test]
fn a_candidate_ends_screening_before_the_time_is_over_and_without_one_it_goes_on() {
    let goals = || vec![compare(), compare()];
    let scattered = |pair: u32| if pair.is_multiple_of(2) { 0.7 } else { 1.4 };
    let slower = |turn: &Turn| match turn.benchmark {
        0 => 1.2,
        _ => scattered(turn.pair),
    };
    let measured = run_within(34, goals(), slower);
    let [[first, confirmed], [second, _]] = [pairs(&measured[0]), pairs(&measured[1])];
    assert_eq!(finding(&measured[0]), Finding::Critical);
    assert!(confirmed > 0 && first + confirmed + second == 34, "{first} {confirmed} {second}");
    // Without it the other one has the rest.
    let measured = run_within(34, goals(), |turn| match turn.benchmark {
        0 => 1.0,
        _ => scattered(turn.pair),
    });
    assert_eq!([pairs(&measured[0]), pairs(&measured[1])], [[6, 0], [28, 0]]);
}

#[test]
fn the_remaining_turns_are_known_until_the_next_look() {
    let mut plan = Plan::new(vec![compare(), Goal::Record(2)], 60, 1);
    assert_eq!(plan.remaining(), 8);
    while let Some(turn) = plan.next_turn() {
        let reading = match turn.benchmark {
            0 => pair(1000.0),
            _ => Reading::Round(Values::from([(Metric::TIME, 7.0)])),
        };
        plan.record(&turn, reading, 0.04);
    }
    assert_eq!(plan.remaining(), 0);
    assert_eq!(Plan::new(Vec::new(), 60, 1).next_turn(), None);
}

#[test]
fn a_machine_that_changes_in_the_middle_of_a_run_is_never_a_regression() {
    type Noise = fn(&Turn, Side) -> f64;
    let machines: [(&str, Noise); 4] = [
        // Everything takes 1.6 times as long beginning with the fourth pair, in the middle of a pair.
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
        ("slower and slower", |turn, side| {
            1000.0 * 1.02_f64.powi(2 * turn.pair as i32 + i32::from(side != turn.first))
        }),
    ];
    for (what, noise) in machines {
        for seed in 0..50 {
            let mut plan = Plan::new(vec![compare(); 4], 60, seed);
            while let Some(turn) = plan.next_turn() {
                let pair = [noise(&turn, Side::Base), noise(&turn, Side::Head)];
                plan.record(&turn, Reading::of_times(Sides::new(pair[0], pair[1])), 0.04);
            }
            for item in plan.into_measurements() {
                let finding = finding(&item);
                assert!(finding.level().is_none(), "{what}, seed {seed}: {finding:?}");
            }
        }
    }
}

#[test]
fn a_plan_stops_where_the_judge_concludes_from_its_values() {
    // The loop ends where the judge, given the values alone, concludes the same.
    for seed in 0..200 {
        let ratio = |turn: &Turn| {
            let wave = f64::from((turn.pair * 7 + seed as u32) % 11) / 11.0 - 0.5;
            1.0 + f64::from(turn.benchmark as u32) * 0.02 + wave * 0.08
        };
        let (_, measured) = run(Plan::new(vec![compare(); 8], 60, seed), ratio);
        let limits = Limits::default();
        for item in measured {
            let conclusion = conclude(evidence(&item), &limits, true, 60).unwrap();
            let [screened, confirmed] = pairs(&item);
            if conclusion.finding == Finding::Inconclusive {
                assert!(screened == 60 || confirmed == 60, "{conclusion:?}");
            }
            assert!(!item.is_cut);
        }
    }
}

#[test]
fn the_benchmarks_of_an_exceeded_rule_get_pairs_until_that_is_proven() {
    let goal = || Goal::Compare { limits: Limits::default(), at_least: 10, baseline: None };
    let pairs_of_both = |base: f64, share: &dyn Fn(u32) -> f64, goals: Vec<Goal>| -> Vec<usize> {
        let relation = Relation { this: 0, of: Some(1), limit: 0.5, metric: Metric::TIME };
        let mut plan = Plan::new(goals, 60, 1).with_relations(vec![relation]);
        while let Some(turn) = plan.next_turn() {
            let value = if turn.benchmark == 0 { 1000.0 * share(turn.pair) } else { 1000.0 };
            let of_base = if turn.benchmark == 0 { value * base } else { 1000.0 };
            plan.record(&turn, Reading::of_times(Sides::new(of_base, value)), 0.04);
        }
        plan.into_measurements().iter().map(|m| evidence(m).rounds.head.len()).collect()
    };
    let pairs = |share: &dyn Fn(u32) -> f64, goals| pairs_of_both(0.8, share, goals);
    let three = || vec![goal(), goal(), compare()];
    assert_eq!(pairs(&|_| 0.5, three()), [10, 10, 6]);
    assert_eq!(pairs(&|_| 0.6, three()), [10, 10, 6]);
    // Three of ten rounds are within the limit, and a third of all.
    let disagreeing = |pair: u32| if pair % 3 == 1 { 0.4 } else { 0.6 };
    assert_eq!(pairs(&disagreeing, three()), [60, 60, 6]);
    // The base exceeds it as much, which ten pairs show.
    assert_eq!(pairs_of_both(1.0, &disagreeing, three()), [10, 10, 6]);
}

#[test]
fn a_candidate_is_measured_until_it_is_proven_among_the_candidates_and_the_rules() {
    let goal = || Goal::Compare { limits: Limits::default(), at_least: 10, baseline: None };
    let relation = |this| Relation { this, of: None, limit: 5000.0, metric: Metric::TIME };
    let confirmed = |rules: usize| {
        let plan = Plan::new(vec![goal(); 26], 60, 1);
        let plan = plan.with_relations((1..=rules).map(relation).collect());
        // Two of fifteen pairs disagree, and four of thirty.
        let slower = |turn: &Turn| if turn.pair % 7 == 6 { 0.9 } else { 1.12 };
        let ratio = |turn: &Turn| if turn.benchmark == 0 { slower(turn) } else { 1.0 };
        pairs(&run(plan, ratio).1[0])[1]
    };
    assert_eq!(confirmed(0), 15);
    assert_eq!(confirmed(1), 30);
    assert_eq!(confirmed(25), 30);
}

#[test]
fn a_rule_is_measured_until_it_is_proven_whichever_benchmarks_become_candidates() {
    let goal = || Goal::Compare { limits: Limits::default(), at_least: 10, baseline: None };
    let rounds = |others: usize| {
        let relation = Relation { this: 0, of: None, limit: 1050.0, metric: Metric::TIME };
        let goals = std::iter::once(goal()).chain(vec![compare(); others]).collect();
        let ratio = |turn: &Turn| if turn.benchmark == 0 { 1.1 } else { 1.0 };
        let (_, measured) = run(Plan::new(goals, 60, 1).with_relations(vec![relation]), ratio);
        pairs(&measured[0])[0]
    };
    // Ten rounds prove among five tests, twenty among 2,600.
    assert_eq!([3, 4, 100].map(rounds), [10, 20, 20]);
}

#[test]
fn where_there_are_rules_the_order_is_drawn_for_every_rotation() {
    let relation = Relation { this: 0, of: None, limit: 5000.0, metric: Metric::TIME };
    let plan = Plan::new(vec![compare(), compare(), compare()], 60, 1);
    let (turns, _) = run(plan.with_relations(vec![relation]), |_| 1.0);
    let orders: std::collections::BTreeSet<String> = turns.chunks(3).map(order).collect();
    assert!(orders.len() > 2, "{orders:?}");
    for rotation in turns.chunks(3) {
        let mut seen: Vec<usize> = rotation.iter().map(|turn| turn.benchmark).collect();
        seen.sort_unstable();
        assert_eq!(seen, [0, 1, 2]);
    }
}
