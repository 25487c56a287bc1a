//! `cargo xtask lines`: the size of the product, and its long functions.
//!
//! It reads lines as rustfmt writes them: what opens at an indentation ends at the first line with a closing brace there.

use std::path::{Path, PathBuf};
use std::{fs, io};

use crate::error::Error;

/// The crates that users get.
const PRODUCT: [&str; 3] = ["benchgate-core", "benchgate-host", "benchgate"];

/// A longer function is named.
const LONGEST: usize = 60;

/// What the comment of a long function begins with that says why it is one.
const REASON: &str = "// Long: ";

/// The code of one file, without blank lines, comments and tests.
#[derive(Debug, Default, PartialEq)]
struct Counted {
    code: usize,
    long: Vec<Function>,
    /// Modules that are compiled for tests alone.
    tests: Vec<String>,
}

/// A long function.
#[derive(Debug, PartialEq)]
struct Function {
    name: String,
    /// Its first line, from 1.
    line: usize,
    /// All of its lines, with its signature.
    lines: usize,
    /// Why it is long, if a comment explains it.
    reason: Option<String>,
}

/// Prints the table.
pub(crate) fn run(root: &Path) -> Result<(), Error> {
    let (mut total, mut long) = (0, Vec::new());
    for name in PRODUCT {
        let mut code = 0;
        for (path, counted) in product(&root.join("crates").join(name).join("src"))? {
            code += counted.code;
            let path = path.strip_prefix(root).unwrap_or(&path).to_owned();
            long.extend(counted.long.into_iter().map(|function| (path.clone(), function)));
        }
        println!("{name:<16} {code:>6}");
        total += code;
    }
    println!("{:<16} {total:>6}", "all");
    println!("\nfunctions above {LONGEST} lines: {}", long.len());
    for (path, Function { name, line, lines, reason }) in long {
        let reason = reason.unwrap_or_else(|| "no reason given".to_owned());
        println!("  {lines:>4}  {name} ({}:{line}): {reason}", path.display());
    }
    Ok(())
}

/// The files below a folder that are not tests.
fn product(folder: &Path) -> Result<Vec<(PathBuf, Counted)>, Error> {
    let mut paths = Vec::new();
    add_files(folder, &mut paths)?;
    paths.sort();
    let mut all = Vec::new();
    for path in paths {
        let text = fs::read_to_string(&path).map_err(|error| unreadable(&path, error))?;
        all.push((path, counted(&text)));
    }
    let tests: Vec<PathBuf> =
        all.iter().flat_map(|(path, counted)| modules(path, counted)).collect();
    let is_test = |path: &Path| {
        tests.iter().any(|test| path.starts_with(test) || path == test.with_extension("rs"))
    };
    all.retain(|(path, _)| !is_test(path));
    Ok(all)
}

/// Where the test modules of a file are, without `.rs`.
fn modules(path: &Path, counted: &Counted) -> Vec<PathBuf> {
    let of_folder = ["mod.rs", "lib.rs", "main.rs"];
    let is_of_folder = path.file_name().is_some_and(|name| of_folder.iter().any(|it| name == *it));
    let folder = match is_of_folder {
        true => path.with_file_name(""),
        false => path.with_extension(""),
    };
    counted.tests.iter().map(|name| folder.join(name)).collect()
}

fn unreadable(path: &Path, source: io::Error) -> Error {
    Error::Read { path: path.display().to_string(), source }
}

fn add_files(folder: &Path, paths: &mut Vec<PathBuf>) -> Result<(), Error> {
    let entries = fs::read_dir(folder).map_err(|error| unreadable(folder, error))?;
    for entry in entries {
        let path = entry.map_err(|error| unreadable(folder, error))?.path();
        if path.is_dir() {
            add_files(&path, paths)?;
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            paths.push(path);
        }
    }
    Ok(())
}

fn counted(text: &str) -> Counted {
    let lines: Vec<&str> = text.lines().collect();
    let mut counted = Counted::default();
    let mut at = 0;
    while let Some(line) = lines.get(at) {
        if line.trim() == "#[cfg(test)]" {
            let item = at + 1 + attributes(&lines, at + 1);
            let end = end(&lines, item);
            counted.tests.extend(lines.get(item).and_then(|line| module(line)));
            at = end + 1;
            continue;
        }
        counted.code += usize::from(is_code(line));
        if let Some(name) = function(line) {
            let length = end(&lines, at) + 1 - at;
            if length > LONGEST {
                let reason = reason(&lines, at).map(str::to_owned);
                let name = name.to_owned();
                counted.long.push(Function { name, line: at + 1, lines: length, reason });
            }
        }
        at += 1;
    }
    counted
}

fn is_code(line: &str) -> bool {
    let line = line.trim();
    !line.is_empty() && !line.starts_with("//")
}

/// How many attributes and comments follow, beginning with a line.
fn attributes(lines: &[&str], from: usize) -> usize {
    let rest = lines.iter().skip(from).map(|line| line.trim());
    rest.take_while(|line| line.starts_with("#[") || line.starts_with("//")).count()
}

/// The module in a separate file that a line declares.
fn module(line: &str) -> Option<String> {
    let name = line.trim().strip_suffix(';')?.rsplit_once("mod ")?.1;
    Some(name.to_owned())
}

/// The name of the function that begins in a line.
fn function(line: &str) -> Option<&str> {
    let (before, after) = line.split_once("fn ")?;
    let is_signature = before.split_whitespace().all(|word| {
        matches!(word, "pub" | "const" | "async" | "unsafe" | "extern" | "\"C\"" | "in")
            || word.starts_with("pub(")
            || word.ends_with(')')
    });
    let name = after.split(|c: char| !c.is_alphanumeric() && c != '_').next()?;
    (is_signature && !name.is_empty()).then_some(name)
}

/// The last line of the item that begins in a line.
fn end(lines: &[&str], from: usize) -> usize {
    let Some(first) = lines.get(from) else { return from };
    let indentation = &first[..first.len() - first.trim_start().len()];
    let closes = |line: &&str| {
        let rest = line.strip_prefix(indentation);
        rest.is_some_and(|rest| {
            rest == "}" || rest == "};" || (rest.ends_with(';') && !rest.starts_with(' '))
        })
    };
    let whole = first.ends_with(';') || first.ends_with('}');
    if whole {
        return from;
    }
    let rest = lines.iter().skip(from + 1).position(closes);
    rest.map_or(lines.len().saturating_sub(1), |offset| from + 1 + offset)
}

/// The reason for the length of a function: in a comment among the attributes before it, or in its first lines.
fn reason<'a>(lines: &[&'a str], at: usize) -> Option<&'a str> {
    let is_before = |line: &&&str| {
        let line = line.trim();
        line.starts_with("#[") || line.starts_with("//")
    };
    let before = lines.iter().take(at).rev().take_while(is_before);
    let within = lines.iter().skip(at).take(12);
    before.chain(within).find_map(|line| line.trim().strip_prefix(REASON))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blank_lines_comments_and_tests_are_not_counted() {
        let text = "//! A file.\n\nuse a::b;\n\n/// A function.\nfn f() {\n    // Why.\n    g();\n}\n\n\
                    #[cfg(test)]\nmod more;\n\n#[cfg(test)]\n#[expect(x)]\nmod tests {\n    fn h() {}\n}\n\nfn last() {}\n";
        let counted = counted(text);
        assert_eq!((counted.code, counted.tests), (5, vec!["more".to_owned()]));
    }

    #[test]
    fn a_function_above_sixty_lines_is_named_with_its_reason() {
        let body = |lines: usize| "        x;\n".repeat(lines);
        let text = format!(
            "impl A {{\n    pub(crate) fn short() {{\n{}    }}\n\n    // Long: one table.\n    pub(in super::a) const fn long(\n        a: B,\n    ) -> C {{\n{}    }}\n}}\nfn bare() {{\n{}}}\n",
            body(58),
            body(58),
            body(59)
        );
        let long = counted(&text).long;
        let functions: Vec<_> = long.iter().map(|it| (&*it.name, it.line, it.lines)).collect();
        assert_eq!(functions, [("long", 64, 62), ("bare", 127, 61)]);
        assert_eq!(long[0].reason.as_deref(), Some("one table."));
        assert_eq!(long[1].reason, None);
    }

    #[test]
    fn no_function_of_the_product_is_long_without_a_reason() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).unwrap();
        let mut long = Vec::new();
        for name in PRODUCT {
            for (path, counted) in product(&root.join("crates").join(name).join("src")).unwrap() {
                let bare = counted.long.iter().filter(|function| function.reason.is_none());
                long.extend(bare.map(|it| format!("{} in {}", it.name, path.display())));
            }
        }
        assert_eq!(long, [""; 0]);
    }
}
