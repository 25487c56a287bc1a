//! Names of benchmarks, and addresses of their cards within the page.

use maud::{Markup, html};

use crate::report::text::{metric_name, one_line};
use crate::result::{BenchmarkReport, RunResult};

/// How the benchmarks of a result are named: with their suite where there are several.
pub(super) struct Names {
    with_suite: bool,
}

impl Names {
    pub(super) fn of(result: &RunResult) -> Self {
        let suite = |row: &BenchmarkReport| (row.package.clone(), row.suite.clone());
        let first = result.benchmarks.first().map(suite);
        Self { with_suite: result.benchmarks.iter().any(|row| Some(suite(row)) != first) }
    }

    /// `suite: id metric`, as much of it as is needed.
    pub(super) fn plain(&self, row: &BenchmarkReport) -> String {
        let whole = format!("{}{}", row.id, metric_name(&row.metric));
        match self.with_suite && !row.suite.is_empty() {
            true => one_line(&format!("{}: {whole}", row.suite)).into_owned(),
            false => one_line(&whole).into_owned(),
        }
    }

    /// The same, marked as code.
    pub(super) fn code(&self, row: &BenchmarkReport) -> Markup {
        html! { code { (self.plain(row)) } }
    }
}
