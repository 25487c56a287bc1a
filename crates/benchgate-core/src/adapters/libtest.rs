//! The text that `cargo bench` prints with libtest, and that others print in its form, which is called bencher's.

use crate::model::{BenchmarkKey, Recorded, RecordedBenchmark};

/// What begins the value of a benchmark.
const BENCH: &str = "bench:";

/// Reads such a text; `None` where no line has a value of an iteration.
pub(super) fn record(text: &str) -> Option<Recorded> {
    if !text.lines().any(|line| line.contains(BENCH) && line.contains("/iter")) {
        return None;
    }
    let mut record = Recorded::default();
    let mut suite = "";
    for (number, line) in text.lines().enumerate() {
        let at = format!("line {}", number + 1);
        let of = |reason: String| format!("{at}: {reason}");
        if let Some(target) = target(line) {
            suite = target;
        } else if let Some((id, said)) = line.trim().strip_prefix("test ").and_then(named) {
            let values = match said.strip_prefix(BENCH) {
                Some(value) => values(value.trim()),
                // Tests are ignored where benchmarks run.
                None if said.starts_with("FAILED") => Err("it failed".to_owned()),
                None => continue,
            };
            record.add(BenchmarkKey::new("", suite, id), values.map_err(of));
        } else if line.trim().starts_with(BENCH) && line.contains("/iter") {
            // Its name is on an earlier line if it prints, and on none with `--quick` of Criterion 0.8.
            let reason = "its name is not in this line".to_owned();
            record.add(BenchmarkKey::new("", suite, at.as_str()), Err(of(reason)));
        }
    }
    Some(record)
}

/// Id and result of a line such as `test a ... bench:   1,234.5 ns/iter (+/- 56)`, beginning with the id.
fn named(line: &str) -> Option<(&str, &str)> {
    let (id, said) = line.split_once(" ... ")?;
    Some((id.trim(), said.trim()))
}

/// Time and deviation of `1,234.5 ns/iter (+/- 56)`.
fn values(value: &str) -> Result<RecordedBenchmark, String> {
    let number = |text: &str| text.trim().replace(',', "").parse::<f64>().ok();
    let split = value.split_once(" ns/iter");
    let Some((time, rest)) = split.and_then(|(time, rest)| Some((number(time)?, rest))) else {
        return Err(format!("it is `{value}`: only nanoseconds per iteration are compared"));
    };
    if time == 0.0 {
        return Err(
            "it took 0 ns: nothing is left of it to time, as without `black_box`".to_owned()
        );
    }
    if !(time > 0.0 && time.is_finite()) {
        return Err(format!("invalid time {time}: must be > 0"));
    }
    let deviation = rest.trim().strip_prefix("(+/- ").and_then(|rest| rest.split_once(')'));
    let deviation = deviation.and_then(|(deviation, _)| number(deviation)).unwrap_or_default();
    Ok(RecordedBenchmark::single(time, deviation))
}

/// The target that what follows is of, by the executable that cargo names:
/// `Running benches/a.rs (target/release/deps/a-0123456789abcdef)`; older versions of cargo name it alone.
fn target(line: &str) -> Option<&str> {
    let (before, rest) = line.split_once("Running")?;
    let is_cargos = before.trim().is_empty() || before.starts_with('\u{1b}');
    let executable = rest.trim().trim_end_matches(')').rsplit(['/', '\\']).next()?;
    let (name, hash) = executable.trim_end_matches(".exe").rsplit_once('-')?;
    let is_hash = hash.len() == 16 && hash.bytes().all(|b| b.is_ascii_hexdigit());
    (is_cargos && is_hash).then_some(name)
}
