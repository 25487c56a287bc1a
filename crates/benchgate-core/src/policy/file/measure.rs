//! How to measure and to build: `[measure]`, `[build]`.

use serde::Deserialize;
use toml::Spanned;

use super::{Check, PolicyError};
use crate::policy::{Build, BuildProfile, Measure};

#[derive(Deserialize, Default)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
pub(super) struct MeasureTable {
    pairs: Option<Spanned<i64>>,
    rounds: Option<Spanned<i64>>,
    sample_size: Option<Spanned<i64>>,
    warm_up: Option<Spanned<String>>,
    measurement: Option<Spanned<String>>,
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
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
pub(super) struct BuildTable {
    profile: Option<ProfileName>,
    align: Option<bool>,
    layouts: Option<Spanned<i64>>,
    features: Vec<String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "kebab-case")]
enum ProfileName {
    Gate,
    Own,
}

impl BuildTable {
    pub(super) fn checked(self, check: &Check<'_>) -> Result<Build, PolicyError> {
        Ok(Build {
            profile: match self.profile {
                None | Some(ProfileName::Gate) => BuildProfile::Gate,
                Some(ProfileName::Own) => BuildProfile::Own,
            },
            align: self.align.unwrap_or(true),
            layouts: check.count("layouts", &self.layouts, 0, 64)?.unwrap_or(4),
            features: self.features,
        })
    }
}
