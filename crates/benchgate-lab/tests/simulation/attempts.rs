//! A run that is started again until it says what somebody wants to hear.

use benchgate_core::judge::Earlier;
use benchgate_core::model::{BenchmarkKey, Verdict};
use benchgate_core::result::{AttemptReport, RunResult};

use super::{Noise, run_with, scattered};

const MOST: u64 = 5;

/// An attempt, which goes on with earlier ones where there are some.
fn attempt(noise: Noise, changes: &[f64], seed: u64, earlier: Option<&Earlier>) -> RunResult {
    let mut result = run_with(noise, changes, seed, |plan| {
        let Some(earlier) = earlier else { return plan };
        let known = |index| earlier.known(&BenchmarkKey::new("p", "s", format!("{index:03}")));
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
    let (_, red) = table(
        "20 at the limit, ± 40 %: red",
        scattered::<40>,
        &[0.05; 20],
        Verdict::Regression,
        1_000,
    );
    assert!(red <= 1.0, "{red} % of runs are red");
    let (_, missed) =
        table("+12 %, ± 16 %: passes", scattered::<16>, &[0.12], Verdict::Pass, 1_000);
    assert!(missed <= 1.0, "{missed} % of slowdowns of 12 % pass");
    let (_, found) =
        table("+12 %, ± 16 %: red", scattered::<16>, &[0.12], Verdict::Regression, 1_000);
    assert!(found >= 90.0, "{found} % of slowdowns of 12 % are red");
}
