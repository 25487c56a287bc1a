//! Thresholds, and the benchmarks they hold for.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize, Serializer};
use wildmatch::WildMatch;

use super::rules::Rule;
use crate::model::{BenchmarkKey, Level, Metric};

/// The three sizes of a slowdown, as fractions: 0.05 is 5 %.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Thresholds {
    /// Above this it is worth a line.
    pub note: f64,
    /// Above this it is worth a look.
    pub warning: f64,
    /// Above this it is worth stopping a merge.
    pub critical: f64,
}

impl Thresholds {
    /// The threshold of one level.
    pub fn of(&self, level: Level) -> f64 {
        match level {
            Level::Note => self.note,
            Level::Warning => self.warning,
            Level::Critical => self.critical,
        }
    }
}

impl FromStr for Thresholds {
    type Err = String;

    /// Percentages of note, warning and critical, as in `2,5,10`.
    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = || {
            format!(
                "`{text}`: expected three percentages, above 0 and up to 1000, that do not fall, as in 2,5,10"
            )
        };
        let percent = |part: &str| {
            let value: f64 = part.trim().parse().ok()?;
            (value > 0.0 && value <= 1_000.0).then_some(value / 100.0)
        };
        let sizes: Option<Vec<f64>> = text.split(',').map(percent).collect();
        match sizes.as_deref() {
            Some(&[note, warning, critical]) if note <= warning && warning <= critical => {
                Ok(Self { note, warning, critical })
            }
            _ => Err(wrong()),
        }
    }
}

impl Default for Thresholds {
    fn default() -> Self {
        Self { note: 0.02, warning: 0.05, critical: 0.10 }
    }
}

/// The result of a slowdown that would be red and may come from the layout of the code alone.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum LayoutNotRuledOut {
    /// Inconclusive.
    #[default]
    Inconclusive,
    /// Red.
    Fail,
}

impl LayoutNotRuledOut {
    /// Whether it is the default.
    pub(crate) fn is_default(&self) -> bool {
        *self == Self::default()
    }
}

/// Of which benchmarks the instructions of one iteration are counted, and what more of them is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum MoreInstructions {
    /// Of what would be red: they are evidence of more work.
    #[default]
    Evidence,
    /// Of everything that is measured: they are a note at most.
    Note,
    /// Of everything that is measured: they are judged by the thresholds.
    Fail,
}

impl MoreInstructions {
    /// Whether it is the default.
    pub(crate) fn is_default(&self) -> bool {
        *self == Self::default()
    }
}

/// The limits of one benchmark.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Limits {
    /// Sizes.
    pub thresholds: Thresholds,
    /// A slowdown of fewer nanoseconds per iteration is none: 2 % of one nanosecond is not a finding.
    pub floor_ns: f64,
    /// Whether what is measured is a time: more of it is slower.
    pub is_duration: bool,
    /// The level from which on the gate is red.
    pub fail_on: Level,
    /// Whether it is sensitive to regressions: what is noted of others is a warning of it.
    pub sensitive: bool,
    /// The result of a slowdown that may come from the layout of the code alone.
    pub layout_not_ruled_out: LayoutNotRuledOut,
    /// Whether its instructions are counted, and what more of them is.
    pub more_instructions: MoreInstructions,
}

impl Limits {
    /// The same for one metric: the floor is in nanoseconds, and of nothing else.
    #[must_use]
    pub fn of_metric(self, metric: &Metric) -> Self {
        let is_duration = metric.is_duration();
        let floor_ns = if is_duration { self.floor_ns } else { 0.0 };
        Self { floor_ns, is_duration, ..self }
    }

    /// A sensitive benchmark has no notes: its warnings begin at the note threshold.
    pub(super) fn settle(&mut self) {
        if self.sensitive {
            self.thresholds.warning = self.thresholds.note;
        }
    }
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            thresholds: Thresholds::default(),
            floor_ns: 0.25,
            is_duration: true,
            fail_on: Level::Critical,
            sensitive: false,
            layout_not_ruled_out: LayoutNotRuledOut::default(),
            more_instructions: MoreInstructions::default(),
        }
    }
}

/// The limits that an override changes; `None` leaves one as it is.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Override {
    pub(super) note: Option<f64>,
    pub(super) warning: Option<f64>,
    pub(super) critical: Option<f64>,
    pub(super) floor_ns: Option<f64>,
    pub(super) fail_on: Option<Level>,
    pub(super) sensitive: Option<bool>,
}

impl Override {
    /// Whether it marks its benchmarks as sensitive.
    pub(super) fn marks_sensitive(&self) -> bool {
        self.sensitive == Some(true)
    }

    pub(super) fn apply(&self, limits: &mut Limits) {
        let Self { note, warning, critical, floor_ns, fail_on, sensitive } = self;
        let sizes = &mut limits.thresholds;
        sizes.note = note.unwrap_or(sizes.note);
        sizes.warning = warning.unwrap_or(sizes.warning);
        sizes.critical = critical.unwrap_or(sizes.critical);
        limits.floor_ns = floor_ns.unwrap_or(limits.floor_ns);
        limits.fail_on = fail_on.unwrap_or(limits.fail_on);
        limits.sensitive = sensitive.unwrap_or(limits.sensitive);
    }
}

/// Which benchmarks an entry of the policy is about. `*` stands for any characters, slashes too, `?`
/// for one.
#[derive(Clone, Debug, PartialEq)]
pub struct Selector {
    pub(crate) benchmark: WildMatch,
    pub(crate) suite: Option<WildMatch>,
    pub(crate) package: Option<WildMatch>,
}

impl Selector {
    /// Benchmarks whose id matches a glob, in every suite.
    pub fn benchmark(glob: &str) -> Self {
        Self { benchmark: WildMatch::new(glob), suite: None, package: None }
    }

    /// Every benchmark of the suites whose name matches a glob; of one such as `java/*`, of that package's.
    pub fn suite(glob: &str) -> Self {
        let (package, suite) = match glob.split_once('/') {
            Some((package, suite)) => (Some(WildMatch::new(package)), suite),
            None => (None, glob),
        };
        Self { suite: Some(WildMatch::new(suite)), package, ..Self::benchmark("*") }
    }

    /// Every benchmark of the packages whose name matches a glob.
    pub fn package(glob: &str) -> Self {
        Self { package: Some(WildMatch::new(glob)), ..Self::benchmark("*") }
    }

    /// The benchmark of an id, in the suite and package that a rule names.
    pub(crate) fn of_rule(id: &str, rule: Option<&Rule>) -> Self {
        let glob = |name: &Option<String>| name.as_deref().map(WildMatch::new);
        let (suite, package) =
            rule.map_or((None, None), |rule| (glob(&rule.suite), glob(&rule.package)));
        Self { suite, package, ..Self::benchmark(id) }
    }

    /// Whether the entry is about this benchmark.
    pub fn matches(&self, key: &BenchmarkKey) -> bool {
        self.benchmark.matches(&key.id) && self.is_about_suite(&key.package, &key.suite)
    }

    /// Whether the entry names suites or packages, and of those every benchmark.
    pub(super) fn names_whole_suites(&self) -> bool {
        self.benchmark.pattern() == "*" && (self.suite.is_some() || self.package.is_some())
    }

    /// Whether the entry may be about benchmarks of this suite.
    pub fn is_about_suite(&self, package: &str, suite: &str) -> bool {
        let fits = |glob: &Option<WildMatch>, text: &str| {
            glob.as_ref().is_none_or(|glob| glob.matches(text))
        };
        fits(&self.suite, suite) && fits(&self.package, package)
    }
}

impl Serialize for Selector {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let glob = |glob: &Option<WildMatch>| glob.as_ref().map(WildMatch::pattern);
        (self.benchmark.pattern(), glob(&self.suite), glob(&self.package)).serialize(serializer)
    }
}

impl fmt::Display for Selector {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}`", self.benchmark.pattern())?;
        for (kind, glob) in [("suite", &self.suite), ("package", &self.package)] {
            if let Some(glob) = glob {
                write!(f, " of {kind} `{}`", glob.pattern())?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_are_three_percentages_that_do_not_fall() {
        let levels: Thresholds = "1, 2.5,2.5".parse().unwrap();
        assert_eq!((levels.note, levels.warning, levels.critical), (0.01, 0.025, 0.025));
        for text in ["", "2,5", "2,5,10,20", "5,2,10", "0,5,10", "2,5,nan", "2,5,2000", "2;5;10"] {
            let error = text.parse::<Thresholds>().unwrap_err();
            assert!(error.contains("as in 2,5,10"), "{error}");
        }
    }
}
