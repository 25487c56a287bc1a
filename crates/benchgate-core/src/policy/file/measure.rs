//! How to measure and to build: `[measure]`, `[build]`.

use serde::Deserialize;
use toml::Spanned;

use super::{Check, PolicyError};
use crate::policy::{Build, BuildProfile, Measure, Policy, Runtime};

#[derive(Deserialize, Default)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
pub(super) struct MeasureTable {
    /// Maximum number of screening pairs per benchmark: 1 to 1000.
    #[cfg_attr(feature = "schema", schemars(with = "Option<i64>", range(min = 1, max = 1000)))]
    pairs: Option<Spanned<i64>>,
    /// Rounds of what only one side has: new benchmarks, and baselines.
    #[cfg_attr(feature = "schema", schemars(with = "Option<i64>", range(min = 1, max = 1000)))]
    rounds: Option<Spanned<i64>>,
    /// Minimum number of Criterion samples of one round: at least 10.
    #[cfg_attr(feature = "schema", schemars(with = "Option<i64>", range(min = 10, max = 10000)))]
    sample_size: Option<Spanned<i64>>,
    /// Criterion's warm-up of one round, such as "2ms".
    #[cfg_attr(feature = "schema", schemars(with = "Option<String>"))]
    warm_up: Option<Spanned<String>>,
    /// Criterion's measuring time of one round, such as "10ms".
    #[cfg_attr(feature = "schema", schemars(with = "Option<String>"))]
    measurement: Option<Spanned<String>>,
    /// A process that runs longer is stopped, and its benchmark failed: such as "2min".
    #[cfg_attr(feature = "schema", schemars(with = "Option<String>"))]
    timeout: Option<Spanned<String>>,
}

impl MeasureTable {
    pub(super) fn checked(&self, check: &Check<'_>) -> Result<Measure, PolicyError> {
        let default = Measure::default();
        Ok(Measure {
            pairs: check.count("pairs", &self.pairs, 1, 1_000)?.unwrap_or(default.pairs),
            rounds: check.count("rounds", &self.rounds, 1, 1_000)?.unwrap_or(default.rounds),
            sample_size: check
                .count("sample-size", &self.sample_size, 10, 10_000)?
                .unwrap_or(default.sample_size),
            warm_up: check.duration(&self.warm_up)?.unwrap_or(default.warm_up),
            measurement: check.duration(&self.measurement)?.unwrap_or(default.measurement),
            timeout: check.duration(&self.timeout)?.unwrap_or(default.timeout),
        })
    }
}

#[derive(Deserialize, Default)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
pub(super) struct BuildTable {
    /// The optimisation settings: "gate", the bench profile with fat LTO and one codegen unit; "own", the bench profile
    /// as it is; or the name of another profile of the repository.
    #[cfg_attr(
        feature = "schema",
        schemars(with = "Option<String>", regex(pattern = "^[A-Za-z0-9_-]+$"))
    )]
    profile: Option<Spanned<String>>,
    /// Whether functions start at cache lines, on both sides.
    align: Option<bool>,
    /// How many layouts of the code the confirmation pairs take in turn: 15 to 120; 0 for that of the files that were
    /// built.
    #[cfg_attr(feature = "schema", schemars(with = "Option<i64>", range(min = 0, max = 120)))]
    layouts: Option<Spanned<i64>>,
    /// What measures the benchmarks of Criterion.
    runtime: Option<Runtime>,
    /// Features to enable: "feature" or "package/feature".
    features: Vec<String>,
    /// Whether features that a package has by default are enabled: true by default.
    default_features: Option<bool>,
    /// Whether all features are enabled, those of `features` included.
    all_features: bool,
    /// A command, as a list, that runs in the workspace of each side's checkout before it is built, in its sandbox.
    before: Vec<String>,
}

/// The first look at confirmation pairs is after so many: each of them has a layout of its own.
const FEWEST_LAYOUTS: u32 = 15;

/// By default no benchmark gets more confirmation pairs.
const MOST_LAYOUTS: u32 = 120;

impl BuildTable {
    fn layouts(&self, check: &Check<'_>) -> Result<u32, PolicyError> {
        let Some(written) = &self.layouts else { return Ok(Policy::default().build.layouts) };
        let layouts = *written.get_ref();
        match u32::try_from(layouts) {
            Ok(usable @ (0 | FEWEST_LAYOUTS..=MOST_LAYOUTS)) => Ok(usable),
            _ => Err(check.error(
                &written.span(),
                &format!(
                    "{layouts} is out of range: `layouts` takes 0, or {FEWEST_LAYOUTS} to {MOST_LAYOUTS}"
                ),
            )),
        }
    }

    fn profile(&self, check: &Check<'_>) -> Result<BuildProfile, PolicyError> {
        let Some(written) = &self.profile else { return Ok(BuildProfile::Gate) };
        let is_part = |c: char| c.is_ascii_alphanumeric() || "_-".contains(c);
        match written.get_ref().as_str() {
            "gate" => Ok(BuildProfile::Gate),
            "own" | "bench" => Ok(BuildProfile::Own),
            name if !name.is_empty() && name.chars().all(is_part) => {
                Ok(BuildProfile::Named(name.to_owned()))
            }
            name => {
                let message = format!(
                    "invalid profile `{}`: expected \"gate\", \"own\" or the name of a profile",
                    name.escape_debug()
                );
                Err(check.error(&written.span(), &message))
            }
        }
    }

    pub(super) fn checked(self, check: &Check<'_>) -> Result<Build, PolicyError> {
        Ok(Build {
            profile: self.profile(check)?,
            align: self.align.unwrap_or(true),
            layouts: self.layouts(check)?,
            runtime: self.runtime.unwrap_or(Policy::default().build.runtime),
            features: self.features,
            default_features: self.default_features.unwrap_or(true),
            all_features: self.all_features,
            before: self.before,
        })
    }
}
