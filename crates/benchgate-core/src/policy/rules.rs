//! Rules about the head alone: absolute budgets, and relations between benchmarks of one run.

use serde::Deserialize;
use toml::Spanned;

use super::file::{Check, PolicyError};
use crate::model::Metric;

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
        self.metric == Metric::Time && (self.benchmark == id || other == Some(id))
    }
}

/// `[[rule]]`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct RuleTable {
    benchmark: Spanned<String>,
    #[serde(default = "time")]
    metric: Metric,
    budget: Option<Spanned<String>>,
    count: Option<Spanned<f64>>,
    share: Option<Spanned<f64>>,
    of: Option<String>,
    reason: Spanned<String>,
}

fn time() -> Metric {
    Metric::Time
}

impl RuleTable {
    pub(super) fn checked(self, check: &Check<'_>) -> Result<Rule, PolicyError> {
        let is_count = self.metric.is_count();
        let bound = match (&self.budget, &self.count, &self.share, self.of) {
            (Some(budget), None, None, None) if !is_count => {
                let budget = check.duration(&Some(budget.clone()))?.unwrap_or_default();
                RuleBound::Budget(budget.as_secs_f64() * 1e9)
            }
            (None, Some(count), None, None) if is_count => {
                RuleBound::Budget(check.amount(&Some(count.clone()))?.unwrap_or_default())
            }
            (None, None, Some(share), Some(of)) => {
                let value = *share.get_ref();
                if !(value > 0.0 && value.is_finite()) {
                    let message = format!("{value} is no share: a number above 0, such as 0.75");
                    return Err(check.error(&share.span(), &message));
                }
                RuleBound::Share { share: value, of }
            }
            _ => {
                return Err(check.error(
                    &self.benchmark.span(),
                    "a rule has `share` and `of`, or a `budget` such as \"2us\" for a time, or a \
                     `count` for an allocation metric",
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
            "[[rule]]\nbenchmark = \"a\"\nreason = \"r\"\nmetric = \"heat\"\ncount = 1",
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
