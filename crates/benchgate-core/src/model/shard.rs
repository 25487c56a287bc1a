//! A part of a run that is split across machines.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// Maximum number of parts that a run is shared out into.
pub const MOST_SHARDS: u32 = 256;

/// The number of a part, from 1, and the number of all parts: `2/4`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Shard {
    /// The number of this part, from 1.
    pub number: u32,
    /// The number of all parts.
    pub of: u32,
}

impl Shard {
    /// A part; `None` if there is no such one.
    pub fn new(number: u32, of: u32) -> Option<Self> {
        ((1..=MOST_SHARDS).contains(&of) && (1..=of).contains(&number))
            .then_some(Self { number, of })
    }
}

impl FromStr for Shard {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let parts = text.split_once('/');
        let numbers = parts.and_then(|(number, of)| Some((number.parse().ok()?, of.parse().ok()?)));
        let expected =
            || format!("expected 1/4 to 4/4 for four shards; at most {MOST_SHARDS} shards");
        numbers.and_then(|(number, of)| Self::new(number, of)).ok_or_else(expected)
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.number, self.of)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_shard_is_one_of_those_that_there_are() {
        for text in ["1/1", "1/4", "4/4", "256/256"] {
            assert_eq!(text.parse::<Shard>().unwrap().to_string(), text);
        }
        for text in ["", "1", "/", "0/4", "5/4", "1/0", "-1/4", "1/4/4", "1/257", "a/b", " 1/4"] {
            assert!(text.parse::<Shard>().is_err(), "{text}");
        }
    }
}
