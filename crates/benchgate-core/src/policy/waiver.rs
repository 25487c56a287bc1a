//! Exceptions for a while: slowdowns up to a ceiling (`[[waiver]]`), and all findings of benchmarks that are
//! not to be trusted (`[[quarantine]]`). Both end on a day, so that nobody forgets them.

use serde::{Deserialize, Serialize};
use toml::Spanned;
use toml::value::Datetime;

use super::Selector;
use super::ceiling::Ceiling;
use super::file::{Check, PolicyError, selector};
use super::value::is_said;
use crate::model::{Date, Metric};

/// A slowdown that is accepted up to a ceiling.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Waiver {
    /// Which benchmarks it is about.
    pub selector: Selector,
    /// Which of their metrics.
    pub metric: Metric,
    /// How much is accepted.
    pub ceiling: Ceiling,
    /// Its last day, and the reason.
    pub term: Term,
}

/// Benchmarks whose findings are advice.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Quarantine {
    /// Which benchmarks it is about.
    pub selector: Selector,
    /// Its last day, and the reason.
    pub term: Term,
}

/// How long an exception holds, and why. Two that say the same are equal, on whatever line they stand: a change elsewhere in
/// the policy moves them.
#[derive(Clone, Debug, Serialize)]
pub struct Term {
    /// The last day on which it holds, in UTC.
    pub until: Date,
    /// Where it is followed up: a URL, or words.
    pub issue: String,
    /// Why, for the report.
    pub reason: String,
    /// Its line in the policy, from 1.
    pub line: usize,
}

impl PartialEq for Term {
    fn eq(&self, other: &Self) -> bool {
        let Self { until, issue, reason, line: _ } = self;
        (until, issue, reason) == (&other.until, &other.issue, &other.reason)
    }
}

impl Eq for Term {}

impl Term {
    /// Whether it no longer holds.
    pub fn is_over(&self, today: Date) -> bool {
        today > self.until
    }
}

/// `[[waiver]]`.
#[derive(Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct WaiverTable {
    /// A glob of ids: `*` stands for any characters, `?` for one.
    #[cfg_attr(feature = "schema", schemars(with = "String"))]
    benchmark: Spanned<String>,
    /// A glob of suites; without it all.
    suite: Option<String>,
    /// A glob of packages; without it all.
    package: Option<String>,
    /// The metric that is limited: "time" unless another is named, such as "alloc.blocks".
    #[serde(default = "time")]
    metric: Metric,
    /// The maximum that is accepted, in percent slower.
    #[cfg_attr(feature = "schema", schemars(with = "Option<f64>"))]
    ceiling: Option<Spanned<f64>>,
    /// The maximum of the head, of what is counted.
    #[cfg_attr(feature = "schema", schemars(with = "Option<f64>"))]
    count: Option<Spanned<f64>>,
    /// The last day, UTC: 2027-01-31.
    #[cfg_attr(feature = "schema", schemars(with = "String"))]
    until: Spanned<Day>,
    /// Where it is followed up.
    #[cfg_attr(feature = "schema", schemars(with = "String"))]
    issue: Spanned<String>,
    /// The reason, which reports show.
    #[cfg_attr(feature = "schema", schemars(with = "String"))]
    reason: Spanned<String>,
}

/// `[[quarantine]]`.
#[derive(Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct QuarantineTable {
    /// A glob of ids: `*` stands for any characters, `?` for one.
    #[cfg_attr(feature = "schema", schemars(with = "String"))]
    benchmark: Spanned<String>,
    /// A glob of suites; without it all.
    suite: Option<String>,
    /// A glob of packages; without it all.
    package: Option<String>,
    /// The last day, UTC: 2027-01-31.
    #[cfg_attr(feature = "schema", schemars(with = "String"))]
    until: Spanned<Day>,
    /// Where it is followed up.
    #[cfg_attr(feature = "schema", schemars(with = "String"))]
    issue: Spanned<String>,
    /// The reason, which reports show.
    #[cfg_attr(feature = "schema", schemars(with = "String"))]
    reason: Spanned<String>,
}

/// TOML has days of its own; a day in quotes is one too.
#[derive(Deserialize)]
#[serde(untagged)]
enum Day {
    Toml(Datetime),
    Text(String),
}

fn time() -> Metric {
    Metric::TIME
}

impl WaiverTable {
    pub(super) fn checked(self, check: &Check<'_>) -> Result<Waiver, PolicyError> {
        let ceiling = match (&self.ceiling, &self.count) {
            (Some(_), None) => check.ceiling(&self.ceiling)?.map(Ceiling::Change),
            (None, Some(_)) if self.metric.is_count() => {
                check.amount(&self.count)?.map(Ceiling::Count)
            }
            _ => None,
        };
        let Some(ceiling) = ceiling else {
            return Err(check.error(
                &self.benchmark.span(),
                "a waiver has a `ceiling` in percent, such as 13, or, for a metric that is counted, a \
                 `count` that the head may have",
            ));
        };
        Ok(Waiver {
            selector: selector(
                self.benchmark.get_ref(),
                self.suite.as_deref(),
                self.package.as_deref(),
            ),
            metric: self.metric,
            ceiling,
            term: term(&self.benchmark, self.until, self.issue, self.reason, check)?,
        })
    }
}

impl QuarantineTable {
    pub(super) fn checked(self, check: &Check<'_>) -> Result<Quarantine, PolicyError> {
        Ok(Quarantine {
            selector: selector(
                self.benchmark.get_ref(),
                self.suite.as_deref(),
                self.package.as_deref(),
            ),
            term: term(&self.benchmark, self.until, self.issue, self.reason, check)?,
        })
    }
}

fn term(
    benchmark: &Spanned<String>,
    until: Spanned<Day>,
    issue: Spanned<String>,
    reason: Spanned<String>,
    check: &Check<'_>,
) -> Result<Term, PolicyError> {
    let span = until.span();
    let written = match until.into_inner() {
        Day::Toml(day) => day.to_string(),
        Day::Text(day) => day,
    };
    if !is_said(issue.get_ref()) {
        let message = "the issue is empty: say where this is followed up";
        return Err(check.error(&issue.span(), message));
    }
    Ok(Term {
        until: written.parse().map_err(|message: String| check.error(&span, &message))?,
        issue: issue.into_inner(),
        reason: check.reason(reason)?,
        line: check.line(&benchmark.span()),
    })
}

#[cfg(test)]
mod tests {
    use super::super::Policy;
    use super::*;

    #[test]
    fn waivers_and_quarantines_are_read_with_their_day_and_line() {
        let policy = Policy::parse(
            "[[waiver]]\nbenchmark = \"a/*\"\nceiling = 13\nuntil = 2026-12-31\nissue = \"#7\"\n\
             reason = \"r\"\n\
             [[waiver]]\nbenchmark = \"a\"\nmetric = \"alloc.blocks\"\ncount = 2\n\
             until = \"2026-01-01\"\nissue = \"#7\"\nreason = \"r\"\n\
             [[quarantine]]\nbenchmark = \"b\"\nsuite = \"s\"\nuntil = 2026-12-31\nissue = \"#8\"\n\
             reason = \"flaky\"",
        )
        .unwrap();
        let found: Vec<_> = policy
            .waivers
            .iter()
            .map(|w| (w.metric.name(), w.ceiling, w.term.until.to_string(), w.term.line))
            .collect();
        assert_eq!(
            found,
            [
                ("time", Ceiling::Change(0.13), "2026-12-31".to_owned(), 2),
                ("alloc.blocks", Ceiling::Count(2.0), "2026-01-01".to_owned(), 8),
            ]
        );
        assert_eq!(policy.quarantines[0].term.issue, "#8");
    }

    #[test]
    fn the_last_day_still_counts() {
        let day = |text: &str| text.parse::<Date>().unwrap();
        let term =
            Term { until: day("2026-06-30"), issue: "#1".into(), reason: "r".into(), line: 1 };
        assert!(!term.is_over(day("2026-06-30")));
        assert!(term.is_over(day("2026-07-01")));
    }

    #[test]
    fn an_exception_that_cannot_be_followed_is_refused_by_its_line() {
        const REST: &str = "until = 2026-12-31\nissue = \"#7\"\nreason = \"r\"";
        let table: String = [
            format!("[[waiver]]\nbenchmark = \"a\"\n{REST}"),
            format!("[[waiver]]\nbenchmark = \"a\"\nceiling = 5\ncount = 5\n{REST}"),
            format!("[[waiver]]\nbenchmark = \"a\"\ncount = 5\n{REST}"),
            format!("[[waiver]]\nbenchmark = \"a\"\nceiling = -5\n{REST}"),
            format!("[[waiver]]\nbenchmark = \"a\"\nceiling = \"5%\"\n{REST}"),
            format!("[[waiver]]\nceiling = 5\n{REST}"),
            "[[waiver]]\nbenchmark = \"a\"\nceiling = 5\nissue = \"#7\"\nreason = \"r\"".to_owned(),
            "[[waiver]]\nbenchmark = \"a\"\nceiling = 5\nuntil = 2026-12-31\nreason = \"r\""
                .to_owned(),
            format!("[[waiver]]\nbenchmark = \"a\"\nceiling = 5\n{}", REST.replace("-31", "-32")),
            format!(
                "[[waiver]]\nbenchmark = \"a\"\nceiling = 5\n{}",
                REST.replace("2026-12-31", "\"soon\"")
            ),
            format!(
                "[[waiver]]\nbenchmark = \"a\"\nceiling = 5\n{}",
                REST.replace("-31", "-31T12:00:00Z")
            ),
            format!("[[waiver]]\nbenchmark = \"a\"\nceiling = 5\n{}", REST.replace("#7", " ")),
            format!("[[quarantine]]\nbenchmark = \"a\"\n{}", REST.replace("\"r\"", "\"\"")),
            format!("[[quarantine]]\nbenchmark = \"a\"\nceiling = 5\n{REST}"),
        ]
        .iter()
        .map(|text| {
            let error = Policy::parse(text).unwrap_err();
            format!("{}\n    -> {error}\n", text.replace('\n', " ⏎ "))
        })
        .collect();
        insta::assert_snapshot!(table);
    }
}
