//! The TOML file: its tables, each in the file of its concern, and checks that name the line. A list whose entries are checked
//! as a whole has a struct that mirrors one.

mod check;
mod entries;
mod schema;
mod suites;
mod thresholds;

use serde::Deserialize;

pub(super) use self::check::Check;
pub use self::check::PolicyError;
pub(super) use self::check::line_of;
use self::entries::ReasonTable;
pub(super) use self::entries::selector;
#[cfg(feature = "schema")]
pub use self::schema::{defaults, json_schema};
pub use self::suites::Suite;
use self::suites::SuiteTable;
use self::thresholds::{GateTable, OverrideTable, ThresholdsTable};
use super::rename::{self, RenameTable};
use super::rules::RuleTable;
use super::waiver::{QuarantineTable, WaiverTable};
use super::{Build, Data, Measure, Policy, Sandbox};

/// The policy's file name at the top of a repository.
pub const FILE_NAME: &str = "benchgate.toml";

/// A commented policy file that says what happens without one.
pub const DEFAULT_TOML: &str = include_str!("../default.toml");

#[derive(Deserialize, Default)]
#[cfg_attr(feature = "schema", derive(serde::Serialize, schemars::JsonSchema))]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
struct File {
    /// How large a proven slowdown is, in percent.
    thresholds: ThresholdsTable,
    /// Conditions that make the gate red.
    gate: GateTable,
    /// How to measure.
    measure: Measure,
    /// How to build both sides.
    build: Build,
    /// Files and network that builds and rounds may reach.
    sandbox: Sandbox,
    /// Files that benches read and no commit has.
    data: Data,
    /// Other limits for some benchmarks; of several that match, the last one applies.
    #[serde(rename = "override", skip_serializing)]
    overrides: Vec<OverrideTable>,
    /// Benchmarks that are not measured, and named in every report.
    #[serde(skip_serializing)]
    skip: Vec<ReasonTable>,
    /// Benchmarks that may be missing from the head.
    #[serde(skip_serializing)]
    removed: Vec<ReasonTable>,
    /// Benchmarks with a new id.
    #[serde(skip_serializing)]
    rename: Vec<RenameTable>,
    /// Suites that are not bench targets.
    #[serde(skip_serializing)]
    suite: Vec<SuiteTable>,
    /// Limits of the head, whatever the base does.
    #[serde(skip_serializing)]
    rule: Vec<RuleTable>,
    /// Slowdowns that are accepted up to a limit, until a date.
    #[serde(skip_serializing)]
    waiver: Vec<WaiverTable>,
    /// Benchmarks that are measured and decide nothing, until a date.
    #[serde(skip_serializing)]
    quarantine: Vec<QuarantineTable>,
}

impl Policy {
    /// Reads a policy file's text; a missing key takes its default.
    ///
    /// # Errors
    /// Names the line and the valid choices for an unknown key, a wrong type or a nonsense value.
    pub fn parse(text: &str) -> Result<Self, PolicyError> {
        let policy = parse(text);
        #[cfg(test)]
        schema::tests::agrees(text, &policy);
        policy
    }
}

fn parse(text: &str) -> Result<Policy, PolicyError> {
    let file: File = toml::from_str(text)
        .map_err(|error| PolicyError::at(text, error.span(), error.message()).with_meant())?;
    let check = &Check::new(text);
    if file.data.paths.is_empty() && !file.data.command.is_empty() {
        let message =
            "`command` makes the `paths` of `[data]`, and there are none: name what it makes";
        return Err(check.error(&check.place("data", "command").unwrap_or_default(), message));
    }
    let limits = file.thresholds.checked(&file.gate, check)?;
    let overrides = file.overrides.iter().map(|table| table.checked(&limits, check));
    Ok(Policy {
        overrides: overrides.collect::<Result<_, _>>()?,
        gate: file.gate.method,
        measure: file.measure,
        build: file.build,
        sandbox: file.sandbox,
        data: file.data,
        skips: entries::reasons(file.skip, check)?,
        removals: entries::reasons(file.removed, check)?,
        renames: rename::renames(file.rename, check)?,
        suites: suites::suites(file.suite, check)?,
        rules: file.rule.into_iter().map(|table| table.checked(check)).collect::<Result<_, _>>()?,
        waivers: file
            .waiver
            .into_iter()
            .map(|table| table.checked(check))
            .collect::<Result<_, _>>()?,
        quarantines: file
            .quarantine
            .into_iter()
            .map(|table| table.checked(check))
            .collect::<Result<_, _>>()?,
        trailers: file.gate.trailers,
        removals_allowed: file.gate.removals,
        also: None,
        limits,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{BenchmarkKey, Level};
    use crate::policy::{Limits, Thresholds};

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
        let renamed = |id: &str| policy.renamed(&BenchmarkKey::new("p", "s", id)).map(|key| key.id);
        assert_eq!(renamed("old name").as_deref(), Some("new name"));
        assert_eq!(renamed("another"), None);
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
            "[measure]\nmemory = \"much\"",
            "[build]\nprofile = \"fat lto\"",
            "[build]\nlayouts = 14",
            "[build]\nlayouts = 121",
            "[gate]\nlayout-not-ruled-out = \"red\"",
            "[[override]]\nbenchmark = \"a\"",
            "[[override]]\nbenchmark = \"a\"\nnote = 50",
            "[[override]]\nnote = 50",
            "[[override]]\nbenchmark = \"a\"\nsensitive = true\nwarning = 4",
            "[gate]\ntrailers = \"yes\"",
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
    fn a_sensitive_benchmark_warns_from_the_note_threshold_on_and_fails_as_before() {
        let policy = Policy::parse(
            "[[override]]\nbenchmark = \"hot/*\"\nsensitive = true\n\
             [[override]]\nbenchmark = \"*/loose\"\nnote = 3\n\
             [[override]]\nbenchmark = \"hot/not\"\nsensitive = false",
        )
        .unwrap();
        let limits = |id: &str| policy.limits_for(&BenchmarkKey::new("p", "s", id));
        assert_eq!(
            limits("hot/a").thresholds,
            Thresholds { note: 0.02, warning: 0.02, critical: 0.10 }
        );
        assert_eq!((limits("hot/a").sensitive, limits("hot/a").fail_on), (true, Level::Critical));
        assert_eq!(limits("hot/loose").thresholds.warning, 0.03);
        assert_eq!(limits("hot/not"), Limits::default());
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
