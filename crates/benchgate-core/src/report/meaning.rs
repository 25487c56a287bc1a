//! What a verdict means: the headline, a sentence, the next step. Each is of what the result holds, so that none says what
//! did not happen.

use std::collections::BTreeSet;

use super::summary::{directions, is_alarming, number, of_different, untouched};
use super::text::count;
use crate::judge::lacks_values;
use crate::model::{Finding, SkipReason, SuiteKey, Verdict};
use crate::result::{BenchmarkReport, Method, RuleReport, RuleState, RunResult, SuiteReport};

/// The headline, without a mark.
pub(super) fn headline(result: &RunResult) -> String {
    match result.verdict {
        Verdict::Regression => {
            let worse = proven_worse(result);
            let violated = match rules(result, RuleState::Violated) {
                0 => None,
                number => Some(count(number, "violated rule")),
            };
            worse.into_iter().chain(violated).collect::<Vec<_>>().join(", ")
        }
        Verdict::Incomplete if only_a_waiver_fails(result) => {
            "a waiver or quarantine matches no benchmark".to_owned()
        }
        Verdict::Incomplete => "could not measure everything".to_owned(),
        Verdict::Inconclusive => {
            let open = not_proven(result);
            match open.is_empty() {
                true => "nothing to compare with".to_owned(),
                false => format!("not proven: {}", open.join(", ")),
            }
        }
        Verdict::Pass if is_waived(result) => {
            "nothing proven slower beyond what is accepted".to_owned()
        }
        Verdict::Pass if result.benchmarks.is_empty() && leaves_suites_out(result) => {
            "nothing was measured: what was not skipped is identical".to_owned()
        }
        Verdict::Pass if result.benchmarks.is_empty() => {
            "nothing that a suite is built from changed".to_owned()
        }
        Verdict::Pass => "nothing proven slower at the failing level".to_owned(),
    }
}

/// What is not decided, counted; nothing where the base gave no values.
fn not_proven(result: &RunResult) -> Vec<String> {
    let undecided = of_different(result.benchmarks.iter().filter(|row| row.is_undecided()));
    [(undecided, "benchmark"), (rules(result, RuleState::Unproven), "exceeded rule")]
        .into_iter()
        .filter(|(number, _)| *number > 0)
        .map(|(number, what)| count(number, what))
        .collect()
}

/// `proven worse: 2 benchmarks (3 metrics)`, of the rows that fail.
fn proven_worse(result: &RunResult) -> Option<String> {
    let failing = || result.benchmarks.iter().filter(|row| row.is_proven_to_fail());
    let benchmarks = of_different(failing());
    let metrics = match failing().count() {
        0 => return None,
        rows if rows == benchmarks => String::new(),
        rows => format!(" ({rows} metrics)"),
    };
    let (_, word) = directions(failing());
    let how = match result.method {
        Method::Estimates => format!("{word} by the estimate, not proven"),
        _ => format!("proven {word}"),
    };
    Some(format!("{how}: {}{metrics}", count(benchmarks, "benchmark")))
}

fn rules(result: &RunResult, state: RuleState) -> usize {
    let is_it = |rule: &&RuleReport| rule.state == state;
    result.rules.iter().filter(is_it).count()
}

/// The meaning of a verdict.
pub(super) struct Meaning {
    /// The verdict in a sentence.
    pub(super) sentence: &'static str,
    /// The next step.
    pub(super) next: String,
}

impl From<(&'static str, &str)> for Meaning {
    fn from((sentence, next): (&'static str, &str)) -> Self {
        Self { sentence, next: next.to_owned() }
    }
}

/// The meaning of the verdict of a result.
pub(super) fn meaning(result: &RunResult) -> Meaning {
    match result.verdict {
        Verdict::Regression => regression(result),
        Verdict::Incomplete => incomplete(result),
        Verdict::Inconclusive => inconclusive(result),
        Verdict::Pass => pass(result),
    }
}

fn regression(result: &RunResult) -> Meaning {
    if !result.benchmarks.iter().any(BenchmarkReport::is_proven_to_fail) {
        return (
            "A rule of the policy is violated, and the measurements prove it.",
            "Fix what the rule limits, or change the rule in benchgate.toml of the base branch.",
        )
            .into();
    }
    if rules(result, RuleState::Violated) > 0 {
        return (
            "At least one benchmark is worse than its limit allows, and a rule is violated.",
            "Fix both: the lines in this report accept the benchmark, and no waiver accepts the rule.",
        )
            .into();
    }
    match result.method {
        Method::Estimates => (
            "At least one benchmark is worse than its limit allows, by its estimates alone.",
            "Measure both sides with `benchgate check`, which proves it or not. Then fix it, or accept it with the \
             lines in this report.",
        ),
        Method::Recorded => (
            "At least one benchmark is worse than its limit allows, and the measurements prove it.",
            "Measure both sides with `benchgate check`, which also says where it sits. Then fix it, or accept it with \
             the lines in this report.",
        ),
        Method::Paired | Method::Baseline => (
            "At least one benchmark is worse than its limit allows, and the measurements prove it.",
            if is_explained(result) {
                "See where it sits (`benchgate explain` has more). Then fix it, or accept it with the lines in this report."
            } else {
                "Fix it, or accept it with the lines in this report."
            },
        ),
    }
    .into()
}

/// Whether `explain` looks for the cause of anything that fails.
fn is_explained(result: &RunResult) -> bool {
    let mut failing = result.benchmarks.iter().filter(|row| row.is_proven_to_fail());
    failing.any(|row| row.metric.is_explained())
}

fn incomplete(result: &RunResult) -> Meaning {
    if only_a_waiver_fails(result) {
        return (
            "An entry of the policy matches no benchmark.",
            "Remove it from benchgate.toml in this change, or fix its glob.",
        )
            .into();
    }
    let rows = || result.benchmarks.iter().filter(|row| !row.is_advisory());
    let has = |finding: Finding| {
        rows().any(|row| row.finding == finding)
            || result.suites.iter().any(|suite| suite.finding == finding)
    };
    let has_failed = has(Finding::Failed) || has(Finding::Missing);
    let is_compared = result.benchmarks.iter().any(|row| row.finding.is_compared());
    let of_run =
        |suite: &SuiteReport| suite.finding == Finding::Failed && suite.key() == SuiteKey::of_all();
    if result.suites.iter().any(of_run) {
        let sentence = match is_compared {
            true => "The run ended before everything was measured; what has values is compared.",
            false => "Nothing was compared: the run failed. This says nothing about speed.",
        };
        return (sentence, "Follow the line of the run: it has the command or the cause.").into();
    }
    match (is_compared, has_failed) {
        (false, true) => (
            "Nothing was compared: what is named here failed. This says nothing about speed.",
            "Fix what failed: its line has the reason.",
        ),
        (false, false) => (
            "Nothing was compared: no benchmark has values on both sides. This says nothing about speed.",
            "See which suites were found and why they were skipped.",
        ),
        (true, true) => (
            "Some benchmarks gave no value, so this is not a pass; it is not a slowdown either.",
            match has(Finding::Missing) {
                true => "Fix the benchmarks named here, or declare in benchgate.toml that they were removed.",
                false => "Fix what failed: its line has the reason.",
            },
        ),
        (true, false) => (
            "A rule has no value, so this is not a pass.",
            "Fix the names of its benchmarks in benchgate.toml, or remove the rule there.",
        ),
    }
    .into()
}

/// Why something is not decided.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Cause {
    /// Pairs that scatter.
    Pairs,
    /// Pairs of one layout of the code, which prove that it is slower and not why.
    Layout,
    /// Counts that do not repeat.
    Counts,
    /// A removal that the base does not know of.
    Removal,
}

impl Cause {
    fn of(row: &BenchmarkReport) -> Self {
        match row.finding {
            Finding::NonDeterministic => Self::Counts,
            Finding::Removed => Self::Removal,
            _ if row.is_of_layout() => Self::Layout,
            _ => Self::Pairs,
        }
    }

    fn next(self, result: &RunResult) -> &'static str {
        match (self, result.method) {
            (Self::Pairs, Method::Paired) if result.attempt.is_some() => {
                "Measure more pairs of it: start the job again, or run `check --earlier` with this result.json."
            }
            (Self::Pairs, Method::Paired) => {
                "Measure more pairs of it: start the job again, or give it `--pairs`."
            }
            (Self::Pairs, _) => {
                "Records of one process per side prove nothing: `benchgate check` measures both \
                 sides; `--estimates` decides without proof."
            }
            (Self::Layout, _) => {
                "Remove what keeps its code from other layouts, or its instructions from being counted: its line names both."
            }
            (Self::Counts, _) => {
                "Make it count the same in each run, such as by a fixed seed of its random input."
            }
            (Self::Removal, _) => {
                "Agree to the removal on the base branch, by the same entry in its benchgate.toml."
            }
        }
    }
}

fn inconclusive(result: &RunResult) -> Meaning {
    let undecided: Vec<&BenchmarkReport> =
        result.benchmarks.iter().filter(|row| row.is_undecided()).collect();
    let open_rules = rules(result, RuleState::Unproven);
    let mut causes: BTreeSet<Cause> = undecided.iter().map(|row| Cause::of(row)).collect();
    if open_rules > 0 {
        causes.insert(Cause::Pairs);
    }
    let is_slower = open_rules == 0 && undecided.iter().all(|row| row.finding.level().is_some());
    let sentence = match causes.iter().collect::<Vec<_>>()[..] {
        [] => {
            return (
                "The base gave no values of what is named here, so nothing is known of its change.",
                "Compare with a base that gives them (`--base REVISION`). The next change is compared with this one.",
            )
                .into();
        }
        [Cause::Pairs] if is_slower => {
            "What is named here is slower, and more than its limit allows is not ruled out."
        }
        [Cause::Pairs] => "Neither a slowdown nor its absence is proven for what is named here.",
        [Cause::Layout] => {
            "What is named here is slower, and that only the layout of its code is to blame is not ruled out."
        }
        [Cause::Counts] => {
            "What is named here counts something else in each run, so nothing is known of its change."
        }
        [Cause::Removal] => {
            "Only this change says that what is named here was removed on purpose: the base does not."
        }
        _ => "What is named here is not decided; each line has the reason.",
    };
    let next: Vec<&str> = causes.iter().map(|cause| cause.next(result)).collect();
    Meaning { sentence, next: next.join(" ") }
}

// Long: one case for each kind of pass.
fn pass(result: &RunResult) -> Meaning {
    // Two records that are the same were measured once.
    let identical = match result.method {
        Method::Paired => number(result, Finding::Identical),
        _ => 0,
    };
    let all_compared = result.benchmarks.iter().all(|row| row.finding.is_compared());
    // A report lists some benchmarks of a pass, too.
    let no_action = match result.benchmarks.iter().any(is_alarming) {
        true => "Needs no action to pass; what is worth a look is listed.",
        false => "Needs no action.",
    };
    let is_empty = result.benchmarks.is_empty();
    if is_waived(result) {
        (
            "What exceeds its limit is accepted: see by which waiver.",
            "Needs no action until a waiver expires.",
        )
    } else if result.benchmarks.iter().any(BenchmarkReport::is_advisory) {
        (
            "Nothing outside of a quarantine is proven slower than its limit. What is in one decides nothing.",
            "Needs no action until the quarantine ends.",
        )
    } else if rules(result, RuleState::ExceededBefore) > 0 {
        (
            "No benchmark is proven slower than its limit. A rule was exceeded before this change.",
            "Fix what the rule limits in a separate change: until then the rule does not limit other changes.",
        )
    } else if is_empty && leaves_suites_out(result) {
        (
            "No suite that was not skipped is built from what changed, so nothing was measured.",
            "Needs no action if what was skipped needs none: each has its reason. `--measure-identical` measures the others.",
        )
    } else if is_empty {
        (
            "No suite is built from what changed: none was built or measured.",
            "Needs no action. `--measure-identical` builds and measures all.",
        )
    } else if is_partly_skipped(result) {
        (
            "No benchmark that was measured is proven slower than its limit; others were skipped.",
            no_action,
        )
    } else if identical > 0 && identical == result.benchmarks.len() {
        (
            "Base and head are identical for every benchmark: nothing is slower, and nothing was measured.",
            no_action,
        )
    } else if identical > 0 && all_compared {
        (
            "No benchmark that was measured is proven slower than its limit; the others are identical on both sides.",
            no_action,
        )
    } else if identical > 0 {
        ("No benchmark that was measured is proven slower than its limit.", no_action)
    } else if untouched(result) > 0 {
        (
            "Every benchmark that the change can reach was measured, and none is proven slower than its limit.",
            no_action,
        )
    } else {
        ("Every benchmark was measured, and none is proven slower than its limit.", no_action)
    }
    .into()
}

/// Whether a benchmark or a suite was skipped.
fn is_partly_skipped(result: &RunResult) -> bool {
    result.benchmarks.iter().any(|row| row.finding == Finding::Skipped)
        || result.suites.iter().any(|suite| suite.finding == Finding::Skipped)
}

/// Whether a suite that may have benchmarks was skipped.
fn leaves_suites_out(result: &RunResult) -> bool {
    let has_none = |suite: &SuiteReport| {
        matches!(
            suite.skip,
            Some(SkipReason::BuiltInHarness | SkipReason::NotBenched | SkipReason::NoBenchmarks)
        )
    };
    result.suites.iter().any(|suite| suite.finding == Finding::Skipped && !has_none(suite))
}

/// Whether an entry that matches nothing is the only problem.
fn only_a_waiver_fails(result: &RunResult) -> bool {
    result.benchmarks.iter().any(|row| row.finding.is_compared()) && !lacks_values(result)
}

/// Whether a waiver or a trailer accepts something.
fn is_waived(result: &RunResult) -> bool {
    result.benchmarks.iter().any(|row| row.finding == Finding::Waived)
}

#[cfg(test)]
mod tests {
    use super::super::samples;
    use super::*;
    use crate::model::{Change, Metric};

    #[test]
    fn a_pass_says_that_all_was_measured_only_where_it_was() {
        let with = |findings: [Finding; 2]| {
            let mut result = samples::pass();
            result.suites.clear();
            let row = result.benchmarks[0].clone();
            result.benchmarks =
                findings.map(|finding| BenchmarkReport { finding, ..row.clone() }).into();
            meaning(&result).sentence
        };
        let (unchanged, identical) = (Finding::Unchanged, Finding::Identical);
        insta::assert_snapshot!([
            with([unchanged, unchanged]),
            with([unchanged, identical]),
            with([identical, identical]),
            with([identical, Finding::New]),
        ].join("\n"), @"
        Every benchmark was measured, and none is proven slower than its limit.
        No benchmark that was measured is proven slower than its limit; the others are identical on both sides.
        Base and head are identical for every benchmark: nothing is slower, and nothing was measured.
        No benchmark that was measured is proven slower than its limit.
        ");
    }

    /// A result of one row, with its verdict as the judge would give it.
    fn of_one(verdict: Verdict, change: impl Fn(&mut BenchmarkReport)) -> RunResult {
        let mut result = samples::inconclusive();
        result.suites.clear();
        result.benchmarks.truncate(1);
        result.verdict = verdict;
        change(&mut result.benchmarks[0]);
        result
    }

    fn said(result: &RunResult) -> String {
        let Meaning { sentence, next } = meaning(result);
        format!("{}: {sentence}\n  {next}\n", headline(result))
    }

    #[test]
    fn what_is_not_decided_has_the_next_step_of_its_cause() {
        let open = |change: &dyn Fn(&mut BenchmarkReport)| of_one(Verdict::Inconclusive, change);
        let scatters = open(&|_| ());
        let warned = open(&|row| (row.finding, row.is_open) = (Finding::Warning, true));
        let layout = open(&|row| {
            row.evidence.layouts = vec![0, 1];
            row.change = Some(Change { estimate: 0.23, lower: Some(0.22), upper: Some(0.24) });
        });
        let counts = open(&|row| row.finding = Finding::NonDeterministic);
        let removed = open(&|row| (row.finding, row.is_open) = (Finding::Removed, true));
        let mut both = scatters.clone();
        both.benchmarks.extend(layout.benchmarks.clone());
        let all = [scatters, warned, layout, counts, removed, both];
        insta::assert_snapshot!(all.iter().map(said).collect::<String>());
    }

    #[test]
    fn explain_is_named_where_something_that_it_explains_fails() {
        let next = |metric: Metric| {
            let red = of_one(Verdict::Regression, |row| {
                (row.finding, row.blocking) = (Finding::Critical, true);
                row.metric = metric.clone();
            });
            meaning(&red).next
        };
        for metric in [Metric::TIME, Metric::ALLOC_BLOCKS] {
            assert!(next(metric.clone()).contains("benchgate explain"), "{metric:?}");
        }
        for metric in [Metric::MEMORY_PEAK, Metric::WALL] {
            assert!(!next(metric.clone()).contains("explain"), "{metric:?}");
        }
    }

    #[test]
    fn what_could_not_be_measured_has_the_next_step_of_its_cause() {
        let lacks = |change: &dyn Fn(&mut BenchmarkReport)| of_one(Verdict::Incomplete, change);
        let crashed = lacks(&|row| row.finding = Finding::Failed);
        let mut interrupted = lacks(&|row| row.finding = Finding::Unchanged);
        interrupted.suites.push(SuiteReport::failed(SuiteKey::of_all(), "interrupted", ""));
        let mut unbuilt = interrupted.clone();
        unbuilt.benchmarks.clear();
        let mut one_of_two = crashed.clone();
        let unchanged =
            BenchmarkReport { finding: Finding::Unchanged, ..crashed.benchmarks[0].clone() };
        one_of_two.benchmarks.push(unchanged);
        let mut gone = one_of_two.clone();
        gone.benchmarks[0].finding = Finding::Missing;
        let mut ruled = samples::violated_rule();
        ruled.verdict = Verdict::Incomplete;
        ruled.rules.iter_mut().for_each(|rule| rule.state = RuleState::Unmeasured);
        // A crash in quarantine is none of it.
        let mut unmatched = one_of_two.clone();
        unmatched.benchmarks[0].waiver = samples::quarantined();
        let all = [crashed, interrupted, unbuilt, one_of_two, gone, ruled, unmatched];
        insta::assert_snapshot!(all.iter().map(said).collect::<String>());
    }

    #[test]
    fn a_pass_without_benchmarks_says_what_was_skipped() {
        let mut result = samples::pass();
        result.benchmarks.clear();
        let skipped = said(&result);
        result.suites.clear();
        let quarantined = of_one(Verdict::Pass, |row| {
            row.finding = Finding::Failed;
            row.waiver = samples::quarantined();
        });
        insta::assert_snapshot!([skipped, said(&result), said(&quarantined)].concat());
    }

    #[test]
    fn estimates_are_not_called_proven() {
        let mut result = samples::regression();
        result.method = Method::Estimates;
        insta::assert_snapshot!(said(&result));
    }
}
