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
    /// Whether suites of two packages have one name.
    with_package: bool,
}

impl Naming {
    pub(super) fn of(result: &RunResult) -> Self {
        let mut suites = result.benchmarks.iter().map(|b| (&b.package, &b.suite));
        let first = suites.next();
        // Benchmarks without a suite are written without one anyway.
        let mut named = suites.filter(|(_, suite)| !suite.is_empty());
        let with_suite = named.any(|suite| Some(suite) != first);
        let mut packages: HashMap<&str, &str> = HashMap::new();
        let with_package = result
            .benchmarks
            .iter()
            .any(|b| *packages.entry(&b.suite).or_insert(&b.package) != b.package);
        Self { with_suite, with_package }
    }

    /// The suite before an id, as much of it as is needed; not escaped.
    pub(super) fn suite(self, row: &BenchmarkReport) -> Option<String> {
        self.needs_suite(row).then(|| match self.with_package {
            true => row.key().suite_key().to_string(),
            false => row.suite.clone(),
        })
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

#[cfg(test)]
mod tests {
    use super::super::samples;
    use super::*;

    #[test]
    fn suites_of_one_name_are_told_apart_by_their_package() {
        let mut result = samples::pass();
        let row = BenchmarkReport {
            package: "json".into(),
            suite: "bench".into(),
            id: "decode".into(),
            ..result.benchmarks[0].clone()
        };
        let named = |result: &RunResult| -> Vec<Option<String>> {
            let naming = Naming::of(result);
            result.benchmarks.iter().map(|row| naming.suite(row)).collect()
        };
        result.benchmarks = vec![row.clone()];
        assert_eq!(named(&result), [None]);
        result.benchmarks.push(BenchmarkReport { suite: "other".into(), ..row.clone() });
        assert_eq!(named(&result), [Some("bench".to_owned()), Some("other".to_owned())]);
        result.benchmarks[1] = BenchmarkReport { package: "xml".into(), ..row };
        assert_eq!(named(&result), [Some("json.bench".to_owned()), Some("xml.bench".to_owned())]);
    }
}
