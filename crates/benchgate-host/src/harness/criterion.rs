//! `criterion`: Criterion 0.3.5 to 0.8. What an executable can do is asked of it, never guessed from a
//! version.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::time::{Duration, Instant};

use benchgate_core::adapters::criterion::{self, Sampled};
use benchgate_core::adapters::criterion_cli::{self, LIST, LIST_APART, Options, Settings, titles};
use benchgate_core::model::{Identity, Metric};
use benchgate_core::policy::Measure;
use benchgate_core::schedule::Values;
use fs_err as fs;

use super::ask::{Failure, ended_badly, holds, outlasting, patience, run};
use super::led::Answered;
use super::output::{self, Redirected};
use super::{Asking, Draws, Led, Opened, Request, Round, Suite};
use crate::HostError;
use crate::sides::Executable;
use crate::system::files;
use crate::system::files::Scratch;
use crate::system::process::Finished;

/// A text that every Criterion executable holds somewhere: the name of an option.
const MARK: &str = "measurement-time";

/// The metrics of its rounds.
const METRICS: &[Metric] = &[Metric::TIME];

pub(super) struct Harness;

impl super::Harness for Harness {
    fn open(&self, executable: &Executable, asking: &Asking<'_>) -> Result<Opened, HostError> {
        if executable.is_led {
            return Ok(match Led::ask(executable, asking.measure, asking.scratch)? {
                Answered::Suite(suite) => Opened::Sampled(std::sync::Arc::new(*suite)),
                Answered::Empty => Opened::Empty,
                Answered::Failed(failure) => Opened::Failed(failure),
            });
        }
        Ok(match Criterion::ask(executable.clone(), asking)? {
            Answer::Suite(suite) => Opened::Sampled(std::sync::Arc::new(*suite)),
            Answer::Empty => Opened::Empty,
            Answer::Unasked => Opened::Unasked,
            Answer::Other => Opened::Other,
            Answer::Failed(failure) => Opened::Failed(failure),
        })
    }

    fn mark(&self) -> Option<&'static str> {
        Some(MARK)
    }

    fn package(&self) -> Option<&'static str> {
        Some("criterion")
    }
}

/// An executable that is Criterion's.
#[derive(Clone, Debug)]
pub struct Criterion {
    executable: Executable,
    options: Options,
    /// The title to ask for each id with.
    titles: BTreeMap<String, String>,
    benchmarks: BTreeMap<String, Result<(), Failure>>,
    /// Where it writes its results, where it sets that itself.
    output: OnceLock<PathBuf>,
}

enum Answer {
    Suite(Box<Criterion>),
    Empty,
    Unasked,
    Other,
    Failed(Failure),
}

impl Criterion {
    /// Opens an executable that is known to be Criterion's.
    ///
    /// # Errors
    /// When it cannot be started, and when interrupted.
    pub fn open(
        executable: Executable,
        measure: &Measure,
        scratch: &Path,
    ) -> Result<Result<Self, Failure>, HostError> {
        let asking = Asking { help: None, measure, scratch };
        Ok(match Self::ask(executable, &asking)? {
            Answer::Suite(suite) => Ok(*suite),
            Answer::Empty => Err(Failure::new("it lists no benchmark")),
            Answer::Other | Answer::Unasked => Err(Failure::new("it takes no --measurement-time")),
            Answer::Failed(failure) => Err(failure),
        })
    }

    // Long: questions to the executable, each with what its answer means.
    fn ask(executable: Executable, asking: &Asking<'_>) -> Result<Answer, HostError> {
        let Asking { measure, scratch, .. } = asking;
        let patience = patience(measure);
        let asked = match asking.help {
            Some(_) => None,
            None => super::ask::help(&executable, [MARK], measure, scratch)?,
        };
        let Some(help) = asking.help.or(asked.as_ref()) else { return Ok(Answer::Other) };
        if criterion_cli::measures_unasked(&help.stdout) {
            return Ok(Answer::Unasked);
        }
        let home = Scratch::new(scratch.join("asked"))?;
        let list_with =
            |more: &[&str]| run(&executable, home.path(), LIST.iter().chain(more), patience);
        let lists = |done: &Finished| done.succeeded() && !titles(&done.stdout).is_empty();
        let mut refused = None;
        let options = match Options::from_help(&help.stdout) {
            Some(options) => Some(options),
            // One that does all its work whatever it is asked is not asked again.
            None if executable.declared.is_none() && !holds(&executable, MARK)? => None,
            None => {
                let list = list_with(&[])?;
                if lists(&list) {
                    Options::from_answers(|more| list_with(more).map(|done| lists(&done)))?
                } else if says_nothing(&list) {
                    return Ok(Answer::Empty);
                } else {
                    refused = Some(list);
                    None
                }
            }
        };
        let Some(options) = options else {
            return Ok(match ended_badly(help, patience) {
                // One that ends before Criterion reads its arguments cannot say what it is.
                Some(of_help) if holds(&executable, MARK)? => {
                    // An option that is not known is what `--help` ends with in Criterion 0.5: what keeps it from
                    // listing its benchmarks is why it is not measured.
                    let of_list = refused.and_then(|list| ended_badly(&list, patience));
                    let (question, failure) =
                        of_list.map_or(("--help", of_help), |failure| ("--list", failure));
                    let reason = format!("`{question}`: {}", failure.reason);
                    Answer::Failed(Failure { reason, ..failure })
                }
                _ => Answer::Other,
            });
        };
        let (mut options, mut list) = (options, list_with(&[])?);
        if !list.succeeded() {
            let apart = run(&executable, home.path(), LIST_APART, patience)?;
            if lists(&apart) {
                (options, list) = (options.with_bench_apart(), apart);
            }
        }
        if let Some(failure) = ended_badly(&list, patience) {
            let reason = format!("`--list`: {}", failure.reason);
            return Ok(Answer::Failed(Failure { reason, ..failure }));
        }
        let listed = titles(&list.stdout);
        if says_nothing(&list) {
            return Ok(Answer::Empty);
        }
        if listed.is_empty() {
            return Ok(Answer::Failed(Failure::of(&list, "it lists no benchmark")));
        }
        drop(home);
        let (titles, benchmarks) = (BTreeMap::new(), BTreeMap::new());
        let mut suite = Self { executable, options, titles, benchmarks, output: OnceLock::new() };
        for (id, title) in suite.identified(&listed, measure, scratch)? {
            suite.benchmarks.insert(id.clone(), title.as_ref().map(|_| ()).map_err(Clone::clone));
            suite.titles.extend(title.ok().map(|title| (id, title)));
        }
        Ok(Answer::Suite(Box::new(suite)))
    }

    /// The ids of its benchmarks, each with the title to ask for it; or why a title has no id of its
    /// own.
    fn identified(
        &self,
        listed: &[String],
        measure: &Measure,
        scratch: &Path,
    ) -> Result<BTreeMap<String, Result<String, Failure>>, HostError> {
        let mut found: BTreeMap<String, Result<String, Failure>> = BTreeMap::new();
        for title in listed {
            // A title that Criterion cut is not the id; only a run reports that.
            let id = if criterion_cli::beginning(title).is_some() {
                match self.measure(title, &Request::new(measure, scratch))? {
                    Ok(round) => round.identity.full_id,
                    Err(failure) => {
                        found.insert(title.clone(), Err(failure));
                        continue;
                    }
                }
            } else {
                title.clone()
            };
            let asked = Ok(id.clone());
            found.entry(id).and_modify(|entry| *entry = Err(twice())).or_insert(asked);
        }
        // Criterion distinguishes a second benchmark of the same id by its title only; asked for that, nothing
        // runs. But it may also be an id.
        let numbered: Vec<(String, String)> = found
            .keys()
            .filter_map(|id| Some((id.clone(), id.rsplit_once(" #")?)))
            .filter(|(_, (start, number))| {
                number.parse::<u32>().is_ok() && found.contains_key(*start)
            })
            .map(|(id, (start, _))| (id.clone(), start.to_owned()))
            .collect();
        for (id, start) in numbered {
            let rounds = self.rounds(&id, &Request::new(measure, scratch))?;
            if rounds.is_ok_and(|rounds| rounds.is_empty()) {
                found.remove(&id);
                found.insert(start, Err(twice()));
            }
        }
        Ok(found)
    }

    /// Measures the benchmark of one title in one process.
    fn measure(
        &self,
        title: &str,
        request: &Request<'_>,
    ) -> Result<Result<Round, Failure>, HostError> {
        Ok(self.rounds(title, request)?.and_then(|mut rounds| match (rounds.pop(), rounds.len()) {
            (Some(round), 0) => Ok(round),
            (None, _) => Err(Failure::new("`--list` names it, but it wrote no result")),
            _ => Err(twice()),
        }))
    }

    /// Measures the benchmarks of one title in one process with a Criterion home of its own.
    fn rounds(
        &self,
        title: &str,
        request: &Request<'_>,
    ) -> Result<Result<Vec<Round>, Failure>, HostError> {
        let Request { measure, pace, patience, nuisance, scratch } = *request;
        // Equal on both sides of a pair: the length of this path moves the heap of what is measured.
        let longer = "-".repeat(nuisance.padding as usize);
        let home = Scratch::new(scratch.join(format!("round{longer}")))?;
        let drawn = settings(measure);
        let sample_size = drawn.sample_size.saturating_add(nuisance.more_samples);
        let settings = Settings { sample_size, ..drawn };
        let arguments = self.options.round(title, &settings, pace);
        let limits = self.options.limits(&settings, pace);
        let place = self.output.get();
        let redirected = place.map(|place| Redirected::to(home.path(), place)).transpose()?;
        let (before, started) = (output::now(), Instant::now());
        let done = run(&self.executable, home.path(), &arguments, patience)?;
        let seconds = started.elapsed().as_secs_f64();
        drop(redirected);
        if done.succeeded()
            && place.is_none()
            && result_folders(home.path())?.is_empty()
            && let Some(place) = output::place_of(&self.executable, &done.stdout, before)?
        {
            let _ = self.output.set(place);
            drop(home);
            return self.rounds(title, request);
        }
        if let Some(failure) = ended_badly(&done, patience) {
            return Ok(Err(failure));
        }
        let fail = |reason: String| Failure::of(&done, reason);
        if let Some(error) = criterion_cli::reported_error(&done.stdout) {
            return Ok(Err(fail(format!(
                "Criterion reported an error and exited with 0: {error}"
            ))));
        }
        let is_custom = criterion_cli::is_custom(&done.stdout);
        let mut rounds = Vec::new();
        for folder in result_folders(home.path())? {
            match read_round(&folder, &limits) {
                Ok((identity, sampled)) if is_titled(&identity, title) => {
                    // Of another quantity than time, the clock says nothing.
                    let outlasted = || outlasting(sampled.total, seconds);
                    if let Some(reason) = (!is_custom).then(outlasted).flatten() {
                        return Ok(Err(fail(reason)));
                    }
                    let unit = || criterion_cli::unit_of(&done.stdout, sampled.value);
                    let unit = is_custom.then(|| unit().unwrap_or_default());
                    let metric = unit.map_or(Metric::TIME, |unit| Metric::custom(&unit));
                    let values = Values::from([(metric, sampled.value)]);
                    rounds.push(Round { identity, values, seconds });
                }
                Ok(_) => {}
                Err(problem) => return Ok(Err(fail(problem))),
            }
        }
        Ok(Ok(rounds))
    }
}

impl Suite for Criterion {
    fn benchmarks(&self) -> &BTreeMap<String, Result<(), Failure>> {
        &self.benchmarks
    }

    fn metrics(&self) -> &[Metric] {
        METRICS
    }

    fn draws(&self) -> Draws {
        Draws { samples: true, padding: true }
    }

    fn has_quick(&self) -> bool {
        self.options.has_quick()
    }

    fn shortest(&self, measure: &Measure) -> Duration {
        self.options.shortest(&settings(measure))
    }

    fn has_layouts(&self) -> bool {
        true
    }

    fn round(&self, id: &str, request: &Request<'_>) -> Result<Result<Round, Failure>, HostError> {
        match self.titles.get(id) {
            Some(title) => self.measure(title, request),
            None => Ok(Err(Failure::new("it is not there"))),
        }
    }

    fn once(&self, id: &str) -> Option<Vec<String>> {
        Some(self.options.once(self.titles.get(id)?))
    }

    fn executable(&self) -> &Executable {
        &self.executable
    }
}

/// The settings of the policy.
fn settings(measure: &Measure) -> Settings {
    let Measure { warm_up, measurement, sample_size, .. } = *measure;
    Settings { warm_up, measurement, sample_size }
}

/// Whether a `--list` ended well and named nothing.
fn says_nothing(list: &Finished) -> bool {
    list.succeeded() && list.stdout.trim().is_empty()
}

fn twice() -> Failure {
    Failure::new("two benchmarks of this suite have this id: one would overwrite the other")
}

fn is_titled(identity: &Identity, title: &str) -> bool {
    identity.title == title || identity.full_id == title
}

/// Folders of one benchmark's results: those named `new` that hold a `benchmark.json`.
fn result_folders(home: &Path) -> Result<Vec<std::path::PathBuf>, HostError> {
    let mut found = Vec::new();
    let mut left = vec![home.to_owned()];
    while let Some(folder) = left.pop() {
        for entry in fs::read_dir(&folder)? {
            let entry = entry?;
            if entry.file_type()?.is_dir() {
                let path = entry.path();
                if entry.file_name() == "new"
                    && path.join("benchmark.json").symlink_metadata().is_ok()
                {
                    found.push(path.clone());
                }
                left.push(path);
            }
        }
    }
    found.sort();
    Ok(found)
}

fn read_round(folder: &Path, limits: &[f64]) -> Result<(Identity, Sampled), String> {
    let read = |name: &str| files::read_result(&folder.join(name));
    let identity = criterion::identity(&read("benchmark.json")?)
        .map_err(|e| format!("benchmark.json: {e}"))?;
    let sampled = criterion::sampled(&read("sample.json")?, limits)
        .map_err(|e| format!("sample.json: {e}"))?;
    Ok((identity, sampled))
}
