//! How long a round takes is the gate's to decide, not the bench's.

use std::time::Duration;

use crate::model::Pace;

/// The first round of a benchmark that has a quick way is stopped after this: it has its own settings, or
/// its iterations are long, and either is a reason to try the quick way.
const TRIAL: Duration = Duration::from_secs(1);

/// A first round that takes less than this is short enough.
const SHORT: f64 = 0.3;

/// The quick way is taken when its round takes less than this share of the other: a process that is long in
/// starting is as long in both.
const WORTH_IT: f64 = 0.6;

/// How long the first round may take: with a quick way to turn to, no longer than a trial.
pub fn first_patience(has_quick: bool, timeout: Duration) -> Duration {
    if has_quick { TRIAL.min(timeout) } else { timeout }
}

/// Whether the quick way is worth a try after a first round that took this number of seconds.
pub fn is_to_try(settings: f64) -> bool {
    settings >= SHORT
}

/// The pace for all further rounds, after a first round of each, in seconds; `None` is a round that was stopped.
pub fn pace_after(settings: Option<f64>, quick: Option<f64>) -> Pace {
    match (settings, quick) {
        (None, Some(_)) => Pace::Quick,
        (Some(settings), Some(quick)) if quick < settings * WORTH_IT => Pace::Quick,
        _ => Pace::Settings,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_quick_way_is_taken_where_it_is_clearly_shorter() {
        let table = [
            (Some(0.95), Some(0.15), Pace::Quick),
            // Nearly all of it is the start of the process.
            (Some(0.60), Some(0.65), Pace::Settings),
            (Some(0.60), Some(0.50), Pace::Settings),
            (None, Some(3.0), Pace::Quick),
            // Then the time-out of the policy decides.
            (None, None, Pace::Settings),
            (Some(0.4), None, Pace::Settings),
        ];
        for (settings, quick, pace) in table {
            assert_eq!(pace_after(settings, quick), pace, "{settings:?} {quick:?}");
        }
        assert!(!is_to_try(0.08));
        assert!(is_to_try(TRIAL.as_secs_f64()));
    }
}
