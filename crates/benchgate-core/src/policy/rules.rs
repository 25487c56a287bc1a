//! Rules about the head alone: absolute budgets, and relations between benchmarks of one run.

use serde::Deserialize;
use toml::Spanned;

use super::file::{Check, PolicyError};
use crate::model::{Kind, Metric};

/// What a benchmark of the head must keep to, whatever the base does.
#[derive(Clone, Debug, PartialEq)]
pub struct Rule {
    /// Criterion's `full_id`.
    pub benchmark: String,
    /// What is held to it.
    pub metric: Metric,
    /// How much is allowed.
    pub bound: RuleBound,
    /// Why, for the report.
    pub reason: String,
}

/// How much a rule allows.
#[derive(Clone, Debug, PartialEq)]
pub enum RuleBound {
    /// At most this, in the metric's unit. It depends on the machine where the metric is a time.
    Budget(f64),
    /// At most this share of another benchmark, measured in the same rounds: it holds on any machine.
    Share {
        /// The most that head/other may be.
        share: f64,
        /// The other benchmark's id.
        of: String,
    },
}

impl Rule {
    /// Whether it needs the time of this benchmark.
    pub fn is_about(&self, id: &str) -> bool {
        let other = match &self.bound {
            RuleBound::Budget(_) => None,
            RuleBound::Share { of, .. } => Some(of.as_str()),
        };
        self.metric.kind() == Kind::Sampled && (self.benchmark == id || other == Some(id))
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
    /// What is limited: "time" unless another is named, such as "alloc.blocks".
    #[serde(default = "time")]
    metric: Metric,
    /// The most allowed, with its unit: such as "2us".
    #[cfg_attr(feature = "schema", schemars(with = "Option<String>"))]
    budget: Option<Spanned<String>>,
    /// The most that the head may have, of what is counted.
    #[cfg_attr(feature = "schema", schemars(with = "Option<f64>"))]
    count: Option<Spanned<f64>>,
    /// The most allowed, as a share of the benchmark `of`, such as 0.75.
    #[cfg_attr(feature = "schema", schemars(with = "Option<f64>"))]
    share: Option<Spanned<f64>>,
    /// The id of the other benchmark, of the same run.
    of: Option<String>,
    /// Why. Reports show it.
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
