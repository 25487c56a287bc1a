//! The harnesses, by the names that policies and reports have for them.

use serde::Serialize;

/// A harness that benchgate knows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize)]
pub enum HarnessName {
    /// `benchgate.counts/1`: exact counts.
    Counts,
    /// `benchgate.rounds/1`: any program that prints its values.
    Rounds,
    /// Whole processes.
    Command,
    /// JMH 1.x.
    Jmh,
    /// divan 0.1.
    Divan,
    /// Criterion 0.3 to 0.8.
    #[default]
    Criterion,
}

impl HarnessName {
    /// Every harness, in the order in which an executable that names none is tried: the one that asks the most
    /// questions is last.
    pub const ALL: [Self; 6] =
        [Self::Counts, Self::Rounds, Self::Command, Self::Jmh, Self::Divan, Self::Criterion];

    /// The name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Counts => "counts",
            Self::Rounds => "rounds",
            Self::Command => "command",
            Self::Jmh => "jmh",
            Self::Divan => "divan",
            Self::Criterion => "criterion",
        }
    }

    /// Whether the policy names the benchmarks of a suite, with the arguments of each: other suites are asked for them.
    pub const fn takes_arguments(self) -> bool {
        matches!(self, Self::Command)
    }

    /// The harness of this name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|harness| harness.name() == name)
    }
}
