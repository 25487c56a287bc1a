//! The measured values of one benchmark and metric.

use serde::{Deserialize, Serialize};

use super::{CpuCounters, Sides};

/// Values per round. In a paired run equal indices belong together.
pub type Rounds = Sides<Vec<f64>>;

/// Arithmetic means, the figures that critcmp compares.
pub type Means = Sides<Option<f64>>;

impl Rounds {
    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.base.is_empty() && self.head.is_empty()
    }

    /// Adds a pair.
    pub fn push(&mut self, pair: Sides<f64>) {
        self.base.push(pair.base);
        self.head.push(pair.head);
    }
}

/// Means of all that a pair timed. A value of a pair ignores what happens to a minority of it; the mean does not.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Averages {
    /// Of the screening pairs.
    pub rounds: Rounds,
    /// Of the confirmation pairs.
    #[serde(default, skip_serializing_if = "Rounds::is_empty")]
    pub confirmation: Rounds,
}

impl Averages {
    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.rounds.is_empty() && self.confirmation.is_empty()
    }
}

/// The purpose for which pairs are measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Stage {
    /// To find what may be different.
    Screening,
    /// To prove it with separate pairs.
    Confirmation,
}

impl Stage {
    /// The one of two that is of this stage.
    fn choose<T>(self, screening: T, confirmation: T) -> T {
        match self {
            Self::Screening => screening,
            Self::Confirmation => confirmation,
        }
    }
}

/// The way in which a harness runs a round: with its settings, or as briefly as it can.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Pace {
    /// The settings that the harness is given. Settings that a bench makes for its groups take precedence.
    #[default]
    Settings,
    /// The harness's shortest run that gives a value. Settings of groups do not lengthen it.
    Quick,
}

/// The number of pairs that an earlier attempt on the same base and head measured.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct EarlierPairs {
    /// Screening pairs, or rounds of a benchmark that only the head has.
    pub screening: u32,
    /// Confirmation pairs.
    pub confirmation: u32,
}

impl EarlierPairs {
    /// The pairs of one stage.
    pub fn of(self, stage: Stage) -> usize {
        stage.choose(self.screening, self.confirmation) as usize
    }
}

/// Everything that was measured of one benchmark and metric. A verdict follows from it and the policy alone.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Evidence {
    /// Values per round; in a paired run the screening pairs.
    pub rounds: Rounds,
    /// The confirmation pairs of what seemed different: they alone prove.
    #[serde(default, skip_serializing_if = "Rounds::is_empty")]
    pub confirmation: Rounds,
    /// Means of what each pair timed, where the harness gives one for every pair.
    #[serde(default, skip_serializing_if = "Averages::is_empty")]
    pub averages: Averages,
    /// Arithmetic means over all rounds, the figures that critcmp compares.
    #[serde(default)]
    pub mean: Means,
    /// Rounds of the committed baseline of this machine.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub baseline: Vec<f64>,
    /// Instructions of one iteration, if they were counted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub instructions: Option<Instructions>,
    /// Why they were not counted, where that was tried.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub not_counted: String,
    /// What the CPU counted in the confirmation pairs of the last attempt that has some, if it can.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub counters: Option<CpuCounters>,
    /// The layout of each confirmation pair: 0 is that of the files that were built, other numbers are those of files
    /// that were linked again. Empty where layouts are not varied by nature, as of a virtual machine.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub layouts: Vec<u32>,
    /// Why files were not linked again.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub not_relinked: String,
    /// How many of the pairs each earlier attempt measured, in the order of the attempts: theirs come first. Those
    /// of the last attempt are the rest.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub earlier: Vec<EarlierPairs>,
}

/// Instructions of one iteration, counted.
pub type Instructions = Sides<f64>;

impl Instructions {
    /// Head compared with base, as a fraction.
    pub fn change(self) -> f64 {
        self.head / self.base - 1.0
    }
}

impl Evidence {
    /// Nothing yet, after this number of attempts.
    pub fn after(attempts: usize) -> Self {
        Self { earlier: vec![EarlierPairs::default(); attempts], ..Self::default() }
    }

    /// The change of the instructions of one iteration, as a fraction, if they were counted.
    pub fn more_instructions(&self) -> Option<f64> {
        self.instructions.map(Instructions::change)
    }

    /// Whether it holds at least as many values as another one, on each side and in each stage.
    pub fn covers(&self, other: &Self) -> bool {
        [Stage::Screening, Stage::Confirmation].iter().all(|stage| {
            let stages = self.stage(*stage).as_ref().zip(other.stage(*stage).as_ref());
            stages.iter().all(|(_, (stages, other))| stages.len() >= other.len())
        })
    }

    /// The number of pairs of one stage that each attempt measured, the last one too.
    pub fn attempts(&self, stage: Stage) -> impl Iterator<Item = usize> {
        let before = self.earlier.iter().map(move |pairs| pairs.of(stage));
        let last = self.stage(stage).head.len().saturating_sub(before.clone().sum());
        before.chain([last])
    }

    /// The number of pairs of one stage that the last attempt measured.
    pub fn measured(&self, stage: Stage) -> usize {
        self.attempts(stage).last().unwrap_or_default()
    }

    /// Sets the number of attempts that precede the one that adds its pairs.
    #[must_use]
    pub fn continued(mut self, attempts: usize) -> Self {
        let of = |stage| u32::try_from(self.measured(stage)).unwrap_or(u32::MAX);
        let [screening, confirmation] = [Stage::Screening, Stage::Confirmation].map(of);
        self.earlier.push(EarlierPairs { screening, confirmation });
        let nothing = EarlierPairs::default();
        self.earlier.resize(attempts.max(self.earlier.len()), nothing);
        self
    }

    /// Sets the CPU's counts of the last attempt: an attempt that confirmed nothing has none.
    #[must_use]
    pub fn counted(mut self, counters: Option<CpuCounters>) -> Self {
        if self.measured(Stage::Confirmation) > 0 {
            self.counters = counters;
        }
        self
    }

    /// The pairs of one stage.
    pub fn stage(&self, stage: Stage) -> &Rounds {
        stage.choose(&self.rounds, &self.confirmation)
    }

    /// Adds a pair.
    pub fn push(&mut self, stage: Stage, pair: Sides<f64>) {
        stage.choose(&mut self.rounds, &mut self.confirmation).push(pair);
    }

    /// Adds the means of a pair that was added.
    pub fn push_average(&mut self, stage: Stage, pair: Sides<f64>) {
        let Averages { rounds, confirmation } = &mut self.averages;
        stage.choose(rounds, confirmation).push(pair);
    }

    /// The means of the pairs of one stage; `None` unless each pair has one: those of an older journal lack them.
    pub fn averages(&self, stage: Stage) -> Option<&Rounds> {
        let averages = stage.choose(&self.averages.rounds, &self.averages.confirmation);
        let is_whole = averages.as_ref().zip(self.stage(stage).as_ref());
        is_whole.iter().all(|(_, (all, pairs))| all.len() == pairs.len()).then_some(averages)
    }

    /// The values of one run of each side or of both stages, as one list a side.
    pub fn all(&self) -> Rounds {
        self.rounds
            .as_ref()
            .zip(self.confirmation.as_ref())
            .map(|(screening, confirmation)| [screening.as_slice(), confirmation].concat())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_cpu_counted_is_of_the_last_attempt_that_confirmed_something() {
        let of = |ipc| CpuCounters {
            pairs: 1,
            instructions_per_cycle: Sides::new(ipc, ipc),
            branch_misses_per_1000: None,
            cache_misses_per_1000: None,
        };
        let mut first = Evidence::default();
        first.push(Stage::Screening, Sides::new(1.0, 1.0));
        assert_eq!(first.clone().counted(Some(of(1.0))).counters, None);
        first.push(Stage::Confirmation, Sides::new(1.0, 1.0));
        let first = first.counted(Some(of(1.0)));
        assert_eq!(first.counters, Some(of(1.0)));
        let mut second = first.continued(1);
        second.push(Stage::Screening, Sides::new(1.0, 1.0));
        let mut second = second.counted(None);
        assert_eq!(second.counters, Some(of(1.0)));
        second.push(Stage::Confirmation, Sides::new(1.0, 1.0));
        assert_eq!(second.counted(None).counters, None);
    }
}
