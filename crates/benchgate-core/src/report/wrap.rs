//! Lines of a report that fit a terminal.

use super::table::columns_of;

/// How many spaces further in than the first line a continuation line begins.
const HANGING: usize = 2;
/// Narrower terminals get lines of this width.
const NARROWEST: usize = 40;

/// Adds a line of words, broken between them at `width`; `None` leaves it as it is. What is between backticks is not
/// broken: it is copied as one.
pub(super) fn line(text: &mut String, width: Option<u16>, words: &str) {
    let indent = words.len() - words.trim_start_matches(' ').len();
    let most = width.map_or(usize::MAX, |width| usize::from(width).max(NARROWEST));
    let mut at = 0;
    for part in parts(words.trim_start_matches(' ')) {
        let columns = columns_of(part);
        if at > 0 && at + 1 + columns > most {
            text.push('\n');
            text.push_str(&" ".repeat(indent + HANGING));
            at = indent + HANGING;
        } else if at > 0 {
            text.push(' ');
            at += 1;
        } else {
            text.push_str(&" ".repeat(indent));
            at = indent;
        }
        text.push_str(part);
        at += columns;
    }
    text.push('\n');
}

/// Words, numbers with their `%`, and code with the spaces in it.
fn parts(text: &str) -> Vec<&str> {
    let (mut parts, mut from, mut is_code) = (Vec::new(), 0, false);
    for (at, c) in text.char_indices() {
        is_code ^= c == '`';
        if c == ' ' && !is_code && !text[at + 1..].starts_with('%') {
            parts.push(&text[from..at]);
            from = at + 1;
        }
    }
    parts.push(&text[from..]);
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wrapped(width: Option<u16>, words: &str) -> String {
        let mut text = String::new();
        line(&mut text, width, words);
        text
    }

    const WORDS: &str = "  notice: a word, `a command of some words` and größe behind, above 5.0 %, then `an open end";

    #[test]
    fn a_line_is_broken_between_words_and_never_within_code() {
        insta::assert_snapshot!(wrapped(Some(40), WORDS), @"
          notice: a word,
            `a command of some words` and größe
            behind, above 5.0 %, then
            `an open end
        ");
        assert!(wrapped(Some(40), WORDS).lines().all(|line| columns_of(line) <= 40));
    }

    #[test]
    fn without_a_terminal_a_line_stays_one() {
        assert_eq!(wrapped(None, WORDS), format!("{WORDS}\n"));
        assert_eq!(wrapped(Some(80), ""), "\n");
    }

    #[test]
    fn what_is_wider_than_the_terminal_has_a_line_of_its_own() {
        let long = "x".repeat(50);
        assert_eq!(wrapped(Some(40), &format!("a {long} b")), format!("a\n  {long}\n  b\n"));
    }
}
