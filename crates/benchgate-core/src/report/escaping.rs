//! Tests with results whose every string is hostile. In every format of `RENDERERS`, no text sends a control
//! character. In the comment on GitHub, a third-party parser of Markdown finds only the renderer's own structure.

use ::markdown::mdast::Node;
use ::markdown::{ParseOptions, to_mdast};
use proptest::prelude::*;

use super::github::github;
use super::markdown::GITHUB_COMMENT_LIMIT;
use super::{Options, RENDERERS, Renderer, WebAddress, samples};

const URL: &str = "https://github.com/o/r/actions/runs/77/attempts/1";
const PAGE_URL: &str = "https://github.com/o/r/actions/runs/78/artifacts/9";

/// Control characters that a terminal obeys: a title, a bell, a line written over.
const COMMANDS: &str = "a\u{1b}[2J\u{1b}]0;title\u{7}b\rc\u{8}\td\u{0}\r\n\u{c}e";

/// The report in colour, where the format has colours.
fn rendered(renderer: &Renderer, text: &str) -> String {
    let options = Options { colour: true, ..Options::default() };
    (renderer.render)(&samples::with_text(text), &options)
}

/// The control characters that the renderer wrote, except line ends.
fn controls(report: &str) -> Vec<char> {
    report.chars().filter(|c| c.is_control() && *c != '\n').collect()
}

#[test]
fn no_text_of_a_result_sends_a_control_character_in_any_format() {
    for renderer in &RENDERERS {
        let (plain, hostile) = (rendered(renderer, "decode/large"), rendered(renderer, COMMANDS));
        assert_eq!(controls(&hostile), controls(&plain), "{}", renderer.name);
    }
}

/// The structure that the parser found, without the strings.
#[derive(Debug, Default, PartialEq)]
struct Structure {
    headings: usize,
    links: Vec<String>,
    images: usize,
    lists: usize,
    quotes: usize,
    strong: usize,
    emphasised: usize,
    tables: usize,
    /// Cells of each row.
    rows: Vec<usize>,
    blocks_of_code: usize,
    /// Opening and closing tags, except the harmless span around a dollar.
    html: Vec<String>,
    /// Words that GitHub would turn into links.
    powers: Vec<String>,
}

fn structure(text: &str) -> Structure {
    let [url, page]: [WebAddress; 2] = [URL, PAGE_URL].map(|url| url.parse().unwrap());
    let options = Options {
        run_url: Some(&url),
        page_url: Some(&page),
        limit: GITHUB_COMMENT_LIMIT,
        ..Options::default()
    };
    let comment = github(&samples::with_text(text), &options);
    let mut structure = Structure::default();
    visit(&to_mdast(&comment, &ParseOptions::gfm()).unwrap(), &mut structure);
    structure
}

fn visit(node: &Node, found: &mut Structure) {
    match node {
        Node::Heading(_) => found.headings += 1,
        Node::Link(link) => found.links.push(link.url.clone()),
        Node::Image(_) | Node::ImageReference(_) => found.images += 1,
        Node::List(_) => found.lists += 1,
        Node::Blockquote(_) => found.quotes += 1,
        Node::Strong(_) => found.strong += 1,
        Node::Emphasis(_) | Node::Delete(_) => found.emphasised += 1,
        Node::Table(_) => found.tables += 1,
        Node::TableRow(row) => found.rows.push(row.children.len()),
        Node::Code(_) => found.blocks_of_code += 1,
        Node::Html(html) => {
            let tags = html.value.split('<').skip(1).filter_map(|tag| tag.split('>').next());
            found.html.extend(tags.filter(|t| !matches!(*t, "span" | "/span")).map(str::to_owned));
        }
        Node::Text(text) => found.powers.extend(powers(&text.value)),
        _ => {}
    }
    for child in node.children().into_iter().flatten() {
        visit(child, found);
    }
}

/// Mentions, issue numbers and addresses in plain text, where GitHub looks for them after parsing.
fn powers(text: &str) -> Vec<String> {
    let text = text.to_lowercase();
    let mut positions = Vec::new();
    for (index, c) in text.char_indices() {
        let rest = &text[index + c.len_utf8()..];
        let next = rest.chars().next().unwrap_or(' ');
        let is_power = match c {
            '@' => next.is_alphanumeric(),
            '#' => next.is_ascii_digit(),
            ':' => rest.starts_with("//"),
            'w' => rest.starts_with("ww."),
            'g' => rest.starts_with("h-"),
            _ => false,
        };
        if is_power {
            positions.push(text[index..].chars().take(20).collect());
        }
    }
    positions
}

/// Pieces with a meaning in Markdown, and some without.
fn hostile() -> impl Strategy<Value = String> {
    let piece = prop::sample::select(vec![
        "a",
        "x y",
        " ",
        "  ",
        "\n",
        "\r\n",
        "\n\n",
        "\t",
        "`",
        "``",
        "```",
        "~~~",
        "|",
        "\\",
        "\\|",
        "@team",
        "@",
        "#1",
        "o/r#2",
        "GH-3",
        "# h",
        "## h",
        "<b>",
        "</b>",
        "<img src=x>",
        "</details>",
        "<!--",
        "-->",
        "</td>",
        "&lt;",
        "&#64;",
        "&",
        "[a](http://b)",
        "![a](http://b)",
        "[",
        "](",
        ")",
        "[a]: http://b",
        "http://b.example",
        "www.b.example",
        "a@b.example",
        "<http://b>",
        "*",
        "**",
        "_",
        "__",
        "~~",
        "$",
        "$$",
        "$`",
        "- a",
        "1. a",
        "> a",
        "---",
        "===",
        "    a",
        "\u{202e}",
        "\u{200b}",
        "\u{0}",
        "é",
        "日本",
        " <= ",
    ]);
    // Text of spaces alone has no output to show, and so one block less.
    prop::collection::vec(piece, 0..8).prop_map(|pieces| format!("{}.", pieces.concat()))
}

#[test]
fn a_plain_result_has_the_structure_that_the_others_are_compared_with() {
    let plain = structure("decode/large");
    assert_eq!(plain.headings, 1);
    assert_eq!(plain.links, [URL, PAGE_URL]);
    assert_eq!((plain.images, plain.lists, plain.quotes, plain.tables), (0, 6, 2, 4));
    // The table on the screen, and those that are folded.
    assert!(plain.rows.iter().all(|cells| matches!(cells, 3 | 6)), "{:?}", plain.rows);
    assert_eq!(plain.html.iter().filter(|tag| *tag == "details").count(), 9);
    assert_eq!(plain.powers, Vec::<String>::new());
}

proptest! {
    // `PROPTEST_CASES=3000` tests more, in two minutes.
    #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn no_text_changes_the_structure_of_the_comment(text in hostile()) {
        prop_assert_eq!(structure(&text), structure("decode/large"), "{:?}", text);
    }
}
