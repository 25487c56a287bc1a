//! Distinguishes a slowdown of the code from one of its layout in memory.
//!
//! An edit that moves a hot loop by a few bytes can make it 15 % slower with the same instructions.
//! Pairs prove that it is slower, but not the cause.

use super::looks::PROVEN_SHARE;
use super::pairs::Pairs;
use crate::model::{Evidence, Finding, Instructions};
use crate::policy::Limits;

/// A larger increase of instructions than this share is more work, whatever the layout.
const MORE_WORK: f64 = 0.005;

/// Applies the evidence about layout to a finding that would be red.
pub(super) fn weigh(
    finding: Finding,
    reason: String,
    limits: &Limits,
    evidence: &Evidence,
) -> (Finding, String) {
    let Evidence { instructions, layouts, .. } = evidence;
    let blocks = finding.level().is_some_and(|level| level >= limits.fail_on);
    if !blocks {
        return (finding, reason);
    }
    let change = instructions.map(Instructions::change);
    let shown = change.map(|c| format!("instructions {:+.2} %", c * 100.0));
    let with = |text: String| match &shown {
        Some(shown) => format!("{text}; {shown}"),
        None => text,
    };
    if change.is_some_and(|change| change > MORE_WORK) {
        return (finding, with(reason));
    }
    let least = (limits.thresholds.of(limits.fail_on) * PROVEN_SHARE).ln_1p();
    let estimates: Vec<f64> =
        layouts.iter().filter_map(|l| Some(Pairs::new(&l.rounds)?.estimate)).collect();
    let slower = estimates.iter().filter(|estimate| **estimate > least).count();
    if slower < estimates.len() {
        let n = estimates.len();
        return (
            Finding::Inconclusive,
            with(format!(
                "layout-sensitive: {reason}, but in only {slower} of {n} other layouts of the same code"
            )),
        );
    }
    let text = match estimates.len() {
        0 => reason,
        n => format!("{reason}, and in all of {n} other layouts of the same code"),
    };
    (finding, with(text))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Layout, Rounds};

    fn layout(seed: u64, ratio: f64) -> Layout {
        let rounds = Rounds { base: vec![1000.0; 6], head: vec![1000.0 * ratio; 6] };
        Layout { seed, rounds }
    }

    #[test]
    fn what_is_slower_in_one_layout_of_the_code_only_is_not_red() {
        let weigh = |instructions: Option<f64>, ratios: &[f64]| {
            let instructions = instructions.map(|head| Instructions { base: 1000.0, head });
            let layouts: Vec<_> =
                ratios.iter().zip(1..).map(|(r, seed)| layout(seed, *r)).collect();
            let reason = "slower than 10 %".to_owned();
            let limits = Limits::default();
            let evidence = Evidence { instructions, layouts, ..Evidence::default() };
            let (finding, reason) = super::weigh(Finding::Critical, reason, &limits, &evidence);
            format!("{}: {reason}\n", finding.name())
        };
        let cases = [
            weigh(None, &[]),
            weigh(Some(1110.0), &[]),
            weigh(Some(1110.0), &[1.0, 1.0]),
            weigh(Some(1000.0), &[]),
            weigh(Some(1000.0), &[1.12, 1.14, 1.09, 1.2]),
            weigh(Some(1000.0), &[1.12, 1.0, 0.9, 1.2]),
            weigh(None, &[1.12, 1.0, 0.9, 1.2]),
        ];
        insta::assert_snapshot!(cases.concat());
    }

    #[test]
    fn a_finding_that_is_not_red_is_left_as_it_is() {
        let evidence = Evidence { layouts: vec![layout(1, 1.0)], ..Evidence::default() };
        let left = super::weigh(Finding::Note, "r".into(), &Limits::default(), &evidence);
        assert_eq!(left, (Finding::Note, "r".to_owned()));
    }
}
