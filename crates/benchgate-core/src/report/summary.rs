//! What every report says of a result: what was compared, what was found and how often, by which method.

use std::collections::HashSet;

use super::text::{count, metric_name, short, value};
use crate::model::Finding;
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
    let shares = [rule.value.map(|value| value.estimate), rule.base];
    let digits = digits(shares.into_iter().flatten(), rule.limit);
    let amount = |amount: f64| match &rule.of {
        Some(_) => format!("{amount:.digits$}"),
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

/// How many decimals tell shares from the limit that they are not.
fn digits(shares: impl Iterator<Item = f64>, limit: f64) -> usize {
    let shares: Vec<f64> = shares.filter(|share| *share != limit).collect();
    let tells = |digits: &usize| {
        let shown = |share: f64| format!("{share:.digits$}", digits = *digits);
        shares.iter().all(|share| shown(*share) != shown(limit))
    };
    (3..=9).find(tells).unwrap_or(9)
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
pub(super) fn of_different<'a>(rows: impl IntoIterator<Item = &'a BenchmarkReport>) -> usize {
    let keys: HashSet<_> =
        rows.into_iter().map(|row| (&row.package, &row.suite, &row.id)).collect();
    keys.len()
}

/// Suites that no change can reach: they were not built.
pub(super) fn untouched(result: &RunResult) -> usize {
    result.suites.iter().filter(|suite| suite.finding == Finding::Identical).count()
}

/// What smaller and larger values of all of these rows are.
pub(super) fn directions<'a>(
    rows: impl IntoIterator<Item = &'a BenchmarkReport>,
) -> (&'static str, &'static str) {
    let is_time = |row: &BenchmarkReport| {
        row.metric.is_duration() && (row.finding.level().is_none() || row.is_worse_by_change())
    };
    match rows.into_iter().all(is_time) {
        true => ("faster", "slower"),
        false => ("better", "worse"),
    }
}

/// Returns the suite that held the most memory while both sides were alive, and how many took turns instead.
pub(super) fn memory(result: &RunResult) -> Option<String> {
    let held = result.measured.iter().filter_map(|suite| Some((suite.key(), suite.held()?)));
    let (in_turn, together): (Vec<_>, Vec<_>) = held.partition(|(_, held)| held.in_turn);
    let most = together.into_iter().max_by_key(|(_, held)| held.both());
    let most = most.map(|(suite, held)| {
        format!("both sides of {suite} held at most {} together", held.shown())
    });
    let names: Vec<String> = in_turn.iter().map(|(suite, _)| suite.to_string()).collect();
    let in_turn = (!names.is_empty()).then(|| format!("in turn: {}", names.join(", ")));
    let words: Vec<String> = most.into_iter().chain(in_turn).collect();
    (!words.is_empty()).then(|| words.join("; "))
}

/// The method of comparison in a sentence.
pub(super) fn method(result: &RunResult) -> &'static str {
    match result.method {
        Method::Paired => "both sides by turns, on one machine, in this run",
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
    use crate::result::RuleValue;

    #[test]
    fn a_violated_rule_never_shows_a_value_that_keeps_it() {
        let mut result = samples::violated_rule();
        let rule_of = |result: &RunResult| rule(&result.rules[0], str::to_owned);
        for (value, base, limit, shown) in [
            (0.5004, 0.5, 0.5, ["is 0.5004 of ", "at most 0.5000", "the base: 0.5000"]),
            (0.001_4, 0.000_5, 0.001, ["is 0.0014 of ", "at most 0.0010", "the base: 0.0005"]),
            (0.6, 0.4, 0.5, ["is 0.600 of ", "at most 0.500", "the base: 0.400"]),
        ] {
            let changed = &mut result.rules[0];
            changed.value = Some(RuleValue { estimate: value, lower: None, upper: None });
            (changed.base, changed.limit) = (Some(base), limit);
            let text = rule_of(&result);
            assert!(shown.iter().all(|part| text.contains(part)), "{text}");
        }
    }
}
