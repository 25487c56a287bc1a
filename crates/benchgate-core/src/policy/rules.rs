//! Rules about the head alone: absolute budgets, and relations between benchmarks of one run.

use serde::{Deserialize, Serialize};
use toml::Spanned;

use super::file::{Check, PolicyError};
use crate::model::{BenchmarkKey, Kind, Metric, SuiteKey};

/// A rule that a benchmark of the head must satisfy, whatever the base does.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Rule {
    /// The id within the suite; with Criterion its `full_id`.
    pub benchmark: String,
    /// The suite, where one is named; otherwise every suite that has the benchmark.
    pub suite: Option<String>,
    /// The package, likewise.
    pub package: Option<String>,
    /// The metric that is limited.
    pub metric: Metric,
    /// The bound.
    pub bound: RuleBound,
    /// The reason, for the report.
    pub reason: String,
}

/// The bound of a rule.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub enum RuleBound {
    /// At most this, in the metric's unit. It depends on the machine where the metric is a time.
    Budget(f64),
    /// At most this share of another benchmark, measured in the same rounds: it holds on any machine.
    Share {
        /// The maximum of head/other.
        share: f64,
        /// The other benchmark's id.
        of: String,
    },
}

impl Rule {
    /// The maximum that is allowed: a share, or an amount in the metric's unit.
    pub fn limit(&self) -> f64 {
        match self.bound {
            RuleBound::Budget(most) => most,
            RuleBound::Share { share, .. } => share,
        }
    }

    /// The id of the benchmark that it compares with.
    pub fn of(&self) -> Option<&str> {
        match &self.bound {
            RuleBound::Budget(_) => None,
            RuleBound::Share { of, .. } => Some(of),
        }
    }

    /// Whether it limits this benchmark.
    pub fn limits(&self, key: &BenchmarkKey) -> bool {
        let is = |name: &Option<String>, of: &str| name.as_deref().is_none_or(|name| name == of);
        self.benchmark == key.id && is(&self.suite, &key.suite) && is(&self.package, &key.package)
    }

    /// Of the benchmarks that have the id of the other one, that of the suite of `key`; or else the first by its key.
    pub fn other<'a, T>(
        &self,
        key: &BenchmarkKey,
        benchmarks: impl Iterator<Item = (&'a BenchmarkKey, T)>,
    ) -> Option<T> {
        let named = benchmarks.filter(|(other, _)| self.of() == Some(&*other.id));
        let is_elsewhere = |other: &BenchmarkKey| other.suite_key() != key.suite_key();
        named.min_by_key(|(other, _)| (is_elsewhere(other), *other)).map(|(_, found)| found)
    }

    /// Whether it says of itself that it is about this suite.
    pub fn names_suite(&self, suite: &SuiteKey) -> bool {
        let is = |named: &Option<String>, name: &str| named.as_ref().is_none_or(|n| n == name);
        (self.suite.is_some() || self.package.is_some())
            && is(&self.suite, &suite.suite)
            && is(&self.package, &suite.package)
    }

    /// The same rule on one benchmark alone.
    #[must_use]
    pub fn on(&self, key: &BenchmarkKey) -> Self {
        let (suite, package) = (Some(key.suite.clone()), Some(key.package.clone()));
        Self { suite, package, ..self.clone() }
    }

    /// Whether it needs the rounds of this benchmark.
    pub fn is_about(&self, key: &BenchmarkKey) -> bool {
        let is_other = self.of() == Some(&*key.id);
        self.metric.kind() == Kind::Sampled && (self.limits(key) || is_other)
    }
}

/// `[[rule]]`.
#[derive(Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct RuleTable {
    /// The head's benchmark, by its id.
    #[cfg_attr(feature = "schema", schemars(with = "String"))]
    benchmark: Spanned<String>,
    /// Its suite, where the rule is not for every suite that has a benchmark of this id.
    suite: Option<String>,
    /// Its package, likewise.
    package: Option<String>,
    /// The metric that is limited: "time" unless another is named, such as "alloc.blocks".
    #[serde(default = "time")]
    metric: Metric,
    /// The maximum, with its unit: such as "2us".
    #[cfg_attr(feature = "schema", schemars(with = "Option<String>"))]
    budget: Option<Spanned<String>>,
    /// The maximum of the head, of what is counted.
    #[cfg_attr(feature = "schema", schemars(with = "Option<f64>"))]
    count: Option<Spanned<f64>>,
    /// The maximum, as a share of the benchmark `of`, such as 0.75.
    #[cfg_attr(feature = "schema", schemars(with = "Option<f64>"))]
    share: Option<Spanned<f64>>,
    /// The id of the other benchmark, of the same run.
    of: Option<String>,
    /// The reason, which reports show.
    #[cfg_attr(feature = "schema", schemars(with = "String"))]
    reason: Spanned<String>,
}

fn time() -> Metric {
    Metric::TIME
}

impl RuleTable {
    pub(super) fn checked(self, check: &Check<'_>) -> Result<Rule, PolicyError> {
        let is_count = self.metric.is_count();
        let bound = match (&self.budget, &self.count, &self.share, self.of) {
            (Some(budget), None, None, None) if !is_count => {
                let parsed = self.metric.parse(budget.get_ref());
                let budget = parsed.map_err(|problem| check.error(&budget.span(), &problem))?;
                RuleBound::Budget(budget)
            }
            (None, Some(count), None, None) if is_count => {
                RuleBound::Budget(check.amount(&Some(count.clone()))?.unwrap_or_default())
            }
            (None, None, Some(share), Some(of)) => {
                let value = *share.get_ref();
                if !(value > 0.0 && value.is_finite()) {
                    let message = format!("invalid share {value}: must be > 0, such as 0.75");
                    return Err(check.error(&share.span(), &message));
                }
                RuleBound::Share { share: value, of }
            }
            _ => {
                return Err(check.error(
                    &self.benchmark.span(),
                    "a rule has `share` and `of`, or a `budget` such as \"2us\" or \"20MiB\" for what is \
                     sampled, or a `count` for what is exact",
                ));
            }
        };
        Ok(Rule {
            benchmark: self.benchmark.into_inner(),
            suite: self.suite,
            package: self.package,
            metric: self.metric,
            bound,
            reason: check.reason(self.reason)?,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::super::Policy;
    use super::*;

    #[test]
    fn budgets_counts_and_shares_are_read() {
        let policy = Policy::parse(
            "[[rule]]\nbenchmark = \"a\"\nbudget = \"2us\"\nreason = \"r\"\n\
             [[rule]]\nbenchmark = \"a\"\nmetric = \"alloc.blocks\"\ncount = 2\nreason = \"r\"\n\
             [[rule]]\nbenchmark = \"a\"\nshare = 0.5\nof = \"b\"\nreason = \"r\"",
        )
        .unwrap();
        let bounds: Vec<_> = policy.rules.into_iter().map(|rule| rule.bound).collect();
        assert_eq!(
            bounds,
            [
                RuleBound::Budget(2000.0),
                RuleBound::Budget(2.0),
                RuleBound::Share { share: 0.5, of: "b".into() }
            ]
        );
    }

    #[test]
    fn a_rule_that_cannot_be_checked_is_refused_by_its_line() {
        let table: String = [
            "[[rule]]\nbenchmark = \"a\"\nreason = \"r\"",
            "[[rule]]\nbenchmark = \"a\"\nreason = \"r\"\nshare = 0.5",
            "[[rule]]\nbenchmark = \"a\"\nreason = \"r\"\ncount = 5",
            "[[rule]]\nbenchmark = \"a\"\nreason = \"r\"\nmetric = \"alloc.blocks\"\nbudget = \"2us\"",
            "[[rule]]\nbenchmark = \"a\"\nreason = \"r\"\nbudget = \"fast\"",
            "[[rule]]\nbenchmark = \"a\"\nreason = \"r\"\nshare = 0\nof = \"b\"",
            "[[rule]]\nbenchmark = \"a\"\nreason = \"\"\nshare = 1\nof = \"b\"",
            "[[rule]]\nbenchmark = \"a\"\nreason = \"r\"\nmetric = \"Heat!\"\ncount = 1",
            "[[rule]]\nbenchmark = \"a\"\nbudget = \"2us\"",
        ]
        .iter()
        .map(|text| {
            let error = Policy::parse(text).unwrap_err();
            format!("{}\n    -> {error}\n", text.replace('\n', " ⏎ "))
        })
        .collect();
        insta::assert_snapshot!(table);
    }
}
