//! `benchgate check`: the gate.

mod gate;
mod same;
mod suspects;

use std::time::Instant;

use benchgate_core::judge::{RUN_ERROR, Request, judge, judge_rules, verdict, waive};
use benchgate_core::policy::GateMethod;
use benchgate_core::report::quoted;
use benchgate_core::result::{Method, Origin, RESULT_SCHEMA, RunResult};
use benchgate_host::git::Revision;
use benchgate_host::sides::Workshop;
use benchgate_host::{HostError, trailers};

use self::gate::Gate;
use self::suspects::Suspects;
use super::selftest;
use crate::cli::{CheckArgs, Format};
use crate::error::CommandError;
use crate::exit::Exit;
use crate::policy::Held;
use crate::session::Session;
use crate::{policy, progress, seed, show};

pub(crate) fn run(arguments: &CheckArgs) -> Result<Exit, CommandError> {
    let began = Instant::now();
    let mut session = Session::open(&arguments.measure)?;
    session.sensitive = arguments.sensitive;
    let head = session.head(arguments.head.as_deref())?;
    let base = base(&session, arguments, &head)?;
    let Held { mut policy, of_head, mut remarks } = policy::of_commit(
        &arguments.measure,
        &session.repository,
        &session.workspace,
        &base,
        &head,
    )?;
    if let Some(level) = arguments.fail_on {
        policy.fail_on(level.into());
    }
    if base.checkout == head.checkout {
        remarks
            .push("base and head are the same commit: the code is compared with itself".to_owned());
    }
    let seed = seed::of(arguments.seed);
    let progress = progress::progress();
    let mut workshop = Workshop::open(&session.repository, &session.workspace)?;
    let narrowed = session.narrow(&mut workshop, &policy);
    let output = arguments.output.clone().unwrap_or_else(|| workshop.work.clone());
    // What an earlier run left would pass for this one's, were this one to end before its time.
    show::remove(&output)?;
    let gate = Gate {
        session: &session,
        policy: &policy,
        workshop: &workshop,
        seed,
        progress: &*progress,
        budget: arguments.budget.map(|budget| (began, budget.into())),
        measure_identical: arguments.measure_identical,
    };

    let alone = arguments.baseline || policy.gate == GateMethod::Baseline;
    let baseline = gate.usable_baseline(&base, alone, &mut remarks)?;
    let (method, origin, seen) = match baseline {
        Some(record) if alone => {
            let origin = Origin {
                commit: record.commit.clone().unwrap_or_default(),
                name: format!("committed baseline of {}", session.machine.name),
                dirty: false,
            };
            (Method::Baseline, origin, gate.against_baseline(record, &head, &mut remarks)?)
        }
        record => {
            let seen = gate.in_pairs(&base, &head, record, &mut remarks)?;
            (Method::Paired, origin_of(&base), seen)
        }
    };
    let suspects = Suspects { gate: &gate, sides: seen.sides };
    let observed = suspects.questioned(seen.observed, method, &mut remarks)?;
    let mut benchmarks = judge(observed, &policy, method);
    // What the gate could see here when it was last tried; of another machine it would say nothing.
    if let Some(Ok(last)) = selftest::last(&session.workspace.target_dir)
        && last.machine.differences(&session.machine).is_empty()
    {
        remarks.push(selftest::told(&last));
    }
    let trailers = trailers::between(&session.repository, &base.commit, &head.commit)?;
    let request = Request {
        today: show::today()?,
        trailers: &trailers,
        head: of_head.as_ref(),
        whole: !narrowed,
    };
    let (waivers, refused) = waive(&mut benchmarks, &seen.suites, &policy, &request);
    remarks.extend(refused);
    let rules = judge_rules(&policy.rules, &benchmarks, &seen.suites);
    let result = RunResult {
        schema: RESULT_SCHEMA.to_owned(),
        version: env!("CARGO_PKG_VERSION").to_owned(),
        verdict: verdict(&benchmarks, &seen.suites, &rules).max(waivers.verdict()),
        time: show::now(),
        method,
        base: origin,
        head: origin_of(&head),
        machine: Some(session.machine.clone()),
        toolchain: seen.toolchain,
        seed,
        seconds: seen.seconds,
        suites: seen.suites,
        benchmarks,
        rules,
        false_alarm: (method == Method::Paired).then_some(RUN_ERROR),
        waivers,
        remarks,
        reproduce: reproduce(arguments, &base, &head, seed),
    };
    show::write(&result, &output)?;
    show::print(&result, Format::Terminal, usize::MAX, None);
    show::say(&format!("  written: {}", show::told(&output)));
    Ok(result.verdict.into())
}

/// What the head is compared with, when the user does not say: what it grew out of.
fn base(
    session: &Session,
    arguments: &CheckArgs,
    head: &Revision,
) -> Result<Revision, CommandError> {
    if let Some(name) = &arguments.base {
        return Ok(session.repository.merge_base(name, head)?);
    }
    if head.dirty {
        return Ok(session.repository.commit("HEAD")?);
    }
    session.repository.parent(head)?.ok_or_else(|| {
        HostError::usage(
            format!("{} is the first commit of this repository: there is no base", head.name),
            "commit a change, or name a base with --base (`--base HEAD` compares a commit with itself)",
        )
        .into()
    })
}

fn origin_of(revision: &Revision) -> Origin {
    Origin { commit: revision.commit.clone(), name: revision.name.clone(), dirty: revision.dirty }
}

fn reproduce(arguments: &CheckArgs, base: &Revision, head: &Revision, seed: u64) -> String {
    let mut words = vec!["benchgate check --base".to_owned(), base.commit.clone()];
    if !head.dirty {
        words.extend(["--head".to_owned(), head.commit.clone()]);
    }
    if arguments.baseline {
        words.push("--baseline".to_owned());
    }
    if arguments.measure_identical {
        words.push("--measure-identical".to_owned());
    }
    if arguments.sensitive {
        words.push("--sensitive".to_owned());
    }
    let measure = &arguments.measure;
    if let Some(policy) = &measure.policy {
        words.extend(["--policy".to_owned(), quoted(&policy.to_string_lossy())]);
    }
    if let Some(pairs) = measure.pairs {
        words.extend(["--pairs".to_owned(), pairs.to_string()]);
    }
    if let Some(budget) = arguments.budget {
        words.extend(["--budget".to_owned(), quoted(&budget.to_string())]);
    }
    for (option, globs) in [("--filter", &measure.filter), ("--suite", &measure.suite)] {
        for glob in globs {
            words.extend([option.to_owned(), quoted(glob)]);
        }
    }
    if let Some(level) = arguments.fail_on {
        words.extend(["--fail-on".to_owned(), level.name().to_owned()]);
    }
    words.extend(["--seed".to_owned(), seed.to_string()]);
    words.join(" ")
}
