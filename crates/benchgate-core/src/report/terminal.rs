//! A table for a terminal.

use std::fmt::Write as _;

use anstyle::{AnsiColor, Style as Ansi};
use comfy_table::{CellAlignment, ContentArrangement, Table, presets};

use super::summary;
use super::text::{bounds, metric_name, one_line, percent, seconds, short, value};
use super::{Options, waivers};
use crate::model::{Finding, Verdict};
use crate::result::{BenchmarkReport, Method, Origin, RuleReport, RuleState, RunResult};

/// Rows beyond this number are omitted if they need no action.
const MOST_ROWS: usize = 60;

/// Maximum number of lines shown of a failed process's output.
const OUTPUT_LINES: usize = 20;

/// The report.
pub(super) fn terminal(result: &RunResult, options: &Options<'_>) -> String {
    let mut text = String::new();
    let alarming = summary::alarming(result);
    let all = result.benchmarks.len() <= MOST_ROWS;
    let rows: Vec<&BenchmarkReport> =
        if all { result.benchmarks.iter().collect() } else { alarming.clone() };
    if !rows.is_empty() {
        text.push_str(&table(result, &rows, options));
        text.push('\n');
    }
    if !all {
        let hidden = result.benchmarks.len() - rows.len();
        let _ = writeln!(text, "({hidden} more that need no action; report.md has them)\n");
    }
    for row in &alarming {
        let _ = writeln!(text, "{}: {}", name(row), one_line(&row.reason));
        output(&mut text, &row.output);
        if let Some(words) = waivers::how_to_accept(result, row, |line| one_line(line).into_owned())
        {
            let _ = writeln!(text, "  {words}");
        }
    }
    for waiver in &result.waivers.entries {
        let _ = writeln!(text, "{}", waivers::line(waiver, str::to_owned));
    }
    let skipped = summary::skipped_rules(result);
    let is_shown = |rule: &&RuleReport| skipped.is_none() || rule.state != RuleState::Skipped;
    for rule in result.rules.iter().filter(is_shown) {
        let words = summary::rule(rule, |name| one_line(name).into_owned());
        let _ = writeln!(text, "rule {}: {words} ({})", rule.state.name(), one_line(&rule.reason));
    }
    if let Some(line) = skipped {
        let _ = writeln!(text, "{line}");
    }
    for suite in &result.suites {
        let _ = writeln!(
            text,
            "suite {}.{} is {}: {}",
            one_line(&suite.package),
            one_line(&suite.suite),
            suite.finding.name(),
            one_line(&suite.reason)
        );
        output(&mut text, &suite.output);
    }
    for notice in &result.notices {
        let _ = writeln!(text, "notice: {}", one_line(notice));
    }
    if !text.is_empty() && !text.ends_with("\n\n") {
        text.push('\n');
    }
    verdict(&mut text, result, options);
    text
}

fn table(result: &RunResult, rows: &[&BenchmarkReport], options: &Options<'_>) -> String {
    let recorded = matches!(result.method, Method::Recorded | Method::Estimates);
    let mut table = Table::new();
    table.load_style(presets::NOTHING);
    if let Some(width) = options.width {
        table.set_width(width).set_content_arrangement(ContentArrangement::Dynamic);
    }
    let mut header = vec!["finding", "benchmark", "base", "head", "change", "95 % interval"];
    if recorded {
        header.push("ratio of means");
    }
    table.set_header(header);
    for row in rows {
        let mut cells = vec![
            row.finding.name().to_owned(),
            name(row),
            value(&row.metric, &row.unit, row.base),
            value(&row.metric, &row.unit, row.head),
            row.change.map_or_else(|| "–".to_owned(), |change| percent(change.estimate)),
            row.change.map_or_else(|| "–".to_owned(), |change| bounds(&change)),
        ];
        if recorded {
            cells.push(ratio_of_means(row));
        }
        table.add_row(cells);
    }
    for column in [2, 3, 4] {
        if let Some(column) = table.column_mut(column) {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
    let mut lines = table.lines();
    let header = lines.next().unwrap_or_default();
    let mut text = format!("{}\n", header.trim_end());
    let mut rows = rows.iter();
    for line in lines {
        let line = line.trim_end();
        // A row may take several lines; only its first one has a finding.
        let is_first = line.starts_with(' ') && !line.starts_with("  ");
        let row = if is_first { rows.next() } else { None };
        match row.filter(|_| options.colour).map(|row| row.finding) {
            Some(finding) => {
                let (ansi, word) = (finding_style(finding), finding.name());
                let rest = line.get(1 + word.len()..).unwrap_or_default();
                let _ = writeln!(text, " {ansi}{word}{ansi:#}{rest}");
            }
            None => {
                let _ = writeln!(text, "{line}");
            }
        }
    }
    text
}

fn name(row: &BenchmarkReport) -> String {
    let id = one_line(&row.id);
    format!("{id}{}", metric_name(&row.metric))
}

/// Both means compared with the smaller one, as critcmp prints them.
fn ratio_of_means(row: &BenchmarkReport) -> String {
    let (Some(base), Some(head)) = (row.evidence.mean.base, row.evidence.mean.head) else {
        return "–".to_owned();
    };
    let least = base.min(head);
    format!("{:.2} : {:.2}", base / least, head / least)
}

fn output(text: &mut String, output: &str) {
    let lines: Vec<&str> = output.lines().collect();
    for line in &lines[lines.len().saturating_sub(OUTPUT_LINES)..] {
        let _ = writeln!(text, "    | {}", one_line(line));
    }
}

fn verdict(text: &mut String, result: &RunResult, options: &Options<'_>) {
    let (meaning, next) = summary::meaning(result);
    let ansi = if options.colour { verdict_style(result.verdict) } else { Ansi::new() };
    let _ =
        writeln!(text, "{ansi}{}{ansi:#}: {}", result.verdict.name(), summary::headline(result));
    let _ = writeln!(text, "  {}", summary::counts(result));
    let _ = writeln!(text, "  {meaning}");
    let _ = writeln!(text, "  next: {next}");
    let _ = writeln!(text, "  base {}, head {}", origin(&result.base), origin(&result.head));
    let _ = writeln!(text, "  method: {}", summary::method(result));
    if result.seconds.measure > 0.0 {
        let _ = writeln!(
            text,
            "  {} building, {} measuring",
            seconds(result.seconds.build),
            seconds(result.seconds.measure)
        );
    }
    let _ = writeln!(text, "  again: {}", one_line(&result.reproduce));
}

fn origin(origin: &Origin) -> String {
    let name = one_line(&origin.name);
    match (origin.commit.as_str(), origin.dirty) {
        ("", _) => name.into_owned(),
        (commit, false) => format!("{name} ({})", short(commit)),
        (commit, true) => format!("{name} ({} and uncommitted changes)", short(commit)),
    }
}

fn finding_style(finding: Finding) -> Ansi {
    match finding {
        Finding::Critical | Finding::Failed | Finding::Missing => {
            AnsiColor::Red.on_default().bold()
        }
        Finding::Warning
        | Finding::Note
        | Finding::Drifted
        | Finding::Inconclusive
        | Finding::NonDeterministic
        | Finding::Waived => AnsiColor::Yellow.on_default(),
        Finding::Improved => AnsiColor::Green.on_default(),
        Finding::Unchanged
        | Finding::Identical
        | Finding::New
        | Finding::Renamed
        | Finding::Skipped => Ansi::new(),
        Finding::Removed => AnsiColor::Yellow.on_default(),
    }
}

fn verdict_style(verdict: Verdict) -> Ansi {
    match verdict {
        Verdict::Pass => AnsiColor::Green.on_default().bold(),
        Verdict::Regression | Verdict::Incomplete => AnsiColor::Red.on_default().bold(),
        Verdict::Inconclusive => AnsiColor::Yellow.on_default().bold(),
    }
}

#[cfg(test)]
mod tests {
    use super::super::samples;
    use super::*;

    fn plain(result: &RunResult) -> String {
        terminal(result, &Options::default())
    }

    #[test]
    fn a_red_report_ends_with_the_verdict() {
        insta::assert_snapshot!(plain(&samples::regression()));
    }

    #[test]
    fn a_crash_is_shown_with_its_last_lines() {
        insta::assert_snapshot!(plain(&samples::incomplete()));
    }

    #[test]
    fn what_is_accepted_is_shown_with_who_accepts_it() {
        insta::assert_snapshot!(plain(&samples::waived()));
    }

    #[test]
    fn two_records_show_the_ratio_that_critcmp_shows() {
        insta::assert_snapshot!(plain(&samples::recorded()));
    }

    #[test]
    fn colour_changes_no_letter() {
        let options = Options { colour: true, ..Options::default() };
        let colour = terminal(&samples::regression(), &options);
        assert!(colour.contains("\u{1b}["));
        let stripped: String = anstream_strip(&colour);
        assert_eq!(stripped, plain(&samples::regression()));
    }

    #[test]
    fn of_a_thousand_only_what_needs_action_is_listed() {
        let text = plain(&samples::many(1_000, 3));
        assert!(text.contains("(997 more that need no action"), "{text}");
    }

    fn anstream_strip(text: &str) -> String {
        let mut plain = String::new();
        let mut rest = text;
        while let Some((before, after)) = rest.split_once("\u{1b}[") {
            plain.push_str(before);
            rest = after.split_once('m').map_or("", |(_, rest)| rest);
        }
        plain + rest
    }
}
