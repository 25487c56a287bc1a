//! `benchgate.bisect/1`: which commits a slowdown came with, and every step that led there.

use serde::{Deserialize, Serialize};

use crate::json::{self, FormatError};
use crate::model::{BenchmarkKey, Change};

/// Value of the key `schema`.
pub const BISECTION_SCHEMA: &str = "benchgate.bisect/1";

/// The output of `benchgate bisect --format json`. Commits are named by their index in `commits`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Bisection {
    /// [`BISECTION_SCHEMA`].
    pub schema: String,
    /// Seed of the order of rounds and of nuisance settings.
    pub seed: u64,
    /// The first-parent history, from the good commit to the bad one.
    pub commits: Vec<BisectCommit>,
    /// Commits that were built, or taken from the store, in this call.
    pub builds: usize,
    /// Searches, one for each benchmark.
    pub benchmarks: Vec<BisectBenchmark>,
}

/// A commit of the history.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BisectCommit {
    /// Its full name.
    pub commit: String,
    /// The first line of its message.
    pub subject: String,
}

/// The search for what made one benchmark slower.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BisectBenchmark {
    /// Package.
    pub package: String,
    /// Bench target.
    pub suite: String,
    /// Id of the benchmark.
    pub id: String,
    /// The bad commit compared with the good one, if they were measured.
    pub change: Option<Change>,
    /// The reason why nothing was searched; `None` where something was.
    pub refused: Option<BisectRefusal>,
    /// The steps, in order.
    pub steps: Vec<BisectStep>,
    /// The slowdowns that were found, the oldest first.
    pub found: Vec<FoundStep>,
}

/// Why nothing is searched between two commits.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case", deny_unknown_fields)]
pub enum BisectRefusal {
    /// The good or the bad commit has no value to give.
    Untestable {
        /// The commit.
        commit: usize,
        /// The reason why it cannot be tested.
        reason: String,
    },
    /// Both have the same machine code.
    SameCode,
    /// No slowdown is proven between them.
    Unproven {
        /// Rounds of both.
        rounds: usize,
        /// The smallest slowdown that rounds with this scatter prove, as a fraction; `None` when they are too few.
        detectable: Option<f64>,
        /// Rounds that would prove the measured change, if it is real; `None` if it is too small to look for.
        needed: Option<usize>,
    },
    /// The time was over before anything was proven.
    NoTime,
}

/// A step of a search.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BisectStep {
    /// The newest commit without the slowdown, so far.
    pub good: usize,
    /// The oldest commit with it, so far.
    pub bad: usize,
    /// The commit between them that was examined; `None` if they were compared with each other.
    pub commit: Option<usize>,
    /// Its outcome.
    pub answer: BisectAnswer,
    /// Rounds that were measured for it.
    pub rounds: usize,
    /// Instructions decided, and not time.
    pub by_instructions: bool,
    /// The proven slowdown: of `commit` compared with `good` if it is bad, of `bad` compared with `commit` if it
    /// is good.
    pub change: Option<Change>,
    /// The reason why a commit could not be tested.
    pub reason: Option<String>,
}

/// The outcome of a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum BisectAnswer {
    /// A slowdown between `good` and `bad` is proven.
    Proven,
    /// No slowdown between them is proven.
    Unproven,
    /// The commit is slower than `good`: the slowdown came with it or before.
    Bad,
    /// `bad` is slower than the commit: the slowdown came after it.
    Good,
    /// Both: slowdowns came before and after it.
    Both,
    /// Neither is proven.
    Undecided,
    /// The commit does not build, or has no value to give.
    Untestable,
    /// Has the machine code of `good`.
    SameAsGood,
    /// Has the machine code of `bad`.
    SameAsBad,
    /// Has the machine code of a commit that is undecided.
    SameAsUndecided,
    /// New rounds prove that `bad` is slower than `good`.
    Confirmed,
    /// They do not.
    Unconfirmed,
}

/// Where a slowdown came from: a commit after `good`, up to and including `bad`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FoundStep {
    /// The newest commit without it.
    pub good: usize,
    /// The oldest commit with it.
    pub bad: usize,
    /// `bad` compared with `good`, by separate rounds.
    pub change: Option<Change>,
    /// Why it is a set of commits, and not one; `None` of a culprit.
    pub why_set: Option<WhySet>,
}

/// Why a search ends in a set of commits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum WhySet {
    /// No commit between the ends could be tested and decided.
    Untested,
    /// No commit alone is proven slower than its parent.
    Unconfirmed,
    /// The time was over.
    NoTime,
}

impl BisectAnswer {
    /// Whether git has to skip the commit.
    pub fn is_skip(self) -> bool {
        matches!(self, Self::Undecided | Self::Untestable | Self::SameAsUndecided)
    }
}

impl FoundStep {
    /// The commit itself, where one is named.
    pub fn culprit(&self) -> Option<usize> {
        self.why_set.is_none().then_some(self.bad)
    }

    /// Whether the slowdown may have come with this commit.
    pub fn holds(&self, commit: usize) -> bool {
        (self.good + 1..=self.bad).contains(&commit)
    }
}

impl BisectBenchmark {
    /// The benchmark.
    pub fn key(&self) -> BenchmarkKey {
        BenchmarkKey::new(&*self.package, &*self.suite, &*self.id)
    }

    /// Whether every slowdown that was found is one commit's.
    pub fn is_settled(&self) -> bool {
        self.refused.is_none() && self.found.iter().all(|found| found.why_set.is_none())
    }
}

impl Bisection {
    /// Whether a file says that it is one, of any version.
    pub fn is_meant(bytes: &[u8]) -> bool {
        #[derive(Deserialize)]
        struct Named {
            schema: String,
        }
        let name = BISECTION_SCHEMA.split('/').next().unwrap_or(BISECTION_SCHEMA);
        json::parse_large::<Named>(bytes)
            .is_ok_and(|file| file.schema.split('/').next() == Some(name))
    }

    /// Reads a file.
    ///
    /// # Errors
    /// Names the key that is wrong.
    pub fn read(bytes: &[u8]) -> Result<Self, FormatError> {
        let bisection: Self = json::parse(bytes)?;
        if bisection.schema != BISECTION_SCHEMA {
            let schema = bisection.schema.escape_debug();
            return Err(FormatError::at(
                "schema",
                format!("`{schema}` is not `{BISECTION_SCHEMA}`"),
            ));
        }
        let last = bisection.commits.len().saturating_sub(1);
        for (at, benchmark) in bisection.benchmarks.iter().enumerate() {
            for (which, found) in benchmark.found.iter().enumerate() {
                if found.good >= found.bad || found.bad > last {
                    return Err(FormatError::at(
                        format!("benchmarks[{at}].found[{which}]"),
                        format!(
                            "invalid range {} to {}: expected commits of the history, the older one first",
                            found.good, found.bad
                        ),
                    ));
                }
            }
        }
        Ok(bisection)
    }

    /// The text of a file.
    pub fn to_json(&self) -> String {
        json::pretty(self, 1_024) + "\n"
    }
}
