//! `docs/evidence/published.toml`: the figures of the published benchmark documents, and what was aimed at.

use benchgate_core::model::Metric;
use benchgate_core::policy::{Policy, Rule, RuleBound};
use serde::Deserialize;

use super::Repository;
use crate::error::Error;

const PATH: &str = "docs/evidence/published.toml";
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
    pub(super) iterations: Vec<Iterations>,
    pub(super) checksum: Vec<Checksums>,
    pub(super) range: Vec<Range>,
    pub(super) rate: Vec<Rate>,
    /// Relations of the messages of RoboBuffers in Rust.
    pub(super) robobuffers: Vec<Relation>,
    /// The others of the same suites, which have no target.
    pub(super) robobuffers_comparison: Vec<Comparison>,
    /// Like `robobuffers_comparison`, in Java, whose times are in a separate record.
    pub(super) java: Vec<Relation>,
    /// Libraries alongside each other, in Java.
    pub(super) java_comparison: Vec<Comparison>,
    /// The targets of noproto, which has a separate page.
    #[cfg_attr(not(test), expect(dead_code, reason = "the page of noproto is not made here"))]
    pub(super) noproto: Vec<NoProto>,
    /// The absolute figures of the document of the Java libraries.
    pub(super) java_document: JavaDocument,
}

impl Published {
    /// Each pair of numbers of iterations with the times that belong to it.
    pub(super) fn iteration_rows(&self) -> impl Iterator<Item = (&Iterations, &Versions)> {
        self.iterations.iter().filter_map(|iterations| {
            let versions = self.version.iter().find(|it| it.second == iterations.times)?;
            Some((iterations, versions))
        })
    }
}

/// Two benchmarks of one run, and the maximum of their ratio. The policy has a rule about it.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct Relation {
    /// A description, where the ids are not enough.
    pub(super) what: Option<String>,
    pub(super) benchmark: String,
    pub(super) of: String,
    pub(super) published: Option<f64>,
    /// The share of the same library with `sun.misc.Unsafe`, which ours is not measured with.
    pub(super) published_unsafe: Option<f64>,
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

/// A decode.
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

/// The values by the first version and by the second, in microseconds.
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
    pub(super) xxhash64_rate: Option<String>,
    pub(super) crc32_us: Option<f64>,
    pub(super) crc32_rate: Option<String>,
    pub(super) crc16_us: Option<f64>,
    pub(super) crc16_rate: Option<String>,
    /// The data that an iteration takes the checksum of, where a rate is published.
    pub(super) payload_bytes: Option<u32>,
}

/// How often Criterion ran the first version and the second in its time.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Iterations {
    pub(super) what: String,
    pub(super) first: u32,
    pub(super) second: u32,
    /// The second version in [`Versions`].
    pub(super) times: String,
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

/// Benchmarks that each handle this number of messages.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Rate {
    pub(super) group: String,
    pub(super) messages: u32,
}

/// The maximum of noproto's time, by name as published, as a share of another library's, by operation.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct NoProto {
    of: String,
    encode: Option<f64>,
    decode: Option<f64>,
    decode_one: Option<f64>,
    update: Option<f64>,
}

impl NoProto {
    /// The ids of both benchmarks, and the target.
    #[cfg_attr(not(test), expect(dead_code, reason = "the page of noproto is not made here"))]
    pub(super) fn targets(&self) -> impl Iterator<Item = (String, String, f64)> {
        let Self { of, encode, decode, decode_one, update } = self;
        let operations = [
            ("encode", encode),
            ("decode", decode),
            ("decode_one", decode_one),
            ("update", update),
        ];
        operations.into_iter().filter_map(move |(operation, target)| {
            let id = |library: &str| format!("noproto/{operation}/{library}");
            Some((id("noproto_by_name"), id(of), (*target)?))
        })
    }
}

/// The absolute figures of the document of RoboBuffers.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct JavaDocument {
    /// The container of FlatBuffers' bench: RoboBuffers, FlatBuffers 1.11.0 and 1.10.0.
    pub(super) container_bytes: [u64; 3],
    pub(super) messages: Vec<Messages>,
    pub(super) streams: Vec<StreamTimes>,
    pub(super) containers: Vec<Containers>,
}

/// Messages in a millisecond: RoboBuffers, protobuf-java.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct Messages {
    pub(super) benchmark: String,
    pub(super) of: String,
    pub(super) published_bytes: u32,
    /// The size of ours; `None` where nothing records it.
    pub(super) bytes: Option<u32>,
    pub(super) per_ms: [f64; 2],
    pub(super) mb_s: Option<[f64; 2]>,
}

impl Messages {
    /// The time of RoboBuffers as a share of that of protobuf-java.
    pub(super) fn published_share(&self) -> f64 {
        self.per_ms[1] / self.per_ms[0]
    }
}

/// The time of a file stream, by library.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct StreamTimes {
    pub(super) method: String,
    pub(super) stream: u32,
    /// In the order of [`Self::LIBRARIES`].
    pub(super) ms: [f64; 4],
}

impl StreamTimes {
    /// By their names in the suites.
    pub(super) const LIBRARIES: [&str; 4] = ["quickbuf-unsafe", "quickbuf", "protobuf", "lite"];

    /// The time of a library as a share of that of protobuf-java.
    pub(super) fn published_share(&self, library: usize) -> f64 {
        self.ms[library] / self.ms[2]
    }
}

/// An operation on the container of FlatBuffers' bench: RoboBuffers, FlatBuffers 1.11.0 and 1.10.0.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Containers {
    pub(super) what: String,
    pub(super) ns: [f64; 3],
    /// Ours of QuickBuffers, and of FlatBuffers.
    pub(super) benchmark: Option<String>,
    pub(super) of: Option<String>,
}

impl Containers {
    /// The time of RoboBuffers as a share of that of FlatBuffers 1.11.0, which decodes nothing.
    pub(super) fn published_share(&self) -> Option<f64> {
        (self.ns[1] > 0.0).then(|| self.ns[0] / self.ns[1])
    }
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
    /// Each rule about a share of a time, with its limit and the benchmark that it compares with.
    pub(super) fn shares(&self) -> impl DoubleEndedIterator<Item = (&Rule, f64, &str)> {
        self.0.rules.iter().filter_map(|rule| match &rule.bound {
            RuleBound::Share { share, of } if rule.metric == Metric::TIME => {
                Some((rule, *share, &**of))
            }
            _ => None,
        })
    }

    /// Returns the share that the policy's rule about these two benchmarks allows.
    pub(super) fn share(&self, relation: &Relation) -> Result<f64, Error> {
        let Relation { benchmark, of, .. } = relation;
        let is_it = |rule: &Rule, other: &str| rule.benchmark == *benchmark && other == of;
        let mut shares = self.shares().rev();
        let share = shares.find_map(|(rule, share, other)| is_it(rule, other).then_some(share));
        share.ok_or_else(|| {
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
            published_unsafe: None,
            target: 0.4,
        };
        assert_eq!(rules.share(&relation("b")).unwrap(), 0.5);
        let error = rules.share(&relation("c")).unwrap_err().to_string();
        assert!(error.contains("`a` as a share of `c`"), "{error}");
    }

    #[test]
    fn published_shares_of_java_are_those_of_the_published_figures() {
        let Published { java, java_document, .. } =
            read(&Repository { root: crate::workspace().to_owned() }).unwrap();
        let JavaDocument { messages, streams, containers, .. } = &java_document;
        let stream = |id: &str| {
            let row = streams.iter().find(|StreamTimes { method, stream, .. }| {
                id == format!("robobuffers.Streams.{method}/library=quickbuf/stream={stream}")
            })?;
            Some((row.published_share(1), Some(row.published_share(0))))
        };
        let message = |id: &str| {
            let row = messages.iter().find(|row| row.benchmark == id)?;
            Some((row.published_share(), None))
        };
        // The first four rows are those outside of the heap, in the order of the others.
        let container = |id: &str| {
            let is_it = |row: &Containers| row.benchmark.as_deref() == Some(id);
            let (direct, heap) = containers.split_at(4);
            let index = heap.iter().position(is_it)?;
            Some((heap[index].published_share()?, direct[index].published_share()))
        };
        for Relation { benchmark: id, published, published_unsafe, .. } in java {
            let figures = stream(&id).or_else(|| message(&id)).or_else(|| container(&id));
            let (share, with_unsafe) = figures.unwrap_or_else(|| panic!("no figures of `{id}`"));
            let is_close = |this: f64, that: f64| (this - that).abs() < 0.005;
            assert!(is_close(published.unwrap(), share), "`{id}`: {share}");
            match (published_unsafe, with_unsafe) {
                (None, None) => {}
                (Some(this), Some(that)) => assert!(is_close(this, that), "`{id}`: {that}"),
                other => panic!("`{id}`: {other:?}"),
            }
        }
    }

    /// A test of noproto's suites compares that page with the program that has the targets.
    #[test]
    fn the_targets_of_noproto_are_those_of_its_page() {
        let repository = Repository { root: crate::workspace().to_owned() };
        let mut operation = String::new();
        let mut of_page = Vec::new();
        for line in repository.read("docs/evidence/noproto.md").unwrap().lines() {
            if let Some(title) = line.strip_prefix("====== ") {
                let words: Vec<_> = title.trim_end_matches(" ======").split(' ').collect();
                operation = match &*words {
                    ["DECODE", "ONE"] => "decode_one".to_owned(),
                    [word, ..] => word.to_lowercase(),
                    [] => String::new(),
                };
            } else if line == "```" {
                operation.clear();
            }
            let library = line.get(..24).unwrap_or_default().trim_end();
            let library = &*library.replace(", ", "_");
            let target = line.get(63..72).and_then(|column| column.trim().parse().ok());
            if let (false, Some(target)) = (operation.is_empty() || library.is_empty(), target) {
                let id = |library: &str| format!("noproto/{operation}/{library}");
                of_page.push((id("noproto_by_name"), id(library), target));
            }
        }
        let targets = read(&repository).unwrap().noproto;
        let mut targets: Vec<(String, String, f64)> =
            targets.iter().flat_map(NoProto::targets).collect();
        let by_id = |this: &(String, String, f64), that: &(String, String, f64)| {
            (&this.0, &this.1).cmp(&(&that.0, &that.1))
        };
        of_page.sort_by(by_id);
        targets.sort_by(by_id);
        assert_eq!(targets, of_page);
        assert_eq!(targets.len(), 26);
    }

    #[test]
    fn the_suite_that_counts_prints_the_same_published_figures() {
        let repository = Repository { root: crate::workspace().to_owned() };
        // Without the separators of thousands, which are in the ids too.
        let suite =
            repository.read("benches/protobuf/suites/allocations.rs").unwrap().replace('_', "");
        for Blocks { id, blocks, bytes } in read(&repository).unwrap().allocations {
            let line = format!("(\"{id}\", {blocks}, {bytes})").replace('_', "");
            assert!(suite.contains(&line), "{line}");
        }
    }
}
