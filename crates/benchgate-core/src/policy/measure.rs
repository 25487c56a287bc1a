//! How to measure and to build: `[measure]`, `[build]`.

use std::time::Duration;

use serde::{Deserialize, Deserializer, Serialize};

use super::value::{count, duration, memory};

/// How rounds are run. Many short processes show more than one long one: a process that starts out
/// slow stays slow, and nothing inside it can see that.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
pub struct Measure {
    /// Maximum number of screening pairs of processes, base and head, per benchmark: 1 to 1000. What seems slower gets
    /// at most twice as many confirmation pairs; a benchmark that is decided earlier gets no more.
    #[serde(deserialize_with = "count::<1, 1000, _>")]
    #[cfg_attr(feature = "schema", schemars(range(min = 1, max = 1000)))]
    pub pairs: u32,
    /// Processes for what only one side has: new benchmarks, and baselines.
    #[serde(deserialize_with = "count::<1, 1000, _>")]
    #[cfg_attr(feature = "schema", schemars(range(min = 1, max = 1000)))]
    pub rounds: u32,
    /// Minimum number of Criterion samples in one process, at least 10; up to 15 more are drawn.
    #[serde(deserialize_with = "count::<10, 10000, _>")]
    #[cfg_attr(feature = "schema", schemars(range(min = 10, max = 10000)))]
    pub sample_size: u32,
    /// Criterion's warm-up in one process, such as "2ms".
    #[serde(with = "duration")]
    #[cfg_attr(feature = "schema", schemars(with = "String"))]
    pub warm_up: Duration,
    /// Criterion's measuring time in one process, such as "10ms".
    #[serde(with = "duration")]
    #[cfg_attr(feature = "schema", schemars(with = "String"))]
    pub measurement: Duration,
    /// A process that runs longer is stopped, and its benchmark failed: such as "2min".
    #[serde(with = "duration")]
    #[cfg_attr(feature = "schema", schemars(with = "String"))]
    pub timeout: Duration,
    /// Memory that base and head may hold while both are alive, such as "2GiB": with more they take turns. "auto": nine
    /// tenths of what is available.
    #[serde(with = "memory")]
    #[cfg_attr(feature = "schema", schemars(with = "String"))]
    pub memory: Option<u64>,
}

impl Default for Measure {
    fn default() -> Self {
        Self {
            pairs: 60,
            rounds: 15,
            sample_size: 10,
            warm_up: Duration::from_millis(2),
            measurement: Duration::from_millis(10),
            timeout: Duration::from_secs(120),
            memory: None,
        }
    }
}

/// How executables are built.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
pub struct Build {
    /// The optimisation settings: "gate", the bench profile with fat LTO and one codegen unit; "own", the bench profile
    /// as it is; or the name of another profile of the repository.
    #[cfg_attr(feature = "schema", schemars(with = "String", regex(pattern = "^[A-Za-z0-9_-]+$")))]
    pub profile: BuildProfile,
    /// Whether every function starts at a cache line, on both sides: an edit elsewhere moves none within one.
    pub align: bool,
    /// How many layouts of the same code the confirmation pairs take in turn: 15 to 120; 0 for that of the files that
    /// were built.
    #[serde(deserialize_with = "layouts")]
    #[cfg_attr(feature = "schema", schemars(range(min = 0, max = 120)))]
    pub layouts: u32,
    /// What measures the benchmarks of Criterion: "lockstep" leads both sides; "criterion" is Criterion itself, in a
    /// process for each.
    pub runtime: Runtime,
    /// Features to enable, "feature" or "package/feature"; one that a side lacks is left out there. Without any, and
    /// where no bench target can be built by default, those that the bench targets need.
    pub features: Vec<String>,
    /// Whether the features that a package has by default are enabled.
    pub default_features: bool,
    /// Whether all features are enabled, those of `features` included.
    pub all_features: bool,
    /// A command, as a list, that runs in the workspace of each side's checkout before it is built, in its sandbox:
    /// `["just", "gen"]`.
    pub before: Vec<String>,
}

impl Default for Build {
    fn default() -> Self {
        Self {
            profile: BuildProfile::Gate,
            align: true,
            layouts: 30,
            runtime: Runtime::Lockstep,
            features: Vec::new(),
            default_features: true,
            all_features: false,
            before: Vec::new(),
        }
    }
}

/// The first look at confirmation pairs is after so many: each of them has a layout of its own.
const FEWEST_LAYOUTS: u32 = 15;

/// By default no benchmark gets more confirmation pairs.
const MOST_LAYOUTS: u32 = 120;

fn layouts<'de, D: Deserializer<'de>>(value: D) -> Result<u32, D::Error> {
    let layouts = i64::deserialize(value)?;
    match u32::try_from(layouts) {
        Ok(usable @ (0 | FEWEST_LAYOUTS..=MOST_LAYOUTS)) => Ok(usable),
        _ => Err(serde::de::Error::custom(format!(
            "{layouts} is out of range: expected 0, or {FEWEST_LAYOUTS} to {MOST_LAYOUTS}"
        ))),
    }
}

/// What measures the benchmarks of Criterion.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Runtime {
    /// A crate of benchgate takes Criterion's place in the gate's builds, and both sides run in lockstep.
    Lockstep,
    /// Criterion itself, in a process for each benchmark.
    Criterion,
}

impl Runtime {
    /// The name in the policy and on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Lockstep => "lockstep",
            Self::Criterion => "criterion",
        }
    }
}

/// Which optimisation settings hold.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub enum BuildProfile {
    /// The repository's bench profile with fat LTO and one codegen unit.
    Gate,
    /// The repository's bench profile as it is.
    Own,
    /// Another profile of the repository as it is.
    Named(String),
}

impl BuildProfile {
    /// The profile as cargo names it.
    pub fn of_cargo(&self) -> &str {
        match self {
            Self::Gate | Self::Own => "bench",
            Self::Named(name) => name,
        }
    }
}

impl TryFrom<String> for BuildProfile {
    type Error = String;

    fn try_from(name: String) -> Result<Self, String> {
        let is_part = |c: char| c.is_ascii_alphanumeric() || "_-".contains(c);
        match name.as_str() {
            "gate" => Ok(Self::Gate),
            "own" | "bench" => Ok(Self::Own),
            _ if !name.is_empty() && name.chars().all(is_part) => Ok(Self::Named(name)),
            _ => Err(format!(
                "invalid profile `{}`: expected \"gate\", \"own\" or the name of a profile",
                name.escape_debug()
            )),
        }
    }
}

impl From<BuildProfile> for String {
    fn from(profile: BuildProfile) -> Self {
        match profile {
            BuildProfile::Gate => "gate".to_owned(),
            BuildProfile::Own => "own".to_owned(),
            BuildProfile::Named(name) => name,
        }
    }
}
