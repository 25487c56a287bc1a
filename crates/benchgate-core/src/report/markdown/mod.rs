//! Markdown for a step summary, a file or a comment.
//!
//! Failing rows are never folded, and never cut before other rows. Every string of a result is untrusted:
//! [`escape`] makes it plain text.

mod bars;
mod capped;
mod comment;
mod details;
mod escape;
mod rows;

use std::collections::BTreeMap;

use self::bars::bars;
use self::capped::Capped;
use self::details::details;
use self::escape::output_block;
use self::rows::{Columns, name, rule_line, suite_line, waiver_line};
use super::meaning::{self, Meaning};
use super::naming::Naming;
use super::{Options, counters, explanation, summary, waivers};
use crate::model::{BenchmarkKey, Finding, Verdict};
use crate::result::{BenchmarkReport, Explanation, RuleState, RunResult, WaiverState};

pub(super) use self::comment::comment;
pub(super) use self::escape::{code, inline};

/// GitHub's maximum number of characters in one comment.
pub const GITHUB_COMMENT_LIMIT: usize = 65_536;

/// The report.
pub(super) fn markdown(result: &RunResult, options: &Options<'_>) -> String {
    let again = Some(result.reproduce.as_str()).filter(|command| !command.is_empty());
    let (naming, way) = (Naming::of(result), waivers::Way::of(result));
    let accept = |rows: &[&BenchmarkReport]| {
        let of_row = |row: &&BenchmarkReport| {
            let lines = way.lines(result, naming, row)?;
            let (name, place, language) = (rows::name(naming, row), way.place(), way.language());
            Some(format!("{name}: to accept it, {place}:\n\n```{language}\n{lines}\n```\n\n"))
        };
        rows.iter().filter_map(of_row).collect()
    };
    write(
        result,
        options.limit,
        &Additions { again, per_failing: Some(&accept), ..Additions::default() },
    )
}

/// Makes a block from the failing rows of one benchmark.
type Block<'a> = dyn Fn(&[&BenchmarkReport]) -> String + 'a;

/// The additions of a renderer that builds on this one.
#[derive(Default)]
pub(super) struct Additions<'a> {
    /// The end of the line below the headline.
    pub(super) under_headline: String,
    /// Above the blocks of benchmarks that fail, in a comment.
    pub(super) above_failing: String,
    /// A block for each benchmark that fails, made from its rows that do.
    pub(super) per_failing: Option<&'a Block<'a>>,
    /// The command that measures everything again.
    pub(super) again: Option<&'a str>,
}

/// Writes in the order of importance, so that the least important is cut.
pub(super) fn write(result: &RunResult, limit: usize, additions: &Additions<'_>) -> String {
    // Long: the sections of the report, in their order.
    let mut text = Capped::new(limit);
    text.block(&head(result, &additions.under_headline));
    let naming = Naming::of(result);
    let columns = Columns::of(result, naming);
    for rule in summary::alarming_rules(result) {
        text.row(&rule_line(rule), rule.state == RuleState::Violated);
    }
    let alarming = summary::alarming(result);
    if !alarming.is_empty() {
        text.block(&columns.alarming_header());
        for row in &alarming {
            text.row(&columns.alarming(row), row.blocking);
        }
        text.block("\n");
        if let Some(block) = bars(&alarming, naming) {
            text.block(&block);
        }
        let mut failing: BTreeMap<BenchmarkKey, Vec<&BenchmarkReport>> = BTreeMap::new();
        for row in alarming.iter().filter(|row| row.blocking) {
            failing.entry(row.key()).or_default().push(row);
        }
        for row in &alarming {
            // All of a benchmark where its first is.
            let rows = if row.blocking { failing.remove(&row.key()) } else { None };
            if let (Some(block), Some(rows)) = (additions.per_failing, &rows) {
                text.block(&block(rows));
            }
            if let Some(found) = result.explanation(row) {
                text.block(&explained(row, found, naming));
            }
            if let (Some(_), Some(counters)) = (&rows, &row.evidence.counters) {
                let counted = counters::line(counters);
                text.block(&format!("In {}, {counted}.\n\n", name(naming, row)));
            }
            if !row.output.is_empty() {
                text.block(&output_block(&name(naming, row), &row.output));
            }
        }
    }
    for suite in &result.suites {
        text.block(&suite_line(suite));
    }
    for waiver in waivers::alarming(result) {
        text.block(&waiver_line(waiver));
    }
    for notice in &result.notices {
        text.block(&format!("> {}\n\n", inline(notice)));
    }
    fold_the_rest(&mut text, result, columns);
    text.block(&details(result, additions.again));
    text.finish()
}

/// Where the difference of a benchmark sits; nothing where that is not known.
fn explained(row: &BenchmarkReport, found: &Explanation, naming: Naming) -> String {
    if found.unavailable.is_some() {
        return String::new();
    }
    let lines = explanation::summary(found, row, code, inline);
    let lines: String = lines.iter().map(|line| format!("- {line}\n")).collect();
    format!("Where it sits in {}:\n\n{lines}\n", name(naming, row))
}

fn head(result: &RunResult, under_headline: &str) -> String {
    let Meaning { sentence, next } = meaning::meaning(result);
    format!(
        "## {} benchgate: {}\n\n{} · {}{under_headline}\n\n{sentence} {next}\n\n",
        mark(result.verdict),
        meaning::headline(result),
        summary::counts(result),
        summary::compared(result, code),
    )
}

/// Folds what needs no look: every benchmark, and rules, waivers and quarantines that hold.
fn fold_the_rest(text: &mut Capped, result: &RunResult, columns: Columns) {
    let rows = |wanted: fn(Finding) -> bool| {
        let rows: Vec<_> = result.benchmarks.iter().filter(|b| wanted(b.finding)).collect();
        rows.into_iter().map(move |row| columns.folded(row))
    };
    let header = columns.folded_header();
    text.folded("Faster", &header, rows(|finding| finding == Finding::Improved));
    text.folded("All benchmarks", &header, rows(|_| true));
    let quiet: Vec<_> = result
        .rules
        .iter()
        .filter(|r| matches!(r.state, RuleState::Satisfied | RuleState::Skipped))
        .collect();
    text.folded("Rules satisfied or skipped", "", quiet.into_iter().map(rule_line));
    let quiet: Vec<_> =
        result.waivers.entries.iter().filter(|w| w.state < WaiverState::Exceeded).collect();
    text.folded("Waivers and quarantines", "", quiet.into_iter().map(waiver_line));
}

fn mark(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Pass => "✅",
        Verdict::Regression => "❌",
        Verdict::Incomplete => "⛔",
        Verdict::Inconclusive => "❔",
    }
}

#[cfg(test)]
mod tests {
    use super::super::samples;
    use super::*;
    use crate::model::Change;

    fn report(result: &RunResult) -> String {
        markdown(result, &Options { limit: GITHUB_COMMENT_LIMIT, ..Options::default() })
    }

    #[test]
    fn a_red_report_names_the_slower_benchmark_first_and_folds_the_rest() {
        insta::assert_snapshot!(report(&samples::regression()));
    }

    #[test]
    fn a_column_shows_the_change_since_the_committed_baseline_where_there_is_one() {
        let mut result = samples::regression();
        let critical = &mut result.benchmarks[0];
        critical.drift = Some(Change { estimate: 0.27, lower: Some(0.21), upper: Some(0.33) });
        let text = report(&result);
        let table: Vec<_> = text.lines().filter(|line| line.starts_with('|')).take(4).collect();
        insta::assert_snapshot!(table.join("\n"));
    }

    #[test]
    fn below_the_table_are_the_functions_that_a_slower_benchmark_sits_in() {
        let text = report(&samples::explained());
        let from = text.find("Where it sits").unwrap();
        insta::assert_snapshot!(text[from..].lines().take(7).collect::<Vec<_>>().join("\n"));
    }

    #[test]
    fn below_the_table_are_the_sites_that_more_blocks_are_asked_for_at() {
        let text = report(&samples::allocating());
        let from = text.find("Where it sits").unwrap();
        insta::assert_snapshot!(text[from..].lines().take(5).collect::<Vec<_>>().join("\n"));
        assert_eq!(text.matches("Where it sits").count(), 1);
    }

    #[test]
    fn a_green_report_says_what_was_measured() {
        insta::assert_snapshot!(report(&samples::pass()));
    }

    #[test]
    fn an_incomplete_report_keeps_the_last_lines_of_the_crash() {
        insta::assert_snapshot!(report(&samples::incomplete()));
    }

    #[test]
    fn an_inconclusive_report_says_what_would_settle_it() {
        insta::assert_snapshot!(report(&samples::inconclusive()));
    }

    #[test]
    fn what_is_accepted_is_shown_with_who_accepts_it() {
        insta::assert_snapshot!(report(&samples::waived()));
    }

    #[test]
    fn a_violated_rule_is_at_the_head() {
        insta::assert_snapshot!(report(&samples::violated_rule()));
    }

    #[test]
    fn a_rule_that_was_exceeded_before_is_at_the_head_of_a_report_that_passes() {
        insta::assert_snapshot!(report(&samples::exceeded_before()));
    }

    #[test]
    fn a_report_of_ten_thousand_benchmarks_fits_a_comment_and_keeps_every_failing_row() {
        let result = samples::many(10_000, 40);
        let text = report(&result);
        assert!(text.len() <= GITHUB_COMMENT_LIMIT, "{} bytes", text.len());
        for row in result.benchmarks.iter().filter(|row| row.blocking) {
            assert!(text.contains(&format!("❌ critical | `{}`", row.id)), "{}", row.id);
        }
        assert!(text.contains("did not fit here"));
        assert_eq!(text.matches("<details>").count(), text.matches("</details>").count());
    }

    #[test]
    fn a_hostile_benchmark_name_is_escaped() {
        let mut result = samples::regression();
        result.benchmarks[0].id =
            "x`</details><img src=x>` | @everyone\n## owned \u{202e}[a](http://b)".into();
        result.benchmarks[0].reason = "<script> @team #1 | `x` *b*".into();
        let text = report(&result);
        let row = text.lines().find(|line| line.contains("owned")).unwrap();
        insta::assert_snapshot!(row);
    }
}
