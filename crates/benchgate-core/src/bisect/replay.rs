//! The log of a search, as `git bisect replay` reads it.

use crate::result::{BisectAnswer, BisectBenchmark, BisectCommit, BisectStep, FoundStep};

/// Returns the log with which git comes to the same answer: the start of the search, each commit that was decided on
/// the way to `found`, and those that were not.
pub fn replay_log(
    commits: &[BisectCommit],
    benchmark: &BisectBenchmark,
    found: &FoundStep,
) -> String {
    let name = |at: usize| commits.get(at).map_or("", |commit| &commit.commit);
    let subject = |at: usize| {
        let subject = commits.get(at).map_or("", |commit| &commit.subject);
        subject.chars().map(|c| if c.is_control() { ' ' } else { c }).collect::<String>()
    };
    let (first, last) = ends(benchmark, found);
    let mut log = format!("# benchgate bisect: {}\n", benchmark.key().id.escape_debug());
    log += &format!("git bisect start '--first-parent' '{}' '{}'\n", name(last), name(first));
    let mut line = |word: &str, at: usize| {
        log += &format!("# {word}: [{}] {}\n", name(at), subject(at));
        log += &format!("git bisect {word} {}\n", name(at));
    };
    let (mut good, mut bad) = (first, last);
    for step in &benchmark.steps {
        let Some(commit) = step.commit.filter(|at| *at > good && *at < bad) else { continue };
        if step.answer.is_skip() {
            line("skip", commit);
        } else if commit <= found.good {
            line("good", commit);
            good = commit;
        } else if commit >= found.bad {
            line("bad", commit);
            bad = commit;
        }
    }
    if good < found.good {
        line("good", found.good);
    }
    if bad > found.bad {
        line("bad", found.bad);
    }
    if let Some(culprit) = found.culprit() {
        log += &format!("# first bad commit: [{}] {}\n", name(culprit), subject(culprit));
    }
    log
}

/// The narrowest proven ends around what was found.
fn ends(benchmark: &BisectBenchmark, found: &FoundStep) -> (usize, usize) {
    let around = |step: &&BisectStep| {
        step.answer == BisectAnswer::Proven && step.good <= found.good && step.bad >= found.bad
    };
    let narrowest = benchmark.steps.iter().filter(around).min_by_key(|step| step.bad - step.good);
    narrowest.map_or((found.good, found.bad), |step| (step.good, step.bad))
}
