//! Whether the sentences and the numbers of a result agree with each other, in every format, for everything that is
//! recorded.

#![expect(
    clippy::disallowed_methods,
    reason = "this test reads what is recorded, whichever files there are"
)]

use std::path::{Path, PathBuf};

use super::text::{bounds, percent};
use super::{Options, github, html, markdown, meaning, samples, terminal};
use crate::judge::contradictions;
use crate::model::{Change, Verdict};
use crate::result::{BenchmarkReport, RunResult};

/// Results in these folders, as separate files or within pages.
const FOLDERS: [&str; 2] = ["docs/evidence/recorded", "docs/examples"];

fn files(folder: &str) -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let entries = std::fs::read_dir(root.join(folder)).unwrap();
    entries.map(|entry| entry.unwrap().path()).filter(|path| path.is_file()).collect()
}

/// The result in a file; `None` if it holds something else.
fn result_in(path: &Path) -> Option<RunResult> {
    let text = std::fs::read_to_string(path).ok()?;
    let json = match path.extension()?.to_str()? {
        "json" => &text,
        "html" => text.split_once("id=\"result\">")?.1.split_once("</script>")?.0,
        _ => return None,
    };
    RunResult::from_json(json.as_bytes()).ok()
}

/// Every result, with a name for messages.
fn all() -> Vec<(String, RunResult)> {
    let samples = samples::each().into_iter();
    let samples =
        samples.chain([samples::explained(), samples::allocating(), samples::many(60, 3)]);
    let mut all: Vec<(String, RunResult)> =
        samples.enumerate().map(|(number, result)| (format!("sample {number}"), result)).collect();
    let recorded = FOLDERS.iter().flat_map(|folder| files(folder));
    let recorded =
        recorded.filter_map(|path| Some((path.display().to_string(), result_in(&path)?)));
    // One that an earlier version decided is refused by every command that reports.
    all.extend(recorded.filter(|(_, result)| contradictions(result).is_empty()));
    all
}

/// The fraction in front of the next ` %` after these words of a text.
fn after(text: &str, words: &str) -> Option<f64> {
    let (_, rest) = text.split_once(words)?;
    Some(rest.split_once(" %")?.0.trim().parse::<f64>().ok()? / 100.0)
}

/// The percentage in front of these words of a text, in tenths of a percent.
fn before(text: &str, words: &str) -> Option<f64> {
    let number = text.split_once(words)?.0.strip_suffix(" %")?.rsplit(' ').next()?;
    Some((number.parse::<f64>().ok()? * 10.0).round())
}

fn tenth(fraction: f64) -> f64 {
    (fraction * 1_000.0).round()
}

/// What is wrong with the bounds of a reason, compared with the interval that is shown next to it.
fn against_interval(row: &BenchmarkReport, change: &Change) -> Vec<&'static str> {
    let reason = &row.reason;
    let mut wrong = Vec::new();
    let ruled_out = match reason.contains("any slowdown is ruled out") {
        true => Some(0.0),
        false => after(reason, "a slowdown above "),
    };
    if let (Some(bound), Some(upper)) = (ruled_out, change.upper) {
        let is_beyond =
            tenth(upper) > tenth(bound) && !reason.contains("the 95 % interval ends at");
        if is_beyond {
            wrong.push("the interval ends above what is ruled out");
        }
        if bound < 0.0 || reason.contains("above -") {
            wrong.push("a slowdown is not negative");
        }
    }
    let is_of_values = !reason.contains("mean");
    if let (true, Some(_), Some(bound), Some(lower)) =
        (is_of_values, row.finding.level(), after(reason, " slower, at least "), change.lower)
    {
        if tenth(lower) < tenth(bound) && !reason.contains("the 95 % interval begins at") {
            wrong.push("the interval begins below what is proven");
        }
        if tenth(bound) > tenth(change.estimate) {
            wrong.push("more is proven than the estimate");
        }
        if before(reason, " slower, at least ") != Some(tenth(change.estimate)) {
            wrong.push("the reason has another estimate");
        }
        let level = row.finding.name();
        if let Some(above) = after(reason, &format!("({level} above "))
            && tenth(above) >= tenth(change.estimate) + 0.5
        {
            wrong.push("the estimate is not above the level's threshold");
        }
    }
    wrong
}

fn wrong_with(row: &BenchmarkReport) -> Vec<&'static str> {
    let Some(change) = &row.change else { return Vec::new() };
    let mut wrong = against_interval(row, change);
    if let (Some(base), Some(head)) = (row.base, row.head)
        && (base * (1.0 + change.estimate) - head).abs() > 1e-6 * head.abs().max(1e-12)
    {
        wrong.push("the change is not that from base to head");
    }
    if change.lower.is_some_and(|lower| lower > change.estimate + 1e-12)
        || change.upper.is_some_and(|upper| upper < change.estimate - 1e-12)
    {
        wrong.push("the estimate is outside of its interval");
    }
    let is_by_time = row.metric.is_duration() && !row.reason.contains("instructions");
    if row.is_proven_to_fail() && is_by_time && change.estimate <= row.limit {
        wrong.push("it fails below its limit");
    }
    wrong
}

#[test]
fn what_is_said_of_a_benchmark_agrees_with_its_numbers() {
    let all = all();
    assert!(all.len() >= 17, "{}", all.len());
    let mut disagreements = Vec::new();
    for (name, result) in &all {
        for row in &result.benchmarks {
            let wrong = wrong_with(row);
            if !wrong.is_empty() {
                let change = row.change.as_ref().map(bounds).unwrap_or_default();
                disagreements
                    .push(format!("{name}: {}: {wrong:?}: {change} {}", row.id, row.reason));
            }
        }
    }
    assert!(
        disagreements.is_empty(),
        "{} of them:\n{}",
        disagreements.len(),
        disagreements.join("\n")
    );
}

#[test]
fn every_format_says_the_same_of_a_result_and_nothing_twice_in_two_ways() {
    for (name, result) in all() {
        let options = Options::default();
        let page = html::html(&result, &options);
        let shown = page.split("<section aria-labelledby=\"data\"").next().unwrap();
        let terminal = terminal::terminal(&result, &options);
        let texts = [
            shown,
            &terminal,
            &markdown::markdown(&result, &options),
            &github::github(&result, &options),
        ];
        let headline = meaning::headline(&result);
        let title = page.split_once("<h1>").unwrap().1.split_once("</h1>").unwrap().0;
        assert!(title.ends_with(&format!("</span>: {headline}")), "{name}: {title}");
        assert!(terminal.contains(&format!("{}: {headline}\n", result.verdict.name())), "{name}");
        for text in texts {
            if result.verdict == Verdict::Pass && text.contains("Needs no action") {
                assert!(!text.contains("need a look<"), "{name}");
            }
            assert!(!text.contains("above -"), "{name}: a negative slowdown");
            for row in result.benchmarks.iter().filter(|row| row.metric.is_count()) {
                let Some(change) = &row.change else { continue };
                let exact = format!("{} {}", percent(change.estimate), bounds(change));
                assert!(!text.contains(&exact), "{name}: {}: {exact}", row.id);
            }
        }
        // What could be proven says nothing of what is.
        for card in shown.split("<article").skip(1) {
            let is_proven =
                ["</span> critical<", "</span> warning<", "</span> note<", "</span> improved<"]
                    .iter()
                    .any(|badge| card.split("</h3>").next().unwrap().contains(badge));
            assert!(!(is_proven && card.contains("smallest slowdown that it can prove")), "{name}");
        }
    }
}
