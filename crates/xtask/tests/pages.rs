//! Pages: every link leads somewhere, every page is in the index, no file names a page or a script that is gone, and no
//! page for users has a phrase that the page about style bans.

#![expect(clippy::unwrap_used, reason = "helpers of tests may fail the test")]

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;

const INDEX: &str = "docs/README.md";
const STYLE: &str = "docs/dev/style.md";
const MOST_PAGES: usize = 12;

/// Files that name paths of other repositories, or none: tests of names, data, and what was recorded.
const OF_OTHERS: &[&str] = &[
    "crates/benchgate-core/src/affected/",
    "crates/benchgate-core/src/identity/",
    "crates/benchgate-host/src/cargo/affected.rs",
    "crates/benchgate-host/src/git/vendored.rs",
    "crates/benchgate/tests/gate/",
    "crates/xtask/tests/pages.rs",
    "docs/evidence/recorded/",
    "docs/evidence/accuracy/",
    "docs/examples/",
    // It plants faults.
    "scripts/workflow-audit",
];
/// Records that may be withdrawn: `scripts/evidence/records.toml` has the command that makes each again.
const MAY_BE_MISSING: &str = "docs/evidence/recorded/";

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap()
}

/// The files of this repository that are text, each once.
fn texts() -> Vec<(String, String)> {
    let list = ["ls-files", "--cached", "--others", "--exclude-standard"];
    let output = Command::new("git").args(list).current_dir(root()).output().unwrap();
    let files = String::from_utf8(output.stdout).unwrap();
    let files =
        files.lines().filter(|file| !file.ends_with(".lock") && !root().join(file).is_symlink());
    let read =
        |file: &str| Some((file.to_owned(), std::fs::read_to_string(root().join(file)).ok()?));
    files.filter_map(read).collect()
}

fn pages(texts: &[(String, String)]) -> Vec<&(String, String)> {
    // In `src` are parts of pages: their links are those of the page.
    let is_page = |file: &str| {
        file.ends_with(".md")
            && !file.contains("/src/")
            && !OF_OTHERS.iter().any(|of| file.starts_with(of))
    };
    texts.iter().filter(|(file, _)| is_page(file)).collect()
}

/// The targets of links in Markdown, without those of code blocks and of the web.
fn links(text: &str) -> Vec<String> {
    let mut is_code = false;
    let mut found = Vec::new();
    for line in text.lines() {
        is_code ^= line.starts_with("```");
        let targets = line.split("](").skip(1).filter_map(|rest| rest.split_once(')'));
        let targets = targets.map(|(target, _)| target.to_owned());
        found.extend(targets.filter(|it| !is_code && !it.contains("://") && !it.contains(' ')));
    }
    found
}

/// The path of a link, as seen from the page that has it; both are below the root.
fn joined(page: &str, target: &str) -> String {
    let mut parts: Vec<&str> = page.split('/').collect();
    parts.pop();
    for part in target.split('/') {
        match part {
            ".." => drop(parts.pop()),
            "." | "" => {}
            part => parts.push(part),
        }
    }
    parts.join("/")
}

/// The anchors of a page, as GitHub makes them of headings, and those that it has itself.
fn anchors(text: &str) -> BTreeSet<String> {
    let heading = |line: &str| {
        let title =
            line.strip_prefix('#')?.trim_start_matches('#').strip_prefix(' ')?.to_lowercase();
        let kept = |c: &char| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_');
        Some(title.chars().filter(kept).map(|c| if c == ' ' { '-' } else { c }).collect())
    };
    let own = text.split("id=\"").skip(1).filter_map(|rest| rest.split_once('"'));
    text.lines().filter_map(heading).chain(own.map(|(id, _)| id.to_owned())).collect()
}

/// What is wrong with the links of the pages.
fn broken(texts: &[(String, String)]) -> Vec<String> {
    let mut broken = Vec::new();
    for (page, text) in pages(texts) {
        for link in links(text) {
            let (target, anchor) = link.split_once('#').unwrap_or((&link, ""));
            let path = if target.is_empty() { page.clone() } else { joined(page, target) };
            let there = texts.iter().find(|(file, _)| *file == path);
            let has_anchor =
                anchor.is_empty() || there.is_none_or(|(_, text)| anchors(text).contains(anchor));
            if !has_anchor || there.is_none() && !root().join(&path).exists() {
                broken.push(format!("{page}: {link}"));
            }
        }
    }
    broken
}

/// The phrases that the table of the page about style with the heading `never` lists.
fn banned(style: &str) -> Vec<&str> {
    let rows = style.split_once("| write | never |").map_or("", |(_, rows)| rows);
    let rows = rows.lines().skip(2).take_while(|line| line.starts_with('|'));
    rows.filter_map(|row| row.split('|').nth(2)).flat_map(|cell| cell.trim().split(", ")).collect()
}

/// The banned phrases of a page, outside of code: a sentence may be broken between lines.
fn phrases(page: &str, banned: &[&str]) -> Vec<String> {
    let is_code = |(at, _): &(usize, &str)| at % 2 == 1;
    let prose = page.split("```").enumerate().filter(|part| !is_code(part));
    let prose: Vec<&str> = prose.flat_map(|(_, part)| part.split_whitespace()).collect();
    let prose = prose.join(" ");
    let prose = prose.split('`').enumerate().filter(|part| !is_code(part));
    let prose: Vec<&str> = prose.map(|(_, part)| part).collect();
    let prose = format!(" {} ", prose.join("`").to_lowercase());
    let word = |c: char| c.is_alphanumeric();
    let has = |phrase: &str| {
        prose.match_indices(phrase).any(|(at, _)| {
            !prose[..at].ends_with(word) && !prose[at + phrase.len()..].starts_with(word)
        })
    };
    banned.iter().filter(|phrase| has(phrase)).map(|&phrase| phrase.to_owned()).collect()
}

/// Paths below docs/ and scripts/ that a text names.
fn named(text: &str) -> Vec<&str> {
    let is_part = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | '/' | '-');
    let mut found = Vec::new();
    for folder in ["docs/", "scripts/"] {
        for (at, _) in text.match_indices(folder) {
            let (before, rest) = text.split_at(at);
            let before = before.trim_end_matches("../");
            // A path of another folder, of the web, or of an old commit.
            if before.ends_with(|c: char| is_part(c) || matches!(c, ':' | '}' | ')' | '\\')) {
                continue;
            }
            let end = rest.find(|c: char| !is_part(c)).unwrap_or(rest.len());
            let (path, after) = rest.split_at(end);
            // A pattern, or a name that is put together.
            if !after.starts_with(['*', '$', '{', '<', '(', '|', '[', '\\', '%', '?', '…']) {
                found.push(path.trim_end_matches(['.', '-']));
            }
        }
    }
    found
}

#[test]
fn every_link_of_a_page_leads_to_a_file_and_to_a_heading() {
    let broken = broken(&texts());
    assert!(broken.is_empty(), "{broken:#?}");
}

#[test]
fn no_page_for_users_has_a_phrase_that_the_style_bans() {
    let style = std::fs::read_to_string(root().join(STYLE)).unwrap();
    let banned = banned(&style);
    assert!(banned.len() > 5, "{banned:?}");
    let planted = "It is *left\nout*: `so many`.\n```\nthe one that\n```\nOn the one thatch.\n";
    assert_eq!(phrases(planted, &banned), ["left out"]);

    let texts = texts();
    let is_for_users = |file: &str| {
        file == "README.md" || file.starts_with("docs/") && file.matches('/').count() == 1
    };
    let pages = pages(&texts);
    let pages: Vec<_> = pages.iter().filter(|(file, _)| is_for_users(file)).collect();
    assert!(pages.len() > 10);
    let used: Vec<_> = pages.iter().map(|(file, text)| (file, phrases(text, &banned))).collect();
    let used: Vec<_> = used.iter().filter(|(_, phrases)| !phrases.is_empty()).collect();
    assert!(used.is_empty(), "{used:#?}");
}

/// GitHub and crates.io follow the links of a page from the folder that it is in: a link to a page of another folder has
/// links that lead nowhere, and the list of texts leaves links out.
#[test]
fn no_page_is_a_link_to_a_page_of_another_folder() {
    let output =
        Command::new("git").args(["ls-files", "*.md"]).current_dir(root()).output().unwrap();
    let files = String::from_utf8(output.stdout).unwrap();
    let links: Vec<_> = files.lines().filter(|file| root().join(file).is_symlink()).collect();
    assert!(links.is_empty(), "{links:?}");
    assert!(files.lines().count() > 20);
}

#[test]
fn every_page_is_in_the_index() {
    let texts = texts();
    let (_, index) = texts.iter().find(|(file, _)| file == INDEX).unwrap();
    let linked: BTreeSet<String> =
        links(index).iter().map(|link| joined(INDEX, link.split('#').next().unwrap())).collect();
    let pages = pages(&texts);
    let docs = pages.iter().map(|(file, _)| file).filter(|file| file.starts_with("docs/"));
    let docs: Vec<_> =
        docs.filter(|file| *file != INDEX && !file.ends_with(".template.md")).collect();
    let missing: Vec<_> = docs.iter().filter(|file| !linked.contains(**file)).collect();
    assert!(missing.is_empty(), "{INDEX} lacks {missing:?}");
    let top = docs.iter().filter(|file| file.matches('/').count() == 1).count() + 1;
    assert!(top <= MOST_PAGES, "{top} pages in docs/; what contributors read is in docs/dev/");
}

#[test]
fn no_file_names_a_page_or_a_script_that_is_not_there() {
    let root = root();
    let mut gone = Vec::new();
    for (file, text) in texts() {
        if OF_OTHERS.iter().any(|of| file.starts_with(of)) {
            continue;
        }
        for path in named(&text) {
            let exists = path.starts_with(MAY_BE_MISSING) || root.join(path).exists();
            if !exists {
                gone.push(format!("{file}: {path}"));
            }
        }
    }
    assert!(gone.is_empty(), "{gone:#?}");
}

#[test]
fn a_link_or_a_name_that_leads_nowhere_is_found() {
    let page = |text: &str| vec![("docs/a.md".to_owned(), text.to_owned())];
    assert!(
        broken(&page("# A b, `c`\n[here](#a-b-c), [there](../README.md#documentation)")).is_empty()
    );
    assert_eq!(broken(&page("[x](../gone.md)")), ["docs/a.md: ../gone.md"]);
    assert_eq!(broken(&page("# A\n[x](#b)")), ["docs/a.md: #b"]);
    assert_eq!(
        named("see `docs/gone.md`, or ../../scripts/gone."),
        ["docs/gone.md", "scripts/gone"]
    );
    assert!(
        named("git show a7fbd70:docs/gone.md, target/docs/x, docs/*.md, scripts/{a,b}").is_empty()
    );
}
