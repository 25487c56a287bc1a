//! Shares the suites of a run out, and the benchmarks of long ones: a function of what all shards know, so that each
//! comes to the same answer.

use std::collections::{BTreeMap, BTreeSet};

use crate::model::{BenchmarkKey, SuiteKey};
use crate::policy::Policy;

/// Seconds of building one suite on both sides, where nothing is recorded: a fat link is 5 to 20 s.
pub const SECONDS_TO_BUILD: f64 = 30.0;

/// Seconds of measuring one benchmark, where nothing is recorded: 116 benchmarks of this repository take three
/// minutes.
pub const SECONDS_TO_MEASURE: f64 = 1.5;

/// The number of benchmarks of a suite of which nothing is recorded.
pub const BENCHMARKS_OF_A_SUITE: usize = 20;

/// Seconds that a second build of a suite must save, at least.
pub const LEAST_SAVED: f64 = 15.0;

/// A suite, and what is known of it before it is built.
#[derive(Clone, Debug, PartialEq)]
pub struct Load {
    /// The suite.
    pub key: SuiteKey,
    /// Seconds of building it, and of measuring what is not known of it.
    pub building: f64,
    /// The benchmarks that it is known to have, and the seconds of measuring each.
    pub benchmarks: BTreeMap<String, f64>,
}

impl Load {
    /// A suite of which a record names the benchmarks; with none, of which nothing is recorded.
    pub fn of_benchmarks(key: SuiteKey, ids: BTreeSet<String>) -> Self {
        let unknown = if ids.is_empty() { BENCHMARKS_OF_A_SUITE } else { 0 };
        let building = SECONDS_TO_BUILD + SECONDS_TO_MEASURE * unknown as f64;
        let benchmarks = ids.into_iter().map(|id| (id, SECONDS_TO_MEASURE)).collect();
        Self { key, building, benchmarks }
    }

    /// A suite that is not built.
    #[must_use]
    pub fn idle(self) -> Self {
        let benchmarks = self.benchmarks.into_keys().map(|id| (id, 0.0)).collect();
        Self { building: 0.0, benchmarks, ..self }
    }

    /// Seconds of building and measuring it.
    pub fn seconds(&self) -> f64 {
        self.building + self.benchmarks.values().sum::<f64>()
    }
}

/// The shards of one suite.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// The number of the shard that measures it, from 1.
    pub shard: u32,
    /// Benchmarks that other shards measure, with their numbers.
    pub elsewhere: BTreeMap<String, u32>,
}

/// The place of each suite. The suites whose benchmarks a share of one of the policies' rules compares, and the old
/// and the new suite of a rename, are together. The longest come first, each to the shard that has the least to do.
/// Then those that have the most to do give benchmarks away, where that saves more than building a suite twice costs.
pub fn share_out(loads: &[Load], policies: &[&Policy], shards: u32) -> BTreeMap<SuiteKey, Place> {
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
            *seconds.entry(group).or_default() += load.seconds();
        }
    }
    let mut longest: Vec<(&SuiteKey, f64)> = seconds.into_iter().collect();
    // Stable: of equally long ones the first by name comes first, in every shard.
    longest.sort_by(|(_, a), (_, b)| b.total_cmp(a));
    let mut busy = vec![0.0; shards.max(1) as usize];
    let mut shard_of: BTreeMap<&SuiteKey, u32> = BTreeMap::new();
    for (group, seconds) in longest {
        let index = least(&busy);
        busy[index] += seconds;
        shard_of.insert(group, index as u32 + 1);
    }
    let place = |group: &SuiteKey| Place {
        shard: shard_of.get(group).copied().unwrap_or(1),
        elsewhere: BTreeMap::new(),
    };
    let mut places: BTreeMap<SuiteKey, Place> =
        groups.iter().map(|(key, group)| (key.clone(), place(group))).collect();
    give_away(loads, policies, &mut busy, &mut places);
    places
}

fn least(busy: &[f64]) -> usize {
    let least = busy.iter().enumerate().min_by(|(_, a): &(_, &f64), (_, b)| a.total_cmp(b));
    least.map_or(0, |(index, _)| index)
}

/// Moves benchmarks from the shard with the most work to the shard with the least, while that saves time.
fn give_away(
    loads: &[Load],
    policies: &[&Policy],
    busy: &mut [f64],
    places: &mut BTreeMap<SuiteKey, Place>,
) {
    let mut movable = movable(loads, policies);
    // Of equally good ones every shard takes the same.
    movable.sort_by(|(a, _), (b, _)| b.key.cmp(&a.key));
    // A bound: each suite can go to each shard once.
    for _ in 0..loads.len() * busy.len() {
        let to = least(busy);
        let from = busy.iter().enumerate().max_by(|(_, a), (_, b)| a.total_cmp(b));
        let Some((from, most)) = from.map(|(from, most)| (from, *most)) else { return };
        let gap = most - busy[to];
        let best = movable.iter().filter_map(|(load, units)| {
            let place = places.get(&load.key)?;
            let (own, other) = (from as u32 + 1, to as u32 + 1);
            // A suite is built again where no part of it was before.
            let is_there = place.shard == other || place.elsewhere.values().any(|it| *it == other);
            let building = if is_there { 0.0 } else { load.building };
            let aim = (gap - building) / 2.0;
            let at = |id: &String| place.elsewhere.get(id).copied().unwrap_or(place.shard);
            let mut moved = (0.0, Vec::new());
            for Unit { ids, seconds } in units {
                // All of a unit are at one place.
                if ids.first().is_some_and(|id| at(id) == own) && moved.0 + seconds <= aim {
                    moved.0 += seconds;
                    moved.1.extend(ids.iter().copied());
                }
            }
            (moved.0 >= LEAST_SAVED.max(building / 2.0)).then_some((load, building, moved))
        });
        let best = best.max_by(|(_, _, (a, _)), (_, _, (b, _))| a.total_cmp(b));
        let Some((load, building, (seconds, ids))) = best else { return };
        busy[from] -= seconds;
        busy[to] += seconds + building;
        if let Some(place) = places.get_mut(&load.key) {
            place.elsewhere.extend(ids.into_iter().map(|id| (id.clone(), to as u32 + 1)));
        }
    }
}

/// Benchmarks that one shard measures, and the seconds of all of them.
struct Unit<'l> {
    ids: Vec<&'l String>,
    seconds: f64,
}

/// What may be measured without the rest of its suite, the longest first: a benchmark, or those that rules compare, as rounds
/// of the same turns are. Not one that a rule compares with another suite's; and none of a suite that is renamed, which has
/// two names.
fn movable<'l>(loads: &'l [Load], policies: &[&Policy]) -> Vec<(&'l Load, Vec<Unit<'l>>)> {
    let is_moved = |(old, new): &(SuiteKey, SuiteKey)| old != new;
    let renamed: BTreeSet<SuiteKey> = renamed_suites(loads, policies)
        .into_iter()
        .filter(is_moved)
        .flat_map(|(old, new)| [old, new])
        .collect();
    let is_free = |load: &&Load| !renamed.contains(&load.key);
    let compared = compared(loads, policies);
    loads.iter().filter(is_free).map(|load| (load, units(load, &compared))).collect()
}

fn units<'l>(load: &'l Load, compared: &Compared) -> Vec<Unit<'l>> {
    let mut groups: BTreeMap<&String, &String> =
        load.benchmarks.keys().map(|id| (id, id)).collect();
    let own = |key: &BenchmarkKey| {
        let known = load.benchmarks.get_key_value(&key.id).filter(|_| key.is_of(&load.key));
        known.map(|(id, _)| id)
    };
    let mut fixed: BTreeSet<&String> = compared.alone.iter().filter_map(own).collect();
    for (one, other) in &compared.pairs {
        match (own(one), own(other)) {
            (Some(one), Some(other)) => {
                let [one, other] = [groups[one], groups[other]];
                groups.values_mut().filter(|group| **group == other).for_each(|group| *group = one);
            }
            // It is in another suite, which may be in another shard.
            (one, other) => fixed.extend(one.or(other)),
        }
    }
    let fixed: BTreeSet<&String> = fixed.into_iter().map(|id| groups[id]).collect();
    let mut units: BTreeMap<&String, Unit<'l>> = BTreeMap::new();
    for (id, group) in groups.into_iter().filter(|(_, group)| !fixed.contains(group)) {
        let unit = units.entry(group).or_insert(Unit { ids: Vec::new(), seconds: 0.0 });
        unit.ids.push(id);
        unit.seconds += load.benchmarks[id];
    }
    let mut units: Vec<Unit<'l>> = units.into_values().filter(|unit| unit.seconds > 0.0).collect();
    // Stable: of equally long ones every shard takes the same.
    units.sort_by(|a, b| b.seconds.total_cmp(&a.seconds));
    units
}

/// What rules compare.
#[derive(Default)]
struct Compared {
    pairs: Vec<(BenchmarkKey, BenchmarkKey)>,
    /// Those whose other one is not known: a suite may have it.
    alone: BTreeSet<BenchmarkKey>,
}

fn compared(loads: &[Load], policies: &[&Policy]) -> Compared {
    let mut compared = Compared::default();
    for rule in policies.iter().flat_map(|policy| &policy.rules) {
        let Some(of) = rule.of() else { continue };
        let known = |id: &str| -> Vec<BenchmarkKey> {
            let loads = loads.iter().filter(|load| load.benchmarks.contains_key(id));
            loads.map(|load| load.key.benchmark(id)).collect()
        };
        let others = known(of);
        let limited: Vec<BenchmarkKey> =
            known(&rule.benchmark).into_iter().filter(|key| rule.limits(key)).collect();
        for key in &limited {
            match rule.other(key, others.iter().map(|other| (other, other))) {
                Some(other) => compared.pairs.push((key.clone(), other.clone())),
                None => compared.alone.extend([key.clone()]),
            }
        }
        if limited.is_empty() {
            compared.alone.extend(others);
        }
    }
    compared
}

/// Pairs of suites that one shard must measure.
fn together(loads: &[Load], policies: &[&Policy]) -> Vec<(SuiteKey, SuiteKey)> {
    let pairs = compared(loads, policies).pairs.into_iter();
    let suites = pairs.map(|(one, other)| (one.suite_key(), other.suite_key()));
    suites.chain(renamed_suites(loads, policies)).collect()
}

/// The old and the new name of each suite that a rename is about; identical if it renames benchmarks alone.
fn renamed_suites(loads: &[Load], policies: &[&Policy]) -> Vec<(SuiteKey, SuiteKey)> {
    let renames = || policies.iter().flat_map(|policy| &policy.renames);
    let of_load = |load: &Load| {
        let new = renames().filter_map(|rename| rename.suite(&load.key));
        new.map(|new| (load.key.clone(), new)).collect::<Vec<_>>()
    };
    loads.iter().flat_map(of_load).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn load(suite: &str, building: f64, ids: &[&str]) -> Load {
        let benchmarks = ids.iter().map(|id| ((*id).to_owned(), 0.0)).collect();
        Load { key: SuiteKey::new("p", suite), building, benchmarks }
    }

    /// A suite whose benchmarks take this long each.
    fn long(suite: &str, building: f64, benchmarks: &[f64]) -> Load {
        let benchmarks = benchmarks.iter().enumerate();
        let benchmarks = benchmarks.map(|(n, seconds)| (format!("b{n:02}"), *seconds)).collect();
        Load { key: SuiteKey::new("p", suite), building, benchmarks }
    }

    fn busy(loads: &[Load], places: &BTreeMap<SuiteKey, Place>, shards: u32) -> Vec<f64> {
        let mut busy = vec![0.0; shards as usize];
        for load in loads {
            let Place { shard, elsewhere } = &places[&load.key];
            let builders: BTreeSet<u32> = elsewhere.values().copied().chain([*shard]).collect();
            builders.iter().for_each(|shard| busy[*shard as usize - 1] += load.building);
            for (id, seconds) in &load.benchmarks {
                busy[*elsewhere.get(id).unwrap_or(shard) as usize - 1] += seconds;
            }
        }
        busy
    }

    fn shared(loads: &[Load], policy: &str, shards: u32) -> Vec<String> {
        let policy = Policy::parse(policy).unwrap();
        let all = share_out(loads, &[&policy], shards);
        let line = |(key, place): (SuiteKey, Place)| {
            let moved = place.elsewhere.iter().map(|(id, shard)| format!(" {id}:{shard}"));
            format!("{} {}{}", key.suite, place.shard, moved.collect::<String>())
        };
        all.into_iter().map(line).collect()
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

    #[test]
    fn a_suite_that_is_longer_than_the_others_gives_benchmarks_away() {
        // 20 s of building and 100 s of measuring: 70 s on each of two shards.
        let loads = [long("big", 20.0, &[10.0; 10])];
        assert_eq!(shared(&loads, "", 2), ["big 1 b00:2 b01:2 b02:2 b03:2 b04:2"]);
        assert_eq!(shared(&loads, "", 1), ["big 1"]);
        // What is not worth a second build stays.
        assert_eq!(shared(&[long("big", 110.0, &[10.0; 10])], "", 2), ["big 1"]);
        assert_eq!(shared(&[long("big", 1.0, &[1.0; 20])], "", 2), ["big 1"]);
        // Those of a rule go together, and a suite with two names stays.
        let rule = "[[rule]]\nbenchmark = \"b00\"\nof = \"b01\"\nshare = 0.5\nreason = \"r\"\n";
        assert_eq!(shared(&loads, rule, 2), ["big 1 b00:2 b01:2 b02:2 b03:2 b04:2"]);
        let chained = format!("{rule}{}", rule.replace("b00", "b09"));
        assert_eq!(shared(&loads, &chained, 2), ["big 1 b00:2 b01:2 b02:2 b03:2 b09:2"]);
        // One that is compared with another suite's stays.
        let both = [
            loads[0].clone(),
            Load { benchmarks: [("x".to_owned(), 1.0)].into(), ..load("small", 1.0, &[]) },
        ];
        let rule = rule.replace("b01", "x");
        assert_eq!(shared(&both, &rule, 2), ["big 1 b01:2 b02:2 b03:2 b04:2 b05:2", "small 1"]);
        // Both ends of it, where each suite has the first.
        let twice = [
            loads[0].clone(),
            Load { benchmarks: [("b00".to_owned(), 1.0)].into(), ..load("small", 1.0, &[]) },
        ];
        let rule = rule.replace("\"x\"", "\"b01\"");
        assert_eq!(shared(&twice, &rule, 2), ["big 1 b02:2 b03:2 b04:2 b05:2 b06:2", "small 1"]);
        // And one whose other is not known: the suite may have it now.
        let rule = rule.replace("\"b01\"", "\"new\"");
        assert_eq!(shared(&loads, &rule, 2), ["big 1 b01:2 b02:2 b03:2 b04:2 b05:2"]);
        let rename = "[[rename]]\nsuite = \"big\"\nto-suite = \"new\"\n";
        assert_eq!(shared(&loads, rename, 2), ["big 1"]);
        let of_benchmarks = "[[rename]]\nfrom = \"b00\"\nto = \"other\"\n";
        assert_eq!(shared(&loads, of_benchmarks, 2), shared(&loads, "", 2));
    }

    #[test]
    fn four_shards_of_one_suite_take_a_third_of_its_time() {
        let loads = [long("big", 30.0, &[2.0; 200])];
        let places = share_out(&loads, &[], 4);
        let busy = busy(&loads, &places, 4);
        assert!(busy.iter().all(|seconds| (100.0..=150.0).contains(seconds)), "{busy:?}");
    }

    proptest! {
        #[test]
        fn benchmarks_are_given_away_only_where_the_longest_shard_gets_shorter(
            suites in prop::collection::vec((0.0..90.0_f64, prop::collection::vec(0.0..30.0_f64, 0..40)), 0..8),
            shards in 1_u32..9,
        ) {
            let name = |index: usize| format!("s{index:02}");
            let suites = suites.iter().enumerate();
            let loads: Vec<Load> =
                suites.map(|(index, (building, all))| long(&name(index), *building, all)).collect();
            let places = share_out(&loads, &[], shards);
            let mut backwards = loads.clone();
            backwards.reverse();
            prop_assert_eq!(&places, &share_out(&backwards, &[], shards));
            let whole: BTreeMap<SuiteKey, Place> = places
                .iter()
                .map(|(key, place)| (key.clone(), Place { elsewhere: BTreeMap::new(), ..place.clone() }))
                .collect();
            let longest = |places| busy(&loads, places, shards).into_iter().fold(0.0, f64::max);
            prop_assert!(longest(&places) <= longest(&whole) + 1e-6);
            let numbers = places.values().flat_map(|place| place.elsewhere.values());
            prop_assert!(numbers.into_iter().all(|number| (1..=shards).contains(number)));
        }

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
                let shard = all[&load.key].shard;
                prop_assert!((1..=shards).contains(&shard));
                busy[shard as usize - 1] += load.seconds();
            }
            // Graham's bound of the longest-first rule.
            let most = seconds.iter().copied().fold(0.0, f64::max);
            let mean = seconds.iter().sum::<f64>() / f64::from(shards);
            prop_assert!(busy.into_iter().fold(0.0, f64::max) <= mean + most + 1e-6);
        }
    }
}
