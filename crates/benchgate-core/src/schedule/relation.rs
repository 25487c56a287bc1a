//! Comparisons of a policy's rules: their benchmarks get the pairs that prove or refute an exceeded limit.

use crate::judge::Limited;
use crate::judge::looks::{RULE_LOOKS, RUN_ERROR};
use crate::model::{BenchmarkKey, Metric, Sides};
use crate::policy::Rule;

/// Pairs of a rule's benchmarks before it is looked at.
pub const PAIRS_FOR_RULE: u32 = 10;

/// A rule on the head's rounds of one benchmark, or of two. Benchmarks are indices, in the order of a plan.
#[derive(Clone, Debug, PartialEq)]
pub struct Relation {
    /// The benchmark that is limited.
    pub this: usize,
    /// The benchmark of which it is a share.
    pub of: Option<usize>,
    /// The maximum that is allowed.
    pub limit: f64,
    /// The metric that is limited.
    pub metric: Metric,
}

impl Relation {
    /// The relations of all rules whose values are sampled, among these benchmarks of the head.
    pub fn of_rules(rules: &[Rule], keys: &[Option<&BenchmarkKey>]) -> Vec<Self> {
        let present = || keys.iter().enumerate().filter_map(|(index, key)| Some(((*key)?, index)));
        let mut relations = Vec::new();
        for rule in rules.iter().filter(|rule| !rule.metric.is_count()) {
            for (this, key) in keys.iter().enumerate() {
                let Some(key) = key.filter(|key| rule.limits(key)) else { continue };
                let of = match rule.of() {
                    None => None,
                    Some(_) => match rule.other(key, present()) {
                        None => continue,
                        found => found,
                    },
                };
                let (limit, metric) = (rule.limit(), rule.metric.clone());
                relations.push(Self { this, of, limit, metric });
            }
        }
        relations
    }

    /// Whether it needs the rounds of this benchmark.
    pub(super) fn is_about(&self, benchmark: usize) -> bool {
        self.this == benchmark || self.of == Some(benchmark)
    }

    /// Both benchmarks, or the one.
    pub(super) fn benchmarks(&self) -> impl Iterator<Item = usize> {
        [Some(self.this), self.of].into_iter().flatten()
    }

    /// The number of pairs of the next look, if one is due at this number of pairs of this attempt, the head exceeds the
    /// limit, and neither is that proven among this number of tests nor that the base exceeded it before.
    pub(super) fn next_look(
        &self,
        Sides { base, head }: &Sides<Limited>,
        pairs: usize,
        tests: usize,
    ) -> Option<usize> {
        let looks = RULE_LOOKS.map(|(look, _)| look);
        let look = looks.iter().position(|look| *look == pairs)?;
        let next = *looks.get(look + 1)?;
        let is_proven = head.excess_p(self.limit) * tests as f64 <= RUN_ERROR;
        let is_open = !is_proven && !head.exceeded_before(base, self.limit);
        (head.exceeds(self.limit) && is_open).then_some(next)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::judge::OneSide;
    use crate::policy::Policy;

    #[test]
    fn a_rule_relates_the_benchmarks_of_one_suite_where_it_has_both() {
        let keys = ["s/a", "s/b", "t/a", "t/b", "u/a"].map(|name| {
            let (suite, id) = name.split_once('/').unwrap();
            BenchmarkKey::new("p", suite, id)
        });
        let keys: Vec<Option<&BenchmarkKey>> = keys.iter().map(Some).collect();
        let related = |rule: &str| -> Vec<(usize, Option<usize>)> {
            let policy = Policy::parse(&format!("[[rule]]\nreason = \"r\"\n{rule}")).unwrap();
            let relations = Relation::of_rules(&policy.rules, &keys);
            relations.iter().map(|relation| (relation.this, relation.of)).collect()
        };
        let share = "benchmark = \"a\"\nshare = 0.5\nof = \"b\"";
        assert_eq!(related(share), [(0, Some(1)), (2, Some(3)), (4, Some(1))]);
        assert_eq!(related(&format!("{share}\nsuite = \"t\"")), [(2, Some(3))]);
        assert_eq!(related("benchmark = \"b\"\nbudget = \"1us\""), [(1, None), (3, None)]);
        assert_eq!(related("benchmark = \"a\"\nshare = 0.5\nof = \"c\""), []);
        assert_eq!(related("benchmark = \"a\"\nmetric = \"alloc.blocks\"\ncount = 1"), []);
    }

    #[test]
    fn an_exceeded_limit_gets_pairs_until_it_is_proven() {
        let relation = Relation { this: 0, of: None, limit: 1.0, metric: Metric::TIME };
        let next_of_both = |base: &[f64], head: &[f64], tests| {
            let of = |values| Limited::new(OneSide::new(values, &[]), None);
            relation.next_look(&Sides::new(of(base), of(head)), head.len(), tests)
        };
        let next = |values: &[f64], tests| next_of_both(&vec![0.5; values.len()], values, tests);
        assert_eq!(RULE_LOOKS[0].0, PAIRS_FOR_RULE as usize);
        assert_eq!(next(&[0.9; 10], 1), None);
        assert_eq!(next(&[1.1; 9], 1), None);
        assert_eq!(next(&[1.1; 10], 1), None);
        assert_eq!(next(&[1.1; 10], 6), Some(20));
        assert_eq!(next(&[1.1; 20], 1000), None);
        assert_eq!(next(&[1.1; 20], 10_000), Some(40));
        let mixed: Vec<f64> = (0..60).map(|i| if i % 3 == 0 { 0.9 } else { 1.1 }).collect();
        assert_eq!(next(&mixed[..10], 1), Some(20));
        assert_eq!(next(&mixed[..20], 1), Some(40));
        assert_eq!(next(&mixed[..40], 1), Some(60));
        assert_eq!(next(&mixed, 1), None);
        // The base exceeds it as much.
        assert_eq!(next_of_both(&mixed[..20], &mixed[..20], 1), None);
        assert_eq!(next_of_both(&[1.1; 10], &[1.1; 10], 6), None);
        // A benchmark without a base.
        assert_eq!(next_of_both(&[], &[1.1; 10], 6), Some(20));
    }
}
