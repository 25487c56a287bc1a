//! The policy of a repository: `benchgate.toml`, or the defaults where there is none.

mod canonical;
mod ceiling;
mod data;
mod file;
mod harness;
mod limits;
mod measure;
mod nearest;
mod rename;
mod rules;
mod sandbox;
mod shown;
mod stricter;
mod trailer;
mod value;
mod waiver;

use serde::{Deserialize, Serialize};

pub use ceiling::Ceiling;
pub use data::Data;
pub use file::{DEFAULT_TOML, FILE_NAME, PolicyError, Suite};
#[cfg(feature = "schema")]
pub use file::{defaults, json_schema};
pub use harness::HarnessName;
pub use limits::{LayoutNotRuledOut, Limits, MoreInstructions, Selector, Thresholds};
pub use measure::{Build, BuildProfile, Measure, Runtime};
pub use nearest::{nearest, nearest_name};
pub use rename::{Rename, common_rename};
pub use rules::{Rule, RuleBound};
pub use sandbox::{Reach, Sandbox};
pub use shown::{Entry, Setting, Shown};
pub(crate) use trailer::plain_glob;
pub use trailer::{Acceptance, TRAILER, WHY, trailer};
pub use waiver::{Quarantine, Term, Waiver};

use crate::model::{BenchmarkKey, Level};

/// A whole policy, checked.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Policy {
    /// Limits of a benchmark that no override names.
    pub limits: Limits,
    /// Exceptions, in file order; a later one wins.
    pub overrides: Vec<(Selector, limits::Override)>,
    /// The method by which the gate decides.
    pub gate: GateMethod,
    /// How to measure.
    pub measure: Measure,
    /// How to build.
    pub build: Build,
    /// Files and network that builds and rounds may reach.
    pub sandbox: Sandbox,
    /// Files that benches read and no commit has.
    pub data: Data,
    /// Benchmarks to leave out, with the reason that the report shows.
    pub skips: Vec<(Selector, String)>,
    /// Benchmarks that may disappear, with the reason.
    pub removals: Vec<(Selector, String)>,
    /// Old names and new ones.
    pub renames: Vec<Rename>,
    /// Suites that are not bench targets.
    pub suites: Vec<Suite>,
    /// Rules that the head must satisfy, whatever the base does.
    pub rules: Vec<Rule>,
    /// Slowdowns that are accepted for a while.
    pub waivers: Vec<Waiver>,
    /// Benchmarks that decide nothing for a while.
    pub quarantines: Vec<Quarantine>,
    /// Whether the commits of a change may accept slowdowns by a trailer.
    pub trailers: bool,
    /// Whether a change may declare that a benchmark was removed and still pass.
    pub removals_allowed: bool,
    /// Another policy that holds too; see [`Policy::stricter`].
    also: Option<Box<Policy>>,
}

/// The method by which the gate decides.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum GateMethod {
    /// Screening pairs of base and head, and confirmation pairs.
    #[default]
    Confirmed,
    /// The committed baseline of this machine alone, as critcmp would: for a quiet machine.
    Baseline,
}

impl Policy {
    /// Returns the limits of one benchmark.
    pub fn limits_for(&self, key: &BenchmarkKey) -> Limits {
        let mut limits = self.limits.clone();
        for (selector, change) in &self.overrides {
            if selector.matches(key) {
                change.apply(&mut limits);
            }
        }
        limits.settle();
        self.lowered(limits, key)
    }

    /// Sets the sizes of note, warning and critical; exceptions for some benchmarks stay.
    pub fn set_levels(&mut self, thresholds: Thresholds) {
        self.limits.thresholds = thresholds;
        if let Some(also) = &mut self.also {
            also.set_levels(thresholds);
        }
    }

    /// Makes every benchmark fail the gate from one level on, whatever the file says of it.
    pub fn fail_on(&mut self, level: Level) {
        self.limits.fail_on = level;
        for (_, change) in &mut self.overrides {
            change.fail_on = None;
        }
        if let Some(also) = &mut self.also {
            also.fail_on(level);
        }
    }

    /// The exceptions that mark benchmarks as sensitive.
    pub fn sensitive_selectors(&self) -> Vec<Selector> {
        let is_marked = |entry: &&(Selector, limits::Override)| entry.1.marks_sensitive();
        self.overrides.iter().filter(is_marked).map(|(selector, _)| selector.clone()).collect()
    }

    /// Why this benchmark is left out; `None` when it is not.
    pub fn skip_reason(&self, key: &BenchmarkKey) -> Option<&str> {
        self.of_both(|policy| reason(&policy.skips, key))
    }

    /// Why every benchmark of this suite is left out, by an entry that names suite or package; `None` when
    /// not all are.
    pub fn suite_skip_reason(&self, package: &str, suite: &str) -> Option<&str> {
        let is_whole = |selector: &Selector| {
            selector.names_whole_suites() && selector.is_about_suite(package, suite)
        };
        self.of_both(|policy| {
            let entry = policy.skips.iter().find(|(selector, _)| is_whole(selector));
            entry.map(|(_, reason)| reason.as_str())
        })
    }

    /// Why this benchmark may be gone; `None` when it may not.
    pub fn removal_reason(&self, key: &BenchmarkKey) -> Option<&str> {
        self.of_both(|policy| reason(&policy.removals, key))
    }

    /// The new key of a benchmark of the base; `None` where no entry is about it.
    pub fn renamed(&self, key: &BenchmarkKey) -> Option<BenchmarkKey> {
        self.renames.iter().rev().find_map(|rename| rename.apply(key))
    }
}

fn reason<'a>(entries: &'a [(Selector, String)], key: &BenchmarkKey) -> Option<&'a str> {
    entries.iter().find(|(selector, _)| selector.matches(key)).map(|(_, reason)| reason.as_str())
}
