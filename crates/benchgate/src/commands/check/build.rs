//! Builds the suites, and lists their benchmarks.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Instant;

use benchgate_core::affected::Observed;
use benchgate_core::model::{Finding, Side, Sides, SuiteKey, Toolchain};
use benchgate_core::policy::Policy;
use benchgate_core::result::{Method, SuiteReport};
use benchgate_host::cargo::Workspace;
use benchgate_host::harness::toolchain;
use benchgate_host::sides::{BuiltSide, configured_differently, even_out};

use super::plan::Plan;
use super::same::same_suites;
use super::watch::{self, Watch};
use crate::building::{NotBuilt, Prepared, notice, refused, scratch};
use crate::error::CommandError;

/// The built sides. Where a baseline decides, the base is not built, and holds nothing.
pub(super) struct Built<'a> {
    pub(super) plan: &'a Plan<'a>,
    pub(super) sides: Sides<Prepared>,
    /// Suites whose executables are the same on both sides; how that is known.
    pub(super) same: BTreeMap<SuiteKey, String>,
    /// What the base read while it was asked, or why that is not known; `None` if it is not kept.
    pub(super) asked: Option<Result<Observed, String>>,
    /// The toolchain of the head.
    pub(super) toolchain: Option<Toolchain>,
    pub(super) seconds: f64,
    pub(super) notices: Vec<String>,
}

pub(super) fn build<'a>(plan: &'a Plan<'a>) -> Result<Built<'a>, CommandError> {
    let began = Instant::now();
    let built = match plan.method {
        Method::Baseline => head_alone(plan)?,
        _ => both(plan)?,
    };
    Ok(Built { seconds: began.elapsed().as_secs_f64(), ..built })
}

fn head_alone<'a>(plan: &'a Plan<'a>) -> Result<Built<'a>, CommandError> {
    let head = plan.building().prepare(Side::Head, &plan.scope.revisions.head)?;
    let toolchain = fingerprint(&plan.scope.policy, head.built.as_ref())?;
    let sides = Sides::new(Prepared::default(), head);
    let (same, notices) = (BTreeMap::new(), Vec::new());
    Ok(Built { plan, sides, same, asked: None, toolchain, seconds: 0.0, notices })
}

/// Both sides, led if they can be: what cannot be on one side is not on the other.
fn both<'a>(plan: &'a Plan<'a>) -> Result<Built<'a>, CommandError> {
    let built = both_once(plan)?;
    let sides = built.sides.as_ref().map(Some);
    let mut refused = refused(sides, &plan.scope.policy, &plan.build_dir);
    // A compile error is the most frequent reason: nothing is built again on the other side for it.
    if refused.contains_key(&SuiteKey::of_all()) && !builds_without(plan, &built.sides)? {
        refused.clear();
    }
    if refused.is_empty() {
        return Ok(built);
    }
    // Its checkouts go before new ones take their places.
    drop(built);
    plan.build_dir.build_as_cargo_does(refused.keys().cloned());
    let mut built = both_once(plan)?;
    let notice = notice(&refused, &built.same, built.sides.iter().map(|(_, side)| side));
    built.notices.extend(notice);
    Ok(built)
}

/// Whether the sides that were not built as a whole are built without the runtime.
fn builds_without(plan: &Plan<'_>, sides: &Sides<Prepared>) -> Result<bool, CommandError> {
    plan.build_dir.build_as_cargo_does([SuiteKey::of_all()]);
    let not_built = sides.iter().filter(|(_, prepared)| prepared.built.is_none());
    for (side, _) in not_built {
        if plan.building().build(side, &plan.scope.revisions[side])?.is_err() {
            return Ok(false);
        }
    }
    Ok(true)
}

fn both_once<'a>(plan: &'a Plan<'a>) -> Result<Built<'a>, CommandError> {
    let building = plan.building();
    let mut built = building.both(plan.scope.revisions.as_ref())?;
    if let Sides { base: Ok(base), head: Ok(head) } = &mut built {
        without_base_suites(base, head);
        even_out(base, head);
    }
    let sides = [&built.base, &built.head].into_iter().flatten();
    let mut notices: Vec<String> = sides.flat_map(|side| side.notices.clone()).collect();
    let Sides { base, head } = built;
    let of_base = |mut failed: NotBuilt| {
        failed.report = without_base(failed.report);
        failed
    };
    let base = if head.is_ok() { base.map_err(of_base) } else { base };
    // Before it is known which suites are the same: what the head reads now is known by then.
    let is_compared = !plan.scope.request.measure_identical;
    let watch = head.as_ref().ok().filter(|_| is_compared);
    let watch = Watch::begin(watch::unknown(plan, watch));
    let mut head = building.ask(Side::Head, head, |_| true)?;
    let read = watch.and_then(|watch| watch.end().ok()).unwrap_or_default();
    let same = same(plan, base.as_ref().ok(), head.built.as_ref(), &read, &mut notices)?;
    let is_same = |suite: &SuiteKey| same.contains_key(suite);
    let watch = base.as_ref().ok().filter(|base| base.is_kept());
    let watch = Watch::begin(watch::unknown(plan, watch));
    let mut base = building.ask(Side::Base, base, |executable| !is_same(&executable.key))?;
    let asked = watch.map(Watch::end);
    base.inventory.take_over(&head.inventory, is_same);
    let (measure, scratch) = (&plan.scope.policy.measure, scratch(&plan.build_dir));
    base.inventory.find_unstable(&head.inventory, measure, &scratch)?;
    head.inventory.find_unstable(&base.inventory, measure, &scratch)?;
    let sides = Sides::new(base, head);
    let toolchains =
        sides.as_ref().try_map(|_, side| fingerprint(&plan.scope.policy, side.built.as_ref()))?;
    let toolchain = toolchains.head.clone();
    if let Some(previous) = &plan.attempt.previous {
        previous.built_by(toolchain.as_ref())?;
    }
    let mut differences =
        toolchains.both().map_or_else(Vec::new, |of| of.head.differences(&of.base));
    if let Some(sides) = sides.as_ref().map(|side| side.built.as_ref()).both() {
        differences.extend(configured_differently(sides.base, sides.head));
        notices.extend(other_instruments(&sides.base.workspace, &sides.head.workspace));
    }
    if !differences.is_empty() {
        notices.push(format!("head and base were built differently: {}", differences.join("; ")));
    }
    Ok(Built { plan, sides, same, asked, toolchain, seconds: 0.0, notices })
}

/// The suites that need not be measured, if both sides are built, and unless all are requested. `read` is what the head
/// read while it was listed.
fn same(
    plan: &Plan<'_>,
    base: Option<&BuiltSide>,
    head: Option<&BuiltSide>,
    read: &Observed,
    notices: &mut Vec<String>,
) -> Result<BTreeMap<SuiteKey, String>, CommandError> {
    let (Some(base), Some(head)) = (base, head) else { return Ok(BTreeMap::new()) };
    if plan.scope.request.measure_identical {
        return Ok(BTreeMap::new());
    }
    let Sides { base: old, head: new } = &plan.scope.revisions;
    let changed = plan.scope.session.repository.changed_files(old, new)?;
    Ok(same_suites(Sides::new(base, head), &changed, &plan.suites.reaches, read, notices)?)
}

fn fingerprint(
    policy: &Policy,
    side: Option<&BuiltSide>,
) -> Result<Option<Toolchain>, CommandError> {
    let of = |built: &BuiltSide| {
        toolchain::fingerprint(&built.workspace, &policy.build, built.declared())
    };
    Ok(side.map(of).transpose()?)
}

/// A base that does not build while the head does: there is nothing to compare with.
fn without_base(failed: SuiteReport) -> SuiteReport {
    let reason = format!("{}: there is nothing to compare with", failed.reason);
    SuiteReport { finding: Finding::Inconclusive, reason, ..failed }
}

/// Like `without_base`, for single suites.
fn without_base_suites(base: &mut BuiltSide, head: &BuiltSide) {
    for suite in &mut base.left_out {
        let is_built = head.executables.iter().any(|executable| executable.key == suite.key());
        if suite.finding == Finding::Failed && is_built {
            *suite = without_base(suite.clone());
        }
    }
}

/// Two versions of a harness measure in two ways: what changed may be the measuring.
fn other_instruments(base: &Workspace, head: &Workspace) -> Vec<String> {
    let [base, head] = [base, head].map(|workspace| toolchain::instruments(&workspace.root));
    let listed =
        |versions: &BTreeSet<String>| versions.iter().cloned().collect::<Vec<_>>().join(" and ");
    let other = |(package, of_base): (&&str, &BTreeSet<String>)| {
        let of_head = head.get(package).filter(|of_head| *of_head != of_base)?;
        Some(format!(
            "the base is measured by `{package}` {}, the head by {}: a change may be caused by that",
            listed(of_base),
            listed(of_head)
        ))
    };
    base.iter().filter_map(other).collect()
}
