//! Refuses results that are not all the shards of one run, each as it was written.

use std::collections::{BTreeMap, BTreeSet};

use thiserror::Error;

use super::super::again::{contradictions, limits};
use super::part::Part;
use crate::model::{BenchmarkKey, Finding, SkipReason, SuiteKey};
use crate::policy::{Limits, Policy, Rule};
use crate::result::{BenchmarkReport, Method, RunResult, ShardReport, ShardSuite, SuiteReport};

/// Results that are not all shards of one run.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum MergeError {
    /// There is none.
    #[error("no result is named")]
    Nothing,
    /// Of a whole run.
    #[error("{name} is not a shard: `check --shard` writes shards")]
    Whole {
        /// The result.
        name: String,
    },
    /// Its values do not give its findings.
    #[error("{name} contradicts its own values: {what}")]
    Contradiction {
        /// The result.
        name: String,
        /// The contradictions.
        what: String,
    },
    /// Two are not of the same run.
    #[error("{name} is not of the same run as {first}: {what} differs ({own} instead of {others})")]
    Foreign {
        /// The result.
        name: String,
        /// The shard that it is compared with.
        first: String,
        /// The property in which they differ.
        what: &'static str,
        /// Its value.
        own: String,
        /// The first one's.
        others: String,
    },
    /// Two are the same shard.
    #[error("{name} and {other} are both shard {part}")]
    Doubled {
        /// The result.
        name: String,
        /// The one before it.
        other: String,
        /// The shard.
        part: String,
    },
    /// Some are not there.
    #[error(
        "of {of} shards {} missing: run `benchgate check --shard {}/{of}` of the same commits, or name its result too",
        listed(numbers),
        numbers.first().copied().unwrap_or(1)
    )]
    Lost {
        /// The missing ones.
        numbers: Vec<u32>,
        /// The number of all.
        of: u32,
    },
    /// A shard has what another one measures.
    #[error("{name} has values of `{suite}`, which is of shard {shard}")]
    NotItsOwn {
        /// The result.
        name: String,
        /// The suite.
        suite: SuiteKey,
        /// Its shard.
        shard: u32,
    },
    /// A shard has a benchmark that another one measures.
    #[error("{name} has values of `{benchmark}`, which shard {shard} measures")]
    NotItsBenchmark {
        /// The result.
        name: String,
        /// The benchmark.
        benchmark: BenchmarkKey,
        /// Its shard.
        shard: u32,
    },
    /// A benchmark was left to a shard that says nothing of it.
    #[error(
        "{name} left `{benchmark}` to shard {shard}, which says nothing of it: its id may be another one each time the \
         suite is listed"
    )]
    Unsaid {
        /// The result.
        name: String,
        /// The benchmark.
        benchmark: BenchmarkKey,
        /// Its shard.
        shard: u32,
    },
    /// A shard says nothing of one of its suites.
    #[error("{name} says nothing of `{suite}`, which is of its shard")]
    Silent {
        /// The result.
        name: String,
        /// The suite.
        suite: SuiteKey,
    },
    /// A benchmark was judged by other limits.
    #[error("{name} judged `{benchmark}` by other limits than those of the policy")]
    OtherLimits {
        /// The result.
        name: String,
        /// The benchmark.
        benchmark: BenchmarkKey,
    },
    /// A rule compares values that were not measured together.
    #[error(
        "a rule compares `{this}` of shard {shard} with `{of}` of shard {other}: rounds of two shards cannot be \
         compared"
    )]
    Parted {
        /// The benchmark that is limited.
        this: String,
        /// Its shard.
        shard: u32,
        /// The run that it is a shard of.
        of: String,
        /// Its shard.
        other: u32,
    },
}

fn listed(numbers: &[u32]) -> String {
    let all = numbers.iter().map(u32::to_string).collect::<Vec<_>>().join(", ");
    format!("{all} {}", if numbers.len() == 1 { "is" } else { "are" })
}

/// The shards in their order, if they are all those of one run.
pub(super) fn parts(shards: &[(String, RunResult)]) -> Result<Vec<Part<'_>>, MergeError> {
    let mut by_number: BTreeMap<u32, Part<'_>> = BTreeMap::new();
    let mut first: Option<Part<'_>> = None;
    for (name, result) in shards {
        let Some(shard) = &result.shard else {
            return Err(MergeError::Whole { name: name.clone() });
        };
        let part = Part { name, result, shard };
        let what = contradictions(result);
        if !what.is_empty() {
            return Err(MergeError::Contradiction { name: name.clone(), what: what.join("; ") });
        }
        same_run(part, *first.get_or_insert(part))?;
        if let Some(before) = by_number.insert(shard.part.number, part) {
            let (other, part) = (before.name.to_owned(), shard.part.to_string());
            return Err(MergeError::Doubled { name: name.clone(), other, part });
        }
    }
    let of = first.ok_or(MergeError::Nothing)?.shard.part.of;
    let numbers: Vec<u32> = (1..=of).filter(|number| !by_number.contains_key(number)).collect();
    if !numbers.is_empty() {
        return Err(MergeError::Lost { numbers, of });
    }
    Ok(by_number.into_values().collect())
}

/// Whether two results are of one run: of the same code, judged alike, shared out alike.
fn same_run(part: Part<'_>, first: Part<'_>) -> Result<(), MergeError> {
    let values = |part: Part<'_>| {
        let (result, shard) = (part.result, part.shard);
        [
            ("the version of benchgate", result.version.clone()),
            (
                "the method",
                if result.method == Method::Paired { "paired" } else { "another" }.to_owned(),
            ),
            ("the base commit", result.base.commit.clone()),
            ("the head commit", result.head.commit.clone()),
            ("the code of the base", shard.checkouts.base.clone()),
            ("the code of the head", shard.checkouts.head.clone()),
            ("the tip of the base branch", shard.tip.clone().unwrap_or_default()),
            ("the number of shards", shard.part.of.to_string()),
            ("the policy", shard.policy.clone()),
            ("what is measured or how", shard.settings.clone()),
            ("the inventory", inventory(shard)),
        ]
    };
    let differing = values(part).into_iter().zip(values(first)).find(|(own, other)| own != other);
    let Some(((what, own), (_, others))) = differing else { return Ok(()) };
    let (name, first) = (part.name.to_owned(), first.name.to_owned());
    Err(MergeError::Foreign { name, first, what, own: cut(&own), others: cut(&others) })
}

fn inventory(shard: &ShardReport) -> String {
    let suite = |suite: &ShardSuite| {
        let moved = suite.elsewhere.iter().map(|(id, shard)| format!(", its {id} in {shard}"));
        format!("{} in {}{}", suite.key(), suite.shard, moved.collect::<String>())
    };
    shard.inventory.iter().map(suite).collect::<Vec<_>>().join(", ")
}

/// The beginning of a value: digests and lists are long.
fn cut(value: &str) -> String {
    const SHOWN: usize = 60;
    match value.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{}…", &value[..end]),
        None => value.to_owned(),
    }
}

/// Whether a shard reports all of its own suites, and no other's.
pub(super) fn own_suites(part: Part<'_>) -> Result<(), MergeError> {
    let Part { name, result, shard } = part;
    let of_benchmarks = result.benchmarks.iter().map(|report| report.key().suite_key());
    // Of a suite that several shards measure, this one may have none of the benchmarks any more.
    let is_shared = |key: &SuiteKey| shard.has(key) && shard.shards_of(key).len() > 1;
    let is_said = |suite: &&SuiteReport| {
        suite.skip != Some(SkipReason::OtherShard) || is_shared(&suite.key())
    };
    let of_suites = result.suites.iter().filter(is_said);
    let reported: BTreeSet<SuiteKey> =
        of_benchmarks.chain(of_suites.map(|suite| suite.key())).collect();
    if let Some(suite) = reported.iter().find(|key| !shard.has(key)) {
        let (suite, shard) = (suite.clone(), shard.shards_of(suite)[0]);
        return Err(MergeError::NotItsOwn { name: name.to_owned(), suite, shard });
    }
    // An old name goes with the new one.
    let measured = result.benchmarks.iter().filter(|report| report.finding != Finding::Renamed);
    let foreign =
        measured.map(BenchmarkReport::key).find(|key| shard.shard_of(key) != shard.part.number);
    if let Some(benchmark) = foreign {
        let (name, shard) = (name.to_owned(), shard.shard_of(&benchmark));
        return Err(MergeError::NotItsBenchmark { name, benchmark, shard });
    }
    // A side that does not build says nothing of its suites.
    if reported.contains(&SuiteKey::of_all()) {
        return Ok(());
    }
    match shard.own().map(ShardSuite::key).find(|key| !reported.contains(key)) {
        Some(suite) => Err(MergeError::Silent { name: name.to_owned(), suite }),
        None => Ok(()),
    }
}

/// Whether each benchmark that a shard left to another one is there, or its suite is reported as failed there.
pub(super) fn nothing_is_lost(parts: &[Part<'_>]) -> Result<(), MergeError> {
    let reported = |part: &Part<'_>| -> (BTreeSet<BenchmarkKey>, BTreeSet<SuiteKey>) {
        let failed =
            |suite: &&SuiteReport| suite.skip.is_none() && suite.finding != Finding::Identical;
        (
            part.result.benchmarks.iter().map(BenchmarkReport::key).collect(),
            part.result.suites.iter().filter(failed).map(SuiteReport::key).collect(),
        )
    };
    let reported: BTreeMap<u32, _> =
        parts.iter().map(|part| (part.shard.part.number, reported(part))).collect();
    for Part { name, shard, .. } in parts {
        for benchmark in &shard.left {
            let number = shard.shard_of(benchmark);
            let is_said = reported.get(&number).is_some_and(|(benchmarks, suites)| {
                benchmarks.contains(benchmark)
                    || suites.contains(&benchmark.suite_key())
                    || suites.contains(&SuiteKey::of_all())
            });
            if !is_said {
                let (name, benchmark) = ((*name).to_owned(), benchmark.clone());
                return Err(MergeError::Unsaid { name, benchmark, shard: number });
            }
        }
    }
    Ok(())
}

/// Whether a shard judged by the policy.
pub(super) fn own_limits(part: Part<'_>, policy: &Policy) -> Result<(), MergeError> {
    let is_other = |key: &BenchmarkKey, report: &BenchmarkReport| {
        let of_policy = policy.limits_for(key).of_metric(&report.metric);
        limits(report) != Limits { sensitive: false, ..of_policy }
    };
    for report in &part.result.benchmarks {
        let benchmark = report.key();
        if report.finding != Finding::Renamed && is_other(&benchmark, report) {
            return Err(MergeError::OtherLimits { name: part.name.to_owned(), benchmark });
        }
    }
    Ok(())
}

/// Whether each rule compares rounds of one shard: those of two were not run in the same turns.
pub(super) fn rules_are_whole(parts: &[Part<'_>], rules: &[Rule]) -> Result<(), MergeError> {
    for rule in rules {
        let Some(of) = rule.of() else { continue };
        let named = |id: &str| -> Vec<(BenchmarkKey, u32)> {
            parts
                .iter()
                .flat_map(|part| part.result.benchmarks.iter().map(move |report| (part, report)))
                .filter(|(_, report)| report.id == id && report.metric == rule.metric)
                .filter(|(_, report)| !report.evidence.rounds.head.is_empty())
                .map(|(part, report)| (report.key(), part.shard.part.number))
                .collect()
        };
        let shares = named(of);
        for (this, shard) in named(&rule.benchmark).into_iter().filter(|(key, _)| rule.limits(key))
        {
            let other = rule.other(&this, shares.iter().map(|(key, shard)| (key, (key, *shard))));
            if let Some((of, other)) = other.filter(|(_, other)| *other != shard) {
                let (this, of) = (this.to_string(), of.to_string());
                return Err(MergeError::Parted { this, shard, of, other });
            }
        }
    }
    Ok(())
}
