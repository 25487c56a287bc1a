//! `benchgate init`: sets up another repository. Existing files are never overwritten.

use std::path::{Path, PathBuf};

use benchgate_core::policy::FILE_NAME;
use benchgate_core::starter::{self, Workflows};
use benchgate_host::cargo::Workspace;
use benchgate_host::git::Repository;
use benchgate_host::{HostError, files};

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
        _ if !starter::is_labels(&arguments.runs_on) => {
            wrong("--runs-on", &arguments.runs_on, "labels separated by commas")
        }
        _ => Ok(()),
    }
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
    let workflows = Workflows {
        action_repository: action_repository(arguments),
        action_sha: arguments.action_sha.as_deref(),
        version: env!("CARGO_PKG_VERSION"),
        default_branch: &default_branch,
        workspace: if folder.is_empty() { "." } else { &folder },
        labels: &arguments.runs_on,
    };
    let planned = |(path, content): (&str, String)| Planned {
        path: top.join(path),
        content,
        executable: false,
    };
    Ok(workflows.files().map(planned).collect())
}

/// Whose actions the workflows use: this program's own, unless another's are asked for.
fn action_repository(arguments: &InitArgs) -> Option<&str> {
    arguments.action_repository.as_deref().or(starter::own_repository())
}

/// Settings on GitHub that only a person may make, and where.
const SETTINGS: [&str; 5] = [
    "Settings, Rules: require the status check `gate` for the default branch",
    "Settings, Actions, General: require approval for all external contributors",
    "Settings, Actions, General: read-only workflow permissions, and allow GitHub Actions to create pull requests",
    "Settings, Actions, Runners: a machine with the labels of `runs-on` (docs/machine.md sets one up)",
    ".github/CODEOWNERS: owners of /.github/, /benchgate.toml and /baselines/, required to review",
];

fn next(arguments: &InitArgs) {
    say("\nnext:");
    say("  benchgate check            compares the last commit with its parent");
    say("  benchgate doctor           lists what makes this machine noisy, and how to fix it");
    say("  benchgate baseline save    on the machine that measures; then commit baselines/");
    if !arguments.workflows {
        return;
    }
    let missing: Vec<&str> = [
        (action_repository(arguments), starter::PLACEHOLDER_REPOSITORY),
        (arguments.action_sha.as_deref(), starter::PLACEHOLDER_SHA),
    ]
    .into_iter()
    .filter_map(|(given, placeholder)| given.is_none().then_some(placeholder))
    .collect();
    if !missing.is_empty() {
        say(&format!("  fill in {} in .github/workflows/benchgate*.yml", missing.join(" and ")));
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
