//! Limits of benchmarks: `[thresholds]`, `[gate]`, `[[override]]`.

use std::ops::Range;

use serde::{Deserialize, Serialize};
use toml::Spanned;

use super::entries::selector;
use super::{Check, PolicyError};
use crate::model::Level;
use crate::policy::GateMethod;
use crate::policy::limits::{
    LayoutNotRuledOut, Limits, MoreInstructions, Override, Selector, Thresholds,
};
use crate::policy::value::{floor, percent};

#[derive(Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
pub(super) struct ThresholdsTable {
    /// Percent slower, proven: a note, a line in the report.
    #[serde(deserialize_with = "percent")]
    note: f64,
    /// Percent slower, proven: a warning.
    #[serde(deserialize_with = "percent")]
    warning: f64,
    /// Percent slower, proven: critical, which is red.
    #[serde(deserialize_with = "percent")]
    critical: f64,
    /// A slowdown of fewer nanoseconds per iteration is a note, however large its share.
    #[serde(deserialize_with = "floor")]
    floor_ns: f64,
}

impl Default for ThresholdsTable {
    fn default() -> Self {
        Self { note: 2.0, warning: 5.0, critical: 10.0, floor_ns: 0.25 }
    }
}

#[derive(Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
pub(super) struct GateTable {
    /// The level from which on the gate is red: "critical", "warning" or "note".
    fail_on: Level,
    /// The method that decides: "confirmed", pairs of base and head; "baseline", the committed baseline of this machine
    /// alone.
    pub(super) method: GateMethod,
    /// Whether a commit may accept a slowdown with the trailer `Benchgate-Accept: parse/* <= 13% reason`.
    pub(super) trailers: bool,
    /// Whether a change that declares `[[removed]]` benchmarks passes; otherwise it is exit 102.
    pub(super) removals: bool,
    /// The result of a slowdown without more instructions where the suite cannot be linked again in other layouts:
    /// "inconclusive" or "fail".
    layout_not_ruled_out: LayoutNotRuledOut,
    /// Whose instructions are counted: "evidence", of what would be red; "note", of everything, and more of them is a
    /// note; "fail", of everything, and the thresholds hold for them.
    instructions: MoreInstructions,
}

impl Default for GateTable {
    fn default() -> Self {
        let limits = Limits::default();
        Self {
            fail_on: limits.fail_on,
            method: GateMethod::default(),
            trailers: false,
            removals: false,
            layout_not_ruled_out: limits.layout_not_ruled_out,
            instructions: limits.more_instructions,
        }
    }
}

#[derive(Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct OverrideTable {
    /// A glob of ids: `*` stands for any characters, `?` for one.
    #[cfg_attr(feature = "schema", schemars(with = "String"))]
    benchmark: Spanned<String>,
    /// A glob of suites; without it all.
    suite: Option<String>,
    /// A glob of packages; without it all.
    package: Option<String>,
    /// Percent slower, proven: a note.
    #[cfg_attr(feature = "schema", schemars(with = "Option<f64>"))]
    note: Option<Spanned<f64>>,
    /// Percent slower, proven: a warning.
    #[cfg_attr(feature = "schema", schemars(with = "Option<f64>"))]
    warning: Option<Spanned<f64>>,
    /// Percent slower, proven: critical.
    #[cfg_attr(feature = "schema", schemars(with = "Option<f64>"))]
    critical: Option<Spanned<f64>>,
    /// A slowdown of fewer nanoseconds per iteration is none.
    #[cfg_attr(feature = "schema", schemars(with = "Option<f64>"))]
    floor_ns: Option<Spanned<f64>>,
    /// The level from which on the gate is red.
    fail_on: Option<Level>,
    /// Warns from `note` on; `check --sensitive` measures only these.
    #[cfg_attr(feature = "schema", schemars(with = "Option<bool>"))]
    sensitive: Option<Spanned<bool>>,
}

impl ThresholdsTable {
    pub(super) fn checked(
        &self,
        gate: &GateTable,
        check: &Check<'_>,
    ) -> Result<Limits, PolicyError> {
        let thresholds = Thresholds {
            note: self.note / 100.0,
            warning: self.warning / 100.0,
            critical: self.critical / 100.0,
        };
        let named = ["note", "warning", "critical"];
        let place = named.into_iter().find_map(|key| check.place("thresholds", key));
        ascending(&thresholds, place, check)?;
        Ok(Limits {
            thresholds,
            floor_ns: self.floor_ns,
            is_duration: true,
            fail_on: gate.fail_on,
            layout_not_ruled_out: gate.layout_not_ruled_out,
            more_instructions: gate.instructions,
            sensitive: false,
        })
    }
}

impl OverrideTable {
    pub(super) fn checked(
        &self,
        limits: &Limits,
        check: &Check<'_>,
    ) -> Result<(Selector, Override), PolicyError> {
        let change = Override {
            note: check.percent(&self.note)?,
            warning: check.percent(&self.warning)?,
            critical: check.percent(&self.critical)?,
            floor_ns: check.floor(&self.floor_ns)?,
            fail_on: self.fail_on,
            sensitive: self.sensitive.as_ref().map(|marked| *marked.get_ref()),
        };
        let span = self.benchmark.span();
        if change == Override::default() {
            return Err(check.error(
                &span,
                "this override changes nothing: give it note, warning, critical, floor-ns, \
                 fail-on or sensitive",
            ));
        }
        if let (Some(true), Some(warning)) = (change.sensitive, &self.warning) {
            let message = "a sensitive benchmark warns from `note` on: leave `warning` out";
            return Err(check.error(&warning.span(), message));
        }
        let mut changed = limits.clone();
        change.apply(&mut changed);
        changed.settle();
        ascending(&changed.thresholds, Some(span), check)?;
        let benchmark = self.benchmark.get_ref();
        Ok((selector(benchmark, self.suite.as_deref(), self.package.as_deref()), change))
    }
}

fn ascending(
    thresholds: &Thresholds,
    span: Option<Range<usize>>,
    check: &Check<'_>,
) -> Result<(), PolicyError> {
    let Thresholds { note, warning, critical } = *thresholds;
    if note <= warning && warning <= critical {
        return Ok(());
    }
    let message = format!(
        "thresholds must not fall from one to the next (equal is allowed): note {}, warning {}, \
         critical {}",
        (note * 1e6).round() / 1e4,
        (warning * 1e6).round() / 1e4,
        (critical * 1e6).round() / 1e4
    );
    Err(check.error(&span.unwrap_or(0..0), &message))
}
