//! The TOML file: mirror structs, and checks that name the line.

use std::time::Duration;

use serde::Deserialize;
use thiserror::Error;
use toml::Spanned;
use wildmatch::WildMatch;

use super::limits::{Limits, Override, Selector, Thresholds};
use super::rules::RuleTable;
use super::{Build, BuildProfile, GateMethod, Measure, Policy};
use crate::model::Level;

/// The policy's file name at the top of a repository.
pub const FILE_NAME: &str = "benchgate.toml";

/// A commented policy file that says what happens without one.
pub const DEFAULT_TOML: &str = include_str!("default.toml");

/// A policy that cannot be followed.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("line {line}: {message}")]
pub struct PolicyError {
    /// Line in the file, from 1.
    pub line: usize,
    /// What is wrong, and the valid choices.
    pub message: String,
}

#[derive(Deserialize, Default)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
struct File {
    thresholds: ThresholdsTable,
    gate: GateTable,
    measure: MeasureTable,
    build: BuildTable,
    #[serde(rename = "override")]
    overrides: Vec<OverrideTable>,
    skip: Vec<ReasonTable>,
    removed: Vec<ReasonTable>,
    rename: Vec<RenameTable>,
    rule: Vec<RuleTable>,
}

#[derive(Deserialize, Default)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
struct ThresholdsTable {
    note: Option<Spanned<f64>>,
    warning: Option<Spanned<f64>>,
    critical: Option<Spanned<f64>>,
    floor_ns: Option<Spanned<f64>>,
}

#[derive(Deserialize, Default)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
struct GateTable {
    fail_on: Option<Level>,
    method: Option<GateMethod>,
}

#[derive(Deserialize, Default)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
struct MeasureTable {
    pairs: Option<Spanned<i64>>,
    rounds: Option<Spanned<i64>>,
    sample_size: Option<Spanned<i64>>,
    warm_up: Option<Spanned<String>>,
    measurement: Option<Spanned<String>>,
    timeout: Option<Spanned<String>>,
}

#[derive(Deserialize, Default)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
struct BuildTable {
    profile: Option<ProfileName>,
    align: Option<bool>,
    features: Vec<String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "kebab-case")]
enum ProfileName {
    Gate,
    Own,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct OverrideTable {
    benchmark: Spanned<String>,
    suite: Option<String>,
    package: Option<String>,
    note: Option<Spanned<f64>>,
    warning: Option<Spanned<f64>>,
    critical: Option<Spanned<f64>>,
    floor_ns: Option<Spanned<f64>>,
    fail_on: Option<Level>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct ReasonTable {
    benchmark: String,
    suite: Option<String>,
    package: Option<String>,
    reason: Spanned<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct RenameTable {
    from: String,
    to: Spanned<String>,
}

pub(super) fn parse(text: &str) -> Result<Policy, PolicyError> {
    let file: File = toml::from_str(text).map_err(|error| PolicyError {
        line: error.span().map_or(1, |span| line_of(text, span.start)),
        message: crate::adapters::plain_message(error.message()),
    })?;
    Check { text }.policy(file)
}

fn line_of(text: &str, offset: usize) -> usize {
    text.bytes().take(offset).filter(|byte| *byte == b'\n').count() + 1
}

pub(super) struct Check<'a> {
    text: &'a str,
}

impl Check<'_> {
    fn policy(&self, file: File) -> Result<Policy, PolicyError> {
        let limits = self.limits(&file.thresholds, &file.gate)?;
        let overrides = file
            .overrides
            .into_iter()
            .map(|table| self.exception(&table, &limits))
            .collect::<Result<_, _>>()?;
        Ok(Policy {
            overrides,
            gate: file.gate.method.unwrap_or(GateMethod::Confirmed),
            measure: self.measure(&file.measure)?,
            build: Build {
                profile: match file.build.profile {
                    None | Some(ProfileName::Gate) => BuildProfile::Gate,
                    Some(ProfileName::Own) => BuildProfile::Own,
                },
                align: file.build.align.unwrap_or(true),
                features: file.build.features,
            },
            skips: self.reasons(file.skip)?,
            removals: self.reasons(file.removed)?,
            renames: self.renames(file.rename)?,
            rules: file.rule.into_iter().map(|r| r.checked(self)).collect::<Result<_, _>>()?,
            limits,
        })
    }

    fn limits(&self, table: &ThresholdsTable, gate: &GateTable) -> Result<Limits, PolicyError> {
        let default = Limits::default();
        let thresholds = Thresholds {
            note: self.percent(&table.note)?.unwrap_or(default.thresholds.note),
            warning: self.percent(&table.warning)?.unwrap_or(default.thresholds.warning),
            critical: self.percent(&table.critical)?.unwrap_or(default.thresholds.critical),
        };
        let named = [&table.note, &table.warning, &table.critical];
        self.ascending(&thresholds, named.into_iter().flatten().next().map(Spanned::span))?;
        Ok(Limits {
            thresholds,
            floor_ns: self.floor(&table.floor_ns)?.unwrap_or(default.floor_ns),
            fail_on: gate.fail_on.unwrap_or(default.fail_on),
        })
    }

    fn exception(
        &self,
        table: &OverrideTable,
        limits: &Limits,
    ) -> Result<(Selector, Override), PolicyError> {
        let change = Override {
            note: self.percent(&table.note)?,
            warning: self.percent(&table.warning)?,
            critical: self.percent(&table.critical)?,
            floor_ns: self.floor(&table.floor_ns)?,
            fail_on: table.fail_on,
        };
        if change == Override::default() {
            return Err(self.error(
                &table.benchmark.span(),
                "this override changes nothing: give it note, warning, critical, floor-ns or fail-on",
            ));
        }
        let mut changed = limits.clone();
        change.apply(&mut changed);
        self.ascending(&changed.thresholds, Some(table.benchmark.span()))?;
        let benchmark = table.benchmark.get_ref();
        Ok((selector(benchmark, table.suite.as_deref(), table.package.as_deref()), change))
    }

    fn measure(&self, table: &MeasureTable) -> Result<Measure, PolicyError> {
        let default = Measure::default();
        Ok(Measure {
            pairs: self.count("pairs", &table.pairs, 1, 1_000)?.unwrap_or(default.pairs),
            rounds: self.count("rounds", &table.rounds, 1, 1_000)?.unwrap_or(default.rounds),
            sample_size: self
                .count("sample-size", &table.sample_size, 10, 10_000)?
                .unwrap_or(default.sample_size),
            warm_up: self.duration(&table.warm_up)?.unwrap_or(default.warm_up),
            measurement: self.duration(&table.measurement)?.unwrap_or(default.measurement),
            timeout: self.duration(&table.timeout)?.unwrap_or(default.timeout),
        })
    }

    fn reasons(&self, tables: Vec<ReasonTable>) -> Result<Vec<(Selector, String)>, PolicyError> {
        tables
            .into_iter()
            .map(|table| {
                if table.reason.get_ref().trim().is_empty() {
                    return Err(self.error(&table.reason.span(), "the reason is empty: say why"));
                }
                let selector =
                    selector(&table.benchmark, table.suite.as_deref(), table.package.as_deref());
                Ok((selector, table.reason.into_inner()))
            })
            .collect()
    }

    fn renames(&self, tables: Vec<RenameTable>) -> Result<Vec<(String, String)>, PolicyError> {
        let mut renames: Vec<(String, String)> = Vec::new();
        for table in tables {
            if renames.iter().any(|(_, to)| to == table.to.get_ref()) {
                let message =
                    format!("two benchmarks cannot both be renamed to `{}`", table.to.get_ref());
                return Err(self.error(&table.to.span(), &message));
            }
            renames.push((table.from, table.to.into_inner()));
        }
        Ok(renames)
    }

    fn percent(&self, value: &Option<Spanned<f64>>) -> Result<Option<f64>, PolicyError> {
        let Some(value) = value else { return Ok(None) };
        let percent = *value.get_ref();
        if percent > 0.0 && percent <= 1_000.0 {
            return Ok(Some(percent / 100.0));
        }
        let message =
            format!("{percent} is no threshold: a percentage above 0 and up to 1000, such as 5");
        Err(self.error(&value.span(), &message))
    }

    fn floor(&self, value: &Option<Spanned<f64>>) -> Result<Option<f64>, PolicyError> {
        let Some(value) = value else { return Ok(None) };
        let floor = *value.get_ref();
        if floor >= 0.0 && floor.is_finite() {
            return Ok(Some(floor));
        }
        let message = format!("{floor} is no floor: nanoseconds from 0 on, such as 1");
        Err(self.error(&value.span(), &message))
    }

    fn count(
        &self,
        key: &str,
        value: &Option<Spanned<i64>>,
        least: i64,
        most: i64,
    ) -> Result<Option<u32>, PolicyError> {
        let Some(value) = value else { return Ok(None) };
        let count = *value.get_ref();
        if (least..=most).contains(&count)
            && let Ok(count) = u32::try_from(count)
        {
            return Ok(Some(count));
        }
        let message = format!("{count} is out of range: `{key}` takes {least} to {most}");
        Err(self.error(&value.span(), &message))
    }

    pub(super) fn duration(
        &self,
        value: &Option<Spanned<String>>,
    ) -> Result<Option<Duration>, PolicyError> {
        let Some(value) = value else { return Ok(None) };
        match humantime::parse_duration(value.get_ref()) {
            Ok(duration) if !duration.is_zero() => Ok(Some(duration)),
            Ok(_) => Err(self.error(&value.span(), "a duration of zero measures nothing")),
            Err(error) => {
                let message = format!(
                    "`{}` is no duration ({error}): write it as \"30ms\", \"2s\" or \"2min\"",
                    value.get_ref()
                );
                Err(self.error(&value.span(), &message))
            }
        }
    }

    fn ascending(
        &self,
        thresholds: &Thresholds,
        span: Option<std::ops::Range<usize>>,
    ) -> Result<(), PolicyError> {
        let Thresholds { note, warning, critical } = *thresholds;
        if note <= warning && warning <= critical {
            return Ok(());
        }
        let message = format!(
            "thresholds must rise: note {}, warning {}, critical {}",
            (note * 1e6).round() / 1e4,
            (warning * 1e6).round() / 1e4,
            (critical * 1e6).round() / 1e4
        );
        Err(self.error(&span.unwrap_or(0..0), &message))
    }

    pub(super) fn error(&self, span: &std::ops::Range<usize>, message: &str) -> PolicyError {
        PolicyError { line: line_of(self.text, span.start), message: message.to_owned() }
    }
}

fn selector(benchmark: &str, suite: Option<&str>, package: Option<&str>) -> Selector {
    Selector {
        benchmark: WildMatch::new(benchmark),
        suite: suite.map(WildMatch::new),
        package: package.map(WildMatch::new),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::BenchmarkKey;

    #[test]
    fn the_commented_default_file_is_the_default() {
        assert_eq!(Policy::parse(DEFAULT_TOML), Ok(Policy::default()));
        assert_eq!(Policy::parse(""), Ok(Policy::default()));
    }

    #[test]
    fn the_exceptions_in_the_commented_default_file_can_be_switched_on() {
        let text = DEFAULT_TOML.replace("# [[", "[[");
        let text: String = text
            .lines()
            .map(|line| {
                let inner = line.trim_start_matches("# ");
                let key = inner.split_once(" = ").is_some_and(|(key, _)| {
                    key.chars().all(|c| c.is_ascii_lowercase() || c == '-')
                });
                if key { format!("{inner}\n") } else { format!("{line}\n") }
            })
            .collect();
        let policy = Policy::parse(&text).unwrap();
        let parse = policy.limits_for(&BenchmarkKey::new("p", "s", "parse/big"));
        assert_eq!(parse.thresholds.critical, 0.20);
        assert_eq!(policy.limits_for(&BenchmarkKey::new("p", "s", "print")), Limits::default());
        let network = BenchmarkKey::new("p", "s", "network/x");
        assert_eq!(policy.skip_reason(&network), Some("needs a server"));
        assert_eq!(
            policy.removal_reason(&BenchmarkKey::new("p", "s", "old/x")),
            Some("replaced by new/*")
        );
        assert_eq!(policy.renamed("old name"), "new name");
        assert_eq!(policy.renamed("another"), "another");
    }

    #[test]
    fn nonsense_is_named_by_its_line_and_the_valid_choices() {
        let table: String = [
            "[thresholds]\nwarn = 5",
            "[thresholds]\nnote = 2\nwarning = \"5\"",
            "[thresholds]\ncritical = -10",
            "[thresholds]\ncritical = nan",
            "[thresholds]\nnote = 7",
            "[thresholds]\nfloor-ns = inf",
            "[gate]\nfail-on = \"warnings\"",
            "[gates]",
            "[measure]\npairs = 0",
            "[measure]\n\npairs = 1.5",
            "[measure]\nsample-size = 5",
            "[measure]\nwarm-up = \"fast\"",
            "[measure]\ntimeout = \"0s\"",
            "[build]\nprofile = \"release\"",
            "[[override]]\nbenchmark = \"a\"",
            "[[override]]\nbenchmark = \"a\"\nnote = 50",
            "[[override]]\nnote = 50",
            "[[skip]]\nbenchmark = \"a\"\nreason = \" \"",
            "[[rename]]\nfrom = \"a\"\nto = \"c\"\n[[rename]]\nfrom = \"b\"\nto = \"c\"",
            "thresholds = [",
        ]
        .iter()
        .map(|text| {
            let error = Policy::parse(text).unwrap_err();
            format!("{}\n    -> {error}\n", text.replace('\n', " ⏎ "))
        })
        .collect();
        insta::assert_snapshot!(table);
    }

    #[test]
    fn a_later_override_wins_and_leaves_the_rest_as_it_is() {
        let policy = Policy::parse(
            "[[override]]\nbenchmark = \"*\"\ncritical = 30\n\
             [[override]]\nbenchmark = \"a*\"\nsuite = \"s\"\nfail-on = \"warning\"",
        )
        .unwrap();
        let limits = policy.limits_for(&BenchmarkKey::new("p", "s", "ab"));
        assert_eq!(limits.thresholds, Thresholds { note: 0.02, warning: 0.05, critical: 0.30 });
        assert_eq!(limits.fail_on, Level::Warning);
        let other_suite = policy.limits_for(&BenchmarkKey::new("p", "t", "ab"));
        assert_eq!(other_suite.fail_on, Level::Critical);
    }
}
