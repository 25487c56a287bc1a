//! Markdown for a pull request or a step summary.
//!
//! What fails is never folded and never cut before what does not. Names of benchmarks are a stranger's
//! text: they stand in code spans and cannot break out.

use std::borrow::Cow;
use std::fmt::Write as _;

use super::text::{agreement, bounds, one_line, percent, seconds, short, value};
use super::{summary, waivers};
use crate::model::{Finding, Verdict};
use crate::result::{
    BenchmarkReport, Origin, RuleReport, RuleState, RunResult, SuiteReport, WaiverReport,
    WaiverState,
};

/// The most characters that GitHub takes in one comment.
pub const GITHUB_COMMENT_LIMIT: usize = 65_536;

/// Room kept for the closing lines of a text that had to be cut.
const CLOSING_ROOM: usize = 400;

/// Lines of a failed process's output that are shown.
const OUTPUT_LINES: usize = 12;

/// The report, of at most `limit` bytes.
pub fn markdown(result: &RunResult, limit: usize) -> String {
    let mut text =
        Capped { text: String::new(), limit: limit.saturating_sub(CLOSING_ROOM), cut: 0 };
    text.block(&head(result));
    let naming = naming(result);
    for rule in summary::alarming_rules(result) {
        text.block(&rule_line(rule));
    }
    let alarming = summary::alarming(result);
    if !alarming.is_empty() {
        text.table(ALARMING_HEADER, alarming.iter().map(|row| alarming_row(result, row, naming)));
        text.block("\n");
        for row in alarming.iter().filter(|row| !row.output.is_empty()) {
            text.block(&output_block(&naming.of(row), &row.output));
        }
    }
    for suite in &result.suites {
        text.block(&suite_line(suite));
    }
    for waiver in waivers::alarming(result) {
        text.block(&waiver_line(waiver));
    }
    for remark in &result.remarks {
        text.block(&format!("> {}\n\n", inline(remark)));
    }
    folded(&mut text, "Faster", rows(result, |f| f == Finding::Improved), naming);
    folded(&mut text, "All benchmarks", rows(result, |_| true), naming);
    let quiet: Vec<String> = result
        .rules
        .iter()
        .filter(|r| matches!(r.state, RuleState::Kept | RuleState::Skipped))
        .map(rule_line)
        .collect();
    if !quiet.is_empty() {
        let summary =
            format!("<details><summary>Rules kept or skipped ({})</summary>", quiet.len());
        text.block(&format!("{summary}\n\n{}</details>\n\n", quiet.concat()));
    }
    let quiet: Vec<String> = result
        .waivers
        .entries
        .iter()
        .filter(|w| w.state < WaiverState::Exceeded)
        .map(waiver_line)
        .collect();
    if !quiet.is_empty() {
        let summary =
            format!("<details><summary>Waivers and quarantines ({})</summary>", quiet.len());
        text.block(&format!("{summary}\n\n{}</details>\n\n", quiet.concat()));
    }
    text.block(&details(result));
    text.finish()
}

fn mark(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Pass => "✅",
        Verdict::Regression => "❌",
        Verdict::Incomplete => "⛔",
        Verdict::Inconclusive => "❔",
    }
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
        Finding::Skipped => "⏩",
    }
}

fn head(result: &RunResult) -> String {
    let (meaning, next) = summary::meaning(result);
    format!(
        "## {} benchgate: {}\n\n{}\n\n{meaning} {next}\n\n",
        mark(result.verdict),
        summary::headline(result),
        summary::counts(result),
    )
}

const ALARMING_HEADER: &str = "| | Benchmark | base → head | change [99 % bounds] | limit | evidence |\n\
                               |---|---|---|---|---|---|\n";

fn alarming_row(result: &RunResult, row: &BenchmarkReport, naming: Naming) -> String {
    let change = row.change.map_or_else(
        || "–".to_owned(),
        |change| format!("**{}** {}", percent(change.estimate), bounds(&change)),
    );
    let evidence = if row.pairs > 0 {
        format!("{}; {}", agreement(&row.rounds.base, &row.rounds.head), inline(&row.reason))
    } else {
        inline(&row.reason)
    };
    let accept = waivers::how_to_accept(result, row, code).unwrap_or_default();
    let accept = if accept.is_empty() { accept } else { format!("<br>{accept}") };
    format!(
        "| {} {} | {} | {} → {} | {change} | {} {} | {evidence}{accept} |\n",
        finding_mark(row.finding, row.blocking),
        row.finding.name(),
        naming.of(row),
        value(row.metric, row.base),
        value(row.metric, row.head),
        row.fail_on.name(),
        percent(row.limit),
    )
}

fn rows(
    result: &RunResult,
    wanted: impl Fn(Finding) -> bool,
) -> impl ExactSizeIterator<Item = &BenchmarkReport> {
    result.benchmarks.iter().filter(|b| wanted(b.finding)).collect::<Vec<_>>().into_iter()
}

fn folded<'a>(
    text: &mut Capped,
    title: &str,
    rows: impl ExactSizeIterator<Item = &'a BenchmarkReport>,
    naming: Naming,
) {
    if rows.len() == 0 {
        return;
    }
    let closing = "\n</details>\n\n";
    let opening = format!("<details><summary>{title} ({})</summary>\n\n", rows.len());
    if !text.fits(opening.len() + FOLDED_HEADER.len() + closing.len()) {
        text.cut += rows.len();
        return;
    }
    text.limit -= closing.len();
    text.block(&opening);
    text.table(FOLDED_HEADER, rows.map(|row| folded_row(row, naming)));
    text.limit += closing.len();
    text.block(closing);
}

const FOLDED_HEADER: &str =
    "| | Benchmark | base | head | change [99 % bounds] | |\n|---|---|---|---|---|---|\n";

fn folded_row(row: &BenchmarkReport, naming: Naming) -> String {
    let change = row.change.map_or_else(
        || "–".to_owned(),
        |change| format!("{} {}", percent(change.estimate), bounds(&change)),
    );
    format!(
        "| {} {} | {} | {} | {} | {change} | {} |\n",
        finding_mark(row.finding, row.blocking),
        row.finding.name(),
        naming.of(row),
        value(row.metric, row.base),
        value(row.metric, row.head),
        inline(&row.reason),
    )
}

fn rule_line(rule: &RuleReport) -> String {
    let mark = match rule.state {
        RuleState::Broken => "❌",
        RuleState::Unmeasured => "⛔",
        RuleState::Unproven => "❔",
        RuleState::Kept => "✅",
        RuleState::Skipped => "⏩",
    };
    let words = summary::rule(rule, code);
    format!("{mark} rule {}: {words} ({})\n\n", rule.state.name(), inline(&rule.reason))
}

fn waiver_line(waiver: &WaiverReport) -> String {
    let mark = match waiver.state {
        WaiverState::Unmatched if waiver.is_failing() => "⛔",
        WaiverState::Unmatched | WaiverState::Exceeded | WaiverState::Expired => "⚠️",
        WaiverState::Honoured => "🤝",
        WaiverState::Dropped | WaiverState::Unneeded | WaiverState::Skipped => "⏩",
    };
    format!("{mark} {}\n\n", inline(&waivers::line(waiver, code)))
}

fn suite_line(suite: &SuiteReport) -> String {
    let mut line = format!(
        "{} suite {} is {}: {}\n\n",
        finding_mark(suite.finding, false),
        code(&format!("{}.{}", suite.package, suite.suite)),
        suite.finding.name(),
        inline(&suite.reason),
    );
    if !suite.output.is_empty() {
        line.push_str(&output_block(&code(&suite.suite), &suite.output));
    }
    line
}

fn output_block(name: &str, output: &str) -> String {
    let lines: Vec<&str> = output.lines().collect();
    let shown = &lines[lines.len().saturating_sub(OUTPUT_LINES)..];
    let mut block = format!("The last lines of {name}:\n\n");
    // Indented code has no fence that the text could close.
    for line in shown {
        let _ = writeln!(block, "    {}", one_line(line));
    }
    block.push('\n');
    block
}

fn details(result: &RunResult) -> String {
    let mut text = String::from("<details><summary>How this was measured</summary>\n\n");
    let mut line = |name: &str, value: String| {
        if !value.is_empty() {
            let _ = writeln!(text, "- {name}: {value}");
        }
    };
    line("method", summary::method(result).to_owned());
    line("base", origin(&result.base));
    line("head", origin(&result.head));
    if let Some(machine) = &result.machine {
        line("machine", code(&machine_line(machine)));
    }
    if let Some(toolchain) = &result.toolchain {
        line("toolchain", code(&toolchain.rustc));
        line("profile", code(&toolchain.profile));
        if !toolchain.rustflags.is_empty() {
            line("rustflags", code(&toolchain.rustflags));
        }
    }
    line(
        "time",
        format!(
            "{} building, {} measuring; {}",
            seconds(result.seconds.build),
            seconds(result.seconds.measure),
            result.time
        ),
    );
    line("seed", result.seed.to_string());
    line("again", code(&result.reproduce));
    line("written by", format!("benchgate {}", inline(&result.version)));
    text.push_str("\n</details>\n");
    text
}

fn machine_line(machine: &crate::model::Machine) -> String {
    let told = |name: &str, value: Option<String>| value.map(|v| format!(", {name} {v}"));
    let switch = |on: bool| if on { "on" } else { "off" }.to_owned();
    let mut line = format!(
        "{}: {}, {} cores, {} MiB, {}",
        machine.name, machine.cpu, machine.cores, machine.memory_mib, machine.kernel
    );
    line.extend(told("governor", machine.governor.clone()));
    line.extend(told("boost", machine.boost.map(switch)));
    line.extend(told("SMT", machine.smt.map(switch)));
    line
}

fn origin(origin: &Origin) -> String {
    let dirty = if origin.dirty { ", with uncommitted changes" } else { "" };
    if origin.commit.is_empty() {
        code(&origin.name)
    } else {
        format!("{} ({}{dirty})", code(&origin.name), code(short(&origin.commit)))
    }
}

/// Whether a benchmark needs its suite in front of its id; asked once, for it looks at all of them.
fn naming(result: &RunResult) -> Naming {
    let mut suites = result.benchmarks.iter().map(|b| (&b.package, &b.suite));
    let first = suites.next();
    // Those without a suite are written without one anyway.
    let mut named = suites.filter(|(_, suite)| !suite.is_empty());
    Naming { with_suite: named.any(|suite| Some(suite) != first) }
}

#[derive(Clone, Copy)]
struct Naming {
    with_suite: bool,
}

impl Naming {
    fn of(self, row: &BenchmarkReport) -> String {
        let name = if self.with_suite && !row.suite.is_empty() {
            code(&format!("{}.{}: {}", row.package, row.suite, row.id))
        } else {
            code(&row.id)
        };
        if row.metric.is_count() { format!("{name} {}", row.metric.name()) } else { name }
    }
}

/// A code span that holds any text: no backtick closes it, no pipe ends its cell, no line ends it.
fn code(text: &str) -> String {
    const LONGEST: usize = 160;
    let line = one_line(text);
    let shown = match line.char_indices().nth(LONGEST) {
        Some((end, _)) => Cow::Owned(format!("{}…", &line[..end])),
        None => line,
    };
    if shown.is_empty() {
        "–".to_owned()
    } else if shown.contains(['`', '|']) {
        format!("`{}`", shown.replace('`', "'").replace('|', "\\|"))
    } else {
        format!("`{shown}`")
    }
}

/// Plain text that means nothing to Markdown, HTML or GitHub; our own code spans stay.
fn inline(text: &str) -> String {
    const MEANINGFUL: &str = "`<>&@#|*_[]!\\~";
    let line = one_line(text);
    if !line.contains(|c| MEANINGFUL.contains(c)) {
        return line.into_owned();
    }
    let mut shown = String::with_capacity(text.len());
    for (index, part) in line.split('`').enumerate() {
        if index % 2 == 1 && !part.is_empty() {
            shown.push_str(&code(part));
            continue;
        }
        for c in part.chars() {
            match c {
                '<' => shown.push_str("&lt;"),
                '>' => shown.push_str("&gt;"),
                '&' => shown.push_str("&amp;"),
                '@' => shown.push_str("&#64;"),
                '#' => shown.push_str("&#35;"),
                '|' | '*' | '_' | '[' | ']' | '!' | '\\' | '~' => {
                    shown.push('\\');
                    shown.push(c);
                }
                c => shown.push(c),
            }
        }
    }
    shown
}

/// Text that stops growing at its limit and counts what it left out.
struct Capped {
    text: String,
    limit: usize,
    cut: usize,
}

impl Capped {
    fn fits(&self, more: usize) -> bool {
        self.text.len() + more <= self.limit
    }

    fn block(&mut self, block: &str) {
        if self.fits(block.len()) {
            self.text.push_str(block);
        } else {
            self.cut += 1;
        }
    }

    fn table(&mut self, header: &str, rows: impl Iterator<Item = String>) {
        self.block(header);
        for row in rows {
            self.block(&row);
        }
    }

    fn finish(mut self) -> String {
        if self.cut > 0 {
            let _ = write!(
                self.text,
                "\n{} rows or sections did not fit here; `result.json` and `report.md` of the run hold \
                 all of them.\n",
                self.cut
            );
        }
        self.text
    }
}

#[cfg(test)]
mod tests {
    use super::super::samples;
    use super::*;

    #[test]
    fn a_red_report_names_the_slower_benchmark_first_and_folds_the_rest() {
        insta::assert_snapshot!(markdown(&samples::regression(), GITHUB_COMMENT_LIMIT));
    }

    #[test]
    fn a_green_report_says_what_was_measured() {
        insta::assert_snapshot!(markdown(&samples::pass(), GITHUB_COMMENT_LIMIT));
    }

    #[test]
    fn an_incomplete_report_keeps_the_last_lines_of_the_crash() {
        insta::assert_snapshot!(markdown(&samples::incomplete(), GITHUB_COMMENT_LIMIT));
    }

    #[test]
    fn an_inconclusive_report_says_what_would_settle_it() {
        insta::assert_snapshot!(markdown(&samples::inconclusive(), GITHUB_COMMENT_LIMIT));
    }

    #[test]
    fn what_is_accepted_is_shown_with_who_accepts_it() {
        insta::assert_snapshot!(markdown(&samples::waived(), GITHUB_COMMENT_LIMIT));
    }

    #[test]
    fn a_broken_rule_stands_at_the_head() {
        insta::assert_snapshot!(markdown(&samples::broken_rule(), GITHUB_COMMENT_LIMIT));
    }

    #[test]
    fn a_report_of_ten_thousand_benchmarks_fits_a_comment_and_keeps_every_failing_row() {
        let result = samples::many(10_000, 40);
        let text = markdown(&result, GITHUB_COMMENT_LIMIT);
        assert!(text.len() <= GITHUB_COMMENT_LIMIT, "{} bytes", text.len());
        for row in result.benchmarks.iter().filter(|row| row.blocking) {
            assert!(text.contains(&format!("❌ critical | `{}`", row.id)), "{}", row.id);
        }
        assert!(text.contains("did not fit here"));
        assert_eq!(text.matches("<details>").count(), text.matches("</details>").count());
    }

    #[test]
    fn a_hostile_benchmark_name_is_inert() {
        let mut result = samples::regression();
        result.benchmarks[0].id =
            "x`</details><img src=x>` | @everyone\n## owned \u{202e}[a](http://b)".into();
        result.benchmarks[0].reason = "<script> @team #1 | `x` *b*".into();
        let text = markdown(&result, GITHUB_COMMENT_LIMIT);
        let row = text.lines().find(|line| line.contains("owned")).unwrap();
        insta::assert_snapshot!(row);
    }
}
