//! One line for each benchmark, rule and suite.

use super::escape::{code, inline, output_block};
use crate::model::{Evidence, Finding};
use crate::report::naming::{self, Naming};
use crate::report::text::{agreement, bounds, metric_name, percent, value};
use crate::report::{summary, waivers};
use crate::result::{
    BenchmarkReport, RuleReport, RuleState, SuiteReport, WaiverReport, WaiverState,
};

pub(super) const ALARMING_HEADER: &str = "| | Benchmark | base → head | change [95 % interval] | limit | evidence |\n\
                               |---|---|---|---|---|---|\n";

pub(super) fn alarming_row(row: &BenchmarkReport, naming: Naming) -> String {
    let change = row.change.map_or_else(
        || "–".to_owned(),
        |change| format!("**{}** {}", percent(change.estimate), bounds(&change)),
    );
    let evidence = if row.pairs > 0 {
        let Evidence { rounds, confirmation, .. } = &row.evidence;
        let deciding = if confirmation.is_empty() { rounds } else { confirmation };
        format!("{}; {}", agreement(&deciding.base, &deciding.head), inline(&row.reason))
    } else {
        inline(&row.reason)
    };
    format!(
        "| {} {} | {} | {} → {} | {change} | {} {} | {evidence} |\n",
        finding_mark(row.finding, row.blocking),
        row.finding.name(),
        name(naming, row),
        value(&row.metric, &row.unit, row.base),
        value(&row.metric, &row.unit, row.head),
        row.fail_on.name(),
        percent(row.limit),
    )
}

pub(super) const FOLDED_HEADER: &str =
    "| | Benchmark | base | head | change [95 % interval] | |\n|---|---|---|---|---|---|\n";

pub(super) fn folded_row(row: &BenchmarkReport, naming: Naming) -> String {
    let change = row.change.map_or_else(
        || "–".to_owned(),
        |change| format!("{} {}", percent(change.estimate), bounds(&change)),
    );
    format!(
        "| {} {} | {} | {} | {} | {change} | {} |\n",
        finding_mark(row.finding, row.blocking),
        row.finding.name(),
        name(naming, row),
        value(&row.metric, &row.unit, row.base),
        value(&row.metric, &row.unit, row.head),
        inline(&row.reason),
    )
}

fn finding_mark(finding: Finding, blocking: bool) -> &'static str {
    match finding {
        Finding::Critical | Finding::Warning | Finding::Note if blocking => "❌",
        Finding::Failed | Finding::Missing => "⛔",
        Finding::Critical | Finding::Warning => "⚠️",
        Finding::Note | Finding::Drifted => "🔸",
        Finding::Inconclusive | Finding::NonDeterministic => "❔",
        Finding::Waived => "🤝",
        Finding::Improved => "🚀",
        Finding::Unchanged | Finding::Identical => "✅",
        Finding::New => "🆕",
        Finding::Renamed => "✏️",
        Finding::Removed => "🗑️",
        Finding::Skipped => "⏩",
    }
}

pub(super) fn rule_line(rule: &RuleReport) -> String {
    let mark = match rule.state {
        RuleState::Violated => "❌",
        RuleState::Unmeasured => "⛔",
        RuleState::Unproven => "❔",
        RuleState::Satisfied => "✅",
        RuleState::Skipped => "⏩",
    };
    let words = summary::rule(rule, code);
    format!("{mark} rule {}: {words} ({})\n\n", rule.state.name(), inline(&rule.reason))
}

pub(super) fn waiver_line(waiver: &WaiverReport) -> String {
    let mark = match waiver.state {
        WaiverState::Unmatched if waiver.is_failing() => "⛔",
        WaiverState::Unmatched | WaiverState::Exceeded | WaiverState::Expired => "⚠️",
        WaiverState::Honoured => "🤝",
        WaiverState::Dropped | WaiverState::Unneeded | WaiverState::Skipped => "⏩",
    };
    format!("{mark} {}\n\n", inline(&waivers::line(waiver, code)))
}

pub(super) fn suite_line(suite: &SuiteReport) -> String {
    let name = naming::suite(suite);
    let mut line = format!(
        "{} {} is {}: {}\n\n",
        finding_mark(suite.finding, false),
        name.map_or("the run".to_owned(), |name| format!("suite {}", code(&name))),
        suite.finding.name(),
        inline(&suite.reason),
    );
    if !suite.output.is_empty() {
        let of = if suite.suite.is_empty() { "the build".to_owned() } else { code(&suite.suite) };
        line.push_str(&output_block(&of, &suite.output));
    }
    line
}

/// The name of a benchmark in a code span, with its metric.
pub(super) fn name(naming: Naming, row: &BenchmarkReport) -> String {
    format!("{}{}", code(&naming.plain(row)), metric_name(&row.metric))
}
