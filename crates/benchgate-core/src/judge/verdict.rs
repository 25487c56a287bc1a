//! The verdict on a whole run.

use crate::model::{Finding, Verdict};
use crate::result::{BenchmarkReport, RuleReport, RuleState, SuiteReport};

/// The verdict on the whole. The strongest statement wins: a proven slowdown stays proven when another
/// benchmark could not be measured.
pub fn verdict(
    benchmarks: &[BenchmarkReport],
    suites: &[SuiteReport],
    rules: &[RuleReport],
) -> Verdict {
    let proven = |b: &BenchmarkReport| b.blocking && b.finding.level().is_some();
    let unmeasured = |finding: Finding| matches!(finding, Finding::Failed | Finding::Missing);
    if benchmarks.iter().any(proven) || rules.iter().any(|r| r.state == RuleState::Broken) {
        Verdict::Regression
    } else if benchmarks.iter().any(|b| unmeasured(b.finding) && !b.is_advisory())
        || suites.iter().any(|s| unmeasured(s.finding))
        || rules.iter().any(|r| r.state == RuleState::Unmeasured)
        || !benchmarks.iter().any(|b| b.finding.is_compared())
    {
        Verdict::Incomplete
    } else if benchmarks.iter().any(|b| b.is_undecided()) {
        Verdict::Inconclusive
    } else {
        Verdict::Pass
    }
}
