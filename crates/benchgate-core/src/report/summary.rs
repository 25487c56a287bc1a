//! The head of every report: the headline, the verdict in a sentence, the next step.

use std::collections::HashSet;

use super::text::{count, metric_name, short, value};
use crate::model::{Finding, Verdict};
use crate::result::{BenchmarkReport, Method, Origin, RuleReport, RuleState, RunResult};

/// What was compared, for the first line of every report: `base v1.0.0 (0123456789), head working tree (…)`. `escape` makes
/// a name safe to show.
pub(super) fn compared(result: &RunResult, escape: impl Fn(&str) -> String) -> String {
    let side = |origin: &Origin| {
        let name = escape(&origin.name);
        if origin.commit.is_empty() {
            return name;
        }
        let commit = escape(short(&origin.commit));
        match origin.dirty {
            false if origin.name == origin.commit => commit,
            false => format!("{name} ({commit})"),
            true => format!("{name} ({commit} and uncommitted changes)"),
        }
    };
    format!("base {}, head {}", side(&result.base), side(&result.head))
}

/// Number of benchmarks with a finding.
pub(super) fn number(result: &RunResult, finding: Finding) -> usize {
    result.benchmarks.iter().filter(|b| b.finding == finding).count()
}

/// Whether a reader must see an entry.
pub(super) fn is_alarming(row: &BenchmarkReport) -> bool {
    matches!(
        row.finding,
        Finding::Critical
            | Finding::Warning
            | Finding::Note
            | Finding::Failed
            | Finding::Missing
            | Finding::Drifted
            | Finding::Inconclusive
            | Finding::NonDeterministic
            | Finding::Waived
            | Finding::Removed
    )
}

/// Entries that a reader must see: everything that needs attention, worst first.
pub(super) fn alarming(result: &RunResult) -> Vec<&BenchmarkReport> {
    let mut rows: Vec<_> = result.benchmarks.iter().filter(|row| is_alarming(row)).collect();
    rows.sort_by_key(|b| (!b.blocking, b.finding));
    rows
}

/// Rules that need attention.
pub(super) fn alarming_rules(result: &RunResult) -> impl Iterator<Item = &RuleReport> {
    result.rules.iter().filter(|r| {
        matches!(
            r.state,
            RuleState::Violated
                | RuleState::Unproven
                | RuleState::ExceededBefore
                | RuleState::Unmeasured
        )
    })
}

/// A rule in words, without its state: `a is 0.60 of b [0.59, 0.61], at most 0.50`. If it is exceeded, also the
/// base's value.
pub(super) fn rule(rule: &RuleReport, name: impl Fn(&str) -> String) -> String {
    let amount = |amount: f64| match &rule.of {
        Some(_) => format!("{amount:.3}"),
        None => value(&rule.metric, "", Some(amount)),
    };
    let what = metric_name(&rule.metric);
    let of = rule.of.as_ref().map(|of| format!(" of {}", name(of))).unwrap_or_default();
    let measured = rule.value.map_or_else(
        || " has no value".to_owned(),
        |value| {
            let bounds = match (value.lower, value.upper) {
                (Some(lower), Some(upper)) if lower < upper => {
                    format!(" [{}, {}]", amount(lower), amount(upper))
                }
                _ => String::new(),
            };
            format!(" is {}{of}{bounds}", amount(value.estimate))
        },
    );
    let whole = match &rule.suite {
        Some(suite) => format!("{suite}: {}", rule.benchmark),
        None => rule.benchmark.clone(),
    };
    let base = match (rule.state, rule.base) {
        (RuleState::ExceededBefore, Some(base)) => {
            format!("; exceeded before this change: the base is {}", amount(base))
        }
        (RuleState::Unproven, Some(base)) if base > rule.limit => {
            format!("; the base may exceed it, too: {}", amount(base))
        }
        (RuleState::Violated | RuleState::Unproven, Some(base)) => {
            format!("; the base: {}", amount(base))
        }
        _ => String::new(),
    };
    format!("{}{what}{measured}, at most {}{base}", name(&whole), amount(rule.limit))
}

/// Skipped rules, several in one line: none of them says anything.
pub(super) fn skipped_rules(result: &RunResult) -> Option<String> {
    let skipped = result.rules.iter().filter(|rule| rule.state == RuleState::Skipped).count();
    let words = "about benchmarks that are identical or were skipped";
    (skipped > 1).then(|| format!("rules skipped: {skipped}, {words}"))
}

/// `1 critical, 2 warnings, 54 unchanged (of 57)`.
pub(super) fn counts(result: &RunResult) -> String {
    let parts: Vec<String> = Finding::ALL
        .into_iter()
        .map(|finding| (finding, number(result, finding)))
        .filter(|(_, number)| *number > 0)
        .map(|(finding, number)| match finding {
            Finding::Warning => count(number, "warning"),
            Finding::Note => count(number, "note"),
            _ => format!("{number} {}", finding.name()),
        })
        .collect();
    if parts.is_empty() {
        match untouched(result) {
            0 => "no benchmark".to_owned(),
            number => format!("{} identical, not built", count(number, "suite")),
        }
    } else {
        format!("{} (of {})", parts.join(", "), all(result))
    }
}

/// Of how many rows the findings are: a benchmark with several metrics has a row of each.
fn all(result: &RunResult) -> String {
    let rows = result.benchmarks.len();
    match of_different(&result.benchmarks) {
        benchmarks if benchmarks == rows => rows.to_string(),
        benchmarks => format!("{rows} metrics of {}", count(benchmarks, "benchmark")),
    }
}

/// Number of different benchmarks that rows are of.
fn of_different<'a>(rows: impl IntoIterator<Item = &'a BenchmarkReport>) -> usize {
    let keys: HashSet<_> =
        rows.into_iter().map(|row| (&row.package, &row.suite, &row.id)).collect();
    keys.len()
}

/// Suites that no change can reach: they were not built.
fn untouched(result: &RunResult) -> usize {
    result.suites.iter().filter(|suite| suite.finding == Finding::Identical).count()
}

/// The headline, without a mark.
pub(super) fn headline(result: &RunResult) -> String {
    match result.verdict {
        Verdict::Regression => {
            let worse = proven_worse(result);
            let violated =
                match result.rules.iter().filter(|r| r.state == RuleState::Violated).count() {
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
        Verdict::Pass if accepts_something(result) => {
            "nothing proven slower beyond what is accepted".to_owned()
        }
        Verdict::Pass if result.benchmarks.is_empty() => {
            "nothing that a suite is built from changed".to_owned()
        }
        Verdict::Pass => "nothing proven slower at the failing level".to_owned(),
    }
}

/// What more pairs may prove, counted; nothing where the base gave no values.
fn not_proven(result: &RunResult) -> Vec<String> {
    let undecided = of_different(result.benchmarks.iter().filter(|row| row.is_undecided()));
    let exceeded = |rule: &&RuleReport| rule.state == RuleState::Unproven;
    let rules = result.rules.iter().filter(exceeded).count();
    [(undecided, "benchmark"), (rules, "exceeded rule")]
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
    Some(format!("proven {word}: {}{metrics}", count(benchmarks, "benchmark")))
}

/// What smaller and larger values of all of these rows are.
pub(super) fn directions<'a>(
    rows: impl IntoIterator<Item = &'a BenchmarkReport>,
) -> (&'static str, &'static str) {
    match rows.into_iter().all(|row| row.metric.is_duration()) {
        true => ("faster", "slower"),
        false => ("better", "worse"),
    }
}

/// The meaning of a verdict.
pub(super) struct Meaning {
    /// The verdict in a sentence.
    pub(super) sentence: &'static str,
    /// The next step.
    pub(super) next: &'static str,
}

/// The meaning of the verdict of a result.
// Long: one arm for each finding.
pub(super) fn meaning(result: &RunResult) -> Meaning {
    // Two records that are the same were measured once.
    let identical = match result.method {
        Method::Paired => number(result, Finding::Identical),
        _ => 0,
    };
    let all_compared = result.benchmarks.iter().all(|row| row.finding.is_compared());
    let failing_suites =
        result.suites.iter().filter(|s| matches!(s.finding, Finding::Failed | Finding::Missing));
    // A report lists some benchmarks of a pass, too.
    let no_action = match result.benchmarks.iter().any(is_alarming) {
        true => "Needs no action to pass; what is worth a look is listed.",
        false => "Needs no action.",
    };
    let (sentence, next) = match result.verdict {
        Verdict::Regression
            if !result.benchmarks.iter().any(BenchmarkReport::is_proven_to_fail) =>
        {
            (
                "A rule of the policy is violated, and the measurements prove it.",
                "Fix what the rule limits, or change the rule in benchgate.toml of the base branch.",
            )
        }
        Verdict::Regression
            if result.rules.iter().any(|rule| rule.state == RuleState::Violated) =>
        {
            (
                "At least one benchmark is worse than its limit allows, and a rule is violated.",
                "Fix both: the lines in this report accept the benchmark, and no waiver accepts the rule.",
            )
        }
        Verdict::Regression => (
            match result.method {
                Method::Estimates => {
                    "At least one benchmark is worse than its limit allows, by its estimates alone."
                }
                _ => {
                    "At least one benchmark is worse than its limit allows, and the measurements prove it."
                }
            },
            "See where it sits (`benchgate explain` has more). Then fix it, or accept it with the lines in this report.",
        ),
        Verdict::Incomplete if !result.benchmarks.iter().any(|b| b.finding.is_compared()) => (
            if failing_suites.count() > 0 {
                "Nothing was compared: a suite failed. This says nothing about speed."
            } else {
                "Nothing was compared: no benchmark has values on both sides. This says nothing about speed."
            },
            "See which suites were found and why they were skipped.",
        ),
        Verdict::Incomplete if only_a_waiver_fails(result) => (
            "An entry of the policy matches no benchmark.",
            "Remove it from benchgate.toml in this change, or fix its glob.",
        ),
        Verdict::Incomplete => (
            "Some benchmarks gave no value, so this is not a pass; it is not a slowdown either.",
            "Fix the benchmarks named here, or declare in benchgate.toml that they were removed.",
        ),
        Verdict::Inconclusive if not_proven(result).is_empty() => (
            "The base gave no values of what is named here, so nothing is known of its change.",
            "Compare with a base that gives them (`--base REVISION`). The next change is compared with this one.",
        ),
        Verdict::Inconclusive => (
            "Neither a slowdown nor its absence is proven for what is named here.",
            match result.method {
                Method::Paired if result.attempt.is_some() => {
                    "Measure more pairs of it: start the job again, or run `check --earlier` with this result.json."
                }
                Method::Paired => {
                    "Measure more pairs of it: start the job again, or give it `--pairs`."
                }
                Method::Baseline | Method::Recorded | Method::Estimates => {
                    "Records of one process per side prove nothing: `benchgate check` measures both \
                     sides; `--estimates` decides without proof."
                }
            },
        ),
        Verdict::Pass if accepts_something(result) => (
            "What exceeds its limit is accepted: see by which waiver.",
            "Needs no action until a waiver expires.",
        ),
        Verdict::Pass if exceeded_before(result) => (
            "No benchmark is proven slower than its limit. A rule was exceeded before this change.",
            "Fix what the rule limits in a separate change: until then the rule does not limit other changes.",
        ),
        Verdict::Pass if result.benchmarks.is_empty() => (
            "No suite is built from what changed: none was built or measured.",
            "Needs no action. `--measure-identical` builds and measures all.",
        ),
        Verdict::Pass if is_partly_skipped(result) => (
            "No benchmark that was measured is proven slower than its limit; others were skipped.",
            no_action,
        ),
        Verdict::Pass if identical > 0 && identical == result.benchmarks.len() => (
            "Base and head are identical for every benchmark: nothing is slower, and nothing was measured.",
            no_action,
        ),
        Verdict::Pass if identical > 0 && all_compared => (
            "No benchmark that was measured is proven slower than its limit; the others are identical on both sides.",
            no_action,
        ),
        Verdict::Pass if identical > 0 => {
            ("No benchmark that was measured is proven slower than its limit.", no_action)
        }
        Verdict::Pass if untouched(result) > 0 => (
            "Every benchmark that the change can reach was measured, and none is proven slower than its limit.",
            no_action,
        ),
        Verdict::Pass => {
            ("Every benchmark was measured, and none is proven slower than its limit.", no_action)
        }
    };
    Meaning { sentence, next }
}

/// Whether a benchmark or a suite was skipped.
fn is_partly_skipped(result: &RunResult) -> bool {
    result.benchmarks.iter().any(|row| row.finding == Finding::Skipped)
        || result.suites.iter().any(|suite| suite.finding == Finding::Skipped)
}

/// Whether an entry that matches nothing is the only problem.
fn only_a_waiver_fails(result: &RunResult) -> bool {
    let unmeasured = |f: Finding| matches!(f, Finding::Failed | Finding::Missing);
    result.waivers.verdict() == Verdict::Incomplete
        && result.benchmarks.iter().any(|b| b.finding.is_compared())
        && !result.benchmarks.iter().any(|b| unmeasured(b.finding) && !b.is_advisory())
        && !result.suites.iter().any(|s| unmeasured(s.finding))
        && !result.rules.iter().any(|r| r.state == RuleState::Unmeasured)
}

/// Whether the base exceeds the limit of a rule as well.
fn exceeded_before(result: &RunResult) -> bool {
    result.rules.iter().any(|rule| rule.state == RuleState::ExceededBefore)
}

/// Whether it passed only because something is accepted.
fn accepts_something(result: &RunResult) -> bool {
    result.benchmarks.iter().any(|b| b.finding == Finding::Waived || b.is_advisory())
}

/// Returns the suite that held the most memory while both sides were alive, and how many took turns instead.
pub(super) fn memory(result: &RunResult) -> Option<String> {
    let (in_turn, together): (Vec<_>, Vec<_>) = result.memory.iter().partition(|held| held.in_turn);
    let most = together.into_iter().max_by_key(|report| report.held().both()).map(|held| {
        format!("both sides of {} held at most {} together", held.suite_key(), held.both())
    });
    let names: Vec<String> = in_turn.iter().map(|held| held.suite_key().to_string()).collect();
    let in_turn = (!names.is_empty()).then(|| format!("in turn: {}", names.join(", ")));
    let words: Vec<String> = most.into_iter().chain(in_turn).collect();
    (!words.is_empty()).then(|| words.join("; "))
}

/// The method of comparison in a sentence.
pub(super) fn method(result: &RunResult) -> &'static str {
    match result.method {
        Method::Paired => "alternating rounds of both sides, on one machine, in this run",
        Method::Baseline => {
            "rounds of the head now, compared with a committed baseline of the same machine; a drift of \
             the machine since then is not ruled out"
        }
        Method::Recorded => {
            "two records; whatever changed between the two measurements is in the numbers"
        }
        Method::Estimates => "two records, by their estimates alone: nothing here is proven",
    }
}

#[cfg(test)]
mod tests {
    use super::super::samples;
    use super::*;

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
}
