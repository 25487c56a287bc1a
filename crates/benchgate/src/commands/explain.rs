//! `benchgate explain`: where a difference sits.

use std::collections::BTreeSet;
use std::path::Path;

use benchgate_core::judge::Match;
use benchgate_core::model::{BenchmarkKey, Sides};
use benchgate_core::policy::nearest;
use benchgate_core::report::{explanation, positionals};
use benchgate_core::result::{Explanation, Explanations, Origin, RunResult};
use benchgate_host::HostError;
use benchgate_host::measure::Inventory;
use benchgate_host::sides::even_out;
use benchgate_host::system::files;

use super::check::scope::{Scope, origin_of};
use crate::building::Prepared;
use crate::cli::ExplainArgs;
use crate::error::CommandError;
use crate::exit::Exit;
use crate::explaining::{Explaining, explainable, flagged};
use crate::request::{Base, CheckRequest, MeasureRequest, globs_of};
use crate::session::{Session, suites};
use crate::{progress, show};

pub(crate) fn run(arguments: &ExplainArgs) -> Result<Exit, CommandError> {
    let manifest = arguments.cargo.manifest_path.as_deref();
    let folder = match &arguments.output {
        Some(folder) => folder.clone(),
        None => Session::open(None, manifest)?.workspace.work_dir(),
    };
    let last = last_result(&folder);
    let asked = Asked::of(arguments, last.as_ref())?;
    if asked.is_empty() {
        show::say("nothing to explain: the last `check` flagged no time and no allocations");
        return Ok(Exit::Pass);
    }
    let Asked { request, flagged } = asked;
    let scope = Scope::open(request)?;
    let Scope { request, session, revisions, policy, of_head, notices, .. } = &scope;
    for notice in notices {
        progress::say(&format!("notice: {notice}"));
    }
    let build_dir = scope.build_dir()?;
    let progress = progress::progress();
    let selection = &request.measure.selection;
    let building = session.building(selection, policy, &build_dir, &*progress);
    let mut built = building.both(revisions.as_ref())?;
    if let Sides { base: Ok(base), head: Ok(head) } = &mut built {
        even_out(base, head);
    }
    let sides = built.try_map(|side, built| building.ask(side, built, |_| true))?;
    refuse_unbuilt(&sides)?;
    let inventories = Sides::new(&sides.base.inventory, &sides.head.inventory);
    let matches = selection.matches(explainable, inventories, policy, of_head.as_ref());
    let is_wanted =
        |key: &BenchmarkKey| flagged.as_ref().is_none_or(|flagged| flagged.contains(key));
    let wanted: Vec<Sides<BenchmarkKey>> =
        matches.into_iter().filter_map(of_both).filter(|keys| is_wanted(&keys.head)).collect();
    if wanted.is_empty() {
        return Err(none_is_named(&selection.filter, inventories));
    }
    let timeout = policy.measure.timeout;
    let explaining = Explaining { sides: &sides, build_dir: &build_dir, timeout };
    progress.phase("explaining");
    let mut explanations = Vec::new();
    for keys in &wanted {
        progress.line(&format!("explaining {}", keys.head));
        explanations.push(explaining.explain(keys.as_ref())?);
    }
    progress.done();
    let Sides { base, head } = revisions.as_ref().map(origin_of);
    if let Some(result) =
        last.filter(|last| last.base.commit == base.commit && is_same(&last.head, &head))
    {
        update(result, &explanations, &folder)?;
    }
    let unexplained = explanations.iter().any(|explanation| explanation.unavailable.is_some());
    print(Explanations::new(base, head, explanations), arguments.is_json());
    Ok(if unexplained { Exit::Incomplete } else { Exit::Pass })
}

fn print(explanations: Explanations, json: bool) {
    if json {
        show::text(&explanations.to_json());
    } else {
        let texts = explanations.explanations.iter();
        let texts = texts.map(|found| explanation::terminal(found, show::width()));
        show::text(&texts.collect::<Vec<_>>().join("\n"));
    }
}

fn of_both(matched: Match) -> Option<Sides<BenchmarkKey>> {
    match matched {
        Match::Both { base, head } => Some(Sides::new(base, head)),
        _ => None,
    }
}

/// The comparison to explain, and its benchmarks.
struct Asked {
    request: CheckRequest,
    /// The benchmarks that the last check flagged; `None` where some are named.
    flagged: Option<BTreeSet<BenchmarkKey>>,
}

impl Asked {
    fn of(arguments: &ExplainArgs, last: Option<&RunResult>) -> Result<Self, CommandError> {
        let ExplainArgs { benchmarks, filter, base, head, policy, suite, .. } = arguments;
        let mut request = CheckRequest {
            base: base.clone().map(Base::Fork),
            head: head.clone(),
            measure: MeasureRequest { policy: policy.clone(), ..(&arguments.cargo).into() },
            ..CheckRequest::default()
        };
        let selection = &mut request.measure.selection;
        selection.filter = globs_of(filter, benchmarks);
        selection.suites.clone_from(suite);
        if !selection.filter.is_empty() {
            return Ok(Self { request, flagged: None });
        }
        let Some(last) = last else {
            return Err(HostError::usage(
                "nothing was explained: there is no result of a check, and no benchmark is named",
                "run `benchgate check`, or name one: `benchgate explain BENCHMARK`",
            )
            .into());
        };
        let keys: BTreeSet<BenchmarkKey> = flagged(last).into_iter().collect();
        if base.is_none() && head.is_none() {
            request.base = Some(Base::Exact(last.base.commit.clone()));
            request.head = (!last.head.dirty).then(|| last.head.commit.clone());
        }
        if suite.is_empty() {
            let names: BTreeSet<&str> = keys.iter().map(|key| key.suite.as_str()).collect();
            request.measure.selection.suites = names.into_iter().map(str::to_owned).collect();
        }
        Ok(Self { request, flagged: Some(keys) })
    }

    fn is_empty(&self) -> bool {
        self.flagged.as_ref().is_some_and(BTreeSet::is_empty)
    }
}

/// The error of names that no benchmark of both sides has.
fn none_is_named(globs: &[String], inventories: Sides<&Inventory>) -> CommandError {
    let Sides { base, head } = inventories.map(explainable);
    let ids: BTreeSet<&str> = base.intersection(&head).map(|key| key.id.as_str()).collect();
    let meant = globs.iter().find_map(|glob| nearest(glob, ids.iter().copied()));
    let help = match meant {
        Some(meant) => format!("did you mean `benchgate explain {}`?", positionals(&[meant])),
        None => "`benchgate check --list` lists the benchmarks".to_owned(),
    };
    let message = "nothing was explained: no benchmark that both sides have is named so";
    HostError::usage(message, help).into()
}

/// The result of the last check; none if it cannot be read.
fn last_result(folder: &Path) -> Option<RunResult> {
    RunResult::from_json(&files::read(&folder.join("result.json")).ok()?).ok()
}

fn refuse_unbuilt(sides: &Sides<Prepared>) -> Result<(), CommandError> {
    if sides.base.built.is_some() && sides.head.built.is_some() {
        return Ok(());
    }
    let reasons = suites(Some(&sides.base.inventory), &sides.head.inventory);
    let reasons: Vec<String> =
        reasons.iter().map(|suite| format!("{}\n{}", suite.reason, suite.output)).collect();
    Err(CommandError::Unmeasured(format!("nothing was explained: {}", reasons.join("; "))))
}

fn is_same(last: &Origin, head: &Origin) -> bool {
    last.commit == head.commit && last.dirty == head.dirty
}

/// Writes the reports of the last check again, with these explanations.
fn update(
    mut result: RunResult,
    explanations: &[Explanation],
    folder: &Path,
) -> Result<(), CommandError> {
    let is_new = |old: &Explanation| explanations.iter().any(|new| new.key() == old.key());
    result.explanations.retain(|old| !is_new(old));
    let known: BTreeSet<BenchmarkKey> = result.benchmarks.iter().map(|row| row.key()).collect();
    result
        .explanations
        .extend(explanations.iter().filter(|new| known.contains(&new.key())).cloned());
    show::write(&result, folder)
}
