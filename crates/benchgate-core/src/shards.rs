//! Shares the suites of a run out: a function of what all shards know, so that each comes to the same answer.

use std::collections::{BTreeMap, BTreeSet};

use crate::model::SuiteKey;
use crate::policy::Policy;

/// Seconds of building one suite on both sides, where nothing is recorded: a fat link is 5 to 20 s.
pub const SECONDS_TO_BUILD: f64 = 30.0;

/// Seconds of measuring one benchmark, where nothing is recorded: 116 benchmarks of this repository take three
/// minutes.
pub const SECONDS_TO_MEASURE: f64 = 1.5;

/// The number of benchmarks of a suite of which nothing is recorded.
pub const BENCHMARKS_OF_A_SUITE: usize = 20;

/// One suite, and what is known of it before it is built.
#[derive(Clone, Debug, PartialEq)]
pub struct Load {
    /// The suite.
    pub key: SuiteKey,
    /// Seconds of building and measuring it.
    pub seconds: f64,
    /// The benchmarks that it is known to have.
    pub ids: BTreeSet<String>,
}

impl Load {
    /// A suite of which a record names the benchmarks; with none, of which nothing is recorded.
    pub fn of_benchmarks(key: SuiteKey, ids: BTreeSet<String>) -> Self {
        let benchmarks = if ids.is_empty() { BENCHMARKS_OF_A_SUITE } else { ids.len() };
        let seconds = SECONDS_TO_BUILD + SECONDS_TO_MEASURE * benchmarks as f64;
        Self { key, seconds, ids }
    }

    /// A suite that is not built.
    #[must_use]
    pub fn idle(self) -> Self {
        Self { seconds: 0.0, ..self }
    }
}

/// The number of the shard of each suite, from 1. The suites whose benchmarks a share of one of the policies'
/// rules compares, and the old and the new suite of a rename, are together. The longest come first, each to the
/// shard that has the least to do.
pub fn share_out(loads: &[Load], policies: &[&Policy], shards: u32) -> BTreeMap<SuiteKey, u32> {
    let mut groups: BTreeMap<SuiteKey, SuiteKey> =
        loads.iter().map(|load| (load.key.clone(), load.key.clone())).collect();
    for (one, other) in together(loads, policies) {
        let [Some(one), Some(other)] = [groups.get(&one), groups.get(&other)] else { continue };
        let (kept, joined) = (one.min(other).clone(), one.max(other).clone());
        groups
            .values_mut()
            .filter(|group| **group == joined)
            .for_each(|group| *group = kept.clone());
    }
    let mut seconds: BTreeMap<&SuiteKey, f64> = BTreeMap::new();
    for load in loads {
        if let Some(group) = groups.get(&load.key) {
            *seconds.entry(group).or_default() += load.seconds;
        }
    }
    let mut longest: Vec<(&SuiteKey, f64)> = seconds.into_iter().collect();
    // Stable: of equally long ones the first by name comes first, in every shard.
    longest.sort_by(|(_, a), (_, b)| b.total_cmp(a));
    let mut busy = vec![0.0; shards.max(1) as usize];
    let mut shard_of: BTreeMap<&SuiteKey, u32> = BTreeMap::new();
    for (group, seconds) in longest {
        let least = busy.iter().enumerate().min_by(|(_, a): &(_, &f64), (_, b)| a.total_cmp(b));
        let index = least.map_or(0, |(index, _)| index);
        busy[index] += seconds;
        shard_of.insert(group, index as u32 + 1);
    }
    let number = |group: &SuiteKey| shard_of.get(group).copied().unwrap_or(1);
    groups.iter().map(|(key, group)| (key.clone(), number(group))).collect()
}

/// Pairs of suites that one shard must measure.
fn together(loads: &[Load], policies: &[&Policy]) -> Vec<(SuiteKey, SuiteKey)> {
    let mut pairs = Vec::new();
    for rule in policies.iter().flat_map(|policy| &policy.rules) {
        let Some(of) = rule.of() else { continue };
        let others: Vec<_> = loads
            .iter()
            .filter(|load| load.ids.contains(of))
            .map(|load| load.key.benchmark(of))
            .collect();
        for load in loads.iter().filter(|load| load.ids.contains(&rule.benchmark)) {
            let key = load.key.benchmark(&*rule.benchmark);
            let other = rule.other(&key, others.iter().map(|other| (other, other)));
            if let Some(other) = other.filter(|_| rule.limits(&key)) {
                pairs.push((load.key.clone(), other.suite_key()));
            }
        }
    }
    for rename in policies.iter().flat_map(|policy| &policy.renames) {
        let renamed = |load: &Load| Some((load.key.clone(), rename.suite(&load.key)?));
        pairs.extend(loads.iter().filter_map(renamed));
    }
    pairs
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn load(suite: &str, seconds: f64, ids: &[&str]) -> Load {
        let ids = ids.iter().map(|id| (*id).to_owned()).collect();
        Load { key: SuiteKey::new("p", suite), seconds, ids }
    }

    fn shared(loads: &[Load], policy: &str, shards: u32) -> Vec<String> {
        let policy = Policy::parse(policy).unwrap();
        let all = share_out(loads, &[&policy], shards);
        all.into_iter().map(|(key, shard)| format!("{} {shard}", key.suite)).collect()
    }

    #[test]
    fn the_longest_suites_come_first_each_to_the_shard_with_the_least() {
        let loads = [("a", 10.0), ("b", 50.0), ("c", 30.0), ("d", 20.0), ("e", 30.0)]
            .map(|(suite, seconds)| load(suite, seconds, &[]));
        assert_eq!(shared(&loads, "", 2), ["a 2", "b 1", "c 2", "d 1", "e 2"]);
        assert_eq!(shared(&loads, "", 9), ["a 5", "b 1", "c 2", "d 4", "e 3"]);
        assert_eq!(shared(&loads, "", 1), ["a 1", "b 1", "c 1", "d 1", "e 1"]);
        assert_eq!(shared(&[], "", 4), Vec::<String>::new());
    }

    #[test]
    fn the_benchmarks_of_a_rule_are_in_one_shard() {
        let loads = [
            load("a", 10.0, &["fast"]),
            load("b", 10.0, &["slow"]),
            load("c", 10.0, &["fast", "slow"]),
            load("d", 10.0, &[]),
        ];
        let rule = "[[rule]]\nbenchmark = \"fast\"\nof = \"slow\"\nshare = 0.5\nreason = \"r\"\n";
        assert_eq!(shared(&loads, rule, 4), ["a 1", "b 1", "c 2", "d 3"]);
        // A rule on one suite alone, and one on a benchmark that is not known.
        let one = format!("{rule}suite = \"c\"\n");
        assert_eq!(shared(&loads, &one, 4), ["a 1", "b 2", "c 3", "d 4"]);
        assert_eq!(shared(&loads, &rule.replace("fast", "new"), 4), ["a 1", "b 2", "c 3", "d 4"]);
        let budget = "[[rule]]\nbenchmark = \"fast\"\nbudget = \"1us\"\nreason = \"r\"\n";
        assert_eq!(shared(&loads, budget, 4), ["a 1", "b 2", "c 3", "d 4"]);
    }

    #[test]
    fn a_suite_that_is_renamed_is_in_one_shard_under_both_names() {
        let loads = ["a", "b", "c"].map(|suite| load(suite, 10.0, &[]));
        let rename = "[[rename]]\nsuite = \"a\"\nto-suite = \"c\"\n";
        assert_eq!(shared(&loads, rename, 3), ["a 1", "b 2", "c 1"]);
    }

    proptest! {
        #[test]
        fn every_suite_is_in_one_shard_and_the_longest_shard_is_near_the_mean(
            seconds in prop::collection::vec(0.0..1e4_f64, 0..40),
            shards in 1_u32..12,
        ) {
            let name = |index: usize| format!("s{index:02}");
            let loads: Vec<Load> = seconds
                .iter()
                .enumerate()
                .map(|(index, seconds)| load(&name(index), *seconds, &[]))
                .collect();
            let all = share_out(&loads, &[], shards);
            prop_assert_eq!(all.len(), loads.len());
            let mut backwards = loads.clone();
            backwards.reverse();
            prop_assert_eq!(&all, &share_out(&backwards, &[], shards));
            let mut busy = vec![0.0; shards as usize];
            for load in &loads {
                let shard = all[&load.key];
                prop_assert!((1..=shards).contains(&shard));
                busy[shard as usize - 1] += load.seconds;
            }
            // Graham's bound of the longest-first rule.
            let most = seconds.iter().copied().fold(0.0, f64::max);
            let mean = seconds.iter().sum::<f64>() / f64::from(shards);
            prop_assert!(busy.into_iter().fold(0.0, f64::max) <= mean + most + 1e-6);
        }
    }
}
