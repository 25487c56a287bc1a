//! Formats that are known and not read: each is named, with what to type in place of it.

use std::collections::BTreeMap;

use serde_json::value::RawValue;

/// A format that is not read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unread {
    /// What the file is.
    pub what: &'static str,
    /// What to type.
    pub instead: &'static str,
}

const fn unread(what: &'static str, instead: &'static str) -> Unread {
    Unread { what, instead }
}

const CRITERION: &str = "name the whole Criterion home, with a baseline that `cargo bench -- --save-baseline NAME` \
                         wrote: `benchgate compare target/criterion:OLD target/criterion:NEW`";
const LIBTEST: &str = "keep what `cargo bench` prints: `cargo bench >head.txt 2>&1`";
const GO: Unread = unread("output of `go test -bench`", "let it compare: `benchstat OLD NEW`");
const GOOGLE: &str = "`PROGRAM --benchmark_out=head.json --benchmark_out_format=json`";
const HYPERFINE: &str = "`hyperfine --export-json head.json COMMAND`";
const JMH: &str = "`java -jar benchmarks.jar -rf json -rff head.json`";
const GUNGRAUN: Unread = unread(
    "a result of iai, iai-callgrind or gungraun, which has no times",
    "let it compare: `cargo bench --bench NAME -- --save-baseline=OLD`, then `-- --baseline=OLD`",
);
const PYTEST: Unread =
    unread("a result of pytest-benchmark", "let it compare: `pytest-benchmark compare OLD NEW`");
const DOTNET: Unread = unread(
    "a result of BenchmarkDotNet",
    "let its ResultsComparer compare: `dotnet run -- --base OLD --diff NEW --threshold 5%`",
);
const CATCH2: Unread = unread(
    "a result of Catch2",
    "time the program as a whole: `hyperfine --export-json head.json './tests \"[!benchmark]\"'`",
);
const TANGO: Unread = unread(
    "a CSV of tango, which holds both sides",
    "let it compare: `cargo bench --bench NAME -- compare OLD_EXECUTABLE`",
);

/// Objects, by keys that each has; of several lines, the first is looked at.
const OBJECTS: [(&[&str], Unread); 10] = [
    (&["machine_info", "benchmarks"], PYTEST),
    (&["HostEnvironmentInfo"], DOTNET),
    (&["sampling_mode", "iters"], unread("a `sample.json` of Criterion: one benchmark", CRITERION)),
    (
        &["mean", "median_abs_dev"],
        unread("an `estimates.json` of Criterion: one benchmark", CRITERION),
    ),
    (&["group_id", "full_id"], unread("a `benchmark.json` of Criterion: one benchmark", CRITERION)),
    (&["benchmark_exe", "module_path"], GUNGRAUN),
    (&["rust-suites"], unread("a list of tests of nextest", LIBTEST)),
    (&["type", "event"], unread("a list of events of libtest or nextest", LIBTEST)),
    (&["type", "median"], unread("libtest's JSON", LIBTEST)),
    (&["reason", "package_id"], unread("cargo's messages about a build", LIBTEST)),
];

/// Texts, by what is in one of their lines: a format before another format with the same words.
const TEXTS: [(&[&str], Unread); 18] = [
    (&["Benchmark", "Mode", "Cnt", "Score"], unread("the table of JMH", JMH)),
    (&["\"Benchmark\",\"Mode\""], unread("a CSV of JMH", JMH)),
    (&["Benchmark", "Time", "CPU", "Iterations"], unread("the table of google/benchmark", GOOGLE)),
    (&["name,iterations,real_time"], unread("a CSV of google/benchmark", GOOGLE)),
    (&["Time (", "mean ± σ"], unread("the text of hyperfine", HYPERFINE)),
    (&["command,mean,stddev"], unread("a CSV of hyperfine", HYPERFINE)),
    (&["| Command |", "Mean ["], unread("the table of hyperfine", HYPERFINE)),
    (&["time:   ["], unread("the text of Criterion", CRITERION)),
    (
        &["fastest", "slowest", "median", "samples"],
        unread(
            "the table of divan",
            "let the gate measure both sides: `benchgate check --base OLD`",
        ),
    ),
    (&["Instructions:"], GUNGRAUN),
    (&["Name (time in", "Median"], PYTEST),
    (&["| Method", "Mean", "|"], DOTNET),
    (&["<Catch2TestRun"], CATCH2),
    (&["<BenchmarkResults"], CATCH2),
    (&["benchmark name", "samples", "iterations"], CATCH2),
    (&["sec/op"], unread("a table of benchstat", GO.instead)),
    (&["Benchmark", " ns/op"], GO),
    (&["test result: "], unread("the output of tests, without a benchmark", LIBTEST)),
];

/// The format of a file that nothing reads, if it is a known one.
pub fn named(bytes: &[u8]) -> Option<Unread> {
    let text = String::from_utf8_lossy(bytes);
    if text.trim_start().starts_with('{') {
        let first = text.trim_start().lines().next().unwrap_or_default();
        let parse = |text| serde_json::from_str::<BTreeMap<String, &RawValue>>(text).ok();
        let keys = parse(&*text).or_else(|| parse(first))?;
        let has = |wanted: &[&str]| wanted.iter().all(|key| keys.contains_key(*key));
        return OBJECTS.iter().find(|(wanted, _)| has(wanted)).map(|(_, unread)| *unread);
    }
    let has =
        |words: &[&str]| text.lines().any(|line| words.iter().all(|word| line.contains(word)));
    let format = TEXTS.iter().find(|(words, _)| has(words)).map(|(_, unread)| *unread);
    format.or_else(|| is_tango(&text).then_some(TANGO))
}

/// Lines of two or three whole numbers, without a heading: base, head, and iterations.
fn is_tango(text: &str) -> bool {
    let is_number = |part: &str| !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit());
    let is_sample =
        |line: &str| matches!(line.split(',').count(), 2 | 3) && line.split(',').all(is_number);
    !text.trim().is_empty() && text.trim().lines().all(is_sample)
}

#[cfg(test)]
mod tests;
