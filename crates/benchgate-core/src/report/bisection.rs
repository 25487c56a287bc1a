//! Which commits a slowdown came with, in words.

use super::command::{glob, option};
use super::markdown::{code, inline};
use super::text::{bounds, count, one_line, percent, short, size};
use crate::model::Change;
use crate::result::{
    BisectAnswer, BisectBenchmark, BisectRefusal, BisectStep, Bisection, FoundStep, WhySet,
};

/// Commits of a set that are listed.
const MOST_LISTED: usize = 40;

/// A step, as it is reported when it is done.
pub fn step(names: &[String], step: &BisectStep) -> String {
    let name = |at: usize| names.get(at).map_or("?", |name| short(name));
    let (good, bad) = (name(step.good), name(step.bad));
    let commit = step.commit.map_or("?", name);
    let rounds = match (step.by_instructions, step.rounds) {
        (true, _) => "by instructions".to_owned(),
        (false, rounds) => count(rounds, "round"),
    };
    let change = step.change.as_ref().map_or_else(String::new, shown);
    match step.answer {
        BisectAnswer::Proven => format!("{bad} is slower than {good}: {change}, {rounds}"),
        BisectAnswer::Unproven => {
            format!("{bad} is not proven slower than {good}: {change}, {rounds}")
        }
        BisectAnswer::Bad => format!("{commit} is bad: {change} compared with {good}, {rounds}"),
        BisectAnswer::Good => {
            format!("{commit} is good: {bad} is {change} compared with it, {rounds}")
        }
        BisectAnswer::Both => {
            format!("{commit} is between two slowdowns: {change} compared with {good}, {rounds}")
        }
        BisectAnswer::Undecided => format!("{commit} is undecided after {rounds}"),
        BisectAnswer::Untestable => {
            format!("{commit} cannot be tested: {}", one_line(step.reason.as_deref().unwrap_or("")))
        }
        BisectAnswer::SameAsGood => format!("{commit} is good: the same machine code as {good}"),
        BisectAnswer::SameAsBad => format!("{commit} is bad: the same machine code as {bad}"),
        BisectAnswer::SameAsUndecided => {
            format!("{commit} is undecided: the same machine code as one that is")
        }
        BisectAnswer::Confirmed => {
            format!("{bad} is confirmed: {change} compared with {good}, {rounds}")
        }
        BisectAnswer::Unconfirmed => {
            format!("{bad} is not confirmed: {change} compared with {good}, {rounds}")
        }
    }
}

/// All that was found, for a terminal.
pub fn terminal(bisection: &Bisection) -> String {
    let mut text = String::new();
    for benchmark in &bisection.benchmarks {
        let name = one_line(&benchmark.id).into_owned();
        let last = bisection.commits.len().saturating_sub(1);
        let change = benchmark.change.as_ref().map_or_else(String::new, shown);
        if let Some(refusal) = &benchmark.refused {
            text += &format!("{name}: nothing was searched: {}\n", refused(bisection, refusal));
            if !change.is_empty() {
                text += &format!("  measured: {change}\n");
            }
            for line in help(refusal) {
                text += &format!("  help: {line}\n");
            }
            continue;
        }
        text += &format!(
            "{name}: {change} between {} and {}\n",
            commit(bisection, 0),
            commit(bisection, last)
        );
        for found in &benchmark.found {
            let sizes = found.change.as_ref().map_or_else(String::new, shown);
            let Some(culprit) = found.culprit() else {
                text += &format!("  {}\n", set(bisection, found));
                for (at, why) in listed(benchmark, found) {
                    text += &format!("    {}{why}\n", commit(bisection, at));
                }
                continue;
            };
            text += &format!("  culprit: {}: {sizes}\n", commit(bisection, culprit));
            text += &format!("  next: {}\n", next(bisection, benchmark, found));
        }
    }
    text + &format!("{}\n", summary(bisection))
}

/// The bisection as Markdown.
pub fn markdown(bisection: &Bisection) -> String {
    let mut text = String::from("## Bisection\n");
    let named = |at: usize| {
        let commit = bisection.commits.get(at);
        let (id, subject) = commit.map_or(("", ""), |commit| (&commit.commit, &commit.subject));
        format!("{} {}", code(short(id)), inline(subject))
    };
    for benchmark in &bisection.benchmarks {
        text += &format!("\n### {}\n\n", code(&benchmark.id));
        if let Some(refusal) = &benchmark.refused {
            let change = benchmark.change.as_ref().map(|c| format!(" ({})", shown(c)));
            let why = inline(&refused(bisection, refusal));
            text += &format!("Nothing was searched: {why}{}.\n", change.unwrap_or_default());
            text.extend(help(refusal).iter().map(|line| format!("- {}\n", inline(line))));
            continue;
        }
        for found in &benchmark.found {
            let change = found.change.as_ref().map_or_else(String::new, shown);
            if let Some(culprit) = found.culprit() {
                text += &format!("- **{}**: {change} compared with its parent\n", named(culprit));
                text += &format!("  - {}\n", code(&next(bisection, benchmark, found)));
                continue;
            }
            text += &format!("- {}\n", inline(&set(bisection, found)));
            for (at, why) in listed(benchmark, found) {
                text += format!("  - {} {}", named(at), inline(&why)).trim_end();
                text.push('\n');
            }
        }
        text += "\n<details><summary>Steps</summary>\n\n";
        let names: Vec<String> = bisection.commits.iter().map(|c| c.commit.clone()).collect();
        text.extend(benchmark.steps.iter().map(|at| format!("1. {}\n", inline(&step(&names, at)))));
        text += "\n</details>\n";
    }
    text + &format!("\n{}\n", inline(&summary(bisection)))
}

fn shown(change: &Change) -> String {
    match (change.lower, change.upper) {
        (None, None) => percent(change.estimate),
        _ => format!("{} {}", percent(change.estimate), bounds(change)),
    }
}

fn commit(bisection: &Bisection, at: usize) -> String {
    let commit = bisection.commits.get(at);
    let (id, subject) = commit.map_or(("?", ""), |commit| (&*commit.commit, &*commit.subject));
    format!("{} {}", short(id), one_line(subject)).trim_end().to_owned()
}

fn set(bisection: &Bisection, found: &FoundStep) -> String {
    let commits = count(found.bad - found.good, "commit");
    let size =
        found.change.as_ref().map_or_else(String::new, |change| format!(", {}", shown(change)));
    let why = match found.why_set {
        Some(WhySet::Untested) => "those between its ends cannot be tested, or stay undecided",
        Some(WhySet::Unconfirmed) => {
            "no commit alone is proven slower than its parent: it may be spread over several"
        }
        Some(WhySet::NoTime) | None => "the time was over",
    };
    format!("one of {commits} after {}{size}: {why}", commit(bisection, found.good))
}

/// The commits of a set, each with what was learnt of it.
fn listed(benchmark: &BisectBenchmark, found: &FoundStep) -> Vec<(usize, String)> {
    let why = |at: usize| {
        let of_commit = |step: &&BisectStep| step.commit == Some(at) && step.answer.is_skip();
        let Some(step) = benchmark.steps.iter().rev().find(of_commit) else { return String::new() };
        match &step.reason {
            Some(reason) => format!(" (cannot be tested: {})", one_line(reason)),
            None => " (undecided)".to_owned(),
        }
    };
    (found.good + 1..=found.bad).take(MOST_LISTED).map(|at| (at, why(at))).collect()
}

fn next(bisection: &Bisection, benchmark: &BisectBenchmark, found: &FoundStep) -> String {
    let name = |at: usize| bisection.commits.get(at).map_or("", |commit| short(&commit.commit));
    // Exact: a name without `*` is a part of other ids too.
    let filter = option("--filter", &glob(&benchmark.id));
    let (base, head) = (option("--base", name(found.good)), option("--head", name(found.bad)));
    format!("benchgate explain {filter} {base} {head}")
}

fn refused(bisection: &Bisection, refusal: &BisectRefusal) -> String {
    match refusal {
        BisectRefusal::Untestable { commit: at, reason } => {
            format!("{} cannot be tested: {}", commit(bisection, *at), one_line(reason))
        }
        BisectRefusal::SameCode => {
            "the good and the bad commit have the same machine code".to_owned()
        }
        BisectRefusal::Unproven { rounds, .. } => {
            format!(
                "no slowdown is proven between the good and the bad commit in {}",
                count(*rounds, "round")
            )
        }
        BisectRefusal::NoTime => "the time was over before anything was proven".to_owned(),
    }
}

/// Lists ways to get an answer after a refusal.
fn help(refusal: &BisectRefusal) -> Vec<String> {
    match refusal {
        BisectRefusal::Unproven { detectable, needed, rounds } => {
            let detectable = detectable.map(|detectable| {
                format!("so many rounds prove slowdowns from {} on", size(detectable))
            });
            let needed = needed.map(|needed| {
                let pairs = needed.div_ceil(2).max(rounds / 2 + 1);
                if pairs > 1_000 {
                    format!("it would take some {needed} rounds if the change is real: `benchgate doctor` lists what makes this machine noisy")
                } else {
                    format!("it would take some {needed} rounds if the change is real: `--pairs {pairs}`")
                }
            });
            let older = "an older `--good`, or a commit that a check found slower as `--bad`";
            detectable.into_iter().chain(needed).chain([older.to_owned()]).collect()
        }
        BisectRefusal::Untestable { .. } => {
            vec!["name a commit near it that builds and has the benchmark".to_owned()]
        }
        BisectRefusal::SameCode => {
            vec![
                "the difference is not in the code: compare the machines or the toolchains"
                    .to_owned(),
            ]
        }
        BisectRefusal::NoTime => vec!["resume with `benchgate bisect --resume`".to_owned()],
    }
}

fn summary(bisection: &Bisection) -> String {
    let commits = count(bisection.commits.len().saturating_sub(1), "commit");
    let steps = bisection.benchmarks.iter().flat_map(|benchmark| &benchmark.steps);
    let rounds: usize = steps.map(|step| step.rounds).sum();
    format!(
        "{commits}, {} built, {}; seed {}",
        bisection.builds,
        count(rounds, "round"),
        bisection.seed
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::result::{BISECTION_SCHEMA, BisectCommit};

    fn sample() -> Bisection {
        let change = |estimate: f64| {
            Some(Change { estimate, lower: Some(estimate - 0.01), upper: Some(estimate + 0.01) })
        };
        let at = |good, bad, commit, answer, rounds| BisectStep {
            good,
            bad,
            commit,
            answer,
            rounds,
            by_instructions: false,
            change: change(0.1).filter(|_| rounds > 0),
            reason: (answer == BisectAnswer::Untestable)
                .then(|| "cargo could not build\n@it".into()),
        };
        let benchmark = |id: &str| BisectBenchmark {
            package: "parser".into(),
            suite: "speed".into(),
            id: id.into(),
            change: change(0.21),
            refused: None,
            steps: Vec::new(),
            found: Vec::new(),
        };
        let set =
            FoundStep { good: 3, bad: 5, change: change(0.1), why_set: Some(WhySet::Untested) };
        let culprit = FoundStep { good: 1, bad: 2, change: change(0.1), why_set: None };
        Bisection {
            schema: BISECTION_SCHEMA.into(),
            seed: 7,
            commits: (0..7)
                .map(|at| BisectCommit {
                    commit: format!("{at}{}", "a".repeat(39)),
                    subject: format!("change {at} | <b>\u{7}"),
                })
                .collect(),
            builds: 6,
            benchmarks: vec![
                BisectBenchmark {
                    steps: vec![
                        at(0, 6, None, BisectAnswer::Proven, 15),
                        at(0, 6, Some(3), BisectAnswer::Both, 15),
                        at(3, 6, Some(4), BisectAnswer::Untestable, 0),
                        at(3, 6, Some(5), BisectAnswer::Bad, 15),
                        at(3, 5, None, BisectAnswer::Confirmed, 15),
                        at(0, 3, Some(2), BisectAnswer::SameAsBad, 0),
                        at(0, 2, Some(1), BisectAnswer::Undecided, 120),
                    ],
                    found: vec![culprit, set],
                    ..benchmark("decode/`large`")
                },
                BisectBenchmark {
                    change: change(0.015),
                    refused: Some(BisectRefusal::Unproven {
                        rounds: 120,
                        detectable: Some(0.031),
                        needed: Some(301),
                    }),
                    ..benchmark("encode")
                },
            ],
        }
    }

    #[test]
    fn a_terminal_shows_culprits_sets_and_refusals() {
        insta::assert_snapshot!(terminal(&sample()));
    }

    #[test]
    fn markdown_shows_the_same_with_untrusted_text_escaped() {
        insta::assert_snapshot!(markdown(&sample()));
    }

    #[test]
    fn the_json_is_read_again_as_it_was_written() {
        let sample = sample();
        assert_eq!(Bisection::read(sample.to_json().as_bytes()).unwrap(), sample);
    }

    #[test]
    fn a_bisection_of_another_schema_or_of_no_commit_is_refused_by_its_key() {
        let spoilt = |spoil: fn(&mut Bisection)| {
            let mut bisection = sample();
            spoil(&mut bisection);
            Bisection::read(bisection.to_json().as_bytes()).unwrap_err().to_string()
        };
        let schema = spoilt(|bisection| bisection.schema = "benchgate.result/8".into());
        assert!(schema.starts_with("`schema`: `benchgate.result/8` is not"), "{schema}");
        let commit = spoilt(|bisection| bisection.benchmarks[0].found[0].bad = 99);
        let range = "`benchmarks[0].found[0]`: invalid range 1 to 99: ";
        assert!(commit.starts_with(range), "{commit}");
    }
}
