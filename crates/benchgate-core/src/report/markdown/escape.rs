//! Escapes untrusted text for Markdown, HTML and GitHub.
//!
//! GitHub looks for mentions and issue numbers after it has decoded entities, so those are split by a
//! zero-width space instead.

use std::borrow::Cow;
use std::fmt::Write as _;

use crate::report::text::one_line;

/// Maximum number of characters of a code span.
const LONGEST_CODE: usize = 160;

/// Maximum number of characters of a line of text.
const LONGEST_TEXT: usize = 600;

/// Maximum number of lines of a failed process's output, and of characters of each.
const OUTPUT_LINES: usize = 12;
const LONGEST_OUTPUT: usize = 300;

/// A code span that holds any text: no backtick closes it, no pipe ends its cell, no line ends it.
pub(in crate::report) fn code(text: &str) -> String {
    let line = one_line(text);
    let shown = cut(&line, LONGEST_CODE);
    // Spaces alone do not make a code span.
    if shown.trim().is_empty() {
        "–".to_owned()
    } else if shown.contains(['`', '|']) {
        // A backslash before the pipe would escape the backslash that escapes the pipe.
        let shown = shown.replace('`', "'").replace("\\|", "∖|");
        format!("`{}`", shown.replace('|', "\\|"))
    } else {
        format!("`{shown}`")
    }
}

/// Plain text, escaped; code spans in backticks stay.
pub(in crate::report) fn inline(text: &str) -> String {
    let line = one_line(text);
    let line = cut(&line, LONGEST_TEXT);
    let mut shown = String::with_capacity(line.len());
    for (index, part) in line.split('`').enumerate() {
        if index % 2 == 1 && !part.is_empty() {
            shown.push_str(&code(part));
        } else {
            escape(&mut shown, part);
        }
    }
    no_block(shown.trim())
}

/// Escapes the start of a line, so that it opens no list and underlines no heading.
fn no_block(line: &str) -> String {
    let after_digits = line.trim_start_matches(|c: char| c.is_ascii_digit());
    let digits = &line[..line.len() - after_digits.len()];
    let opens = match after_digits.strip_prefix(['.', ')']) {
        Some(after) if !digits.is_empty() => after.is_empty() || after.starts_with(' '),
        _ => digits.is_empty() && line.starts_with(['-', '+', '=']),
    };
    let escape = if opens { "\\" } else { "" };
    format!("{digits}{escape}{after_digits}")
}

fn escape(shown: &mut String, part: &str) {
    let mut rest = part.chars();
    while let Some(c) = rest.next() {
        match c {
            '<' => shown.push_str("&lt;"),
            '>' => shown.push_str("&gt;"),
            '&' => shown.push_str("&amp;"),
            '$' => shown.push_str("<span>$</span>"),
            // `@name`, `#1`, `http://`, `www.`, `GH-1`: split from what follows.
            '@' | '#' => {
                shown.push(c);
                shown.push_str("&#8203;");
            }
            ':' if rest.as_str().starts_with("//") => shown.push_str(":&#8203;"),
            'w' | 'W' if begins(rest.as_str(), "ww.") => {
                shown.push(c);
                shown.push_str("&#8203;");
            }
            'g' | 'G' if begins(rest.as_str(), "h-") => {
                shown.push(c);
                shown.push_str("&#8203;");
            }
            '|' | '*' | '_' | '[' | ']' | '!' | '\\' | '~' => {
                shown.push('\\');
                shown.push(c);
            }
            c => shown.push(c),
        }
    }
}

fn begins(text: &str, with: &str) -> bool {
    text.get(..with.len()).is_some_and(|start| start.eq_ignore_ascii_case(with))
}

/// The last lines of a process's output. Indented code has no fence that the text could close.
pub(super) fn output_block(name: &str, output: &str) -> String {
    let lines: Vec<&str> = output.lines().collect();
    let shown = &lines[lines.len().saturating_sub(OUTPUT_LINES)..];
    let mut block = format!("The last lines of {name}:\n\n");
    for line in shown {
        let _ = writeln!(block, "    {}", cut(&one_line(line), LONGEST_OUTPUT));
    }
    block.push('\n');
    block
}

fn cut(line: &str, longest: usize) -> Cow<'_, str> {
    match line.char_indices().nth(longest) {
        Some((end, _)) => Cow::Owned(format!("{}…", &line[..end])),
        None => Cow::Borrowed(line),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Attacks by untrusted text, in the name of a benchmark or anywhere else.
    const HOSTILE: [&str; 27] = [
        "decode/large",
        "@everyone",
        "a@example.com",
        "fixes #1, o/r#2",
        "<img src=x onerror=alert(1)>",
        "</details></td></table>",
        "<!-- benchgate run=1 attempt=1 -->",
        "&lt;b&gt; &#64;team",
        "a | b \\| c",
        "`x` and ` alone",
        "``` fence",
        "\\`",
        "trailing \\",
        "[a](http://example.com)",
        "![a](https://example.com/a.png)",
        "http://example.com HTTPS://example.com",
        "www.example.com WWW.example.com",
        "**bold** __bold__ ~~gone~~",
        "$\\color{red}{red}$ $`x`$",
        "a\nb\r\n## owned",
        "a\u{202e}b\u{2066}c\u{61c}d",
        "a\u{200b}b\u{feff}c\u{ad}d",
        "a\u{e0041}b\u{fe0f}c\u{3164}d",
        "\u{0}\u{7}\u{1b}[31mred",
        "   ",
        "",
        "- item\t1. item",
    ];

    #[test]
    fn hostile_text_is_escaped_inside_and_outside_a_code_span() {
        let table: String = HOSTILE
            .iter()
            .map(|text| format!("{text:?}\n  {}\n  {}\n", code(text), inline(text)))
            .collect();
        insta::assert_snapshot!(table);
    }

    #[test]
    fn a_code_span_begins_and_ends_where_it_should_whatever_it_holds() {
        for text in HOSTILE {
            let span = code(text);
            if span != "–" {
                let inner = span.strip_prefix('`').and_then(|s| s.strip_suffix('`')).unwrap();
                assert!(!inner.contains('`'), "{span}");
                assert!(!inner.replace("\\|", "").contains('|'), "{span}");
            }
            assert!(!span.contains(char::is_control), "{span:?}");
        }
    }

    #[test]
    fn text_of_any_length_is_cut_and_says_so() {
        assert_eq!(code(&"é".repeat(200)), format!("`{}…`", "é".repeat(160)));
        assert_eq!(inline(&"é".repeat(700)), format!("{}…", "é".repeat(600)));
        let block = output_block("`x`", &format!("first\n{}\n", "y".repeat(400)).repeat(20));
        assert_eq!(block.lines().count(), 15);
        assert!(block.lines().all(|line| line.chars().count() <= 305), "{block}");
    }
}
