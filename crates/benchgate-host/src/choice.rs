//! Which bench targets are built, and what is said of the others.

use std::collections::BTreeSet;

use benchgate_core::affected::Reach;
use benchgate_core::model::{SkipReason, SuiteKey};
use benchgate_core::policy::Build;
use benchgate_core::result::SuiteReport;

use crate::cargo::{BenchTarget, Workspace};

/// Why a suite is not built; `None` when it is.
pub type LeftOut = Box<dyn Fn(&SuiteKey) -> Option<(SkipReason, String)>>;

pub(crate) const DOES_NOT_BUILD: &str = "cargo could not build it";

/// Which bench targets are built, and why the others are not. `untouched` are those that no change can reach.
pub fn choose<'a>(
    workspace: &'a Workspace,
    build: &Build,
    left_out_by: Option<&LeftOut>,
    untouched: &BTreeSet<SuiteKey>,
) -> (Vec<&'a BenchTarget>, Vec<SuiteReport>) {
    let mut chosen = Vec::new();
    let mut left_out = Vec::new();
    for bench in &workspace.benches {
        let lacking = workspace.lacking_features(bench, build);
        let left_out_here = left_out_by.and_then(|reason| reason(&bench.key()));
        let (skip, reason) = if let Some(reason) = left_out_here {
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
        } else if untouched.contains(&bench.key()) {
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
