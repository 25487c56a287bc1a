//! The bench targets to build, and the reports on the others.

use std::collections::BTreeSet;

use benchgate_core::affected::Reach;
use benchgate_core::model::{SkipReason, SuiteKey};
use benchgate_core::policy::Build;
use benchgate_core::result::SuiteReport;

use crate::cargo::{BenchTarget, Workspace};

/// Why a suite is not built; `None` when it is.
pub type LeftOut<'a> = Box<dyn Fn(&SuiteKey) -> Option<(SkipReason, String)> + 'a>;

/// The suites that a run builds: all but these.
#[derive(Default)]
pub struct Choice<'a> {
    /// Targets that are not requested, with the reason; `None` if all are.
    pub left_out: Option<LeftOut<'a>>,
    /// Targets that no change can reach.
    pub untouched: BTreeSet<SuiteKey>,
}

impl Choice<'_> {
    pub(crate) fn why_left_out(&self, key: &SuiteKey) -> Option<(SkipReason, String)> {
        self.left_out.as_ref()?(key)
    }
}

pub(crate) const DOES_NOT_BUILD: &str = "cargo could not build it";

/// Which bench targets are built, and why the others are not.
pub fn choose<'a>(
    workspace: &'a Workspace,
    build: &Build,
    choice: &Choice<'_>,
) -> (Vec<&'a BenchTarget>, Vec<SuiteReport>) {
    let mut chosen = Vec::new();
    let mut left_out = Vec::new();
    for bench in &workspace.benches {
        let lacking = workspace.lacking_features(bench, build);
        let (skip, reason) = if let Some(reason) = choice.why_left_out(&bench.key()) {
            reason
        } else if bench.is_left_out {
            let reason = "cargo bench leaves it out: its manifest says `bench = false`";
            (SkipReason::NotBenched, reason.to_owned())
        } else if !bench.own_main {
            let reason = "it uses the built-in harness: suites of Criterion and divan have `harness = false`";
            (SkipReason::BuiltInHarness, reason.to_owned())
        } else if !lacking.is_empty() {
            let reason = format!(
                "it needs the features {}: name them under `[build] features` in benchgate.toml",
                lacking.join(", ")
            );
            (SkipReason::Features, reason)
        } else if choice.untouched.contains(&bench.key()) {
            left_out.push(SuiteReport::identical(bench.key(), Reach::Untouched.to_string()));
            continue;
        } else {
            chosen.push(bench);
            continue;
        };
        left_out.push(SuiteReport::skipped(bench.key(), skip, reason));
    }
    (chosen, left_out)
}
