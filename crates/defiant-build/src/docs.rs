//! Comments of `.proto` files as doc comments.

use std::collections::BTreeMap;

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

fn lines(text: &str) -> Vec<String> {
    let mut lines: Vec<_> = text.lines().map(escape).collect();
    while lines.last().is_some_and(String::is_empty) {
        lines.pop();
    }
    lines
}

/// A line as text for rustdoc: no links, HTML or code to run, which it was not written as.
fn escape(line: &str) -> String {
    let words = line.trim().split(' ').map(|word| {
        if word.starts_with("http://") || word.starts_with("https://") {
            let url = word.trim_end_matches(['.', ',', ';', ':', ')']);
            return format!("<{url}>{}", &word[url.len()..]);
        }
        let mut escaped = word.replace("```", "'''");
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
    }
}
