//! `benchgate compare`: two records, judged.

use std::path::Path;

use benchgate_core::judge::{Request, judge, observe_records, verdict, waive};
use benchgate_core::model::Recorded;
use benchgate_core::policy::{FILE_NAME, Policy};
use benchgate_core::report::quoted;
use benchgate_core::result::{Method, Origin, RESULT_SCHEMA, RunResult, Seconds};
use benchgate_host::{HostError, files, sources};

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
                format!("{} alone is nothing to compare", arguments.base),
                "name a head too; alone it has to be a result.json",
            )
            .into());
        }
        let result = judged(path)?;
        show::print(&result, arguments.format, usize::MAX, None);
        return Ok(result.verdict.into());
    };
    let policy = match &arguments.policy {
        Some(path) => policy::of_file(path)?,
        None if Path::new(FILE_NAME).is_file() => policy::of_file(Path::new(FILE_NAME))?,
        None => Policy::default(),
    };
    let [base, new] = [sources::read(&arguments.base)?, sources::read(head)?];
    let method = if arguments.estimates { Method::Estimates } else { Method::Recorded };
    let mut result = compare(
        Named { name: &arguments.base, record: base },
        Named { name: head, record: new },
        &policy,
        method,
    )?;
    if arguments.estimates {
        result.reproduce.push_str(" --estimates");
    }
    if let Some(path) = &arguments.result {
        files::write_atomically(path, result.to_json().as_bytes())?;
    }
    show::print(&result, arguments.format, usize::MAX, None);
    Ok(result.verdict.into())
}

/// A record, and how the user named it.
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
    let origin = |named: &Named<'_>| Origin {
        commit: named.record.commit.clone().unwrap_or_default(),
        name: named.name.to_owned(),
        dirty: false,
    };
    let origins = (origin(&base), origin(&head));
    let remarks = differences(&base.record, &head.record);
    let (machine, toolchain) = (head.record.machine.clone(), head.record.toolchain.clone());
    let observed = observe_records(base.record, head.record, policy)?;
    let mut benchmarks = judge(observed, policy, method);
    // Records hold the suites that somebody recorded, and no commits.
    let request = Request { today: show::today()?, trailers: &[], head: None, whole: false };
    let (waivers, _) = waive(&mut benchmarks, &[], policy, &request);
    Ok(RunResult {
        schema: RESULT_SCHEMA.to_owned(),
        version: env!("CARGO_PKG_VERSION").to_owned(),
        verdict: verdict(&benchmarks, &[], &[]),
        time: show::now(),
        method,
        base: origins.0,
        head: origins.1,
        machine,
        toolchain,
        seed: 0,
        seconds: Seconds::default(),
        suites: Vec::new(),
        benchmarks,
        rules: Vec::new(),
        false_alarm: None,
        waivers,
        remarks,
        reproduce: format!("benchgate compare {} {}", quoted(base.name), quoted(head.name)),
    })
}

/// What makes the two occasions different besides the code.
fn differences(base: &Recorded, head: &Recorded) -> Vec<String> {
    let mut remarks = Vec::new();
    match (&base.machine, &head.machine) {
        (Some(base), Some(head)) => {
            let found = head.differences(base);
            if !found.is_empty() {
                remarks
                    .push(format!("two machines, so a change may be theirs: {}", found.join("; ")));
            }
        }
        _ => remarks.push("a record does not say on which machine it was measured".to_owned()),
    }
    if let (Some(base), Some(head)) = (&base.toolchain, &head.toolchain) {
        let found = head.differences(base);
        if !found.is_empty() {
            remarks.push(format!("two toolchains: {}", found.join("; ")));
        }
    }
    remarks
}
