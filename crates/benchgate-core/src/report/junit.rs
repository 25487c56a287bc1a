//! JUnit's XML, for CI systems that show tests: a test suite for each suite, a test case for each benchmark and metric.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use super::meaning::{self, Meaning};
use super::text::{interval, one_line, percent, value};
use super::{Options, summary};
use crate::model::{Finding, SuiteKey, Verdict};
use crate::result::{BenchmarkReport, Origin, RuleReport, RuleState, RunResult, SuiteReport};

/// The test suite of what no suite has: the verdict, and the rules. Other names have a dot.
const RUN: &str = "benchgate";

/// The test suite of benchmarks of a record that does not name their suite.
const UNNAMED: &str = "benchmarks";

/// How a test case ended.
#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    Passed,
    Failure,
    Error,
    Skipped,
}

impl State {
    /// The element inside the test case.
    fn element(self) -> &'static str {
        match self {
            Self::Passed => "system-out",
            Self::Failure => "failure",
            Self::Error => "error",
            Self::Skipped => "skipped",
        }
    }
}

/// A test case, not escaped.
struct Case {
    class: String,
    name: String,
    state: State,
    /// The finding, the state of the rule, or the verdict.
    kind: &'static str,
    reason: String,
    /// Lines below the reason.
    more: String,
}

/// The report. It has no durations: a reader would take a time of 84 µs for that of the test.
pub(super) fn junit(result: &RunResult, _: &Options<'_>) -> String {
    let mut suites: BTreeMap<String, Vec<Case>> = BTreeMap::new();
    let mut of_run: Vec<Case> = Vec::new();
    for row in &result.benchmarks {
        suites.entry(name(&row.key().suite_key())).or_default().push(of_benchmark(row));
    }
    for suite in &result.suites {
        let cases = match suite.key() == SuiteKey::of_all() {
            true => &mut of_run,
            false => suites.entry(name(&suite.key())).or_default(),
        };
        cases.push(of_suite(suite));
    }
    of_run.extend(result.rules.iter().map(of_rule));
    of_run.push(of_verdict(result));
    let suites: Vec<_> = suites.into_iter().chain([(RUN.to_owned(), of_run)]).collect();

    let properties = properties(result);
    let mut text = format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"{RUN}\"{}>\n",
        numbers(suites.iter().flat_map(|(_, cases)| cases))
    );
    for (name, cases) in &suites {
        let numbers = numbers(cases.iter());
        let _ = writeln!(text, "  <testsuite name=\"{}\"{numbers}>\n{properties}", escape(name));
        for case in cases {
            write_case(&mut text, case);
        }
        text.push_str("  </testsuite>\n");
    }
    text.push_str("</testsuites>\n");
    text
}

fn name(key: &SuiteKey) -> String {
    if *key == SuiteKey::of_all() { UNNAMED.to_owned() } else { key.to_string() }
}

/// The metric is always named: an id may end like the name of a metric.
fn of_benchmark(row: &BenchmarkReport) -> Case {
    let is_measured = row.head.is_some();
    let state = match row.finding {
        Finding::Critical | Finding::Warning | Finding::Note if row.blocking => State::Failure,
        Finding::Failed | Finding::Missing if !row.is_advisory() => State::Error,
        Finding::New if is_measured => State::Passed,
        finding if finding.is_compared() && !is_unproven(finding) && !row.is_undecided() => {
            State::Passed
        }
        _ => State::Skipped,
    };
    let figures = row.change.map(|change| {
        let interval = interval(row).map(|interval| format!(" {interval}")).unwrap_or_default();
        let [base, head] = [row.base, row.head].map(|it| value(&row.metric, &row.unit, it));
        format!("base {base}, head {head}, {}{interval}\n", percent(change.estimate))
    });
    let figures = figures.unwrap_or_default();
    Case {
        class: name(&row.key().suite_key()),
        name: format!("{} {}", row.id, row.metric.name()),
        state,
        kind: row.finding.name(),
        reason: row.reason.clone(),
        more: format!("{figures}{}", row.output),
    }
}

/// Whether a finding states that nothing is proven; a quarantine changes nothing about it.
fn is_unproven(finding: Finding) -> bool {
    matches!(finding, Finding::Inconclusive | Finding::NonDeterministic)
}

fn of_suite(suite: &SuiteReport) -> Case {
    let state = match suite.finding {
        Finding::Failed | Finding::Missing => State::Error,
        Finding::Identical => State::Passed,
        _ => State::Skipped,
    };
    let (class, name) = match suite.key() == SuiteKey::of_all() {
        true => (RUN.to_owned(), "the run"),
        false => (name(&suite.key()), "the suite"),
    };
    Case {
        class,
        name: name.to_owned(),
        state,
        kind: suite.finding.name(),
        reason: suite.reason.clone(),
        more: suite.output.clone(),
    }
}

/// The name has no measured value, so that a CI system finds the rule again in the next run.
fn of_rule(rule: &RuleReport) -> Case {
    let state = match rule.state {
        RuleState::Satisfied => State::Passed,
        RuleState::Violated => State::Failure,
        RuleState::Unmeasured => State::Error,
        RuleState::Unproven | RuleState::ExceededBefore | RuleState::Skipped => State::Skipped,
    };
    let place = [&rule.package, &rule.suite].into_iter().flatten();
    let place: String = place.map(|part| format!("{part}: ")).collect();
    let (metric, limit) = (&rule.metric, rule.limit);
    let limit = match &rule.of {
        Some(of) => format!("at most {limit} of {of}"),
        None => format!("at most {}", value(metric, "", Some(limit))),
    };
    Case {
        class: "rules".to_owned(),
        name: format!("{place}{} {}, {limit}", rule.benchmark, metric.name()),
        state,
        kind: rule.state.name(),
        reason: rule.reason.clone(),
        more: summary::rule(rule, |name| one_line(name).into_owned()),
    }
}

/// A separate test case: what makes a run incomplete need not be about a benchmark.
fn of_verdict(result: &RunResult) -> Case {
    let state = match result.verdict {
        Verdict::Pass => State::Passed,
        Verdict::Regression => State::Failure,
        Verdict::Incomplete => State::Error,
        Verdict::Inconclusive => State::Skipped,
    };
    let Meaning { sentence, next } = meaning::meaning(result);
    let mut more = format!("{sentence}\n{next}\nagain: {}\n", one_line(&result.reproduce));
    for notice in &result.notices {
        let _ = writeln!(more, "notice: {}", one_line(notice));
    }
    Case {
        class: RUN.to_owned(),
        name: "verdict".to_owned(),
        state,
        kind: result.verdict.name(),
        reason: meaning::headline(result),
        more,
    }
}

/// Test cases by how they ended, as attributes.
fn numbers<'a>(cases: impl Iterator<Item = &'a Case>) -> String {
    let [mut tests, mut failures, mut errors, mut skipped] = [0; 4];
    for case in cases {
        tests += 1;
        match case.state {
            State::Passed => {}
            State::Failure => failures += 1,
            State::Error => errors += 1,
            State::Skipped => skipped += 1,
        }
    }
    format!(" tests=\"{tests}\" failures=\"{failures}\" errors=\"{errors}\" skipped=\"{skipped}\"")
}

/// Properties of the run, repeated in every test suite, because readers look for them there.
fn properties(result: &RunResult) -> String {
    let all = [
        ("verdict", result.verdict.name().to_owned()),
        ("base", commit(&result.base)),
        ("head", commit(&result.head)),
    ];
    let all = all.map(|(name, value)| {
        format!("      <property name=\"{name}\" value=\"{}\"/>\n", escape(&value))
    });
    format!("    <properties>\n{}    </properties>", all.concat())
}

/// The whole commit, or the name where a record has none.
fn commit(origin: &Origin) -> String {
    match (origin.commit.as_str(), origin.dirty) {
        ("", _) => origin.name.clone(),
        (commit, false) => commit.to_owned(),
        (commit, true) => format!("{commit} with uncommitted changes"),
    }
}

fn write_case(text: &mut String, case: &Case) {
    let Case { class, name, state, kind, reason, more } = case;
    let (class, name, reason) = (escape(class), escape(name), escape(reason));
    let element = state.element();
    let attributes = match state {
        State::Passed => String::new(),
        // Most schemas have no `type` here.
        State::Skipped => format!(" message=\"{kind}: {reason}\""),
        State::Failure | State::Error => format!(" type=\"{kind}\" message=\"{reason}\""),
    };
    let _ = writeln!(text, "    <testcase classname=\"{class}\" name=\"{name}\">");
    let _ = write!(text, "      <{element}{attributes}>{kind}: {reason}");
    for line in more.lines() {
        let _ = write!(text, "\n{}", escape(line));
    }
    let _ = writeln!(text, "</{element}>\n    </testcase>");
}

/// A line of text, for an attribute or an element. XML 1.0 cannot write a control character at all, nor the two
/// last code points, not even as a reference.
fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in one_line(text).chars() {
        match c {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\u{fffe}' | '\u{ffff}' => escaped.push('\u{fffd}'),
            c => escaped.push(c),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::super::samples;
    use super::*;

    fn report(result: &RunResult) -> String {
        junit(result, &Options::default())
    }

    #[test]
    fn a_slowdown_and_a_violated_rule_are_failures() {
        insta::assert_snapshot!("regression", report(&samples::regression()));
        insta::assert_snapshot!("violated_rule", report(&samples::violated_rule()));
    }

    #[test]
    fn what_has_no_value_is_an_error_and_what_is_not_proven_is_skipped() {
        insta::assert_snapshot!("incomplete", report(&samples::incomplete()));
        insta::assert_snapshot!("inconclusive", report(&samples::inconclusive()));
    }

    #[test]
    fn what_was_left_out_is_skipped_with_its_reason() {
        insta::assert_snapshot!("pass", report(&samples::pass()));
    }

    #[test]
    fn records_without_commits_are_named_by_their_files() {
        insta::assert_snapshot!("recorded", report(&samples::recorded()));
    }

    #[test]
    fn benchmarks_of_no_suite_are_in_one_and_what_is_about_the_whole_run_is_with_its_verdict() {
        let mut result = samples::recorded();
        for row in &mut result.benchmarks {
            row.package.clear();
            row.suite.clear();
        }
        result.suites.push(SuiteReport::failed(SuiteKey::of_all(), "it was interrupted", ""));
        let report = report(&result);
        for line in [
            "<testsuite name=\"benchmarks\" tests=\"2\"",
            "<testcase classname=\"benchmarks\" name=\"fib 10 time\">",
            "<testsuite name=\"benchgate\" tests=\"2\"",
            "<testcase classname=\"benchgate\" name=\"the run\">",
        ] {
            assert!(report.contains(line), "{report}");
        }
    }

    /// The attributes of the whole report.
    fn totals(report: &str) -> [usize; 3] {
        let all = report.lines().nth(1).unwrap();
        ["failures", "errors", "skipped"].map(|name| {
            let (_, number) = all.split_once(&format!("{name}=\"")).unwrap();
            number.split('"').next().unwrap().parse().unwrap()
        })
    }

    #[test]
    fn a_report_is_as_red_as_its_verdict() {
        for result in samples::each().into_iter().chain([samples::many(100, 3)]) {
            let [failures, errors, skipped] = totals(&report(&result));
            let verdict = result.verdict;
            assert_eq!(failures > 0, verdict == Verdict::Regression, "{verdict:?}");
            match verdict {
                Verdict::Regression => {}
                Verdict::Incomplete => assert!(errors > 0),
                Verdict::Inconclusive => assert!(errors == 0 && skipped > 0),
                Verdict::Pass => assert_eq!(errors, 0),
            }
        }
    }

    #[test]
    fn a_quarantine_does_not_make_an_error_of_a_failed_benchmark() {
        let mut quarantined = samples::waived();
        let chase = quarantined.benchmarks.iter_mut().find(|row| row.id == "chase").unwrap();
        chase.finding = Finding::Failed;
        assert!(matches!(of_benchmark(chase).state, State::Skipped));
        chase.waiver = None;
        assert!(matches!(of_benchmark(chase).state, State::Error));
    }

    /// The tags, with their attributes' values emptied.
    fn tags(report: &str) -> Vec<String> {
        let tags = report.split('<').skip(1).map(|rest| rest.split_once('>').unwrap().0);
        tags.map(|tag| tag.split('"').step_by(2).collect::<Vec<_>>().join("\"\"")).collect()
    }

    #[test]
    fn no_text_changes_the_tags_and_none_has_a_character_that_xml_lacks() {
        let plain = report(&samples::with_text("decode/large"));
        let is_char = |c: char| matches!(c, '\n' | ' '..='\u{d7ff}' | '\u{e000}'..='\u{fffd}' | '\u{10000}'..);
        for text in [
            "a\" type=\"b",
            "</failure><error>",
            "]]><![CDATA[",
            "<!-- -->",
            "<?xml?>",
            "&amp;&#0;&unknown;",
            "a\nb\r\u{0}\u{b}\u{1b}\u{7f}\u{85}\u{2028}",
            "\u{fffe}\u{ffff}\u{1f680}",
        ] {
            let hostile = report(&samples::with_text(text));
            assert_eq!(tags(&hostile), tags(&plain), "{text:?}");
            assert!(hostile.chars().all(is_char), "{text:?}");
            // Every ampersand begins one of the four references that are written here.
            for rest in hostile.split('&').skip(1) {
                let name = rest.split(';').next().unwrap();
                assert!(["amp", "lt", "gt", "quot"].contains(&name), "{text:?}: {name}");
            }
        }
    }
}
