//! The verdict on a whole run.

use crate::model::{Finding, SkipReason, Verdict};
use crate::result::{BenchmarkReport, RuleReport, RuleState, RunResult, SuiteReport};

/// The verdict on the whole run. The most severe finding decides: a slowdown remains proven when another
/// benchmark could not be measured.
pub(super) fn verdict(
    benchmarks: &[BenchmarkReport],
    suites: &[SuiteReport],
    rules: &[RuleReport],
) -> Verdict {
    if benchmarks.iter().any(BenchmarkReport::is_proven_to_fail)
        || rules.iter().any(|r| r.state == RuleState::Violated)
    {
        Verdict::Regression
    } else if is_incomplete(benchmarks, suites, rules) {
        Verdict::Incomplete
    } else if benchmarks.iter().any(|b| b.is_undecided())
        || rules.iter().any(|r| r.state == RuleState::Unproven)
        || has_no_base(suites)
    {
        Verdict::Inconclusive
    } else {
        Verdict::Pass
    }
}

/// Whether something could not be measured, which a regression hides in the verdict.
pub fn lacks_something(result: &RunResult) -> bool {
    lacks_values(result) || result.waivers.verdict() == Verdict::Incomplete
}

/// The same, but for an entry of the policy that matches no benchmark.
pub fn lacks_values(result: &RunResult) -> bool {
    is_incomplete(&result.benchmarks, &result.suites, &result.rules)
}

fn is_incomplete(
    benchmarks: &[BenchmarkReport],
    suites: &[SuiteReport],
    rules: &[RuleReport],
) -> bool {
    let unmeasured = |finding: Finding| matches!(finding, Finding::Failed | Finding::Missing);
    benchmarks.iter().any(|b| unmeasured(b.finding) && !b.is_advisory())
        || suites.iter().any(|s| unmeasured(s.finding))
        || rules.iter().any(|r| r.state == RuleState::Unmeasured)
        || !(has_result(benchmarks)
            || is_same(suites)
            || has_no_base(suites)
            || is_elsewhere(suites))
}

/// Whether the base does not build while the head does: then nothing can be said about speed, and the change
/// may be the repair.
fn has_no_base(suites: &[SuiteReport]) -> bool {
    suites.iter().any(|suite| suite.finding == Finding::Inconclusive)
}

/// Whether other shards measure suites: this one may have nothing to do, and all of them together must.
fn is_elsewhere(suites: &[SuiteReport]) -> bool {
    suites.iter().any(|suite| suite.skip == Some(SkipReason::OtherShard))
}

/// Whether a suite is the same on both sides as a whole.
fn is_same(suites: &[SuiteReport]) -> bool {
    suites.iter().any(|suite| suite.finding == Finding::Identical)
}

/// Whether anything was compared, or measured for the first time: with neither there is nothing to pass.
fn has_result(benchmarks: &[BenchmarkReport]) -> bool {
    let is_measured = |b: &BenchmarkReport| {
        b.finding.is_compared() || (b.finding == Finding::New && b.head.is_some())
    };
    benchmarks.iter().any(is_measured)
}
