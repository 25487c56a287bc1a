//! State that is shared by the commands that build: repository, workspace, machine.

mod selection;

use std::path::{Path, PathBuf};

use benchgate_core::model::{Finding, Machine, Side, SkipReason};
use benchgate_core::policy::{Policy, Sandbox};
use benchgate_core::report::quoted;
use benchgate_core::result::SuiteReport;
use benchgate_host::cargo::Workspace;
use benchgate_host::cargo::choice::Choice;
use benchgate_host::git::{Repository, Revision};
use benchgate_host::measure::Inventory;
use benchgate_host::sides::{BuildDir, BuildOptions, outside};
use benchgate_host::system::sandbox::Kernel;
use benchgate_host::system::{machine, platform};
use benchgate_host::{HostError, Progress};

use crate::building::Building;
use crate::error::CommandError;
use crate::request::{MeasureRequest, Selection};
use crate::show;

/// Everything known before something is built.
pub(crate) struct Session {
    pub(crate) repository: Repository,
    pub(crate) workspace: Workspace,
    pub(crate) machine: Machine,
    /// Restrictions that the kernel supports for builds and rounds.
    pub(crate) kernel: Kernel,
}

impl Session {
    /// Opens the repository around the current folder, or around a named `Cargo.toml`. `machine` is the name that the user
    /// gave this one.
    pub(crate) fn open(
        machine: Option<&str>,
        manifest: Option<&Path>,
    ) -> Result<Self, CommandError> {
        platform::require()?;
        let here = match manifest {
            Some(manifest) => folder_of(manifest)?,
            None => std::env::current_dir().map_err(HostError::from)?,
        };
        let repository = Repository::around(&here)?;
        let kernel = kernel()?;
        let workspace = around(&here, &kernel)?;
        let machine = machine::fingerprint(machine)?;
        Ok(Self { repository, workspace, machine, kernel })
    }

    /// The folders of a run, in the sandbox that the policy asks for.
    pub(crate) fn build_dir(
        &self,
        policy: &Policy,
        options: BuildOptions,
    ) -> Result<BuildDir, HostError> {
        let sandbox = self.kernel.sandbox(&policy.sandbox);
        let options = BuildOptions { sandbox, data: policy.data.clone(), ..options };
        BuildDir::open(&self.repository, &self.workspace, options)
    }

    /// Builds the suites that a selection asks for, in folders of a run.
    pub(crate) fn building<'a>(
        &'a self,
        selection: &Selection,
        policy: &'a Policy,
        build_dir: &'a BuildDir,
        progress: &'a dyn Progress,
    ) -> Building<'a> {
        let left_out = selection.suites_left_out(&self.workspace.name, policy, None);
        let choice = Choice { left_out: Some(left_out), ..Choice::default() };
        Building { repository: &self.repository, build_dir, policy, choice, progress }
    }

    /// The working tree, or the revision that the user named.
    pub(crate) fn head(&self, named: Option<&str>) -> Result<Revision, CommandError> {
        Ok(match named {
            Some(name) => self.repository.commit(name)?,
            None => self.repository.working_tree(&self.workspace.target_dir)?,
        })
    }
}

/// The folder of a `Cargo.toml` that the user named.
fn folder_of(manifest: &Path) -> Result<PathBuf, CommandError> {
    show::existing(manifest)?;
    let file = manifest.canonicalize().map_err(HostError::from)?;
    match file.parent() {
        Some(folder) if file.file_name().is_some_and(|name| name == "Cargo.toml") => {
            Ok(folder.to_owned())
        }
        _ => {
            let message = format!("--manifest-path: {} is not a Cargo.toml", manifest.display());
            Err(HostError::usage(message, "name the Cargo.toml of the workspace").into())
        }
    }
}

/// Detects the restrictions that the kernel supports; this program applies them.
fn kernel() -> Result<Kernel, HostError> {
    Ok(Kernel::here(std::env::current_exe()?))
}

/// The workspace around the folder in which the user called us.
pub(crate) fn workspace() -> Result<Workspace, HostError> {
    around(&std::env::current_dir()?, &kernel()?)
}

/// The workspace around a folder, which may name the cargo that reads it: on a runner it is a pull request's.
fn around(here: &Path, kernel: &Kernel) -> Result<Workspace, HostError> {
    let repository = Repository::around(here);
    if let Ok(repository) = &repository
        && !here.ancestors().any(|folder| folder.join("Cargo.toml").is_file())
    {
        let top = repository.top();
        // From here, or else from anywhere.
        let place = |folder: String| {
            if here == top { folder } else { top.join(folder).to_string_lossy().into_owned() }
        };
        let workspaces: Vec<String> = repository.workspaces()?.into_iter().map(place).collect();
        return Err(elsewhere(here, &workspaces));
    }
    let top = repository.map_or_else(|_| here.to_owned(), |it| it.top().to_owned());
    // What it depends on next to the repository is read with it.
    let outside = outside(&top, &top).unwrap_or_default();
    let sandbox = kernel.sandbox(&Sandbox::default()).of_checkout(&top)?;
    Workspace::around_in(here, &sandbox.reading(outside))
}

/// The error of a folder that is in no workspace, where the repository has these.
fn elsewhere(here: &Path, workspaces: &[String]) -> HostError {
    let message = format!("there is no `Cargo.toml` in {} or above it", here.display());
    let help = match workspaces {
        [] => "run `cargo init` there first: the repository has no `Cargo.toml`".to_owned(),
        [first, rest @ ..] => {
            let rest: Vec<String> = rest.iter().map(|it| format!("`{it}`")).collect();
            let suffix = match rest.is_empty() {
                true => String::new(),
                false => format!(" (others are in {})", rest.join(", ")),
            };
            format!("run it where the workspace is: `cd {}`{suffix}", quoted(first))
        }
    };
    HostError::usage(message, help)
}

/// Suites that were not measured, each once; a failure says on which side.
pub(crate) fn suites(base: Option<&Inventory>, head: &Inventory) -> Vec<SuiteReport> {
    let mut all: Vec<SuiteReport> = Vec::new();
    let sides = [(Side::Head, Some(head)), (Side::Base, base)];
    // Of a suite that registers benchmarks on one side alone, those are missing or new.
    let is_elsewhere = |side, suite: &SuiteReport| {
        let other = if side == Side::Head { base } else { Some(head) };
        suite.skip == Some(SkipReason::NoBenchmarks)
            && other.is_some_and(|other| other.has(&suite.key()))
    };
    for (side, inventory) in sides {
        for suite in inventory.map(|i| i.suites_left_out.as_slice()).unwrap_or_default() {
            let mut suite = suite.clone();
            if matches!(suite.finding, Finding::Failed | Finding::Inconclusive) {
                suite.reason = format!("{}: {}", side.name(), suite.reason);
            } else if all.iter().any(|s| s.key() == suite.key()) || is_elsewhere(side, &suite) {
                continue;
            }
            all.push(suite);
        }
    }
    all.sort_by_key(SuiteReport::key);
    all
}

/// How the user's own checkout is built alone.
pub(crate) fn of_own_head(request: &MeasureRequest) -> BuildOptions {
    BuildOptions {
        cargo_options: request.cargo_options.clone(),
        jobs: request.jobs,
        trusts_head: true,
        ..BuildOptions::default()
    }
}
