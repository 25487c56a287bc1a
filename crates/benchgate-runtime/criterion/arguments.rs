use std::time::Duration;

use crate::criterion::Mode;
use crate::settings::BenchmarkFilter;

/// Flags whose value is the next argument.
const WITH_VALUE: [&str; 21] = [
    "-b",
    "-c",
    "-s",
    "--baseline",
    "--baseline-lenient",
    "--color",
    "--colour",
    "--confidence-level",
    "--format",
    "--load-baseline",
    "--measurement-time",
    "--noise-threshold",
    "--nresamples",
    "--output-format",
    "--plotting-backend",
    "--profile-time",
    "--sample-size",
    "--save-baseline",
    "--significance-level",
    "--warm-up-time",
    "--logfile",
];

const HELP: &str = "\
This executable is a benchmark that benchgate has built with its own stand-in for Criterion.

  FILTER                   Run benchmarks whose id matches this regular expression
  --exact                  Run the benchmark whose id is FILTER
  --list                   List benchmarks
  --format pretty|terse    Format of the list
  --test                   Run each benchmark once
  --bench                  Measure
  --profile-time SECONDS   Iterate for so long

Other options of Criterion are accepted and have no effect.";

/// What of the command line has an effect.
#[derive(Default)]
pub(crate) struct Arguments {
    bench: bool,
    test: bool,
    list: bool,
    terse: bool,
    exact: bool,
    ignored: bool,
    profile: Option<Duration>,
    filter: Option<String>,
}

impl Arguments {
    pub(crate) fn of_process() -> Self {
        let texts = std::env::args_os().skip(1);
        Self::new(texts.map(|text| text.to_string_lossy().into_owned()))
    }

    fn new(mut texts: impl Iterator<Item = String>) -> Self {
        let mut found = Self::default();
        let mut flags = true;
        while let Some(text) = texts.next() {
            if !flags || !text.starts_with('-') || text == "-" {
                found.filter.get_or_insert(text);
                continue;
            }
            let (name, mut value) = match text.split_once('=') {
                Some((name, value)) => (name.to_owned(), Some(value.to_owned())),
                None => (text, None),
            };
            if value.is_none() && WITH_VALUE.contains(&name.as_str()) {
                value = texts.next();
            }
            match name.as_str() {
                "--" => flags = false,
                "--bench" => found.bench = true,
                "--test" => found.test = true,
                "--list" => found.list = true,
                "--format" => found.terse = value.as_deref() == Some("terse"),
                "--exact" => found.exact = true,
                "--ignored" => found.ignored = true,
                "--profile-time" => found.profile = value.and_then(|value| seconds(&value)),
                "--help" | "-h" => {
                    println!("{}", HELP);
                    std::process::exit(0);
                }
                _ => {}
            }
        }
        found
    }

    pub(crate) fn mode(&self) -> Mode {
        let test = self.test || !self.bench;
        if self.list && (lists_without_bench() || !test) {
            return Mode::List { terse: self.terse && lists_without_bench() };
        }
        match self.profile {
            _ if test => Mode::Test,
            Some(time) => Mode::Profile(time),
            None => Mode::Measure,
        }
    }

    /// `None` where the command line has no filter: then that of the code stays.
    pub(crate) fn filter(self) -> Option<BenchmarkFilter> {
        let text = match self.filter {
            _ if self.ignored => return Some(BenchmarkFilter::RejectAll),
            Some(text) => text,
            None => return unfiltered(),
        };
        Some(if self.exact { BenchmarkFilter::Exact(text) } else { BenchmarkFilter::regex(&text) })
    }
}

fn seconds(text: &str) -> Option<Duration> {
    let seconds: f64 = text.parse().ok()?;
    if seconds >= 0.0 && seconds < 1e9 {
        Some(Duration::from_secs_f64(seconds))
    } else {
        None
    }
}

before_0_5! {
    fn lists_without_bench() -> bool {
        false
    }
    fn unfiltered() -> Option<BenchmarkFilter> {
        None
    }
}
since_0_5! {
    fn lists_without_bench() -> bool {
        true
    }
    // From this version on the command line replaces the filter of the code, even where it has none.
    fn unfiltered() -> Option<BenchmarkFilter> {
        Some(BenchmarkFilter::AcceptAll)
    }
}
