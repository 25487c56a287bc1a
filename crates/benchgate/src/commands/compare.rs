//! `benchgate compare`: judges two records.

use std::path::Path;

use benchgate_core::judge::{Context, decide, observe_records};
use benchgate_core::model::{Recorded, Sides};
use benchgate_core::policy::{FILE_NAME, Policy};
use benchgate_core::report::{Options, positionals};
use benchgate_core::result::{Method, Origin, RunResult};
use benchgate_host::HostError;
use benchgate_host::store::sources;
use benchgate_host::system::files;

use super::report::judged;
use crate::cli::CompareArgs;
use crate::error::CommandError;
use crate::exit::Exit;
use crate::{policy, show};

pub(crate) fn run(arguments: &CompareArgs) -> Result<Exit, CommandError> {
    let Some(head) = &arguments.head else {
        let path = Path::new(&arguments.base);
        if !sources::is_result(path)? {
            return Err(HostError::usage(
                format!("one record ({}) cannot be compared", arguments.base),
                "name a head too, or a single result.json",
            )
            .into());
        }
        let result = judged(path)?;
        show::print(&result, arguments.format.0, Options::default());
        return Ok(result.verdict.into());
    };
    let policy = match &arguments.policy {
        Some(path) => policy::of_file(path)?,
        None if Path::new(FILE_NAME).is_file() => policy::of_file(Path::new(FILE_NAME))?,
        None => Policy::default(),
    };
    let [base, new] = sources::read_both(&arguments.base, head)?;
    let method = if arguments.estimates { Method::Estimates } else { Method::Recorded };
    let result = compare(
        Named { name: &arguments.base, record: base },
        Named { name: head, record: new },
        &policy,
        method,
    )?;
    if let Some(path) = &arguments.result {
        files::write_atomically(path, result.to_json().as_bytes())?;
    }
    show::print(&result, arguments.format.0, Options::default());
    let verdict = result.verdict;
    // The process ends: to give back what ten thousand benchmarks hold, piece by piece, takes a while.
    std::mem::forget(result);
    Ok(verdict.into())
}

/// A record, with its name as the user gave it.
pub(crate) struct Named<'a> {
    pub(crate) name: &'a str,
    pub(crate) record: Recorded,
}

/// Judges two records.
pub(crate) fn compare(
    base: Named<'_>,
    head: Named<'_>,
    policy: &Policy,
    method: Method,
) -> Result<RunResult, CommandError> {
    let estimates = if method == Method::Estimates { "--estimates " } else { "" };
    let origin = |named: &Named<'_>| Origin {
        commit: named.record.commit.clone().unwrap_or_default(),
        name: named.name.to_owned(),
        dirty: false,
    };
    let context = Context {
        version: env!("CARGO_PKG_VERSION").to_owned(),
        time: show::now(),
        today: show::today()?,
        method,
        origins: Sides::new(origin(&base), origin(&head)),
        machine: head.record.machine.clone(),
        toolchain: head.record.toolchain.clone(),
        // Records need not hold every suite.
        is_narrowed: true,
        notices: differences(&base.record, &head.record),
        reproduce: format!("benchgate compare {estimates}{}", positionals(&[base.name, head.name])),
        ..Context::default()
    };
    let observed = observe_records(base.record, head.record, policy);
    Ok(decide(observed, Vec::new(), policy, context))
}

/// Differences between the two records other than the code.
fn differences(base: &Recorded, head: &Recorded) -> Vec<String> {
    let mut notices = Vec::new();
    match (&base.machine, &head.machine) {
        (Some(base), Some(head)) => {
            let differences = head.differences(base);
            if !differences.is_empty() {
                notices.push(format!(
                    "two machines, so a change may be caused by them: {}",
                    differences.join("; ")
                ));
            }
        }
        _ => notices.push("a record does not name the machine that measured it".to_owned()),
    }
    if let (Some(base), Some(head)) = (&base.toolchain, &head.toolchain) {
        let differences = head.differences(base);
        if !differences.is_empty() {
            notices.push(format!("two toolchains: {}", differences.join("; ")));
        }
    }
    notices
}
