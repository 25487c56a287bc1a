//! Suites and benchmarks that the command line and the policy exclude.

use std::collections::BTreeSet;

use benchgate_core::judge::{Match, match_sides};
use benchgate_core::model::{BenchmarkKey, Finding, Sides, SkipReason, SuiteKey};
use benchgate_core::policy::{Policy, Selector, nearest};
use benchgate_core::report::{option, quoted};
use benchgate_core::result::{ShardReport, SuiteReport};
use benchgate_host::HostError;
use benchgate_host::cargo::Workspace;
use benchgate_host::cargo::choice::LeftOut;
use benchgate_host::measure::{Inventory, UNSTABLE};

use crate::error::CommandError;
use crate::request::Selection;

impl Selection {
    /// Whether some suites are not asked for.
    pub(crate) fn is_narrowed(&self) -> bool {
        let globs = [&self.suites, &self.packages, &self.exclude];
        self.sensitive || globs.iter().any(|globs| !globs.is_empty())
    }

    /// Whether all benchmarks are requested.
    pub(crate) fn is_whole(&self) -> bool {
        !self.is_narrowed() && self.filter.is_empty()
    }

    /// Why a suite of a workspace is not built; `None` when it is. Only suites are built that hold requested benchmarks, that the
    /// policy does not skip, and that are this shard's.
    pub(crate) fn suites_left_out<'a>(
        &self,
        workspace: &str,
        policy: &'a Policy,
        shard: Option<&'a ShardReport>,
    ) -> LeftOut<'a> {
        let selectors = |globs: &[String], of: fn(&str) -> Selector| -> Vec<Selector> {
            globs.iter().map(|glob| of(glob)).collect()
        };
        let named = selectors(&self.suites, Selector::suite);
        let packages = selectors(&self.packages, Selector::package);
        let exclude = selectors(&self.exclude, Selector::package);
        let sensitive = self.sensitive.then(|| policy.sensitive_selectors());
        let opt_in: Vec<SuiteKey> = policy
            .suites
            .iter()
            .filter(|suite| suite.apart)
            .map(|suite| suite.key(workspace))
            .collect();
        Box::new(move |key| {
            if let Some(shard) = shard.filter(|shard| !shard.has(key)) {
                let reason = format!("left out by --shard {}: another one builds it", shard.part);
                return Some((SkipReason::OtherShard, reason));
            }
            let is_in = |selectors: &[Selector]| {
                selectors.iter().any(|selector| selector.is_about_suite(&key.package, &key.suite))
            };
            let left_out_by = if !named.is_empty() && !is_in(&named) {
                Some("--suite")
            } else if !packages.is_empty() && !is_in(&packages) {
                Some("--package")
            } else if is_in(&exclude) {
                Some("--exclude")
            } else if sensitive.as_deref().is_some_and(|sensitive| !is_in(sensitive)) {
                Some("--sensitive")
            } else {
                None
            };
            if let Some(option) = left_out_by {
                let reason = format!("left out by {option}: it is not built");
                return Some((SkipReason::NotSelected, reason));
            }
            if named.is_empty() && opt_in.contains(key) {
                let SuiteKey { package, suite } = key;
                let reason = format!(
                    "it is measured apart: `--suite '{package}/{suite}'` names it; it is not built"
                );
                return Some((SkipReason::Apart, reason));
            }
            let reason = policy.suite_skip_reason(&key.package, &key.suite)?;
            Some((SkipReason::Policy, format!("left out by `[[skip]]`, and not built: {reason}")))
        })
    }

    fn suite_selectors(&self) -> Vec<Selector> {
        self.suites.iter().map(|glob| Selector::suite(glob)).collect()
    }

    /// Refuses `--suite` when no suite of this checkout has such a name, before minutes are spent on building.
    pub(crate) fn refuse_unknown_suites(
        &self,
        workspace: &Workspace,
        policy: &Policy,
    ) -> Result<(), CommandError> {
        let benches = workspace.benches.iter().map(|bench| bench.key());
        let declared = policy.suites.iter().map(|suite| suite.key(&workspace.name));
        let known: BTreeSet<SuiteKey> = benches.chain(declared).collect();
        let named = self.suite_selectors();
        let is_known = |key: &SuiteKey| {
            named.iter().any(|selector| selector.is_about_suite(&key.package, &key.suite))
        };
        if named.is_empty() || known.is_empty() || known.iter().any(is_known) {
            return Ok(());
        }
        let names: BTreeSet<&str> = known.iter().map(|key| key.suite.as_str()).collect();
        let nearest = self.suites.iter().find_map(|glob| nearest(glob, names.iter().copied()));
        let help = match nearest {
            Some(glob) => format!("did you mean `{}`?", option("--suite", &glob)),
            None => format!("name one of: {}", names.into_iter().collect::<Vec<_>>().join(", ")),
        };
        let globs: Vec<String> = self.suites.iter().map(|glob| format!("`{glob}`")).collect();
        let message = format!("nothing was measured: no suite is named {}", globs.join(" or "));
        Err(HostError::usage(message, help).into())
    }

    /// Refuses `--package` and `--exclude` when no package of this checkout has such a name, as cargo does.
    pub(crate) fn refuse_unknown_packages(
        &self,
        workspace: &Workspace,
        policy: &Policy,
    ) -> Result<(), CommandError> {
        let declared = policy.suites.iter().map(|suite| suite.key(&workspace.name).package);
        let members = workspace.members().map(str::to_owned);
        let known: BTreeSet<String> = members.chain(declared).collect();
        let is_known = |glob: &str| {
            let selector = Selector::package(glob);
            known.iter().any(|package| selector.is_about_suite(package, ""))
        };
        for (flag, globs) in [("--package", &self.packages), ("--exclude", &self.exclude)] {
            let Some(glob) = globs.iter().find(|glob| !is_known(glob)) else { continue };
            let help = match nearest(glob, known.iter().map(String::as_str)) {
                Some(meant) => format!("did you mean `{}`?", option(flag, &meant)),
                None => {
                    let known: Vec<&str> = known.iter().map(String::as_str).collect();
                    format!("name one of: {}", known.join(", "))
                }
            };
            let message = format!("nothing was measured: {flag}: no package is named `{glob}`");
            return Err(HostError::usage(message, help).into());
        }
        Ok(())
    }

    /// The globs of the command line that match none of the benchmarks, and what was probably meant.
    pub(crate) fn unmatched_globs(&self, keys: &BTreeSet<BenchmarkKey>) -> Vec<String> {
        let ids: BTreeSet<&str> = keys.iter().map(|key| key.id.as_str()).collect();
        self.filter
            .iter()
            .filter(|glob| !keys.iter().any(|key| Selector::benchmark(glob).matches(key)))
            .map(|glob| {
                let meant = nearest(glob, ids.iter().copied());
                let meant = meant.map(|glob| format!(": did you mean {}?", quoted(&glob)));
                let filter = option("--filter", glob);
                format!("`{filter}` matches no benchmark{}", meant.unwrap_or_default())
            })
            .collect()
    }

    /// Why a benchmark is not asked for; `None` when it is.
    pub(crate) fn left_out(&self, key: &BenchmarkKey, policy: &Policy) -> Option<&'static str> {
        let is_in = |globs: &[String], selector: fn(&str) -> Selector| {
            globs.iter().any(|glob| selector(glob).matches(key))
        };
        let is_wanted = |globs: &[String], selector| globs.is_empty() || is_in(globs, selector);
        if !is_wanted(&self.suites, Selector::suite) {
            Some("left out by --suite")
        } else if !is_wanted(&self.packages, Selector::package) {
            Some("left out by --package")
        } else if is_in(&self.exclude, Selector::package) {
            Some("left out by --exclude")
        } else if !is_wanted(&self.filter, Selector::benchmark) {
            Some("left out by --filter")
        } else if self.sensitive && !policy.limits_for(key).sensitive {
            Some("left out by --sensitive")
        } else {
            None
        }
    }

    /// Matches the benchmarks of both sides, without suites that failed; left-out benchmarks are skipped.
    pub(crate) fn matches(
        &self,
        keys: impl Fn(&Inventory) -> BTreeSet<BenchmarkKey>,
        inventories: Sides<&Inventory>,
        policy: &Policy,
        declared: Option<&Policy>,
    ) -> Vec<Match> {
        let Sides { base, head } = inventories;
        let failed: Vec<SuiteKey> = base
            .suites_left_out
            .iter()
            .chain(&head.suites_left_out)
            .filter(|suite| suite.finding == Finding::Failed)
            .map(SuiteReport::key)
            .collect();
        // Of a suite that failed as a whole there is one report, not one for each of its benchmarks.
        let keys = |inventory: &Inventory| {
            let mut keys = keys(inventory);
            keys.retain(|key| !failed.iter().any(|suite| key.is_of(suite)));
            keys
        };
        let is_unstable = |key: &BenchmarkKey| base.is_unstable(key) || head.is_unstable(key);
        match_sides(&keys(base), &keys(head), policy, declared)
            .into_iter()
            .map(|matched| match self.left_out(matched.key(), policy) {
                Some(reason) => Match::Skipped(matched.key().clone(), reason.to_owned()),
                None if is_unstable(matched.key()) => {
                    Match::Skipped(matched.key().clone(), UNSTABLE.to_owned())
                }
                None => matched,
            })
            .collect()
    }
}
