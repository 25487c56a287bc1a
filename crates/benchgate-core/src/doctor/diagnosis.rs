//! What came of looking: the words and the JSON of `benchgate doctor`.

use serde::{Deserialize, Serialize};

pub(super) const SCHEMA: &str = "benchgate.doctor/1";

/// How one point stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum State {
    /// A gate should not run like this: `--check` fails.
    Blocking,
    /// Better otherwise.
    Advice,
    /// The system does not tell.
    Unknown,
    /// As it should be.
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

/// One point.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Point {
    /// The check's name.
    pub name: String,
    /// How it stands.
    pub state: State,
    /// What was read.
    pub found: String,
    /// Why it matters.
    pub why: String,
    /// What to type; empty when there is nothing to mend.
    pub mend: String,
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
    /// Turns blocking points that somebody answers for into advice; gives back the names that are no
    /// check's.
    pub fn allow(&mut self, names: &[String]) -> Vec<String> {
        for point in &mut self.points {
            if point.state == State::Blocking && names.contains(&point.name) {
                point.state = State::Advice;
            }
        }
        let known = |name: &String| self.points.iter().any(|point| point.name == *name);
        names.iter().filter(|name| !known(name)).cloned().collect()
    }

    /// How many points stand so.
    pub fn count(&self, state: State) -> usize {
        self.points.iter().filter(|point| point.state == state).count()
    }

    /// As JSON, with a line end.
    pub fn to_json(&self) -> String {
        serde_json::to_string_pretty(self).unwrap_or_default() + "\n"
    }
}
