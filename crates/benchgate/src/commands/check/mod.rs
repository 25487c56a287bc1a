//! `benchgate check`: the gate.

mod affected;
mod counting;
mod earlier;
mod gate;
mod preview;
mod resume;
mod same;
mod shard;

use std::path::Path;
use std::time::Instant;

use benchgate_core::judge::{Context, decide, notice_of_shard};
use benchgate_core::model::Sides;
use benchgate_core::policy::Thresholds;
use benchgate_core::report::{Options, quoted};
use benchgate_core::result::{Method, Origin};
use benchgate_host::base_store::BaseStore;
use benchgate_host::git::Revision;
use benchgate_host::sides::cache_dir;
use benchgate_host::{interrupt, trailers};

use self::affected::Reaches;
use self::counting::Counting;
use self::gate::Gate;
use super::selftest;
use crate::cli::{Format, Preview};
use crate::error::CommandError;
use crate::exit::Exit;
use crate::explaining::{Explaining, LONGEST_OF_GATE};
use crate::opened::Opened;
use crate::request::{Base, CheckRequest};
use crate::{progress, schema, seed, show};

pub(crate) fn run(
    request: &CheckRequest,
    preview: Option<Preview>,
    format: Format,
) -> Result<Exit, CommandError> {
    let began = Instant::now();
    let mut opened = Opened::new(request)?;
    shard::refuse(request, &opened.policy)?;
    if preview == Some(Preview::DryRun) {
        return preview::dry_run(request, &opened);
    }
    let mut build_dir = opened.session.build_dir(&opened.policy)?;
    let narrowed = opened.session.narrow(&mut build_dir, &opened.policy);
    if preview == Some(Preview::List) {
        return preview::list(&opened, &build_dir);
    }
    let is_paired = !request.is_of_head_alone(&opened.policy);
    let is_asked = preview.is_some() || request.shard.is_some();
    let reaches = if is_asked || (is_paired && !request.measure_identical) {
        affected::reaches(&opened, &build_dir)?
    } else {
        Reaches::new()
    };
    if let Some(part) = request.shard {
        let report = shard::plan(request, part, &opened, &reaches, narrowed)?;
        opened.session.shard = Some(report);
        opened.session.narrow(&mut build_dir, &opened.policy);
        opened.notices.push(notice_of_shard(part));
    }
    if preview == Some(Preview::Affected) {
        return Ok(affected::explain(&opened, &reaches));
    }
    build_dir.untouched = affected::untouched(request, &opened, &reaches);
    let mut attempt = earlier::attempt(request, &opened);
    let Opened { session, head, base, policy, of_head, mut notices, .. } = opened;
    let sandbox = session.kernel.report(&policy.sandbox);
    notices.extend(sandbox.notice());
    notices.extend(build_dir.unread_above(&session.repository));
    build_dir.store = (!request.rebuild).then(|| BaseStore::below(&cache_dir()));
    build_dir.head_is_elsewhere = request.head.is_some();
    let output = request.output.clone().unwrap_or_else(|| build_dir.work.clone());
    let going_on = earlier::read(request, attempt.as_ref(), &output)?;
    let digest = going_on.as_ref().map(|going_on| going_on.digest.as_str());
    let interrupted =
        request.resume.then(|| resume::header(&build_dir, &base, &head, digest)).transpose()?;
    let seed = interrupted.as_ref().map_or_else(|| seed::of(request.seed), |run| run.seed);
    let progress = progress::progress();
    match &going_on {
        Some(going_on) => going_on.keep()?,
        None => earlier::forget(&output)?,
    }
    if let (Some(attempt), Some(going_on)) = (&mut attempt, &going_on) {
        attempt.earlier = going_on.earlier.attempts().to_vec();
        notices.extend(going_on.notices(&session.machine));
    }
    let kept = going_on.as_ref().map(|going_on| &*going_on.kept);
    let command = reproduce(request, &base, &head, kept, seed);
    // The files of an earlier run would be taken for this one's if this run failed.
    show::remove(&output)?;
    schema::write(&session.workspace)?;
    let gate = Gate {
        session: &session,
        policy: &policy,
        declared: of_head.as_ref(),
        build_dir: &build_dir,
        seed,
        progress: &*progress,
        budget: request.budget.map(|budget| (began, budget)),
        measure_identical: request.measure_identical,
        reaches: &reaches,
        interrupted: interrupted.as_ref(),
        going_on: going_on.as_ref(),
        command: &command,
    };
    let trailers = trailers::between(&session.repository, &base.commit, &head.commit)?;

    let alone = request.is_of_head_alone(&policy);
    let baseline = gate.usable_baseline(&base, alone, &mut notices)?;
    let (method, origin, measured) = match baseline {
        Some(record) if alone => {
            let origin = Origin {
                commit: record.commit.clone().unwrap_or_default(),
                name: format!("committed baseline of {}", session.machine.name),
                dirty: false,
            };
            (
                Method::Baseline,
                origin,
                gate.against_baseline(record, Sides::new(&base, &head), &mut notices)?,
            )
        }
        record => {
            let measured = gate.in_pairs(&base, &head, record, &mut notices)?;
            (Method::Paired, origin_of(&base), measured)
        }
    };
    let counting = Counting {
        gate: &gate,
        commits: Sides::new(&base.checkout, &head.checkout),
        sides: measured.sides,
        journal: &measured.journal,
    };
    let observed = counting.with_instructions(measured.observed, method, &mut notices)?;
    let mut suites = measured.suites;
    suites.extend(shard::without_benchmarks(session.shard.as_ref(), &observed, &suites));
    suites.extend(resume::interruption(&measured.journal, &command));
    // The last self-test; one of another machine would not apply.
    if let Some(Ok(last)) = selftest::last(&session.workspace.target_dir)
        && last.machine.differences(&session.machine).is_empty()
    {
        notices.push(selftest::summary(&last));
    }
    let context = Context {
        version: env!("CARGO_PKG_VERSION").to_owned(),
        time: show::now(),
        today: show::today()?,
        method,
        origins: Sides::new(origin, origin_of(&head)),
        machine: Some(session.machine.clone()),
        sandbox: Some(sandbox),
        toolchain: measured.toolchain,
        seed,
        shard: session.shard.clone(),
        attempt: attempt.filter(|_| method == Method::Paired),
        seconds: measured.seconds,
        trailers,
        head_policy: of_head.clone(),
        is_narrowed: narrowed || session.shard.is_some(),
        notices,
        reproduce: command.clone(),
    };
    let mut result = decide(observed, suites, &policy, context);
    if let Some(going_on) = &going_on {
        going_on.earlier.keep(&mut result);
    }
    if let Some(sides) = &counting.sides
        && !interrupt::is_interrupted()
    {
        let timeout = policy.measure.timeout.min(LONGEST_OF_GATE);
        let explaining = Explaining { sides, build_dir: &build_dir, timeout };
        let is_late = || counting.is_out_of_time();
        match explaining.flagged(&result, &is_late, &*progress) {
            Ok(explanations) => result.explanations = explanations,
            // The verdict does not depend on it.
            Err(error) => result.notices.push(format!("not all is explained: {error}")),
        }
    }
    crate::shard::seal(&mut result);
    // Where the files do not fit on the disk, stdout is where the result is.
    let wrote = show::write(&result, &output);
    show::print(&result, format.0, Options::default());
    wrote.map_err(|error| resume::unwritten(error, counting.journal, &command))?;
    show::written(&output, format.0);
    if earlier::is_open(&result) && !interrupt::is_interrupted() {
        let written = output.join("result.json");
        let more = reproduce(request, &base, &head, Some(&written), seed);
        progress::say(&format!("  more pairs of what is open: {}", resume::without_seed(&more)));
    }
    Ok(result.verdict.into())
}

pub(super) fn origin_of(revision: &Revision) -> Origin {
    Origin { commit: revision.commit.clone(), name: revision.name.clone(), dirty: revision.dirty }
}

fn reproduce(
    request: &CheckRequest,
    base: &Revision,
    head: &Revision,
    earlier: Option<&Path>,
    seed: u64,
) -> String {
    let mut words = vec!["benchgate check".to_owned()];
    words.extend(match request.is_anchored() {
        true => ["--anchor".to_owned(), quoted(&base.name)],
        false => ["--base".to_owned(), base.commit.clone()],
    });
    if matches!(request.base, Some(Base::Exact(_))) {
        words.push("--exact-base".to_owned());
    }
    if !head.dirty {
        words.extend(["--head".to_owned(), head.commit.clone()]);
    }
    if request.baseline {
        words.push("--baseline".to_owned());
    }
    if request.measure_identical {
        words.push("--measure-identical".to_owned());
    }
    if request.sensitive {
        words.push("--sensitive".to_owned());
    }
    let measure = &request.measure;
    if let Some(policy) = &measure.policy {
        words.extend(["--policy".to_owned(), quoted(&policy.to_string_lossy())]);
    }
    if let Some(pairs) = measure.pairs {
        words.extend(["--pairs".to_owned(), pairs.to_string()]);
    }
    if let Some(budget) = request.budget {
        words.extend([
            "--budget".to_owned(),
            quoted(&humantime::format_duration(budget).to_string()),
        ]);
    }
    if let Some(part) = request.shard {
        words.extend(["--shard".to_owned(), part.to_string()]);
    }
    if let Some(durations) = &request.durations {
        words.extend(["--durations".to_owned(), quoted(&durations.to_string_lossy())]);
    }
    for (option, globs) in [
        ("--filter", &measure.filter),
        ("--suite", &measure.suites),
        ("--package", &measure.packages),
        ("--exclude", &measure.exclude),
        ("--features", &measure.features),
    ] {
        for glob in globs {
            words.extend([option.to_owned(), quoted(glob)]);
        }
    }
    words.extend(measure.cargo_options.iter().map(|option| (*option).to_owned()));
    if let Some(level) = request.fail_on {
        words.extend(["--fail-on".to_owned(), level.name().to_owned()]);
    }
    if let Some(Thresholds { note, warning, critical }) = request.levels {
        let percent = |size: f64| (size * 1e6).round() / 1e4;
        let levels = [note, warning, critical].map(|size| percent(size).to_string());
        words.extend(["--levels".to_owned(), levels.join(",")]);
    }
    if let Some(path) = earlier {
        words.extend(["--earlier".to_owned(), quoted(&show::shown(path))]);
    }
    words.extend(["--seed".to_owned(), seed.to_string()]);
    words.join(" ")
}
