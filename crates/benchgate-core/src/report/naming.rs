//! Whether benchmarks are named with their suite: a result of one suite needs none.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

use crate::model::SuiteKey;
use crate::result::{BenchmarkReport, RunResult, SuiteReport};

/// Returns the name of the suite that a line is about; `None` if it is about the whole run, which did not build or
/// was interrupted.
pub(super) fn suite(report: &SuiteReport) -> Option<String> {
    let key = report.key();
    (key != SuiteKey::of_all()).then(|| key.to_string())
}

/// How the benchmarks of a result are named; computed once, because it depends on all of them.
#[derive(Clone, Copy)]
pub(super) struct Naming {
    with_suite: bool,
}

impl Naming {
    pub(super) fn of(result: &RunResult) -> Self {
        let mut suites = result.benchmarks.iter().map(|b| (&b.package, &b.suite));
        let first = suites.next();
        // Benchmarks without a suite are written without one anyway.
        let mut named = suites.filter(|(_, suite)| !suite.is_empty());
        Self { with_suite: named.any(|suite| Some(suite) != first) }
    }

    /// Whether the suite precedes this one's id.
    pub(super) fn needs_suite(self, row: &BenchmarkReport) -> bool {
        self.with_suite && !row.suite.is_empty()
    }

    /// Without the metric, and not escaped.
    pub(super) fn plain(self, row: &BenchmarkReport) -> String {
        match self.needs_suite(row) {
            true => row.key().to_string(),
            false => row.id.clone(),
        }
    }
}

/// The ids that benchmarks of several suites have: alone they name none of them.
pub(super) struct SharedIds<'a>(HashSet<&'a str>);

impl<'a> SharedIds<'a> {
    pub(super) fn of(result: &'a RunResult) -> Self {
        let mut suites: HashMap<&str, (&str, &str)> = HashMap::new();
        let mut shared = HashSet::new();
        for row in &result.benchmarks {
            let suite = (&*row.package, &*row.suite);
            if *suites.entry(&row.id).or_insert(suite) != suite {
                shared.insert(&*row.id);
            }
        }
        Self(shared)
    }

    /// Without the metric, and not escaped.
    pub(super) fn name<'b>(&self, row: &'b BenchmarkReport) -> Cow<'b, str> {
        match self.0.contains(&*row.id) && !row.suite.is_empty() {
            true => Cow::Owned(row.key().to_string()),
            false => Cow::Borrowed(&row.id),
        }
    }
}
