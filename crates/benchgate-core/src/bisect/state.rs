//! `benchgate.bisect-state/1`: what a search has learnt, so that another call resumes it.

use serde::{Deserialize, Serialize};

use super::known::Known;
use crate::json::{self, FormatError};
use crate::model::{BenchmarkKey, Pace};

/// Value of the key `schema`.
pub const STATE_SCHEMA: &str = "benchgate.bisect-state/1";

/// A search that can be resumed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct State {
    /// [`STATE_SCHEMA`].
    pub schema: String,
    /// Seed of all draws.
    pub seed: u64,
    /// The commits of the history, from the good to the bad one.
    pub commits: Vec<String>,
    /// How commits are built and measured.
    pub settings: String,
    /// The command that began the search.
    pub command: String,
    /// The results for each benchmark.
    pub benchmarks: Vec<Searched>,
}

/// The results for one benchmark.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Searched {
    /// Package.
    pub package: String,
    /// Bench target.
    pub suite: String,
    /// Id of the benchmark.
    pub id: String,
    /// How its rounds are requested; `None` before the first round.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pace: Option<Pace>,
    /// The results for the commits.
    pub known: Known,
}

impl Searched {
    /// A benchmark without results.
    pub fn new(key: &BenchmarkKey) -> Self {
        let BenchmarkKey { package, suite, id } = key.clone();
        Self { package, suite, id, pace: None, known: Known::default() }
    }

    /// The benchmark.
    pub fn key(&self) -> BenchmarkKey {
        BenchmarkKey::new(&*self.package, &*self.suite, &*self.id)
    }
}

impl State {
    /// Reads a file.
    ///
    /// # Errors
    /// Names the key that is wrong.
    pub fn read(bytes: &[u8]) -> Result<Self, FormatError> {
        let state: Self = json::parse(bytes)?;
        if state.schema != STATE_SCHEMA {
            let problem = format!("`{}` is not `{STATE_SCHEMA}`", state.schema.escape_debug());
            return Err(FormatError::at("schema", problem));
        }
        if state.commits.len() < 2 {
            return Err(FormatError::at("commits", "there are fewer than two".to_owned()));
        }
        for (at, benchmark) in state.benchmarks.iter().enumerate() {
            if let Some(mistake) = benchmark.known.mistake(state.commits.len()) {
                return Err(FormatError::at(format!("benchmarks[{at}].known"), mistake));
            }
        }
        Ok(state)
    }

    /// The text of the file.
    pub fn to_json(&self) -> String {
        json::pretty(self, 4_096) + "\n"
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bisect::Build;

    fn state() -> State {
        let mut searched = Searched::new(&BenchmarkKey::new("p", "s", "decode"));
        searched.known.builds.insert(0, Build::Testable { same_as: None });
        searched.known.builds.insert(2, Build::Untestable { reason: "it does not build".into() });
        searched.known.instructions.insert(0, None);
        searched.known.add_round(0, &[0, 1], vec![10.0, 11.0]);
        State {
            schema: STATE_SCHEMA.into(),
            seed: 5,
            commits: ["a", "b", "c"].map(str::to_owned).to_vec(),
            settings: "s".into(),
            command: "benchgate bisect".into(),
            benchmarks: vec![searched],
        }
    }

    #[test]
    fn a_state_is_read_as_it_was_written() {
        assert_eq!(State::read(state().to_json().as_bytes()).unwrap(), state());
    }

    #[test]
    fn a_state_that_cannot_be_true_is_refused_by_the_key_that_is_wrong() {
        let refused = |change: fn(&mut State)| {
            let mut state = state();
            change(&mut state);
            State::read(state.to_json().as_bytes()).unwrap_err().to_string()
        };
        let table = [
            (
                refused(|s| s.schema = "benchgate.bisect-state/2".into()),
                "`benchgate.bisect-state/2` is not",
            ),
            (refused(|s| s.commits.truncate(1)), "fewer than two"),
            (refused(|s| s.commits.truncate(2)), "it names commit 2 of 2"),
            (refused(|s| s.benchmarks[0].known.steps[0].rounds[0][1] = 0.0), "`steps[0]`"),
            (refused(|s| s.benchmarks[0].known.steps[0].rounds[0].truncate(1)), "`steps[0]`"),
        ];
        for (error, expected) in table {
            assert!(error.contains(expected), "{error}");
        }
    }
}
