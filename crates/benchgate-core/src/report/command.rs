//! Lines that people paste into a shell or a commit message.

use super::text::is_unsafe;

/// Maximum number of characters of an id in a glob.
const LONGEST_GLOB: usize = 300;

/// Marks that a shell takes for a part of a word.
pub(super) const MARKS: &str = "-_./:=@^~,+";

/// A word quoted for a shell.
pub fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || MARKS.contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', r"'\''"))
    }
}

/// A flag with its value. A value that begins with a dash is joined by `=`: as a separate word the parser takes it
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

#[cfg(test)]
mod tests {
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
}
