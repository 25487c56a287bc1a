//! A table for a terminal.

use std::borrow::Cow;
use std::cmp::Reverse;
use std::collections::HashMap;
use std::fmt::Write as _;

use anstyle::{AnsiColor, Style as Ansi};

use super::meaning::{self, Meaning};
use super::naming::{Naming, SharedIds};
use super::table::Table;
use super::text::{interval, metric_name, more_instructions, one_line, percent, seconds, value};
use super::waivers::Way;
use super::{Options, counters, explanation, naming, summary, waivers, wrap};
use crate::model::{Finding, Verdict};
use crate::result::{BenchmarkReport, Method, RuleReport, RuleState, RunResult, SuiteReport};

/// Rows beyond this number are omitted if they need no action.
const MOST_ROWS: usize = 60;

/// Failing rows whose lines to accept them are shown.
const MOST_ACCEPTANCES: usize = 3;

/// Maximum number of lines shown of a failed process's output.
const OUTPUT_LINES: usize = 20;

/// The report.
pub(super) fn terminal(result: &RunResult, options: &Options<'_>) -> String {
    // Long: the sections of the report, in their order.
    let say = |text: &mut String, words: &str| wrap::line(text, options.width, words);
    let mut text = String::new();
    say(&mut text, &summary::compared(result, |name| one_line(name).into_owned()));
    text.push('\n');
    let ids = SharedIds::of(result);
    let mut alarming = summary::alarming(result);
    // What is identical and was not measured has nothing to show but its name.
    let is_identical =
        |row: &&BenchmarkReport| row.finding == Finding::Identical && row.head.is_none();
    let (identical, compared): (Vec<_>, Vec<_>) = result.benchmarks.iter().partition(is_identical);
    let all = compared.len() <= MOST_ROWS;
    let mut rows = if all { compared.clone() } else { alarming.clone() };
    // What fails comes last, and the worst of it behind the rest: the end of the output is what is in sight.
    let rank = |row: &&BenchmarkReport| {
        (row.blocking, summary::is_alarming(row).then_some(Reverse(row.finding)))
    };
    rows.sort_by_key(rank);
    alarming.sort_by_key(rank);
    if !rows.is_empty() {
        text.push_str(&table(result, &rows, &ids, options));
        text.push('\n');
    }
    let hidden = compared.len() - rows.len();
    let more = [(hidden, "more that need no action"), (identical.len(), "identical")];
    let more = more.into_iter().filter(|(number, _)| *number > 0);
    let more: Vec<String> = more.map(|(number, words)| format!("{number} {words}")).collect();
    if !more.is_empty() {
        let _ = writeln!(text, "({}; report.md has them)\n", more.join(", "));
    }
    let mut shared = shared_reasons(&alarming);
    for row in &alarming {
        let same = match shared.get_mut(&*row.reason) {
            Some(0) => continue,
            Some(number) => std::mem::take(number) - 1,
            None => 0,
        };
        let more = if same > 0 { format!(" and {same} more") } else { String::new() };
        say(&mut text, &format!("{}{more}: {}", name(&ids, row), one_line(&row.reason)));
        output(&mut text, &row.output);
        if let (0, Some(counters)) = (same, &row.evidence.counters) {
            say(&mut text, &format!("  {}", counters::line(counters)));
        }
        if let Some(found) = result.explanation(row) {
            let plain = |text: &str| one_line(text).into_owned();
            for line in explanation::summary(found, row, |name| format!("`{}`", plain(name)), plain)
            {
                say(&mut text, &format!("  {line}"));
            }
        }
    }
    acceptances(&mut text, result, &alarming, say);
    for waiver in &result.waivers.entries {
        say(&mut text, &waivers::line(waiver, str::to_owned));
    }
    let skipped = summary::skipped_rules(result);
    let is_shown = |rule: &&RuleReport| skipped.is_none() || rule.state != RuleState::Skipped;
    for rule in result.rules.iter().filter(is_shown) {
        let words = summary::rule(rule, |name| one_line(name).into_owned());
        let state = rule.state.name();
        say(&mut text, &format!("rule {state}: {words} ({})", one_line(&rule.reason)));
    }
    if let Some(line) = skipped {
        say(&mut text, &line);
    }
    suites(&mut text, result, say);
    for notice in &result.notices {
        say(&mut text, &format!("notice: {}", one_line(notice)));
    }
    if !text.ends_with("\n\n") {
        text.push('\n');
    }
    verdict(&mut text, result, options);
    text
}

/// The lines that accept what fails, of the last rows: the verdict follows.
fn acceptances(
    text: &mut String,
    result: &RunResult,
    alarming: &[&BenchmarkReport],
    say: impl Fn(&mut String, &str),
) {
    let (naming, way) = (Naming::of(result), Way::of(result));
    let failing: Vec<_> = alarming.iter().filter(|row| row.is_proven_to_fail()).collect();
    let (others, shown) = failing.split_at(failing.len().saturating_sub(MOST_ACCEPTANCES));
    if !shown.is_empty() {
        say(text, &format!("to accept what fails, {}:", way.place()));
    }
    // Not indented: git takes a line that begins with a space for a part of the one before.
    for lines in shown.iter().filter_map(|row| way.lines(result, naming, row)) {
        lines.lines().for_each(|line| _ = writeln!(text, "{}", one_line(line)));
    }
    if !others.is_empty() {
        let _ = writeln!(text, "({} more can be accepted alike)", others.len());
    }
}

/// A line for each suite as a whole, and one for all those without output that are the same for the same reason.
fn suites(text: &mut String, result: &RunResult, say: impl Fn(&mut String, &str)) {
    let mut rest: Vec<&SuiteReport> = result.suites.iter().collect();
    while let Some(first) = rest.first().copied() {
        let is_like = |suite: &SuiteReport| {
            std::ptr::eq(suite, first)
                || suite.finding == first.finding
                    && suite.reason == first.reason
                    && suite.output.is_empty()
                    && first.output.is_empty()
        };
        let (alike, others): (Vec<_>, Vec<_>) = rest.into_iter().partition(|suite| is_like(suite));
        rest = others;
        let names: Vec<String> = alike
            .iter()
            .filter_map(|suite| naming::suite(suite))
            .map(|name| one_line(&name).into_owned())
            .collect();
        let subject = match &names[..] {
            [] => "the run is".to_owned(),
            [name] => format!("suite {name} is"),
            names => format!("each of the suites {} is", names.join(", ")),
        };
        say(text, &format!("{subject} {}: {}", first.finding.name(), one_line(&first.reason)));
        output(text, &first.output);
    }
}

/// The number of rows with each reason that says nothing of its row. Those share a line.
fn shared_reasons<'a>(rows: &[&'a BenchmarkReport]) -> HashMap<&'a str, usize> {
    let mut shared: HashMap<&str, usize> = HashMap::new();
    for row in rows.iter().filter(|row| !row.blocking && row.output.is_empty()) {
        *shared.entry(&row.reason).or_default() += 1;
    }
    // A blocking row, and a row with output, has a separate line.
    for row in rows.iter().filter(|row| row.blocking || !row.output.is_empty()) {
        shared.remove(&*row.reason);
    }
    shared
}

/// Columns that not every table has.
#[derive(Clone, Copy)]
struct Extra {
    interval: bool,
    ratio: bool,
    instructions: bool,
}

/// The table; without its last columns where the terminal has no room for them: report.md has them.
fn table(
    result: &RunResult,
    rows: &[&BenchmarkReport],
    ids: &SharedIds<'_>,
    options: &Options<'_>,
) -> String {
    let all = Extra {
        interval: rows.iter().any(|row| interval(row).is_some()),
        ratio: matches!(result.method, Method::Recorded | Method::Estimates),
        instructions: rows.iter().any(|row| row.evidence.instructions.is_some()),
    };
    let counted_out = Extra { instructions: false, ..all };
    let columns = |extra| columns(rows, ids, options, extra);
    columns(all)
        .or_else(|_| columns(counted_out))
        .or_else(|_| columns(Extra { ratio: false, ..counted_out }))
        .unwrap_or_else(|text| text)
}

/// The table with these columns; `Err` has a table that is too wide for the terminal.
fn columns(
    rows: &[&BenchmarkReport],
    ids: &SharedIds<'_>,
    options: &Options<'_>,
    extra: Extra,
) -> Result<String, String> {
    let mut header = vec!["finding", "benchmark", "base", "head", "change"];
    header.extend(extra.interval.then_some("95 % interval"));
    header.extend(extra.ratio.then_some("ratio of means"));
    header.extend(extra.instructions.then_some("instructions"));
    // The last column, or none.
    let right = [2, 3, 4, header.len() - usize::from(extra.instructions)];
    let mut table = Table::new(&header, &right);
    for row in rows {
        let none = || Cow::Borrowed("–");
        let change = row.change.as_ref();
        let cells = [
            row.finding.name().into(),
            name(ids, row).into(),
            value(&row.metric, &row.unit, row.base).into(),
            value(&row.metric, &row.unit, row.head).into(),
            change.map_or_else(none, |change| percent(change.estimate).into()),
        ];
        let interval = extra.interval.then(|| interval(row).map_or_else(none, Cow::Owned));
        let ratio = extra.ratio.then(|| ratio_of_means(row).into());
        let instructions = extra.instructions.then(|| more_instructions(row).into());
        table.row(cells.into_iter().chain(interval).chain(ratio).chain(instructions));
    }
    let style = |row: usize| {
        let finding = rows.get(row).filter(|_| options.colour).map(|row| row.finding);
        finding.map_or_else(Ansi::new, finding_style)
    };
    let text = table.text(options.width, style);
    if table.fits(options.width) { Ok(text) } else { Err(text) }
}

fn name(ids: &SharedIds<'_>, row: &BenchmarkReport) -> String {
    let id = ids.name(row);
    let id = one_line(&id);
    match metric_name(&row.metric).as_str() {
        "" => id.into_owned(),
        metric => format!("{id}{metric}"),
    }
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
    let Meaning { sentence, next } = meaning::meaning(result);
    let ansi = if options.colour { verdict_style(result.verdict) } else { Ansi::new() };
    let _ =
        writeln!(text, "{ansi}{}{ansi:#}: {}", result.verdict.name(), meaning::headline(result));
    let compared = summary::compared(result, |name| one_line(name).into_owned());
    let (next, method) = (format!("next: {next}"), format!("method: {}", summary::method(result)));
    for words in [&summary::counts(result), sentence, &next, &compared, &method] {
        wrap::line(text, options.width, &format!("  {words}"));
    }
    if result.seconds.measure > 0.0 {
        let _ = writeln!(
            text,
            "  {} building, {} measuring",
            seconds(result.seconds.build),
            seconds(result.seconds.measure)
        );
    }
    // With the same seed it would draw the same order and settings.
    let seed = format!(" --seed {}", result.seed);
    let again = result.reproduce.strip_suffix(&seed).unwrap_or(&result.reproduce);
    let _ = writeln!(text, "  again: {}", one_line(again));
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
        Finding::NotSlower
        | Finding::Unchanged
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
    use super::super::table::columns_of;
    use super::super::{html, markdown, samples};
    use super::*;
    use crate::model::Metric;
    use crate::result::SuiteReport;

    fn plain(result: &RunResult) -> String {
        terminal(result, &Options::default())
    }

    #[test]
    fn a_red_report_ends_with_the_verdict() {
        insta::assert_snapshot!(plain(&samples::regression()));
    }

    #[test]
    fn at_80_columns_only_what_is_copied_is_wider_and_instructions_go_first() {
        let is_copied = |line: &str| line.starts_with("  again: ") || line.contains(" = \"");
        for mut result in samples::each().into_iter().chain([samples::explained()]) {
            let wide = plain(&result);
            let row = &mut result.benchmarks[0];
            row.id = "a group of benchmarks/with a long name/and/a parameter of 65536".into();
            row.evidence.instructions = Some(crate::model::Sides::new(1_000.0, 1_200.0));
            let text = terminal(&result, &Options { width: Some(80), ..Options::default() });
            for line in text.lines().filter(|line| !is_copied(line)) {
                assert!(columns_of(line) <= 80, "{line}\n{text}");
            }
            let header = text.lines().find(|line| line.starts_with(" finding "));
            assert!(header.is_some_and(|line| !line.contains("instructions")), "{text}");
            // Without a terminal each sentence is a line, for programs that search it.
            assert!(wide.contains(meaning::meaning(&result).sentence), "{wide}");
        }
    }

    #[test]
    fn the_worst_is_the_last_row_and_the_last_reason() {
        let mut result = samples::regression();
        let failing = result.benchmarks.iter().find(|row| row.blocking).unwrap().clone();
        let note = BenchmarkReport { id: "note".into(), finding: Finding::Note, ..failing.clone() };
        result.benchmarks.push(note);
        let quiet =
            BenchmarkReport { id: "warning".into(), finding: Finding::Warning, ..failing.clone() };
        result.benchmarks.push(BenchmarkReport { blocking: false, ..quiet });
        let text = plain(&result);
        let at = |words: &str| text.find(words).unwrap_or_else(|| panic!("{words}: {text}"));
        assert!(at(" warning    warning") < at(" note       note"), "{text}");
        assert!(at(" note       note") < at(" critical   decode/large"), "{text}");
        assert!(at("\nwarning: ") < at("\nnote: ") && at("\nnote: ") < at("\ndecode/large: "));
    }

    #[test]
    fn of_four_that_fail_three_are_shown_how_to_accept_and_a_trailer_begins_its_line() {
        let mut result = samples::regression();
        let failing = result.benchmarks.iter().find(|row| row.blocking).unwrap().clone();
        for id in ["two", "three", "four"] {
            result.benchmarks.push(BenchmarkReport { id: id.into(), ..failing.clone() });
        }
        let by_waiver = plain(&result);
        assert_eq!(by_waiver.matches("\n[[waiver]]\n").count(), 3, "{by_waiver}");
        assert!(by_waiver.contains("\n(1 more can be accepted alike)\n"), "{by_waiver}");
        result.waivers.trailers = true;
        let by_trailer = plain(&result);
        assert_eq!(by_trailer.matches("\nBenchgate-Accept: ").count(), 3, "{by_trailer}");
    }

    #[test]
    fn two_metrics_of_one_benchmark_are_one_benchmark_in_the_headline() {
        let mut result = samples::regression();
        let failing = result.benchmarks.iter().find(|row| row.blocking).unwrap().clone();
        result.benchmarks.push(BenchmarkReport { metric: Metric::ALLOC_BLOCKS, ..failing });
        let text = plain(&result);
        assert!(text.contains("regression: proven worse: 1 benchmark (2 metrics)\n"), "{text}");
        assert!(text.contains("(of 5 metrics of 4 benchmarks)\n"), "{text}");
    }

    #[test]
    fn below_a_slower_benchmark_are_the_functions_that_it_sits_in() {
        let text = plain(&samples::explained());
        let from = text.find("decode/large: ").unwrap();
        insta::assert_snapshot!(text[from..].lines().take(6).collect::<Vec<_>>().join("\n"));
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
    fn an_id_that_several_suites_have_is_shown_with_its_suite() {
        let mut result = samples::regression();
        let mut other = result.benchmarks[0].clone();
        other.package = "writer".to_owned();
        let id = other.id.clone();
        result.benchmarks.push(other);
        let terminal = plain(&result);
        for package in ["parser", "writer"] {
            assert!(terminal.contains(&format!("{package}.speed: {id} ")), "{terminal}");
        }
        // Alone it names the other ones.
        assert!(!terminal.contains(&format!("speed: {}", result.benchmarks[1].id)), "{terminal}");
    }

    #[test]
    fn two_records_show_the_ratio_that_critcmp_shows() {
        insta::assert_snapshot!(plain(&samples::recorded()));
    }

    #[test]
    fn a_side_that_does_not_build_is_said_of_the_run_and_of_no_suite() {
        let mut result = samples::incomplete();
        let key = crate::model::SuiteKey::of_all();
        let failed = SuiteReport::failed(key, "cargo could not build the head", "error[E0425]");
        result.suites = vec![failed];
        let terminal = plain(&result);
        assert!(
            terminal.contains("the run is failed: cargo could not build the head"),
            "{terminal}"
        );
        let markdown = markdown::markdown(&result, &Options::default());
        assert!(markdown.contains("the run is failed: cargo could not build"), "{markdown}");
        assert!(markdown.contains("The last lines of the build:"), "{markdown}");
        for report in [terminal, markdown, html::html(&result, &Options::default())] {
            assert!(!report.contains("suite ."), "{report}");
        }
    }

    #[test]
    fn a_change_that_reaches_no_suite_says_that_none_was_built() {
        let mut result = samples::pass();
        result.benchmarks.clear();
        let key = crate::model::SuiteKey::new("parser", "speed");
        let untouched = SuiteReport::identical(key, "nothing that it is built from changed");
        result.suites = vec![untouched.clone()];
        insta::assert_snapshot!(plain(&result));
        let mut partly = samples::pass();
        partly.benchmarks.retain(|row| row.finding != Finding::Skipped);
        partly.suites = vec![untouched];
        assert!(plain(&partly).contains("Every benchmark that the change can reach was measured"));
    }

    #[test]
    fn what_is_identical_is_one_line_and_no_rows() {
        let mut result = samples::many(8, 1);
        for row in result.benchmarks.iter_mut().skip(2) {
            (row.finding, row.blocking, row.base, row.head) =
                (Finding::Identical, false, None, None);
        }
        let text = plain(&result);
        assert!(text.contains("\n(6 identical; report.md has them)\n"), "{text}");
        assert!(!text.contains("number 00007"), "{text}");
        // Two records that are the same have values to show.
        result.benchmarks[7].head = Some(1.0);
        assert!(plain(&result).contains("number 00007"));
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
    fn rows_with_one_reason_share_one_line() {
        let mut result = samples::many(8, 1);
        for row in &mut result.benchmarks {
            row.finding = Finding::Inconclusive;
            row.blocking = false;
            row.reason = "too few rounds to bound the change".into();
        }
        result.benchmarks[3].reason = "the rounds scatter too much".into();
        let text = plain(&result);
        let lines: Vec<&str> = text.lines().filter(|line| line.contains(": ")).take(2).collect();
        assert_eq!(
            lines,
            [
                "group/benchmark number 00000 and 6 more: too few rounds to bound the change",
                "group/benchmark number 00003: the rounds scatter too much"
            ]
        );
        result.benchmarks[0].blocking = true;
        assert_eq!(plain(&result).matches("too few rounds").count(), 7);
    }

    #[test]
    fn rules_that_were_skipped_share_one_line() {
        let mut result = samples::regression();
        let rule = |number: usize, state| RuleReport {
            benchmark: format!("group/{number}"),
            suite: None,
            package: None,
            metric: crate::model::Metric::TIME,
            of: None,
            limit: 1.0,
            state,
            value: None,
            base: None,
            reason: "promised".into(),
        };
        result.rules = (0..25).map(|number| rule(number, RuleState::Skipped)).collect();
        result.rules.push(rule(25, RuleState::Unmeasured));
        let text = plain(&result);
        assert_eq!(text.lines().filter(|line| line.starts_with("rules skipped: 25, ")).count(), 1);
        assert_eq!(text.matches("promised").count(), 1, "{text}");
        result.rules.truncate(1);
        assert!(plain(&result).contains("rule skipped: group/0"));
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
