//! The command line and the table of a divan 0.1 executable.
//!
//! divan writes no file: its table is all there is. It shows the fastest, the slowest, the median and the mean
//! sample. A round's value is the lower quartile of its samples, and the middle of fastest and median is
//! nearest to it: it halves the lower half of the samples. The fastest alone depends on a single sample, and the
//! median moves as soon as half of the samples are disturbed.

use std::time::Duration;

/// How long one process measures.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Settings {
    /// Minimum time spent in samples.
    pub measurement: Duration,
    /// Minimum number of samples.
    pub sample_count: u32,
}

/// Arguments that list the benchmarks, one whole name a line.
pub const LIST: [&str; 4] = ["--bench", "--list", "--format", "terse"];

/// The variable and the value with which divan takes `--format`: what nextest sets.
pub const LIST_VARIABLE: (&str, &str) = ("NEXTEST", "1");

/// Arguments that list the benchmarks as a tree: divan before 0.1.18 has no `--format`.
pub const LIST_TREE: [&str; 4] = ["--bench", "--list", "--color", "never"];

/// Whether a `--help` is divan's.
pub fn is_spoken(help: &str) -> bool {
    ["--sample-count", "--min-time", "--skip-ext-time"].iter().all(|option| help.contains(option))
}

/// The names that a list printed, in its order.
pub fn names(list: &str) -> Vec<String> {
    list.lines().filter_map(|line| line.strip_suffix(": benchmark")).map(str::to_owned).collect()
}

/// The whole names of the leaves of a printed tree, in its order.
pub fn names_of_tree(list: &str) -> Vec<String> {
    let mut names = Vec::new();
    let mut path: Vec<&str> = Vec::new();
    let mut nodes = list.lines().filter_map(node).peekable();
    while let Some((depth, name)) = nodes.next() {
        path.truncate(depth);
        path.push(name);
        let is_leaf = nodes.peek().is_none_or(|(next, _)| *next <= depth);
        // At the top are crates: they are benchmarks of nobody.
        if is_leaf && depth > 0 && !name.ends_with(IGNORED) {
            names.push(path.join("::"));
        }
    }
    names
}

/// What a leaf ends with that is not run.
const IGNORED: &str = "(ignored)";

/// The depth and the name of a line of a tree.
fn node(line: &str) -> Option<(usize, &str)> {
    let mut rest = line;
    let mut depth = 0;
    while let Some(inner) = ["│  ", "   "].iter().find_map(|gap| rest.strip_prefix(gap)) {
        (rest, depth) = (inner, depth + 1);
    }
    if let Some(inner) = ["├─ ", "╰─ "].iter().find_map(|branch| rest.strip_prefix(branch))
    {
        (rest, depth) = (inner, depth + 1);
    }
    let name = rest.trim_end();
    (!name.is_empty()).then_some((depth, name))
}

/// Arguments that measure one benchmark. There is no `--max-time`: with one, divan may stop while it is
/// still looking for the number of iterations, and its only sample is the coldest.
pub fn round(name: &str, settings: &Settings) -> Vec<String> {
    let Settings { measurement, sample_count } = settings;
    ["--bench", "--color", "never", "--skip-ext-time", "true"]
        .map(str::to_owned)
        .into_iter()
        .chain(["--sample-count".to_owned(), sample_count.to_string()])
        .chain(["--min-time".to_owned(), measurement.as_secs_f64().to_string()])
        .chain(["--exact".to_owned()])
        // Otherwise it would be an option.
        .chain(name.starts_with('-').then(|| "--".to_owned()))
        .chain([name.to_owned()])
        .collect()
}

/// Nanoseconds per iteration, from the table of one benchmark.
///
/// # Errors
/// When there is no row or several, or a cell is not a time.
pub fn value(table: &str) -> Result<f64, String> {
    let rows: Vec<[&str; 2]> = table.lines().filter_map(row).collect();
    let [fastest, median] = match rows.as_slice() {
        [] => return Err("its list names it, but it printed no result".to_owned()),
        [row] => *row,
        rows => {
            return Err(format!(
                "it printed {} results, one for each number of threads: leave it out by a `[[skip]]`, or \
                 make them separate benchmarks",
                rows.len()
            ));
        }
    };
    let value = f64::midpoint(nanoseconds(fastest)?, nanoseconds(median)?);
    if value > 0.0 && value.is_finite() {
        Ok(value)
    } else {
        Err(format!("invalid time {value} ns: must be > 0; is the work optimised away?"))
    }
}

/// Fastest and median of a line that has a number of samples.
fn row(line: &str) -> Option<[&str; 2]> {
    // Names may hold bars too, the six columns are the last ones.
    let mut cells = line.rsplitn(6, '│').map(str::trim);
    let (_iterations, samples, _mean, median) =
        (cells.next()?, cells.next()?, cells.next()?, cells.next()?);
    let (_slowest, start) = (cells.next()?, cells.next()?);
    samples.parse::<u64>().ok()?;
    let unit = start.rfind(' ')?;
    let number = start[..unit].rfind(' ').map_or(0, |space| space + 1);
    Some([&start[number..], median])
}

fn nanoseconds(cell: &str) -> Result<f64, String> {
    let scale = |unit: &str| match unit {
        "ps" => Some(1e-3),
        "ns" => Some(1.0),
        "µs" => Some(1e3),
        "ms" => Some(1e6),
        "s" => Some(1e9),
        "m" => Some(60e9),
        "h" => Some(3600e9),
        _ => None,
    };
    let parsed = cell.split_once(' ').and_then(|(number, unit)| {
        let number = number.parse::<f64>().ok().filter(|number| number.is_finite())?;
        Some(number * scale(unit)?)
    });
    parsed.ok_or_else(|| format!("invalid time `{cell}`: expected such as `12.5 ns`"))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Output of divan 0.1.21.
    const TABLE: &str = "\
speed                  fastest       │ slowest       │ median        │ mean          │ samples │ iters
╰─ a group                           │               │               │               │         │
   ╰─ counted │ odd     12.73 µs      │ 125.5 µs      │ 20.02 µs      │ 119.7 µs      │ 1256    │ 160768
                       7.852 GB/s    │ 796.2 KB/s    │ 4.995 GB/s    │ 835.3 MB/s    │         │

";

    #[test]
    fn a_round_is_the_middle_of_the_fastest_and_the_median_sample() {
        assert_eq!(value(TABLE), Ok(16_375.0));
        for (unit, ns) in [("ns", 16.375), ("ms", 16_375_000.0), ("s", 16_375_000_000.0)] {
            assert_eq!(value(&TABLE.replace("µs", unit)), Ok(ns));
        }
    }

    #[test]
    fn a_table_without_one_usable_row_is_refused_with_the_reason() {
        let row = TABLE.lines().nth(2).unwrap();
        let table: String = [
            String::new(),
            TABLE.lines().take(2).collect(),
            format!("{TABLE}{row}\n"),
            TABLE.replace("12.73 µs", "0 ns").replace("20.02 µs", "0 ns"),
            TABLE.replace("20.02 µs", "NaN µs"),
            TABLE.replace("20.02 µs", "20.02 parsecs"),
            TABLE.replace("20.02 µs", ""),
        ]
        .iter()
        .map(|text| format!("{}\n", value(text).unwrap_err()))
        .collect();
        insta::assert_snapshot!(table);
    }

    #[test]
    fn a_printed_tree_has_the_whole_names_of_its_leaves() {
        let list = "speed\n├─ add\n│  ├─ 1\n│  ╰─ 2\n├─ a group\n│  ╰─ inner\n│     ╰─ deep  \n\
                    ├─ off  (ignored)\n╰─ last\n\nother\n╰─ x\n\n";
        let expected = [
            "speed::add::1",
            "speed::add::2",
            "speed::a group::inner::deep",
            "speed::last",
            "other::x",
        ];
        assert_eq!(names_of_tree(list), expected);
        assert!(names_of_tree("").is_empty());
    }

    #[test]
    fn one_benchmark_is_asked_for_by_its_whole_name() {
        let settings = Settings { measurement: Duration::from_millis(30), sample_count: 12 };
        insta::assert_snapshot!(
            round("speed::a group::x (b)", &settings).join(" "),
            @"--bench --color never --skip-ext-time true --sample-count 12 --min-time 0.03 --exact speed::a group::x (b)"
        );
        assert_eq!(names("Timer\nspeed::a: b: benchmark\n\n"), ["speed::a: b"]);
    }
}
