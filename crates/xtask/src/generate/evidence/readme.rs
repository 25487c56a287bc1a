//! The figures of README.md: how long the recorded run took, building the gate before it, and what is found how often.

use std::collections::BTreeSet;

use benchgate_core::model::Finding;
use benchgate_core::result::RunResult;

use super::table::or_dash;
use super::{Repository, corpus, minutes, recorded};
use crate::error::Error;

const PATH: &str = "README.md";
const RESULT: &str = "docs/evidence/recorded/result.json";
const ACCURACY: &str = "docs/evidence/accuracy.md";

/// What is found, and how its row in the table of targets begins.
const FOUND: [(&str, &str); 5] = [
    ("unchanged code that is flagged", "| unchanged, at least 4,000 decisions"),
    ("unchanged code that is *inconclusive*", "| unchanged: the upper bound of those inconclusive"),
    ("checks of 96 unchanged benchmarks with exit code 0", "| checks without a change"),
    ("6 % more work that is at least a *warning*", "| +6 %: warning or worse, lower bound"),
    ("12 % more work that is *critical*, by kernel", "| +12 %: critical, each kernel"),
];

pub(super) fn make(repository: &Repository) -> Result<String, Error> {
    let gate = Row {
        step: "build the gate".to_owned(),
        time: format!("{:.0} s", minutes::gate_seconds(repository)?),
    };
    let mut rows = vec![gate];
    rows.extend(of_run(&recorded::result(repository, RESULT)?));
    rows.push(of_corpus(corpus::medians(repository)?));
    rows.extend(
        of_accuracy(&repository.read(ACCURACY)?)
            .map_err(|problem| Error::content(ACCURACY, problem))?,
    );
    replace(&repository.read(PATH)?, &rows).map_err(|problem| Error::content(PATH, problem))
}

#[derive(Debug)]
struct Row {
    step: String,
    time: String,
}

fn of_run(result: &RunResult) -> [Row; 3] {
    let minutes = |seconds: f64| format!("{:.1} min", seconds / 60.0);
    let suites: BTreeSet<_> = result.benchmarks.iter().map(|row| row.key().suite_key()).collect();
    let measured: Vec<_> = result.benchmarks.iter().filter(|row| row.pairs > 0).collect();
    let timed: BTreeSet<_> = measured.iter().map(|row| row.key()).collect();
    let open: BTreeSet<_> = measured
        .iter()
        .filter(|row| row.finding == Finding::Inconclusive)
        .map(|row| row.key())
        .collect();
    let pairs = |of: Option<&u32>| of.copied().unwrap_or_default();
    let numbers: BTreeSet<u32> = measured.iter().map(|row| row.pairs).collect();
    [
        Row {
            step: format!("build {} suites of base and head, with fat LTO", suites.len()),
            time: minutes(result.seconds.build),
        },
        Row {
            step: format!(
                "measure {} timed benchmarks in {} to {} pairs",
                timed.len(),
                pairs(numbers.first()),
                pairs(numbers.last())
            ),
            time: minutes(result.seconds.measure),
        },
        Row {
            step: "still *inconclusive* then, of this unchanged code".to_owned(),
            time: format!("{} of {}", open.len(), timed.len()),
        },
    ]
}

fn of_corpus((packages, medians): (usize, [Option<f64>; 2])) -> Row {
    let [build, measure] = medians.map(|of| or_dash(of, |seconds| format!("{seconds:.0} s")));
    Row {
        step: format!(
            "build and measure two versions of a published package, median of {packages} packages"
        ),
        time: format!("{build} and {measure}"),
    }
}

/// The second column of the first row that begins so: the first table is of whole checks in lockstep.
fn of_accuracy(page: &str) -> Result<Vec<Row>, String> {
    let row = |(step, start): (&str, &str)| {
        let row = page.lines().find(|line| line.starts_with(start));
        let measured = row.and_then(|row| row.split(" | ").nth(1));
        let time = measured.ok_or_else(|| format!("no row begins with `{start}`"))?.to_owned();
        Ok(Row { step: step.to_owned(), time })
    };
    FOUND.into_iter().map(row).collect()
}

/// `text` with `rows` in place of the rows of these steps, whatever their numbers were.
fn replace(text: &str, rows: &[Row]) -> Result<String, String> {
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    for Row { step, time } in rows {
        let words = words(step);
        let place = lines.iter().position(|line| {
            line.strip_prefix("| ")
                .and_then(|line| line.split_once(" | "))
                .is_some_and(|(step, _)| self::words(step) == words)
        });
        match place.and_then(|at| lines.get_mut(at)) {
            Some(line) => *line = format!("| {step} | {time} |"),
            None => {
                return Err(format!(
                    "no row of a table begins with `| {step} |`, with any numbers"
                ));
            }
        }
    }
    Ok(lines.join("\n") + "\n")
}

/// A step without its numbers.
fn words(step: &str) -> Vec<&str> {
    step.split(' ').filter(|word| word.parse::<u64>().is_err()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(step: &str, time: &str) -> Row {
        Row { step: step.to_owned(), time: time.to_owned() }
    }

    #[test]
    fn a_row_is_replaced_by_its_words_and_the_rest_stays() {
        let text = "# Title\n\n| step | time |\n| build 13 suites | 9 min |\n| tell | 1 s |\n";
        let made = replace(text, &[row("build 16 suites", "8.5 min")]).unwrap();
        assert_eq!(made, text.replace("13 suites | 9 min", "16 suites | 8.5 min"));
    }

    #[test]
    fn what_is_found_is_of_the_first_table_which_is_of_lockstep() {
        let page = FOUND.map(|(_, start)| {
            format!("{start}, so often | 1 of 2: 50 [1, 99] | no |\n{start} | 9 |")
        });
        let rows = of_accuracy(&page.join("\n")).unwrap();
        assert!(rows.iter().all(|row| row.time == "1 of 2: 50 [1, 99]"), "{:?}", rows[0].time);
        assert!(of_accuracy("").unwrap_err().contains("unchanged"));
    }

    #[test]
    fn a_row_that_is_gone_is_an_error_that_names_it() {
        let problem = replace("# Title\n", &[row("build 16 suites", "8 min")]).unwrap_err();
        assert!(problem.contains("| build 16 suites |"), "{problem}");
    }
}
