//! The results known for the commits of a history, on which a search is based.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// The results for one benchmark. Commits are named by their index: 0 is the good one.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Known {
    /// Commits that were built, or could not be.
    pub builds: BTreeMap<usize, Build>,
    /// Instructions of one iteration; `None` if they cannot be counted.
    pub instructions: BTreeMap<usize, Option<u64>>,
    /// Rounds of each step, in the order in which the search asked for them.
    pub steps: Vec<Measured>,
    /// Whether the time is over. It is of one call, and is not kept.
    #[serde(skip)]
    pub is_over: bool,
}

/// The outcome of building a commit.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum Build {
    /// Has the benchmark.
    Testable {
        /// The first commit that was built and has the same machine code.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        same_as: Option<usize>,
    },
    /// Does not build, lacks the benchmark, or the benchmark fails.
    Untestable {
        /// The reason, in words.
        reason: String,
    },
}

/// Rounds of some commits.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Measured {
    /// The commits, oldest first.
    pub members: Vec<usize>,
    /// For each round one value of each member.
    pub rounds: Vec<Vec<f64>>,
}

impl Known {
    /// Adds a round; rounds of other commits at the same step are of a search that went another way.
    pub fn add_round(&mut self, step: usize, members: &[usize], values: Vec<f64>) {
        let is_other = self.steps.get(step).is_some_and(|known| known.members != members);
        self.steps.truncate(if is_other { step } else { step + 1 });
        if self.steps.len() == step {
            self.steps.push(Measured { members: members.to_vec(), rounds: Vec::new() });
        }
        if let Some(known) = self.steps.get_mut(step) {
            known.rounds.push(values);
        }
    }

    /// Describes an entry that cannot be true of a history of this number of commits; `None` if there is none.
    pub fn mistake(&self, commits: usize) -> Option<String> {
        let named = self.builds.keys().chain(self.instructions.keys());
        let members = self.steps.iter().flat_map(|step| &step.members);
        if let Some(commit) = named.chain(members).find(|commit| **commit >= commits) {
            return Some(format!("it names commit {commit} of {commits}"));
        }
        let is_whole = |step: &Measured| {
            let is_whole = |round: &Vec<f64>| {
                let is_time = |value: &f64| value.is_finite() && *value > 0.0;
                round.len() == step.members.len() && round.iter().all(is_time)
            };
            step.rounds.iter().all(is_whole)
        };
        let wrong = self.steps.iter().position(|step| !is_whole(step))?;
        Some(format!("`steps[{wrong}]` has a round without a time for each of its commits"))
    }

    /// The rounds of a step so far.
    pub(super) fn rounds(&self, step: usize, members: &[usize]) -> &[Vec<f64>] {
        let known = self.steps.get(step).filter(|known| known.members == members);
        known.map_or(&[], |known| &known.rounds)
    }

    /// Returns the first commit that was built with its machine code.
    pub(super) fn code(&self, commit: usize) -> usize {
        match self.builds.get(&commit) {
            Some(Build::Testable { same_as: Some(other) }) => *other,
            _ => commit,
        }
    }
}
