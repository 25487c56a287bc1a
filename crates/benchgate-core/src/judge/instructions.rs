//! What more instructions are where the policy has them counted of everything: they repeat, and need no proof by pairs.

use crate::model::{Evidence, Finding, Level};
use crate::policy::{Limits, MoreInstructions};

/// A larger increase of instructions than this share is more work, whatever the layout.
pub(crate) const MORE_WORK: f64 = 0.005;

/// Applies the instructions of one iteration to a finding about its time, which may be milder. A note about them says
/// nothing of a time that is open, and settles nothing.
pub(super) fn weigh(
    finding: Finding,
    reason: String,
    limits: &Limits,
    evidence: &Evidence,
) -> (Finding, String) {
    let Some(change) = evidence.more_instructions() else {
        return (finding, reason);
    };
    let Some(level) = level(change, limits).filter(|level| finding.level() < Some(*level)) else {
        return (finding, reason);
    };
    let counted = format!("{:+.2} % instructions per iteration", change * 100.0);
    let is_settled = matches!(finding, Finding::Unchanged | Finding::NotSlower);
    if is_settled || level >= limits.fail_on || finding.level().is_some() {
        return (level.into(), format!("{counted}; of the time: {reason}"));
    }
    (finding, format!("{reason}; {counted}"))
}

fn level(change: f64, limits: &Limits) -> Option<Level> {
    let by_thresholds =
        || Level::DESCENDING.into_iter().find(|level| change > limits.thresholds.of(*level));
    let note = (change > MORE_WORK).then_some(Level::Note);
    match limits.more_instructions {
        MoreInstructions::Evidence => None,
        MoreInstructions::Note => note,
        MoreInstructions::Fail => by_thresholds().or(note),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Instructions;

    fn weighed(finding: Finding, more: MoreInstructions, percent: f64) -> (Finding, String) {
        let instructions = Instructions { base: 1000.0, head: 1000.0 * (1.0 + percent / 100.0) };
        let evidence = Evidence { instructions: Some(instructions), ..Evidence::default() };
        let limits = Limits { more_instructions: more, ..Limits::default() };
        weigh(finding, "as before".to_owned(), &limits, &evidence)
    }

    #[test]
    fn more_instructions_are_what_the_policy_says() {
        use Finding::{Critical, Drifted, Improved, Inconclusive, Note, Unchanged, Warning};
        let cases = [
            (Unchanged, MoreInstructions::Evidence, 50.0, Unchanged),
            (Unchanged, MoreInstructions::Note, 0.5, Unchanged),
            (Unchanged, MoreInstructions::Note, 0.6, Note),
            (Unchanged, MoreInstructions::Note, 50.0, Note),
            (Unchanged, MoreInstructions::Note, -50.0, Unchanged),
            (Unchanged, MoreInstructions::Fail, 0.6, Note),
            (Unchanged, MoreInstructions::Fail, 6.0, Warning),
            (Unchanged, MoreInstructions::Fail, 12.0, Critical),
            (Warning, MoreInstructions::Note, 6.0, Warning),
            (Note, MoreInstructions::Fail, 6.0, Warning),
            (Critical, MoreInstructions::Fail, 6.0, Critical),
            // What is not proven of the time stays so.
            (Inconclusive, MoreInstructions::Note, 6.0, Inconclusive),
            (Drifted, MoreInstructions::Note, 6.0, Drifted),
            (Inconclusive, MoreInstructions::Fail, 6.0, Inconclusive),
            (Inconclusive, MoreInstructions::Fail, 12.0, Critical),
            (Improved, MoreInstructions::Note, 6.0, Improved),
            (Improved, MoreInstructions::Fail, 12.0, Critical),
        ];
        for (finding, more, percent, expected) in cases {
            let (found, reason) = weighed(finding, more, percent);
            assert_eq!(found, expected, "{finding:?}, {more:?}, {percent} %: {reason}");
        }
    }

    #[test]
    fn the_reason_gives_the_count_and_what_is_known_of_the_time() {
        let of = |finding, more, percent| weighed(finding, more, percent).1;
        insta::assert_snapshot!(
            of(Finding::Unchanged, MoreInstructions::Note, 0.6),
            @"+0.60 % instructions per iteration; of the time: as before"
        );
        insta::assert_snapshot!(
            of(Finding::Inconclusive, MoreInstructions::Note, 6.0),
            @"as before; +6.00 % instructions per iteration"
        );
    }
}
