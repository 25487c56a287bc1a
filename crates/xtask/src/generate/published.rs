//! `docs/published.toml`: the figures of the published benchmark documents, and what was aimed at.

use benchgate_core::model::Metric;
use benchgate_core::policy::{Policy, RuleBound};
use serde::Deserialize;

use super::Repository;
use crate::error::Error;

const PATH: &str = "docs/published.toml";
const POLICY: &str = "benchgate.toml";

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct Published {
    pub(super) dataset: Vec<Relation>,
    pub(super) stream: Vec<Relation>,
    pub(super) comparison: Vec<Comparison>,
    pub(super) stream_limits: Vec<Comparison>,
    pub(super) allocations: Vec<Blocks>,
    pub(super) speed: Vec<Speed>,
    pub(super) version: Vec<Versions>,
    pub(super) checksum: Vec<Checksums>,
    pub(super) range: Vec<Range>,
    pub(super) rate: Vec<Rate>,
    /// Relations of the messages of RoboBuffers in Rust.
    pub(super) robobuffers: Vec<Relation>,
    /// The others of the same suites, which have no target.
    pub(super) robobuffers_comparison: Vec<Comparison>,
    /// The same in Java, whose times are in a record of their own.
    pub(super) java: Vec<Relation>,
    /// Libraries alongside each other, in Java.
    pub(super) java_comparison: Vec<Comparison>,
}

/// Two benchmarks of one run, and the maximum of their ratio. The policy has a rule about it.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Relation {
    /// A description, where the ids are not enough.
    pub(super) what: Option<String>,
    pub(super) benchmark: String,
    pub(super) of: String,
    pub(super) published: Option<f64>,
    pub(super) target: f64,
}

/// Two benchmarks of one run.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Comparison {
    pub(super) what: String,
    pub(super) benchmark: String,
    pub(super) of: String,
}

/// One decode.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Blocks {
    pub(super) id: String,
    pub(super) blocks: u64,
    pub(super) bytes: u64,
}

/// An operation on a message by each library, in nanoseconds.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Speed {
    pub(super) message: String,
    pub(super) operation: String,
    pub(super) prost: f64,
    pub(super) defiant: f64,
    pub(super) pilota: Option<f64>,
}

/// The same by the first version and by the second, in microseconds.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct Versions {
    pub(super) what: String,
    pub(super) first: String,
    pub(super) first_us: f64,
    pub(super) second: String,
    pub(super) second_us: Option<f64>,
}

/// A benchmark with each checksum, in microseconds.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct Checksums {
    pub(super) benchmark: String,
    pub(super) xxhash64_us: Option<f64>,
    pub(super) crc32_us: Option<f64>,
    pub(super) crc16_us: Option<f64>,
}

/// A range that is called acceptable, as it is written there.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Range {
    pub(super) what: String,
    pub(super) published: String,
    pub(super) benchmark: String,
    /// The benchmark that `benchmark` is an improvement over; `None` where the range is one of times.
    pub(super) of: Option<String>,
}

/// Benchmarks that each handle so many messages.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Rate {
    pub(super) group: String,
    pub(super) messages: u32,
}

pub(super) fn read(repository: &Repository) -> Result<Published, Error> {
    toml::from_str(&repository.read(PATH)?).map_err(|error| Error::content(PATH, error))
}

/// The shares that the policy's rules allow.
pub(super) struct Rules(Policy);

pub(super) fn rules(repository: &Repository) -> Result<Rules, Error> {
    let policy = Policy::parse(&repository.read(POLICY)?);
    policy.map(Rules).map_err(|error| Error::content(POLICY, error))
}

impl Rules {
    /// Returns the share that the policy's rule about these two benchmarks allows.
    pub(super) fn share(&self, relation: &Relation) -> Result<f64, Error> {
        let rules = self.0.rules.iter().filter(|rule| rule.metric == Metric::TIME);
        let mut shares = rules.filter_map(|rule| match &rule.bound {
            RuleBound::Share { share, of } if rule.benchmark == relation.benchmark => {
                (*of == relation.of).then_some(*share)
            }
            _ => None,
        });
        shares.next_back().ok_or_else(|| {
            let Relation { benchmark, of, .. } = relation;
            Error::content(POLICY, format!("no rule about `{benchmark}` as a share of `{of}`"))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_relation_without_a_rule_is_an_error_that_names_both_benchmarks() {
        let rules = Rules(
            Policy::parse("[[rule]]\nbenchmark = \"a\"\nshare = 0.5\nof = \"b\"\nreason = \"r\"")
                .unwrap(),
        );
        let relation = |of: &str| Relation {
            what: None,
            benchmark: "a".to_owned(),
            of: of.to_owned(),
            published: None,
            target: 0.4,
        };
        assert_eq!(rules.share(&relation("b")).unwrap(), 0.5);
        let error = rules.share(&relation("c")).unwrap_err().to_string();
        assert!(error.contains("`a` as a share of `c`"), "{error}");
    }

    #[test]
    fn the_suite_that_counts_prints_the_same_published_figures() {
        let repository = Repository { root: crate::workspace().to_owned() };
        // Without the separators of thousands, which are in the ids too.
        let suite = repository.read("benches/suites/allocations.rs").unwrap().replace('_', "");
        for Blocks { id, blocks, bytes } in read(&repository).unwrap().allocations {
            let line = format!("(\"{id}\", {blocks}, {bytes})").replace('_', "");
            assert!(suite.contains(&line), "{line}");
        }
    }
}
