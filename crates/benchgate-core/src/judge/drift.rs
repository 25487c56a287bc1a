//! Drift from the committed baseline: the sum of many small steps, or a change of the machine.

use super::unpaired::Unpaired;
use super::words::{Words, percent};
use crate::model::{Change, Finding};
use crate::policy::Limits;

/// The change from the baseline's rounds to the head's; `None` if there is no baseline.
pub(super) fn drift(baseline: &[f64], head: &[f64]) -> Option<Change> {
    Some(Unpaired::new(baseline, head, 1)?.change())
}

/// Applies the drift to a finding: a benchmark that is unchanged compared with the base commit and slower
/// than the baseline has drifted.
pub(super) fn weigh(
    finding: Finding,
    reason: String,
    limits: &Limits,
    baseline: &[f64],
    head: &[f64],
) -> (Finding, String) {
    if !matches!(finding, Finding::Unchanged | Finding::NotSlower) {
        return (finding, reason);
    }
    let Some(unpaired) = Unpaired::new(baseline, head, 1) else { return (finding, reason) };
    let effect = unpaired.effect();
    match effect.level(limits).filter(|_| !effect.is_below_floor(limits)) {
        Some(level) => {
            let size = percent(limits.thresholds.of(level));
            let now = percent(effect.estimate.exp_m1());
            let slower = Words::of(limits).slower;
            let text = format!(
                "no {slower} than its base, but {now} {slower} than the committed baseline (above {size}): \
                 many small steps, or another state of the machine; {reason}"
            );
            (Finding::Drifted, text)
        }
        None => (finding, reason),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn weighed(finding: Finding, ratio: f64) -> Finding {
        let baseline: Vec<f64> = (0..15).map(|i| 1000.0 + f64::from(i)).collect();
        let head: Vec<f64> = baseline.iter().take(8).map(|v| v * ratio).collect();
        weigh(finding, String::new(), &Limits::default(), &baseline, &head).0
    }

    #[test]
    fn unchanged_since_the_base_and_slower_than_the_baseline_has_drifted() {
        assert_eq!(weighed(Finding::Unchanged, 1.08), Finding::Drifted);
        assert_eq!(weighed(Finding::Unchanged, 1.01), Finding::Unchanged);
        assert_eq!(weighed(Finding::Unchanged, 0.9), Finding::Unchanged);
        assert_eq!(weighed(Finding::Inconclusive, 1.08), Finding::Inconclusive);
        let none = weigh(Finding::Unchanged, "r".into(), &Limits::default(), &[], &[1.0]);
        assert_eq!(none, (Finding::Unchanged, "r".to_owned()));
    }
}
