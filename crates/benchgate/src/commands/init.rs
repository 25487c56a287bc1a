//! `benchgate init`: sets up another repository. Existing files are never overwritten, but by `--update`.

use std::path::{Path, PathBuf};

use benchgate_core::policy::FILE_NAME;
use benchgate_core::starter::{self, Guests, Workflows};
use benchgate_host::HostError;
use benchgate_host::cargo::Workspace;
use benchgate_host::git::Repository;
use benchgate_host::system::files;

use crate::cli::InitArgs;
use crate::error::CommandError;
use crate::exit::Exit;
use crate::show::say;
use crate::{schema, session};

const PRE_COMMIT: &str = include_str!("../../pre-commit");

struct Planned {
    path: PathBuf,
    content: String,
    executable: bool,
}

pub(crate) fn run(arguments: &InitArgs) -> Result<Exit, CommandError> {
    check(arguments)?;
    let here = std::env::current_dir().map_err(HostError::from)?;
    let repository = Repository::around(&here)?;
    let workspace = session::workspace()?;
    if arguments.update {
        return update(arguments, &repository, &workspace);
    }
    let schema = schema::write(&workspace)?;
    let schema = schema::reference(&schema, &workspace.root);
    let mut planned = plan(arguments, &repository, &workspace, schema.as_deref())?;
    // With an existing policy, --hook and --workflows do not propose another one.
    if arguments.hook || arguments.workflows {
        planned.retain(|file| !(file.path.ends_with(FILE_NAME) && file.path.exists()));
    }
    let mut in_the_way = Vec::new();
    for file in &planned {
        let path = shown(&file.path, &here);
        if files::create_atomically(&file.path, file.content.as_bytes(), file.executable)? {
            say(&format!("written: {path}"));
        } else if files::read(&file.path)? == file.content.as_bytes() {
            say(&format!("unchanged: {path}"));
        } else {
            say(&format!("kept: {path}; the new content would be:"));
            for line in file.content.lines() {
                say(format!("    | {line}").trim_end());
            }
            in_the_way.push(path);
        }
    }
    next(arguments);
    if in_the_way.is_empty() {
        return Ok(Exit::Pass);
    }
    Err(HostError::usage(
        format!(
            "not written, because a different file of that name exists: {}",
            in_the_way.join(", ")
        ),
        "copy the parts that you want from the text above, or move the file away and repeat",
    )
    .into())
}

fn check(arguments: &InitArgs) -> Result<(), CommandError> {
    let wrong = |option: &str, value: &str, form: &str| {
        Err(HostError::usage(
            format!("nothing was written: invalid {option} `{value}`: expected {form}"),
            format!("give {option} as {form}"),
        )
        .into())
    };
    match (&arguments.action_repository, &arguments.action_sha) {
        (Some(value), _) if !starter::is_repository(value) => {
            wrong("--action-repository", value, "OWNER/NAME")
        }
        (_, Some(value)) if !starter::is_sha(value) => {
            wrong("--action-sha", value, "a full commit SHA (40 hexadecimal digits)")
        }
        _ => match &arguments.runs_on {
            Some(value) if !starter::is_labels(value) => {
                wrong("--runs-on", value, "labels separated by commas")
            }
            _ => Ok(()),
        },
    }
}

/// Writes the workflows that are there as this version has them.
fn update(
    arguments: &InitArgs,
    repository: &Repository,
    workspace: &Workspace,
) -> Result<Exit, CommandError> {
    let planned = workflows(arguments, repository, workspace)?;
    let mut there = Vec::new();
    for file in planned {
        if file.path.exists() {
            there.push(file);
        }
    }
    let paths: Vec<String> = there.iter().map(|file| shown(&file.path, repository.top())).collect();
    let paths: Vec<&str> = paths.iter().map(String::as_str).collect();
    if !repository.is_committed(&paths)? {
        return Err(HostError::usage(
            format!("nothing was updated: not as committed: one of {}", paths.join(", ")),
            "commit them first: then nothing of yours is lost, and `git diff` shows what is new",
        )
        .into());
    }
    for file in &there {
        files::write_atomically(&file.path, file.content.as_bytes())?;
    }
    let difference = repository.difference(&paths)?;
    if difference.is_empty() {
        say(&format!("unchanged: {}", paths.join(", ")));
        return Ok(Exit::Pass);
    }
    say(&difference);
    say("\nupdated; what you had changed in these files yourself is in the difference, too:");
    say("  git restore --patch .github/workflows    takes parts of it back");
    Ok(Exit::Pass)
}

fn plan(
    arguments: &InitArgs,
    repository: &Repository,
    workspace: &Workspace,
    schema: Option<&str>,
) -> Result<Vec<Planned>, CommandError> {
    let suites: Vec<String> = workspace
        .benches
        .iter()
        .filter(|bench| bench.own_main && !bench.is_left_out)
        .map(|bench| format!("{}.{}", bench.package, bench.suite))
        .collect();
    let mut planned = vec![Planned {
        path: workspace.root.join(FILE_NAME),
        content: starter::policy(&suites, schema),
        executable: false,
    }];
    if arguments.workflows {
        planned.extend(workflows(arguments, repository, workspace)?);
    }
    if arguments.hook {
        planned.push(Planned {
            path: repository.hook("pre-commit")?,
            content: PRE_COMMIT.to_owned(),
            executable: true,
        });
    }
    Ok(planned)
}

fn workflows(
    arguments: &InitArgs,
    repository: &Repository,
    workspace: &Workspace,
) -> Result<Vec<Planned>, CommandError> {
    let top = repository.top();
    let folder = workspace.root.strip_prefix(top).unwrap_or(Path::new("")).to_string_lossy();
    let default_branch = repository.default_branch()?;
    for (what, text) in [("default branch", &*default_branch), ("folder", &*folder)] {
        if !text.is_empty() && !starter::is_plain_path(text) {
            return Err(HostError::usage(
                format!("nothing was written: the {what} `{text}` needs quotes in a workflow"),
                "rename it, or write the workflows by hand from docs/github.md",
            )
            .into());
        }
    }
    let settings = settings(arguments, top)?;
    let workflows = Workflows {
        action_repository: &settings.repository,
        action_sha: &settings.sha,
        version: env!("CARGO_PKG_VERSION"),
        default_branch: &default_branch,
        workspace: if folder.is_empty() { "." } else { &folder },
        labels: &settings.labels,
    };
    let planned = |(path, content): (&str, String)| Planned {
        path: top.join(path),
        content,
        executable: false,
    };
    Ok(workflows.files_for(settings.guests).map(planned).collect())
}

/// What is not the same in every repository.
struct Settings {
    repository: String,
    sha: String,
    labels: String,
    guests: Guests,
}

/// From the arguments; else, in an update, as they were; else this program's own repository and commit.
fn settings(arguments: &InitArgs, top: &Path) -> Result<Settings, CommandError> {
    let before = if arguments.update { Some(written_before(top)?) } else { None };
    let origin = starter::own_repository().map(str::to_owned);
    let repository = arguments
        .action_repository
        .clone()
        .or_else(|| before.as_ref().map(|it| it.repository.clone()))
        .or(origin);
    let sha = arguments.action_sha.clone().or(BUILT_FROM.map(str::to_owned));
    let labels = if arguments.own_machine { Some(starter::LABELS.to_owned()) } else { None };
    let labels = arguments
        .runs_on
        .clone()
        .or(labels)
        .or_else(|| before.as_ref().map(|it| it.labels.clone()));
    let labels = labels.unwrap_or_else(|| starter::HOSTED.to_owned());
    let guests = guests(arguments, &labels, before.as_ref())?;
    let asked_for = |option: &str, what: &str, example: &str| {
        HostError::usage(
            format!(
                "nothing was written: this program does not know {what}, which the workflows are pinned to"
            ),
            format!("give {option}, {example}"),
        )
    };
    Ok(Settings {
        repository: repository.ok_or_else(|| {
            let example = "such as OWNER/benchgate with its owner";
            asked_for("--action-repository", "whose repository holds its actions", example)
        })?,
        sha: sha.ok_or_else(|| {
            let example =
                "such as what `git rev-parse HEAD` prints in the clone that it was built from";
            asked_for("--action-sha", "which commit it was built from", example)
        })?,
        labels,
        guests,
    })
}

/// From the arguments; else, in an update, as they were on such a machine; else what is the default for it.
fn guests(
    arguments: &InitArgs,
    labels: &str,
    before: Option<&Before>,
) -> Result<Guests, CommandError> {
    let is_hosted = starter::is_hosted(labels);
    let default = Guests::of_labels(labels);
    // What was said of GitHub's machines holds for no machine of one's own.
    let previous = before.filter(|before| starter::is_hosted(&before.labels) == is_hosted);
    let previous =
        previous.map_or(default, |before| Guests::of_workflow(&before.workflow, default));
    let guests = Guests {
        forks: arguments.forks.as_ref().map_or(previous.forks, |value| value != "refuse"),
        bots: arguments.bots.as_ref().map_or(previous.bots, |value| value != "refuse"),
    };
    if guests.forks && !is_hosted {
        return Err(HostError::usage(
            format!(
                "nothing was written: code of forks is measured on machines that GitHub hosts only, and `{labels}` \
                 is not one"
            ),
            "omit --forks, or give --runs-on ubuntu-24.04",
        )
        .into());
    }
    Ok(guests)
}

/// The commit that this program was built from, where its release says it.
const BUILT_FROM: Option<&str> = option_env!("BENCHGATE_COMMIT");

/// The workflow that was written before: the repository of its actions, its labels, and its text.
struct Before {
    repository: String,
    labels: String,
    workflow: String,
}

fn written_before(top: &Path) -> Result<Before, CommandError> {
    const MEASURES: &str = ".github/workflows/benchgate.yml";
    let path = top.join(MEASURES);
    let text = if path.exists() { files::read(&path)? } else { Vec::new() };
    let workflow = String::from_utf8_lossy(&text).into_owned();
    let settings = starter::settings_of(&workflow);
    settings.map(|(repository, _, labels)| Before { repository, labels, workflow }).ok_or_else(
        || {
            HostError::usage(
                format!(
                    "nothing was updated: {MEASURES} is not there, or not as benchgate writes it"
                ),
                "run `benchgate init --workflows` first",
            )
            .into()
        },
    )
}

/// Settings on GitHub that only a person may make, and where.
const SETTINGS: [&str; 5] = [
    "Settings, Rules: require the status check `gate` for the default branch",
    "Settings, Actions, General: require approval for all external contributors",
    "Settings, Actions, General: read-only workflow permissions, and allow GitHub Actions to create pull requests",
    "Settings, Actions, Runners: a machine with the labels of `runs-on`, where it is your own (docs/machine.md sets one up)",
    ".github/CODEOWNERS: owners of /.github/, /benchgate.toml, /baselines/, /.cargo/, Cargo.*, rust-toolchain* and benches/, required to review",
];

fn next(arguments: &InitArgs) {
    say("\nnext:");
    say("  benchgate check            compares the last commit with its parent");
    say("  benchgate doctor           lists what makes this machine noisy, and how to fix it");
    say("  benchgate baseline save    on the machine that measures; then commit baselines/");
    if !arguments.workflows {
        return;
    }
    say("\non GitHub, five settings that no file can make:");
    for (number, setting) in SETTINGS.iter().enumerate() {
        say(&format!("  {}. {setting}", number + 1));
    }
}

/// A path as the user would type it.
fn shown(path: &Path, here: &Path) -> String {
    path.strip_prefix(here).unwrap_or(path).display().to_string()
}
