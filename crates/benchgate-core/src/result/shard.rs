//! The part of a run that a result is.

use serde::{Deserialize, Serialize};

use crate::model::{Shard, Sides, SuiteKey};

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
    /// SHA-256 of what is asked for, and of how it is built and measured.
    pub settings: String,
    /// Whether only some suites were asked for.
    pub is_narrowed: bool,
    /// Every suite of either side, and the shard that builds it.
    pub inventory: Vec<ShardSuite>,
    /// SHA-256 of this file with this value empty. It shows damage, not forgery.
    pub digest: String,
}

/// A suite, and the shard that builds and measures it.
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
}

impl ShardSuite {
    /// Its key.
    pub fn key(&self) -> SuiteKey {
        SuiteKey::new(&*self.package, &*self.suite)
    }
}

impl ShardReport {
    /// The shard of a suite. One that is not in the inventory is the first's.
    pub fn shard_of(&self, key: &SuiteKey) -> u32 {
        self.inventory.iter().find(|suite| suite.key() == *key).map_or(1, |suite| suite.shard)
    }

    /// Whether this part builds a suite. What is said of a side as a whole is said by every part.
    pub fn has(&self, key: &SuiteKey) -> bool {
        *key == SuiteKey::of_all() || self.shard_of(key) == self.part.number
    }
}
