//! Whether a proven slowdown is of the code, or only of where the code lies.
//!
//! An edit that moves a hot loop by a few bytes can make it 15 % slower with the same instructions.
//! Pairs prove that it is slower, not why.

use serde::{Deserialize, Serialize};

use super::pairs::{PROVEN_SHARE, Pairs};
use crate::model::Finding;
use crate::policy::Limits;
use crate::result::Rounds;

/// More instructions than this share are work, whatever else happened.
const MORE_WORK: f64 = 0.005;

/// Instructions of one iteration, counted.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Instructions {
    /// Of the base.
    pub base: f64,
    /// Of the head.
    pub head: f64,
}

impl Instructions {
    /// Head against base, as a fraction.
    pub fn change(self) -> f64 {
        self.head / self.base - 1.0
    }
}

/// Pairs of both sides linked again with the same random padding between sections.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Layout {
    /// Seed of the padding.
    pub seed: u64,
    /// The pairs.
    pub rounds: Rounds,
}

/// What the evidence about layout makes of a finding that would be red.
pub(super) fn weigh(
    finding: Finding,
    reason: String,
    limits: &Limits,
    instructions: Option<Instructions>,
    layouts: &[Layout],
) -> (Finding, String) {
    let blocks = finding.level().is_some_and(|level| level >= limits.fail_on);
    if !blocks {
        return (finding, reason);
    }
    let change = instructions.map(Instructions::change);
    let told = change.map(|c| format!("instructions {:+.2} %", c * 100.0));
    let with = |text: String| match &told {
        Some(told) => format!("{text}; {told}"),
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
            let (finding, reason) =
                super::weigh(Finding::Critical, reason, &limits, instructions, &layouts);
            format!("{}: {reason}\n", finding.name())
        };
        let told = [
            weigh(None, &[]),
            weigh(Some(1110.0), &[]),
            weigh(Some(1110.0), &[1.0, 1.0]),
            weigh(Some(1000.0), &[]),
            weigh(Some(1000.0), &[1.12, 1.14, 1.09, 1.2]),
            weigh(Some(1000.0), &[1.12, 1.0, 0.9, 1.2]),
            weigh(None, &[1.12, 1.0, 0.9, 1.2]),
        ];
        insta::assert_snapshot!(told.concat());
    }

    #[test]
    fn a_finding_that_is_not_red_is_left_as_it_is() {
        let left =
            super::weigh(Finding::Note, "r".into(), &Limits::default(), None, &[layout(1, 1.0)]);
        assert_eq!(left, (Finding::Note, "r".to_owned()));
    }
}
