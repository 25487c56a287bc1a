//! Names of benchmarks within the page.

use maud::{Markup, html};

use crate::report::naming::Naming;
use crate::report::text::{metric_name, one_line};
use crate::result::{BenchmarkReport, RunResult};

/// How the benchmarks of a result are named: with their suite if there are several.
pub(super) struct Names(Naming);

impl Names {
    pub(super) fn of(result: &RunResult) -> Self {
        Self(Naming::of(result))
    }

    pub(super) fn naming(&self) -> Naming {
        self.0
    }

    /// `suite: id metric`, as much of it as is needed.
    pub(super) fn plain(&self, row: &BenchmarkReport) -> String {
        let suite = self.0.suite(row).map(|suite| format!("{suite}: ")).unwrap_or_default();
        one_line(&format!("{suite}{}{}", row.id, metric_name(&row.metric))).into_owned()
    }

    /// Like `plain`, marked as code.
    pub(super) fn code(&self, row: &BenchmarkReport) -> Markup {
        html! { code { (self.plain(row)) } }
    }
}
