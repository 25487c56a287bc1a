use super::*;
use crate::judge::{Context, Counted, Observation, Outcome, decide};
use crate::model::{Date, EarlierPairs, Evidence, Means, Rounds, Verdict};
use crate::policy::Policy;
use crate::report::samples;

type Edit = dyn Fn(&mut RunResult);

fn attempt() -> AttemptReport {
    let of = |text: &str| text.repeat(20);
    AttemptReport {
        checkouts: Sides::new(of("b0"), of("4e")),
        policy: of("90"),
        settings: of("5e"),
        earlier: Vec::new(),
        kept: Vec::new(),
    }
}

/// A benchmark whose pairs all have this ratio, in both stages, as an attempt measured it.
fn compared(id: &str, ratios: &[f64], earlier: Vec<EarlierPairs>) -> Observation {
    let head = ratios.iter().map(|ratio| 1000.0 * ratio).collect();
    let rounds = Rounds { base: vec![1000.0; ratios.len()], head };
    let mean = Means { base: Some(1000.0), head: Some(1000.0) };
    let confirmation = rounds.clone();
    let evidence = Evidence { rounds, confirmation, mean, earlier, ..Evidence::default() };
    Observation {
        key: BenchmarkKey::new("p", "s", id),
        metric: Metric::TIME,
        outcome: Outcome::Compared { evidence: Box::new(evidence), renamed_from: None },
    }
}

fn run(observed: Vec<Observation>, policy: &str, attempt: AttemptReport) -> RunResult {
    let policy = Policy::parse(policy).unwrap();
    let today = Date::new(2026, 1, 1).unwrap();
    let context = Context { attempt: Some(attempt), today, ..Context::default() };
    decide(observed, Vec::new(), &policy, context)
}

fn earlier(result: RunResult) -> Result<Earlier, EarlierError> {
    Earlier::new(result, "", &attempt())
}

#[test]
fn a_result_of_something_else_is_refused_by_what_differs() {
    let edits: [(&str, &Edit); 9] = [
        ("two records", &|result| *result = samples::recorded()),
        ("another version", &|result| result.version = "0.0.1".into()),
        ("another base", &|result| result.attempt.as_mut().unwrap().checkouts.base = "b".into()),
        ("another head", &|result| result.attempt.as_mut().unwrap().checkouts.head = "h".into()),
        ("another policy", &|result| result.attempt.as_mut().unwrap().policy = "p".into()),
        ("other settings", &|result| result.attempt.as_mut().unwrap().settings = "s".into()),
        ("a forged verdict", &|result| result.verdict = Verdict::Regression),
        ("pairs of attempts that it does not name", &|result| {
            result.benchmarks[0].evidence.earlier = vec![EarlierPairs::default()];
        }),
        ("the last attempt that there is", &|result| {
            let before = EarlierAttempt {
                time: String::new(),
                verdict: Verdict::Inconclusive,
                seed: 1,
                machine: String::new(),
            };
            result.attempt.as_mut().unwrap().earlier = vec![before; MOST_ATTEMPTS];
        }),
    ];
    let table: String = edits
        .iter()
        .map(|(what, edit)| {
            let mut result = run(vec![compared("a", &[1.0; 15], Vec::new())], "", attempt());
            edit(&mut result);
            format!("{what}: {}\n", earlier(result).unwrap_err())
        })
        .collect();
    insta::assert_snapshot!(table);
}

#[test]
fn what_blocks_or_is_undecided_is_not_settled() {
    let scattered: Vec<f64> = (0..15).map(|i| 0.7 + 0.05 * f64::from(i)).collect();
    let waived = "[[waiver]]\nbenchmark = \"waived\"\nceiling = 30\nuntil = 2027-01-01\nissue = \"#1\"\nreason = \"r\"";
    let result = run(
        vec![
            compared("unchanged", &[1.0; 15], Vec::new()),
            compared("faster", &[0.8; 15], Vec::new()),
            compared("note", &[1.03; 15], Vec::new()),
            compared("critical", &[1.2; 15], Vec::new()),
            compared("waived", &[1.2; 15], Vec::new()),
            compared("scattered", &scattered, Vec::new()),
        ],
        waived,
        attempt(),
    );
    let earlier = earlier(result).unwrap();
    let settled = |id: &str| {
        let known = earlier.known(&BenchmarkKey::new("p", "s", id), true);
        known.get(&Metric::TIME).map(|known| known.is_settled)
    };
    let asked = ["unchanged", "faster", "note", "critical", "waived", "scattered", "unknown"];
    assert_eq!(
        asked.map(settled),
        [Some(true), Some(true), Some(true), Some(false), Some(false), Some(false), None]
    );
}

#[test]
fn an_attempt_lists_those_before_it() {
    let observed = || vec![compared("a", &[1.2; 15], Vec::new())];
    let first = earlier(run(observed(), "", attempt())).unwrap();
    let second = AttemptReport { earlier: first.attempts().to_vec(), ..attempt() };
    let second = earlier(run(observed(), "", second)).unwrap();
    let verdicts: Vec<Verdict> = second.attempts().iter().map(|attempt| attempt.verdict).collect();
    assert_eq!(verdicts, [Verdict::Regression; 2]);
}

#[test]
fn a_later_attempt_proves_with_less_of_the_error() {
    // Not slower: two of fifteen, p = 0.004; four of thirty, p = 0.00003.
    let ratios = |slower: usize, of: usize| -> Vec<f64> {
        (0..of).map(|i| if i < of - slower { 1.0 } else { 1.2 }).collect()
    };
    let verdict = |ratios: &[f64], earlier: &[EarlierPairs]| {
        run(
            vec![compared("a", ratios, earlier.to_vec())],
            "",
            AttemptReport {
                earlier: vec![
                    EarlierAttempt {
                        time: String::new(),
                        verdict: Verdict::Inconclusive,
                        seed: 1,
                        machine: String::new()
                    };
                    earlier.len()
                ],
                ..attempt()
            },
        )
        .verdict
    };
    let first = EarlierPairs { screening: 15, confirmation: 15 };
    assert_eq!(verdict(&ratios(13, 15), &[]), Verdict::Regression);
    assert_eq!(verdict(&ratios(26, 30), &[]), Verdict::Regression);
    assert_eq!(verdict(&ratios(26, 30), &[first]), Verdict::Regression);
    // 0.0007 is enough for a first attempt, and not for a second one.
    assert_eq!(verdict(&ratios(24, 30), &[]), Verdict::Regression);
    assert_eq!(verdict(&ratios(24, 30), &[first]), Verdict::Inconclusive);
}

#[test]
fn an_attempt_that_is_cut_short_does_not_take_a_proven_slowdown_back() {
    let first = EarlierPairs { screening: 15, confirmation: 15 };
    let slower = [1.2; 15];
    let cut = [&slower[..], &[1.0; 2]].concat();
    let before = EarlierAttempt {
        time: String::new(),
        verdict: Verdict::Regression,
        seed: 1,
        machine: String::new(),
    };
    let second = AttemptReport { earlier: vec![before], ..attempt() };
    let result = run(vec![compared("a", &cut, vec![first])], "", second);
    assert_eq!(result.verdict, Verdict::Regression);
}

#[test]
fn another_toolchain_is_refused_by_what_differs_and_an_equal_one_is_not() {
    let sample = samples::regression().toolchain.unwrap();
    let toolchain = |rustc: &str| Toolchain { rustc: rustc.to_owned(), ..sample.clone() };
    let mut result = run(vec![compared("a", &[1.0; 15], Vec::new())], "", attempt());
    result.toolchain = Some(toolchain("rustc 1.94.0"));
    let earlier = earlier(result).unwrap();
    assert_eq!(earlier.built_by(Some(&toolchain("rustc 1.94.0"))), Ok(()));
    let refused = earlier.built_by(Some(&toolchain("rustc 1.95.0"))).unwrap_err();
    insta::assert_snapshot!(refused.to_string(), @"another toolchain built it: rustc: rustc 1.95.0, not rustc 1.94.0");
}

#[test]
fn counts_of_two_attempts_that_differ_are_two_counts() {
    let key = BenchmarkKey::new("p", "s", "a");
    let of = |base: [f64; 2], head: [f64; 2]| {
        Sides::new(base, head).map(|[first, second]| Twice::new(first, second))
    };
    let observed = |counts: Sides<Twice<f64>>| Observation {
        key: key.clone(),
        metric: Metric::ALLOC_BLOCKS,
        outcome: Outcome::Counted {
            counted: Counted::twice(counts.base, counts.head),
            renamed_from: None,
        },
    };
    let with = |before: Sides<Twice<f64>>, now: Sides<Twice<f64>>| {
        let earlier = earlier(run(vec![observed(before)], "", attempt())).unwrap();
        let counts = earlier.counts(&key, &Metric::ALLOC_BLOCKS, now.map(Some));
        counts.map(|counts| counts.map(Twice::to_vec).unwrap_or_default())
    };
    let vectors = |base: [f64; 2], head: [f64; 2]| Sides::new(base.to_vec(), head.to_vec());
    let once = of([3.0, 3.0], [4.0, 4.0]);
    assert_eq!(with(once, once), vectors([3.0, 3.0], [4.0, 4.0]));
    assert_eq!(with(once, of([3.0, 3.0], [5.0, 5.0])), vectors([3.0, 3.0], [4.0, 5.0]));
    assert_eq!(with(once, of([3.0, 6.0], [4.0, 4.0])), vectors([3.0, 6.0], [4.0, 4.0]));
    assert_eq!(with(of([3.0, 6.0], [4.0, 4.0]), once), vectors([3.0, 6.0], [4.0, 4.0]));
}
