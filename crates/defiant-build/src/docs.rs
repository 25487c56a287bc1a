//! Comments of `.proto` files as doc comments.

use std::collections::BTreeMap;
use std::ops::RangeInclusive;

use prost_types::SourceCodeInfo;

/// The comments of one file, by the path of what they are about, as `descriptor.proto` defines it.
#[derive(Default)]
pub(crate) struct Comments(BTreeMap<Vec<i32>, Vec<String>>);

impl Comments {
    pub(crate) fn new(info: Option<&SourceCodeInfo>) -> Self {
        let locations = info.map(|info| info.location.as_slice()).unwrap_or_default();
        let comments = locations.iter().filter_map(|location| {
            let text =
                location.leading_comments.as_ref().or(location.trailing_comments.as_ref())?;
            Some((location.path.clone(), lines(text)))
        });
        Self(comments.collect())
    }

    /// The comment at `path`, or `otherwise`, because Rust code documents everything.
    pub(crate) fn at(&self, path: &[i32], otherwise: String) -> Vec<String> {
        match self.0.get(path) {
            Some(lines) if !lines.is_empty() => lines.clone(),
            _ => vec![otherwise],
        }
    }
}

/// Characters that change the direction of text. The compiler refuses them in comments, which may show other code than
/// there is: <https://trojansource.codes>
const DIRECTIONS: [RangeInclusive<char>; 2] = ['\u{202a}'..='\u{202e}', '\u{2066}'..='\u{2069}'];

fn lines(text: &str) -> Vec<String> {
    // A carriage return ends a line too: rustc refuses one in a doc comment.
    let mut lines: Vec<_> = text.lines().flat_map(|line| line.split('\r')).map(escape).collect();
    while lines.last().is_some_and(String::is_empty) {
        lines.pop();
    }
    lines
}

/// A line as text for rustdoc: no links, HTML or code to run, which it was not written as.
fn escape(line: &str) -> String {
    let is_text = |letter: &char| !DIRECTIONS.iter().any(|range| range.contains(letter));
    let line: String = line.chars().filter(is_text).collect();
    // One space between words: after the mark of a list, five begin a block of code.
    let words = line.trim().split_ascii_whitespace().map(|word| {
        if word.starts_with("http://") || word.starts_with("https://") {
            let url = word.trim_end_matches(['.', ',', ';', ':', ')']);
            return format!("<{url}>{}", &word[url.len()..]);
        }
        let mut escaped = word.replace("```", "'''").replace("~~~", "'''");
        for special in ['[', ']', '<', '>'] {
            escaped = escaped.replace(special, &format!("\\{special}"));
        }
        escaped
    });
    words.collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_mean_the_same_to_rustdoc() {
        assert_eq!(escape("   a [b] <c>"), r"a \[b\] \<c\>");
        assert_eq!(escape("see https://x.org/y."), "see <https://x.org/y>.");
        assert_eq!(lines(" one\n\n two\n\n"), ["one", "", "two"]);
        assert_eq!(lines("one\r\ntwo\rthree\r"), ["one", "two", "three"]);
        assert_eq!(escape("\u{202e}a\u{202c} \u{2066}b\u{2069}"), "a b");
        assert_eq!(escape("-      not code\there"), "- not code here");
        assert_eq!(escape("~~~~rust and ```rust"), "'''~rust and '''rust");
    }
}
