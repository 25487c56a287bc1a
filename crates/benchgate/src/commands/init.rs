//! `benchgate init`: sets up another repository. Existing files are never overwritten.

use std::path::{Path, PathBuf};

use benchgate_core::policy::FILE_NAME;
use benchgate_core::starter;
use benchgate_host::cargo::Workspace;
use benchgate_host::git::Repository;
use benchgate_host::{HostError, files};

use crate::cli::InitArgs;
use crate::error::CommandError;
use crate::exit::Exit;
use crate::schema;
use crate::show::say;

const WORKFLOW: &str = ".github/workflows/benchgate.yml";
const PRE_COMMIT: &str = include_str!("../../../../scripts/hooks/pre-commit");

struct Planned {
    path: PathBuf,
    content: String,
    executable: bool,
}

pub(crate) fn run(arguments: &InitArgs) -> Result<Exit, CommandError> {
    check(arguments)?;
    let here = std::env::current_dir().map_err(HostError::from)?;
    let repository = Repository::around(&here)?;
    let workspace = Workspace::around(&here)?;
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
        .filter(|bench| bench.own_main)
        .map(|bench| format!("{}.{}", bench.package, bench.suite))
        .collect();
    let mut planned = vec![Planned {
        path: workspace.root.join(FILE_NAME),
        content: starter::policy(&suites, schema),
        executable: false,
    }];
    if arguments.workflows {
        planned.push(Planned {
            path: repository.top().join(WORKFLOW),
            content: starter::workflow(
                arguments.action_repository.as_deref(),
                arguments.action_sha.as_deref(),
            ),
            executable: false,
        });
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

fn next(arguments: &InitArgs) {
    say("\nnext:");
    say("  benchgate check            compares the last commit with its parent");
    say("  benchgate doctor           lists what makes this machine noisy, and how to fix it");
    say("  benchgate baseline save    on the machine that measures; then commit baselines/");
    if !arguments.workflows {
        return;
    }
    if arguments.action_repository.is_none() || arguments.action_sha.is_none() {
        say(&format!(
            "  fill in {} and {} in {WORKFLOW}",
            starter::PLACEHOLDER_REPOSITORY,
            starter::PLACEHOLDER_SHA
        ));
    }
    say("  on GitHub, make `benchgate` a required check, and require approval for every outside");
    say("  contributor's workflow runs (Settings, Actions, General)");
}

/// A path as the user would type it.
fn shown(path: &Path, here: &Path) -> String {
    path.strip_prefix(here).unwrap_or(path).display().to_string()
}
