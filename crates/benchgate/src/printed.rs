//! This program accepts every command that a report prints, whatever a benchmark is called.

use benchgate_core::report::{self, Options, bisection, words};
use benchgate_core::result::{
    BISECTION_SCHEMA, BisectBenchmark, BisectCommit, Bisection, FoundStep,
};
use benchgate_core::result::{Method, RunResult};
use clap::Parser as _;

use crate::cli::Cli;
use crate::request::{CheckRequest, MeasureRequest, Selection};

/// A recorded result of two commits, of which some benchmarks fail.
pub(crate) fn recorded() -> RunResult {
    // Read when the test runs: the package of this crate has no `docs`.
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/evidence/recorded/canaries.json");
    let mut result = RunResult::from_json(&std::fs::read(path).unwrap()).unwrap();
    result.head.dirty = false;
    result.base.commit = "4f2c0ad6b1".repeat(4);
    result.head.commit = "9e8d7c6b5a".repeat(4);
    assert!(result.method == Method::Paired && result.benchmarks.iter().any(|row| row.blocking));
    result
}

/// The commands in a text: lines, and what is between backticks or tags, that begin with the name of the program and a
/// command of it.
fn commands(text: &str) -> Vec<String> {
    let text = text.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&");
    let text = text.replace("&quot;", "\"").replace("&#39;", "'");
    let begin =
        ["benchgate check ", "benchgate explain ", "benchgate bisect ", "benchgate report "];
    let is_command = |part: &&str| begin.iter().any(|begin| part.starts_with(begin));
    let parts = text.split(['`', '\n', '<']).map(|part| {
        let part = part.rsplit_once('>').map_or(part, |(_, inside)| inside);
        let part = part.trim().trim_start_matches("- ");
        part.split_once(": ")
            .map_or(part, |(name, rest)| if name.contains(' ') { part } else { rest })
    });
    let commands = parts.filter(is_command).map(|part| part.split(" >").next().unwrap_or(part));
    commands.map(str::to_owned).collect()
}

fn assert_taken(text: &str, least: usize) {
    let commands = commands(text);
    assert!(commands.len() >= least, "{commands:?}\n{text}");
    for command in commands {
        let words = words(&command).unwrap_or_else(|| panic!("not words: {command}"));
        if let Err(error) = Cli::try_parse_from(words) {
            panic!("{command}\n{error}");
        }
    }
}

#[test]
fn every_command_of_a_report_is_taken_whatever_a_benchmark_is_called() {
    for id in ["-1", "--besteffort", "a 'b' c", "decode/*"] {
        let mut result = recorded();
        let filter = vec![id.to_owned()];
        let selection = Selection { filter, ..Selection::default() };
        let measure = MeasureRequest { selection, ..MeasureRequest::default() };
        result.reproduce = CheckRequest { measure, ..CheckRequest::default() }.command();
        for row in &mut result.benchmarks {
            row.id = id.to_owned();
        }
        for (format, least) in [("terminal", 1), ("markdown", 1), ("github", 2), ("html", 3)] {
            let renderer = report::renderer(format).unwrap();
            assert_taken(&(renderer.render)(&result, &Options::default()), least);
        }
        assert_taken(&report::again(&result, result.benchmarks.first()).unwrap(), 1);
    }
}

#[test]
fn every_command_of_a_search_is_taken_whatever_a_benchmark_is_called() {
    let commit = |id: &str| BisectCommit { commit: id.repeat(40), subject: "A subject".to_owned() };
    for id in ["-1", "--besteffort", "decode/large"] {
        let step = FoundStep { good: 0, bad: 1, change: None, why_set: None };
        let benchmark = BisectBenchmark {
            package: "parser".to_owned(),
            suite: "speed".to_owned(),
            id: id.to_owned(),
            change: None,
            refused: None,
            found: vec![step],
            steps: Vec::new(),
        };
        let bisection = Bisection {
            schema: BISECTION_SCHEMA.to_owned(),
            seed: 1,
            commits: vec![commit("a"), commit("b")],
            builds: 2,
            benchmarks: vec![benchmark],
        };
        assert_taken(&bisection::terminal(&bisection), 1);
        assert_taken(&bisection::markdown(&bisection), 1);
    }
}
