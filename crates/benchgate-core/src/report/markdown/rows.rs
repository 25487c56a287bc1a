//! A line for each benchmark, rule and suite.

use super::escape::{code, inline, output_block};
use crate::model::{Finding, Level};
use crate::report::naming::{self, Naming};
use crate::report::text::{
    agreement, bounds, interval, metric_name, more_instructions, percent, value,
};
use crate::report::{summary, waivers};
use crate::result::{
    BenchmarkReport, RuleReport, RuleState, RunResult, SuiteReport, WaiverReport, WaiverState,
};

/// The columns of the tables.
#[derive(Clone, Copy)]
pub(super) struct Columns {
    naming: Naming,
    /// Whether a benchmark is compared with a committed baseline too.
    has_drift: bool,
    /// Whether the instructions of one were counted.
    has_instructions: bool,
}

impl Columns {
    pub(super) fn of(result: &RunResult, naming: Naming) -> Self {
        let any = |has: fn(&BenchmarkReport) -> bool| result.benchmarks.iter().any(has);
        Self {
            naming,
            has_drift: any(|row| row.drift.is_some()),
            has_instructions: any(|row| row.evidence.instructions.is_some()),
        }
    }

    /// Of the rows that need a look.
    pub(super) fn alarming_header(self) -> String {
        let (since, line) = self.since_baseline();
        format!(
            "| | Benchmark | base → head | change [95 % interval] |{since} limit | evidence |\n\
             |---|---|---|---|{line}---|---|\n"
        )
    }

    pub(super) fn alarming(self, row: &BenchmarkReport) -> String {
        let reason = inline(&row.reason);
        let evidence = match agreement(row) {
            Some(agreement) => format!("{agreement}; {reason}"),
            None => reason,
        };
        format!(
            "| {} {} | {} | {} → {} | {} |{} {} {} | {evidence} |\n",
            finding_mark(row.finding, row.blocking),
            row.finding.name(),
            name(self.naming, row),
            value(&row.metric, &row.unit, row.base),
            value(&row.metric, &row.unit, row.head),
            of_change(row, "**"),
            self.drift(row),
            row.fail_on.name(),
            percent(row.limit),
        )
    }

    /// Of all rows.
    pub(super) fn folded_header(self) -> String {
        let (since, line) = self.since_baseline();
        let (counted, more) =
            if self.has_instructions { (" instructions |", "---|") } else { ("", "") };
        format!(
            "| | Benchmark | base | head | change [95 % interval] |{since}{counted} |\n\
             |---|---|---|---|---|{line}{more}---|\n"
        )
    }

    /// The title of the column behind the change, and the line below it, if there is such a column.
    fn since_baseline(self) -> (&'static str, &'static str) {
        if self.has_drift { (" since the baseline |", "---|") } else { ("", "") }
    }

    /// The cell behind the change, if there is such a column.
    fn drift(self, row: &BenchmarkReport) -> String {
        let Some(drift) = row.drift else {
            return if self.has_drift { " – |" } else { "" }.to_owned();
        };
        // As critcmp reads it: by the size alone.
        let level =
            Level::DESCENDING.into_iter().find(|level| drift.estimate > row.thresholds.of(*level));
        let level = level.map(|level| format!(", {}", level.name())).unwrap_or_default();
        format!(" {} {}{level} |", percent(drift.estimate), bounds(&drift))
    }

    pub(super) fn folded(self, row: &BenchmarkReport) -> String {
        let counted = match self.has_instructions {
            true => format!(" {} |", more_instructions(row)),
            false => String::new(),
        };
        format!(
            "| {} {} | {} | {} | {} | {} |{}{counted} {} |\n",
            finding_mark(row.finding, row.blocking),
            row.finding.name(),
            name(self.naming, row),
            value(&row.metric, &row.unit, row.base),
            value(&row.metric, &row.unit, row.head),
            of_change(row, ""),
            self.drift(row),
            inline(&row.reason),
        )
    }
}

/// The change of a row, its size between two of these marks.
pub(super) fn of_change(row: &BenchmarkReport, mark: &str) -> String {
    let Some(change) = row.change else { return "–".to_owned() };
    let size = format!("{mark}{}{mark}", percent(change.estimate));
    interval(row).map_or_else(|| size.clone(), |interval| format!("{size} {interval}"))
}

pub(super) fn finding_mark(finding: Finding, blocking: bool) -> &'static str {
    match finding {
        Finding::Critical | Finding::Warning | Finding::Note if blocking => "❌",
        Finding::Failed | Finding::Missing => "⛔",
        Finding::Critical | Finding::Warning => "⚠️",
        Finding::Note | Finding::Drifted => "🔸",
        Finding::Inconclusive | Finding::NonDeterministic => "❔",
        Finding::Waived => "🤝",
        Finding::Improved => "🚀",
        Finding::NotSlower | Finding::Unchanged | Finding::Identical => "✅",
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
        RuleState::ExceededBefore => "⚠️",
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
