//! The part of a run that a result is.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::model::{BenchmarkKey, Shard, Sides, SuiteKey};

/// The part of a run that a result is, and what the others must agree with.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct ShardReport {
    /// Its number, and the number of all.
    pub part: Shard,
    /// The commits that were checked out of both sides: of a working tree with changes, a commit on no branch.
    pub checkouts: Sides<String>,
    /// The tip of the branch that the head forked from: its policy holds too.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tip: Option<String>,
    /// SHA-256 of the policies of base and head, with what the command line changes of them.
    pub policy: String,
    /// SHA-256 of the request, and of the settings of build and measurement.
    pub settings: String,
    /// Whether only some suites were asked for.
    pub is_narrowed: bool,
    /// Every suite of either side, and the shards that measure it.
    pub inventory: Vec<ShardSuite>,
    /// The benchmarks of its suites that it left to other shards: what none of them reports is lost.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub left: Vec<BenchmarkKey>,
    /// SHA-256 of this file with this value empty. It shows damage, not forgery.
    pub digest: String,
}

/// A suite, and the shards that build and measure it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct ShardSuite {
    /// Package.
    pub package: String,
    /// Bench target.
    pub suite: String,
    /// The number of its shard.
    pub shard: u32,
    /// By id: benchmarks that another shard measures, and its number.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub elsewhere: BTreeMap<String, u32>,
}

impl ShardSuite {
    /// Its key.
    pub fn key(&self) -> SuiteKey {
        SuiteKey::new(&*self.package, &*self.suite)
    }

    /// The numbers of the shards that build it, its own first.
    pub fn shards(&self) -> Vec<u32> {
        let mut shards: Vec<u32> = self.elsewhere.values().copied().collect();
        shards.sort_unstable();
        shards.dedup();
        [vec![self.shard], shards].concat()
    }
}

impl ShardReport {
    fn suite(&self, package: &str, suite: &str) -> Option<&ShardSuite> {
        self.inventory.iter().find(|it| it.package == package && it.suite == suite)
    }

    /// The shards that build a suite, its own first. One that is not in the inventory is the first's.
    pub fn shards_of(&self, key: &SuiteKey) -> Vec<u32> {
        let suite = self.suite(&key.package, &key.suite);
        suite.map_or_else(|| vec![1], ShardSuite::shards)
    }

    /// The shard that measures a benchmark.
    pub fn shard_of(&self, key: &BenchmarkKey) -> u32 {
        let suite = self.suite(&key.package, &key.suite);
        suite.map_or(1, |suite| suite.elsewhere.get(&key.id).copied().unwrap_or(suite.shard))
    }

    /// Whether this part builds a suite. The report on a side as a whole is in every part.
    pub fn has(&self, key: &SuiteKey) -> bool {
        *key == SuiteKey::of_all() || self.shards_of(key).contains(&self.part.number)
    }

    /// The suites that this part builds.
    pub fn own(&self) -> impl Iterator<Item = &ShardSuite> {
        self.inventory.iter().filter(|suite| suite.shards().contains(&self.part.number))
    }
}
