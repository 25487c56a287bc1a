//! A run that is started again until it says what somebody wants to hear.

use benchgate_core::judge::Earlier;
use benchgate_core::model::{BenchmarkKey, Verdict};
use benchgate_core::result::{AttemptReport, RunResult};

use super::{Noise, run_until, run_with, scattered};

const MOST: u64 = 5;

/// An attempt, which goes on with earlier ones where there are some.
fn attempt(noise: Noise, changes: &[f64], seed: u64, earlier: Option<&Earlier>) -> RunResult {
    let mut result = run_with(noise, changes, seed, |plan| {
        let Some(earlier) = earlier else { return plan };
        let known =
            |index| earlier.known(&BenchmarkKey::new("p", "s", format!("{index:03}")), true);
        plan.after(earlier.attempts().len(), (0..changes.len()).map(known).collect())
    });
    let attempts = earlier.map(|earlier| earlier.attempts().to_vec()).unwrap_or_default();
    result.attempt = Some(AttemptReport { earlier: attempts, ..AttemptReport::default() });
    result
}

/// The number of the first attempt that ends with this verdict.
fn first(
    noise: Noise,
    changes: &[f64],
    seed: u64,
    wanted: Verdict,
    is_pooled: bool,
) -> Option<u64> {
    let mut earlier = None;
    for number in 1..=MOST {
        let result = attempt(noise, changes, seed * MOST + number, earlier.as_ref());
        if result.verdict == wanted {
            return Some(number);
        }
        if is_pooled {
            let now = AttemptReport::default();
            earlier = Some(Earlier::new(result, "", &now).expect("it is of the same run"));
        }
    }
    None
}

#[test]
#[cfg_attr(debug_assertions, ignore = "takes minutes without --release: scripts/test simulation")]
fn five_attempts_that_are_pooled_have_the_error_of_one_and_five_alone_have_not() {
    println!("                                   one attempt  five alone  five pooled");
    let table = |what: &str, noise: Noise, changes: &[f64], wanted: Verdict, runs: u64| {
        let of = |is_pooled| -> Vec<u64> {
            (0..runs).filter_map(|seed| first(noise, changes, seed, wanted, is_pooled)).collect()
        };
        let (alone, pooled) = (of(false), of(true));
        let percent = |hits: usize| 100.0 * hits as f64 / runs as f64;
        let one = percent(alone.iter().filter(|number| **number == 1).count());
        let [alone, pooled] = [alone, pooled].map(|hits| percent(hits.len()));
        println!("{what:33}  {one:9.1} %  {alone:8.1} %  {pooled:9.1} %");
        (alone, pooled)
    };
    // Half of the failing threshold is the largest slowdown that a red run must not be about; pairs scatter so
    // much that an estimate above the whole threshold is common.
    let (alone, red) = table(
        "20 at the limit, ± 40 %: red",
        scattered::<40>,
        &[0.05; 20],
        Verdict::Regression,
        1_000,
    );
    assert!(red <= 1.0, "{red} % of runs are red");
    assert!(alone > 1.0, "without pooling it is {alone} %: this shows nothing");
    let (_, found) =
        table("+12 %, ± 16 %: red", scattered::<16>, &[0.12], Verdict::Regression, 1_000);
    assert!(found >= 90.0, "{found} % of slowdowns of 12 % are red");
}

/// A later attempt that ends by its budget after so many turns.
fn cut_attempt(noise: Noise, changes: &[f64], seed: u64, earlier: &Earlier, turns: u32) -> Verdict {
    let known = |index| earlier.known(&BenchmarkKey::new("p", "s", format!("{index:03}")), true);
    let known = (0..changes.len()).map(known).collect();
    let result = run_until(
        noise,
        changes,
        seed,
        |plan| plan.after(earlier.attempts().len(), known),
        |turn| turn >= turns,
    );
    result.verdict
}

#[test]
#[cfg_attr(debug_assertions, ignore = "takes minutes without --release: scripts/test simulation")]
fn a_red_attempt_stays_red_when_the_next_one_is_cut_short() {
    let (mut red, mut taken_back) = (0, 0);
    for seed in 0..1_000 {
        let first = attempt(scattered::<16>, &[0.12], seed, None);
        if first.verdict != Verdict::Regression {
            continue;
        }
        red += 1;
        let earlier = Earlier::new(first, "", &AttemptReport::default()).expect("the same run");
        for turns in [1, 3, 8] {
            let next = seed + 10_000 * u64::from(turns);
            let verdict = cut_attempt(scattered::<16>, &[0.12], next, &earlier, turns);
            taken_back += usize::from(verdict != Verdict::Regression);
        }
    }
    println!(
        "+12 %, ± 16 %: {red} of 1,000 red; taken back by {taken_back} of {} cut attempts",
        3 * red
    );
    assert!(red > 500, "{red} of 1,000 are red");
    assert!(taken_back * 100 <= 3 * red, "{taken_back} of {} are taken back", 3 * red);
}
