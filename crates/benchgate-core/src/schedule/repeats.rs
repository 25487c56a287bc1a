//! What a pilot seems to show is looked at again before it decides how a benchmark is led. On a machine that is shared, one
//! slice often takes half as long again as the next one for no reason of the benchmark's, and slices that are long without
//! need cost time in every pair, and meet more of what disturbs.

use super::long_calls::{APART, APART_FROM_FIRST, NOT_LINEAR};
use super::slices::{DEAR, Slices};
use crate::stats;

/// Two slices of one side, one right after the other, in ns per iteration; or the head as a multiple of the base in each.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Repeat {
    /// Of the slice that seems to differ.
    pub seen: f64,
    /// Of the usual slice.
    pub usual: f64,
}

/// Most repeats of what is real.
const REPEATS: usize = 6;

/// Repeats that may not show it: one may be disturbed itself.
const SPARED: usize = 1;

impl Repeat {
    /// Of several slices each, the medians.
    pub fn of(usual: &[f64], seen: &[f64]) -> Self {
        let median = |values: &[f64]| stats::median(values).unwrap_or(f64::NAN);
        Self { seen: median(seen), usual: median(usual) }
    }
}

impl Slices {
    /// Whether a side is slower right after the other one, by slices after it and after untimed iterations; `None` while it
    /// has to be repeated.
    pub fn settles(repeats: &[Repeat]) -> Option<bool> {
        shows(repeats, |repeat| repeat.seen > repeat.usual * (1.0 + DEAR))
    }

    /// Whether iterations of a long call take another time than those of a slice; `None` while it has to be repeated.
    pub fn is_long_call_another(repeats: &[Repeat]) -> Option<bool> {
        differ(repeats, NOT_LINEAR)
    }

    /// Whether the sides are further apart in long calls than in slices, or than in the `first` ones of a process: of a list of
    /// inputs that goes on from call to call, the others are of any part. `None` while it has to be repeated.
    pub fn are_apart(repeats: &[Repeat], first: f64) -> Option<bool> {
        let from_first: Vec<Repeat> =
            repeats.iter().map(|repeat| Repeat { usual: first, ..*repeat }).collect();
        match (differ(repeats, APART), differ(&from_first, APART_FROM_FIRST)) {
            (Some(false), Some(false)) => Some(false),
            (Some(true), _) | (_, Some(true)) => Some(true),
            _ => None,
        }
    }
}

/// Whether repeats differ by this factor, all in the same direction.
pub(super) fn differ(repeats: &[Repeat], factor: f64) -> Option<bool> {
    let more = shows(repeats, |repeat| repeat.seen > repeat.usual * factor);
    let less = shows(repeats, |repeat| repeat.seen * factor < repeat.usual);
    match (more, less) {
        (Some(false), Some(false)) => Some(false),
        (Some(true), _) | (_, Some(true)) => Some(true),
        _ => None,
    }
}

/// Whether repeats show something, as soon as no other one could change that.
fn shows(repeats: &[Repeat], is_shown: impl Fn(&Repeat) -> bool) -> Option<bool> {
    let shown = repeats.iter().filter(|repeat| is_shown(repeat)).count();
    if repeats.len() - shown > SPARED {
        return Some(false);
    }
    (shown >= REPEATS - SPARED).then_some(true)
}

#[cfg(test)]
mod tests {
    use rand_chacha::ChaCha8Rng;
    use rand_core::{Rng as _, SeedableRng as _};

    use super::*;

    /// What is decided of slices that take `ratio` of the usual time, on a machine that runs a slice at the lower one of two
    /// speeds with this probability; and after how many repeats.
    fn decided(
        ratio: f64,
        slow: f64,
        random: &mut ChaCha8Rng,
        decide: impl Fn(&[Repeat]) -> Option<bool>,
    ) -> (bool, usize) {
        let mut repeats = Vec::new();
        loop {
            if let Some(decided) = decide(&repeats) {
                return (decided, repeats.len());
            }
            let mut slice = |ns: f64| {
                let is_slow = f64::from(random.next_u32()) < slow * f64::from(u32::MAX);
                if is_slow { ns * 1.6 } else { ns }
            };
            repeats.push(Repeat { seen: slice(ratio), usual: slice(1.0) });
        }
    }

    /// The share of 2,000 pilots that decide that there is a difference, in per cent, and most repeats.
    fn share(ratio: f64, slow: f64, decide: fn(&[Repeat]) -> Option<bool>) -> (f64, usize) {
        let mut random = ChaCha8Rng::seed_from_u64(17);
        let runs: Vec<_> = (0..2_000).map(|_| decided(ratio, slow, &mut random, decide)).collect();
        let most = runs.iter().map(|run| run.1).max().unwrap_or_default();
        (runs.iter().filter(|run| run.0).count() as f64 / 20.0, most)
    }

    #[test]
    fn two_speeds_of_a_machine_are_no_property_of_a_benchmark() {
        for slow in [0.05, 0.3, 0.5, 0.7] {
            let (settles, most) = share(1.0, slow, Slices::settles);
            assert!(settles <= 1.0, "{slow}: {settles} %");
            assert!(most <= REPEATS);
            let (another, most) = share(1.0, slow, Slices::is_long_call_another);
            assert!(another <= 2.0, "{slow}: {another} %");
            assert!(most <= REPEATS);
        }
    }

    #[test]
    fn on_a_quiet_machine_every_difference_is_seen() {
        for ratio in [1.04, 1.2, 3.0] {
            assert_eq!(share(ratio, 0.0, Slices::settles), (100.0, REPEATS - SPARED));
        }
        for ratio in [0.6, 1.6, 3.0] {
            assert_eq!(share(ratio, 0.0, Slices::is_long_call_another), (100.0, REPEATS - SPARED));
        }
        assert_eq!(share(1.02, 0.0, Slices::settles), (0.0, SPARED + 1));
        assert_eq!(share(1.2, 0.0, Slices::is_long_call_another), (0.0, SPARED + 1));
    }

    #[test]
    fn a_large_difference_is_seen_on_a_shared_machine_too() {
        let (settles, _) = share(2.0, 0.3, Slices::settles);
        assert!(settles > 99.0, "{settles} %");
        let (another, _) = share(3.0, 0.3, Slices::is_long_call_another);
        assert!(another > 99.0, "{another} %");
    }

    #[test]
    fn a_slowdown_of_later_inputs_alone_is_seen_in_long_calls() {
        let repeat = |ratio| Repeat::of(&[1.0, 1.02, 9.0], &[ratio]);
        assert_eq!(Slices::are_apart(&[repeat(1.36); 5], 1.02), Some(true));
        assert_eq!(Slices::are_apart(&[repeat(0.8); 5], 1.02), Some(true));
        assert_eq!(Slices::are_apart(&[repeat(1.04); 2], 1.02), Some(false));
        assert_eq!(Slices::are_apart(&[Repeat::of(&[], &[]); 2], f64::NAN), Some(false));
    }

    #[test]
    fn a_list_that_goes_on_from_call_to_call_is_compared_with_what_a_new_process_meets() {
        // Its second half is twice as slow on the head, and is met now and then.
        let repeats = [(1.8, 1.0), (1.5, 1.0), (1.2, 2.0), (1.7, 2.0), (1.4, 1.0)];
        let repeats = repeats.map(|(seen, usual)| Repeat { seen, usual });
        assert_eq!(Slices::are_apart(&repeats, 1.0), Some(true));
        assert_eq!(Slices::are_apart(&repeats[..4], 1.0), None);
        assert_eq!(Slices::are_apart(&repeats, f64::NAN), Some(false));
        // The machine was another one in the first slices of one side.
        assert_eq!(Slices::are_apart(&[Repeat { seen: 1.0, usual: 1.0 }; 2], 1.08), Some(false));
    }

    #[test]
    fn what_is_no_number_shows_nothing() {
        let repeats = [Repeat { seen: f64::NAN, usual: 1.0 }; 2];
        assert_eq!(Slices::settles(&repeats), Some(false));
        assert_eq!(Slices::is_long_call_another(&repeats), Some(false));
    }
}
