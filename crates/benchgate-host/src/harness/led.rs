//! `criterion` with the gate's own runtime in Criterion's place: the executable is led through its benchmarks, slice by
//! slice, by the protocol of `benchgate_runtime`.

use std::collections::BTreeMap;
use std::path::Path;
use std::time::{Duration, Instant};

use benchgate_core::model::{Identity, Metric};
use benchgate_core::policy::Measure;
use benchgate_core::schedule::{Nuisance, Slice};
use benchgate_runtime::protocol::{Answer, Command, VARIABLE, VERSION};

use super::ask::{ASKING, Failure, ended_badly, padded, patience};
use crate::HostError;
use crate::sides::Executable;
use crate::system::files::Scratch;
use crate::system::platform;
use crate::system::process::{Conversation, Finished, Heard, TAIL};
use crate::system::sandbox::Sandbox;

/// A value is at most this often the time of its call, as in a round of Criterion itself.
const MOST_OF_WHOLE: f64 = 100.0;

/// The unit of wall time.
const NANOSECONDS: &str = "ns";

/// How long a process may take to end once it was told that nothing more is asked.
pub(crate) const TO_END: Duration = Duration::from_secs(2);

/// An executable that is led.
#[derive(Clone, Debug)]
pub struct Led {
    pub(super) executable: Executable,
    /// The number of each in the order in which the executable comes to them.
    positions: BTreeMap<String, u64>,
    pub(super) benchmarks: BTreeMap<String, Result<(), Failure>>,
    /// The names of each, as baselines have them.
    identities: BTreeMap<String, Identity>,
    /// What those measure that measure no time, each in its own unit.
    quantities: BTreeMap<String, Metric>,
    /// Most bytes that its process held while it was listed; zero where that is not known.
    peak: u64,
}

/// The outcome of asking an executable with the runtime for its benchmarks.
pub(super) enum Answered {
    Suite(Box<Led>),
    /// It registers no benchmark.
    Empty,
    Failed(Failure),
}

impl Led {
    /// Lists the benchmarks by passing all of them.
    pub(super) fn ask(
        executable: &Executable,
        measure: &Measure,
        scratch: &Path,
    ) -> Result<Answered, HostError> {
        let deadline = Instant::now() + patience(measure);
        let mut led = Self {
            executable: executable.clone(),
            positions: BTreeMap::new(),
            benchmarks: BTreeMap::new(),
            identities: BTreeMap::new(),
            quantities: BTreeMap::new(),
            peak: 0,
        };
        let mut process = match led.start(scratch, &Nuisance::default(), deadline)? {
            Ok(process) => process,
            Err(failure) => return Ok(Answered::Failed(failure)),
        };
        loop {
            let arrived = match process.arrive(deadline)? {
                Ok(Some(arrived)) => arrived,
                Ok(None) => break,
                Err(failure) => {
                    let reason = format!("while its benchmarks were listed, {}", failure.reason);
                    return Ok(Answered::Failed(Failure { reason, ..failure }));
                }
            };
            let Arrived { ordinal, id } = arrived;
            led.peak = platform::peak_memory(process.number()).unwrap_or(led.peak);
            match process.unit(deadline)? {
                Ok(unit) if unit == NANOSECONDS => {}
                Ok(unit) => {
                    led.quantities.insert(id.clone(), Metric::custom(&unit));
                }
                Err(failure) => return Ok(Answered::Failed(failure)),
            }
            match process.names(deadline)? {
                // A baseline would be saved under whatever name it gives.
                Ok(identity) if identity.full_id != id => {
                    let reason = format!("`{id}` calls itself `{}`", identity.full_id);
                    return Ok(Answered::Failed(Failure::new(reason)));
                }
                Ok(identity) => led.identities.entry(id.clone()).or_insert(identity),
                Err(failure) => return Ok(Answered::Failed(failure)),
            };
            let twice = || Failure::new("two benchmarks of this suite have this id");
            led.benchmarks
                .entry(id.clone())
                .and_modify(|known| *known = Err(twice()))
                .or_insert(Ok(()));
            led.positions.entry(id).or_insert(ordinal);
        }
        if led.positions.is_empty() {
            return Ok(Answered::Empty);
        }
        Ok(Answered::Suite(Box::new(led)))
    }

    /// Which benchmark it is, as baselines name it.
    pub(crate) fn identity(&self, id: &str) -> Identity {
        self.identities.get(id).cloned().unwrap_or_else(|| Identity::of_id(id))
    }

    /// What a benchmark measures, with its unit.
    pub(crate) fn metric(&self, id: &str) -> Metric {
        self.quantities.get(id).cloned().unwrap_or(Metric::TIME)
    }

    /// Most bytes that its process held while it was listed.
    pub(crate) fn peak(&self) -> u64 {
        self.peak
    }

    /// The place of a benchmark in the order of the executable.
    pub(crate) fn position(&self, id: &str) -> Option<u64> {
        self.positions.get(id).copied()
    }

    /// Starts a process that waits to be led.
    pub(crate) fn start(
        &self,
        scratch: &Path,
        nuisance: &Nuisance,
        deadline: Instant,
    ) -> Result<Result<Process, Failure>, HostError> {
        let number = number();
        // Both sides are alive: what one writes, the other one must not find. Paths of one length move nothing.
        let home = Scratch::new(scratch.join(format!("led{number:06}")))?;
        let sandbox = self.executable.sandbox.with_temporary(home.path().to_owned());
        let token = format!("led{}x{number:06}", std::process::id());
        let mut command = padded(&self.executable, home.path(), nuisance);
        command.env(VARIABLE, &token).arg("--bench");
        let mut command = sandbox.command(command)?;
        let conversation = Conversation::start(&mut command)?;
        let mut process =
            Process { conversation, token, arrived: None, is_over: false, sandbox, command, home };
        Ok(match process.hear(deadline)? {
            Ok(Answer::Hello { protocol: VERSION, .. }) => Ok(process),
            Ok(other) => Err(process.fail(&format!("it began with `{other}`"))?),
            Err(failure) => Err(failure),
        })
    }
}

/// A benchmark that a process waits at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Arrived {
    /// Its number among the benchmarks of the process, from zero.
    pub(crate) ordinal: u64,
    pub(crate) id: String,
}

/// A process that is led.
pub(crate) struct Process {
    conversation: Conversation,
    token: String,
    /// The benchmark that it waits at.
    arrived: Option<Arrived>,
    /// Whether it passed all of them.
    is_over: bool,
    sandbox: Sandbox,
    /// What started it.
    command: std::process::Command,
    home: Scratch,
}

impl Process {
    /// Goes on to the next benchmark; `None` after the last one.
    pub(crate) fn arrive(
        &mut self,
        deadline: Instant,
    ) -> Result<Result<Option<Arrived>, Failure>, HostError> {
        if self.is_over {
            return Ok(Ok(None));
        }
        if self.arrived.take().is_some() {
            self.say(&Command::Next)?;
        }
        match self.hear(deadline)? {
            Ok(Answer::At { ordinal, id }) => {
                let arrived = Arrived { ordinal, id };
                self.arrived = Some(arrived.clone());
                Ok(Ok(Some(arrived)))
            }
            Ok(Answer::End) => {
                self.is_over = true;
                // One that ends early has passed what it came to: its exit code is part of the answer.
                let patience = deadline.saturating_duration_since(Instant::now());
                let done = self.conversation.end(patience)?;
                Ok(ended_badly(&done, patience).map_or(Ok(None), Err))
            }
            Ok(other) => Ok(Err(self.fail(&format!("it answered `{other}` on its way"))?)),
            Err(failure) => Ok(Err(failure)),
        }
    }

    /// The number of its process.
    pub(crate) fn number(&self) -> u32 {
        self.conversation.process()
    }

    /// The benchmark that it waits at.
    pub(crate) fn arrived(&self) -> Option<&Arrived> {
        self.arrived.as_ref()
    }

    /// Stops it where it waits: some of its threads use a processor.
    pub(crate) fn pause(&mut self) {
        self.conversation.pause();
    }

    /// Lets it go on.
    pub(crate) fn resume(&mut self) {
        self.conversation.resume();
    }

    /// Runs a slice of the benchmark that it waits at. A clock of the bench's own may show no time after few iterations. What
    /// it measures is in the place of the time, in its unit.
    pub(crate) fn run(
        &mut self,
        iterations: u64,
        untimed: u64,
        is_time: bool,
        deadline: Instant,
    ) -> Result<Result<Slice, Failure>, HostError> {
        let asked = Instant::now();
        self.say(&Command::Run { iterations, untimed })?;
        let answer = self.hear(deadline)?;
        let passed = asked.elapsed().as_nanos() as f64;
        Ok(match answer {
            Ok(Answer::Ran { value, whole }) => {
                let whole = whole as f64;
                // The time that a bench reports is a measurement only if it passed here, too. A sum over threads, or a
                // time that it scales, is longer than the call.
                if value < 0.0 {
                    Err(Failure::new("it reports a value below zero"))
                } else if (is_time && value > whole * MOST_OF_WHOLE) || whole > passed {
                    Err(Failure::new("it reports more time than passed"))
                } else {
                    Ok(Slice { timed: value, whole })
                }
            }
            Ok(Answer::None { reason }) => Err(Failure::new(reason)),
            Ok(other) => Err(self.fail(&format!("it answered a slice with `{other}`"))?),
            Err(failure) => Err(failure),
        })
    }

    fn unit(&mut self, deadline: Instant) -> Result<Result<String, Failure>, HostError> {
        self.say(&Command::Unit)?;
        Ok(match self.hear(deadline)? {
            Ok(Answer::Unit { unit }) => Ok(unit),
            Ok(other) => {
                Err(self.fail(&format!("it answered a question for its unit with `{other}`"))?)
            }
            Err(failure) => Err(failure),
        })
    }

    fn names(&mut self, deadline: Instant) -> Result<Result<Identity, Failure>, HostError> {
        self.say(&Command::Names)?;
        Ok(match self.hear(deadline)? {
            Ok(Answer::Names { json }) => serde_json::from_str(&json)
                .map_err(|error| Failure::new(format!("it has no names for itself: {error}"))),
            Ok(other) => {
                Err(self.fail(&format!("it answered a question for its names with `{other}`"))?)
            }
            Err(failure) => Err(failure),
        })
    }

    /// Closes its input, on which it ends.
    pub(crate) fn end(self, patience: Duration) -> Result<Finished, HostError> {
        let Self { mut conversation, home, .. } = self;
        let done = conversation.end(patience)?;
        // Not before: the process may write there to its end.
        drop(home);
        Ok(done)
    }

    fn say(&mut self, command: &Command) -> Result<(), HostError> {
        self.conversation.say(&command.to_string())
    }

    /// Waits for an answer; lines without the token are the bench's own.
    fn hear(&mut self, deadline: Instant) -> Result<Result<Answer, Failure>, HostError> {
        loop {
            match self.conversation.listen(deadline)? {
                Heard::Line(line) => {
                    // The bench may have printed without an end before its runtime took the descriptors.
                    let answer = line.rfind(&*self.token).and_then(|at| line.get(at..));
                    let answer = answer.and_then(|line| Answer::parse(line, &self.token));
                    let Some(answer) = answer else { continue };
                    return Ok(match answer {
                        Ok(answer) => Ok(answer),
                        Err(_) => {
                            let answer = line.replace(&*self.token, "");
                            let shown: String = answer.trim_start().chars().take(80).collect();
                            Err(self.fail(&format!("it answered `{shown}`, which is no answer"))?)
                        }
                    });
                }
                Heard::Closed => return Ok(Err(self.fail("it ended")?)),
                Heard::Late => {
                    let failure = self.fail("it gave no answer in time")?;
                    return Ok(Err(Failure { is_stopped: true, ..failure }));
                }
            }
        }
    }

    /// A failure with how the process ended and the last lines of its output.
    fn fail(&mut self, reason: &str) -> Result<Failure, HostError> {
        self.is_over = true;
        let done = self.conversation.end(TO_END)?;
        let reason = match done.status {
            Some(status) if !status.success() => format!("{reason} with {status}"),
            _ => reason.to_owned(),
        };
        let mut output = done.tail(TAIL);
        if done.failed_by_itself() {
            // Once and without being led. Where it came to no benchmark, its set-up failed: no id is empty.
            let id = self.arrived.as_ref().map_or("", |it| &it.id);
            self.sandbox.unset(&mut self.command, VARIABLE);
            self.command.args(["--test", "--exact", id]);
            output = self.sandbox.explained(&self.command, &output, ASKING)?;
        }
        Ok(Failure { reason, output, is_stopped: false })
    }
}

/// A number that no other process of this run was given.
fn number() -> u64 {
    use std::sync::atomic::{AtomicU64, Ordering};
    static NEXT: AtomicU64 = AtomicU64::new(0);
    NEXT.fetch_add(1, Ordering::Relaxed)
}
