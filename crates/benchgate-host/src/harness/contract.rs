//! The contract of a harness: the traits and the values that measuring knows.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;
use std::sync::Arc;
use std::time::Duration;

use benchgate_core::model::{Identity, Metric, Pace, Twice};
use benchgate_core::policy::{self, Measure};
use benchgate_core::schedule::{Nuisance, Values};

use super::Led;
use super::ask::Failure;
use crate::HostError;
use crate::sides::Executable;
use crate::system::process::Finished;
use crate::system::sandbox::Sandbox;

/// A kind of suite.
pub trait Harness: Sync {
    /// Opens an executable that speaks this harness's language; one that does not is
    /// [`Opened::Other`].
    ///
    /// # Errors
    /// When interrupted, or when files of our own cannot be used.
    fn open(&self, executable: &Executable, asking: &Asking<'_>) -> Result<Opened, HostError>;

    /// Returns a text that executables of this harness hold somewhere, such as the name of an option; `None` for a
    /// harness that bench targets cannot have.
    fn mark(&self) -> Option<&'static str> {
        None
    }

    /// Returns the crate that bench targets of this harness measure with; `None` where there is none.
    fn package(&self) -> Option<&'static str> {
        None
    }

    /// Returns the runtime of a declared suite, on which its results depend as on a compiler; `None` for programs
    /// that run by themselves.
    ///
    /// # Errors
    /// When interrupted.
    fn runtime(
        &self,
        _: &policy::Suite,
        _: &Path,
        _: &Sandbox,
    ) -> Result<Option<String>, HostError> {
        Ok(None)
    }

    /// Sets what the build of a declared suite needs in addition.
    fn prepare_build(&self, _: &mut Command, _: &Sandbox) {}
}

/// How an executable is asked what it is.
pub struct Asking<'a> {
    /// The output of its `--help`; `None` for a suite whose harness the policy declares.
    pub help: Option<&'a Finished>,
    /// How rounds are run.
    pub measure: &'a Measure,
    /// Where short-lived files are.
    pub scratch: &'a Path,
}

/// The answer of an executable that was asked what it is.
pub enum Opened {
    /// Its benchmarks are measured in rounds.
    Sampled(Arc<dyn Suite>),
    /// It counted its benchmarks, twice.
    Counted(BTreeMap<String, BTreeMap<Metric, Twice<f64>>>),
    /// It registers no benchmark.
    Empty,
    /// It measures whatever it is asked.
    Unasked,
    /// It speaks another language.
    Other,
    /// It could not say.
    Failed(Failure),
}

/// A suite whose benchmarks are measured in rounds.
pub trait Suite: Send + Sync {
    /// Its benchmarks by id; or why one cannot be measured.
    fn benchmarks(&self) -> &BTreeMap<String, Result<(), Failure>>;

    /// The metrics of its rounds; the first one names a benchmark that has no value.
    fn metrics(&self) -> &[Metric];

    /// Which settings may be drawn without changing the work.
    fn draws(&self) -> Draws;

    /// Whether a round can be asked for at [`Pace::Quick`].
    fn has_quick(&self) -> bool {
        false
    }

    /// Shortest wall time of a round at [`Pace::Settings`] of a benchmark that sets no times of its own; zero where
    /// only the work sets it.
    fn shortest(&self, _: &Measure) -> Duration {
        Duration::ZERO
    }

    /// Whether its times depend on where its machine code lies, as cargo links it.
    fn has_layouts(&self) -> bool {
        false
    }

    /// The suite as one that is led slice by slice; `None` of one that is asked for rounds.
    fn led(&self) -> Option<&Led> {
        None
    }

    /// Measures one benchmark in one process.
    ///
    /// # Errors
    /// When interrupted, or when files of our own cannot be used; whatever the benchmark does wrong is a
    /// [`Failure`].
    fn round(&self, id: &str, request: &Request<'_>) -> Result<Result<Round, Failure>, HostError>;

    /// Arguments that run one benchmark for one iteration, for counting its instructions; `None` where
    /// the harness cannot.
    fn once(&self, id: &str) -> Option<Vec<String>>;

    /// The executable that is run.
    fn executable(&self) -> &Executable;
}

/// Which settings may be drawn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Draws {
    /// The number of samples of a process.
    pub samples: bool,
    /// The length of a path or a variable that the process is given.
    pub padding: bool,
}

/// One round of one benchmark.
#[derive(Clone, Copy)]
pub struct Request<'a> {
    /// How rounds are run.
    pub measure: &'a Measure,
    /// The mode that sets how long it takes.
    pub pace: Pace,
    /// How long it may take at most.
    pub patience: Duration,
    /// Settings that should not matter.
    pub nuisance: Nuisance,
    /// Where short-lived files are.
    pub scratch: &'a Path,
}

impl<'a> Request<'a> {
    /// One with nothing drawn, at the pace and within the time that the policy sets.
    pub fn new(measure: &'a Measure, scratch: &'a Path) -> Self {
        let (pace, nuisance) = (Pace::Settings, Nuisance::default());
        Self { measure, pace, patience: measure.timeout, nuisance, scratch }
    }
}

/// The values of a round.
#[derive(Clone, Debug, PartialEq)]
pub struct Round {
    /// Which benchmark it was, as baselines name it.
    pub identity: Identity,
    /// The values, by metric.
    pub values: Values,
    /// Wall seconds of its process.
    pub seconds: f64,
}

impl Draws {
    /// Returns the part of a draw that the harness takes.
    pub fn of(self, drawn: Nuisance) -> Nuisance {
        Nuisance {
            more_samples: if self.samples { drawn.more_samples } else { 0 },
            padding: if self.padding { drawn.padding } else { 0 },
        }
    }
}
