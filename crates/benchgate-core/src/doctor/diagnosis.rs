//! The result of all checks: the states and the JSON of `benchgate doctor`.

use serde::{Deserialize, Serialize};

pub(super) const SCHEMA: &str = "benchgate.doctor/2";

/// The state of one point.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum State {
    /// A gate should not run like this: `--check` fails.
    Blocking,
    /// Could be better.
    Advice,
    /// The system does not report it.
    Unknown,
    /// Set up for measuring.
    Ok,
}

impl State {
    /// Every state, the most urgent first.
    pub const ALL: [Self; 4] = [Self::Blocking, Self::Advice, Self::Unknown, Self::Ok];

    /// The name in reports and JSON.
    pub fn name(self) -> &'static str {
        match self {
            Self::Blocking => "blocking",
            Self::Advice => "advice",
            Self::Unknown => "unknown",
            Self::Ok => "ok",
        }
    }
}

/// The outcome of one check.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Point {
    /// The check's name.
    pub name: String,
    /// Its state.
    pub state: State,
    /// The setting or the value that was found.
    pub found: String,
    /// The reason why it matters.
    pub why: String,
    /// The command or the step that fixes it; empty when there is nothing to fix.
    pub fix: String,
}

/// Every point, in the order of the checks.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Diagnosis {
    /// Names this format and its version.
    pub schema: String,
    /// The points.
    pub points: Vec<Point>,
}

impl Diagnosis {
    /// Turns the blocking points with these names into advice, for a maintainer who accepts them. Returns the
    /// names that no check has.
    pub fn allow(&mut self, names: &[String]) -> Vec<String> {
        for point in &mut self.points {
            if point.state == State::Blocking && names.contains(&point.name) {
                point.state = State::Advice;
            }
        }
        let known = |name: &String| self.points.iter().any(|point| point.name == *name);
        names.iter().filter(|name| !known(name)).cloned().collect()
    }

    /// Number of points in this state.
    pub fn count(&self, state: State) -> usize {
        self.points.iter().filter(|point| point.state == state).count()
    }

    /// Formats it as JSON, with a final newline.
    pub fn to_json(&self) -> String {
        crate::json::pretty(self, 4_096) + "\n"
    }
}
