//! A single line: the verdict, the headline, the counts. A commit status shows its first 140 characters.

use super::text::one_line;
use super::{Options, meaning, summary};
use crate::result::RunResult;

/// `regression: proven slower: 1 benchmark; 1 critical, 3 unchanged (of 4); base main (…), head x (…)`.
pub(super) fn line(result: &RunResult, _: &Options<'_>) -> String {
    format!(
        "{}: {}; {}; {}\n",
        result.verdict.name(),
        meaning::headline(result),
        summary::counts(result),
        summary::compared(result, |name| one_line(name).into_owned())
    )
}

#[cfg(test)]
mod tests {
    use super::super::samples;
    use super::*;

    #[test]
    fn a_line_begins_with_the_verdict() {
        let lines: String = [
            samples::regression(),
            samples::violated_rule(),
            samples::incomplete(),
            samples::inconclusive(),
            samples::pass(),
        ]
        .iter()
        .map(|result| line(result, &Options::default()))
        .collect();
        insta::assert_snapshot!(lines);
    }
}
