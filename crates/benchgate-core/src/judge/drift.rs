//! How far the head is from the committed baseline: the slow sum of small steps, or another machine.

use super::time::Evidence;
use crate::model::{Change, Finding};
use crate::policy::Limits;

/// The head's rounds against the baseline's; `None` where there is no baseline.
pub(super) fn drift(baseline: &[f64], head: &[f64]) -> Option<Change> {
    Some(Evidence::unpaired(baseline, head)?.change())
}

/// What the drift makes of a finding: what is unchanged against the base commit and slower than the
/// baseline has drifted.
pub(super) fn weigh(
    finding: Finding,
    reason: String,
    limits: &Limits,
    baseline: &[f64],
    head: &[f64],
) -> (Finding, String) {
    if finding != Finding::Unchanged {
        return (finding, reason);
    }
    let Some(evidence) = Evidence::unpaired(baseline, head) else { return (finding, reason) };
    match evidence.proven_level(limits) {
        Some(level) => {
            let size = super::time::percent(limits.thresholds.of(level));
            let now = super::time::percent(evidence.estimate.exp_m1());
            let text = format!(
                "no slower than its base, but {now} slower than the committed baseline (above {size}): \
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
    fn unchanged_against_the_base_and_slower_than_the_baseline_has_drifted() {
        assert_eq!(weighed(Finding::Unchanged, 1.08), Finding::Drifted);
        assert_eq!(weighed(Finding::Unchanged, 1.01), Finding::Unchanged);
        assert_eq!(weighed(Finding::Unchanged, 0.9), Finding::Unchanged);
        assert_eq!(weighed(Finding::Inconclusive, 1.08), Finding::Inconclusive);
        let none = weigh(Finding::Unchanged, "r".into(), &Limits::default(), &[], &[1.0]);
        assert_eq!(none, (Finding::Unchanged, "r".to_owned()));
    }
}
