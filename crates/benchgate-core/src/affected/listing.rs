//! What of a source lists folders, and whether it starts programs.

use super::paths::{is_dots, name_of};
use super::words::Word;
use super::words::Word::{Mark, Name, Text};

/// Names of what lists folders.
const LISTS: [&str; 16] = [
    "read_dir",
    "read_dir_utf8",
    "read_dir_all",
    "fdopendir",
    "getdents",
    "getdents64",
    "WalkDir",
    "walkdir",
    "Walk",
    "WalkBuilder",
    "glob",
    "glob_with",
    "globwalk",
    "jwalk",
    "opendir",
    "scandir",
];

/// Names of what starts a program where it is called; what always does; and what does where it is run, too.
const STARTS_IF_CALLED: [&str; 10] = [
    "cmd",
    "execv",
    "execve",
    "execvp",
    "popen",
    "posix_spawn",
    "run_cmd",
    "run_fun",
    "run_script",
    "system",
];
const STARTS: &str = "MetadataCommand";
const STARTS_IF_RUN: [&str; 2] = ["Command", "Exec"];

/// What follows a command that is run, or is in the path of one: other things are called `Command`, too.
const RUNS: [&str; 7] = ["capture", "exec", "output", "popen", "process", "spawn", "status"];

/// Names of what looks for a text in another one: `split("..")` is no folder.
const TAKES_APART: [&str; 19] = [
    "contains",
    "ends_with",
    "find",
    "matches",
    "replace",
    "replacen",
    "rfind",
    "rsplit",
    "rsplit_once",
    "rsplitn",
    "split",
    "split_inclusive",
    "split_once",
    "split_terminator",
    "splitn",
    "starts_with",
    "strip_prefix",
    "strip_suffix",
    "trim_end_matches",
];

/// Whose folders a source lists, by what.
pub(super) struct Listed {
    /// What lists the folder of its package, or one above it.
    pub(super) own: Option<&'static str>,
    /// What lists a folder that comes from elsewhere.
    pub(super) given: Option<&'static str>,
    /// Whether it says what the folder of its package is, or one above it.
    pub(super) names_own: bool,
    /// Whether it starts programs.
    pub(super) starts: bool,
}

impl Listed {
    /// Those of the words of a source; `is_of_package` says whether it asks for the folder of its package.
    pub(super) fn by(words: &[Word<'_>], is_of_package: bool) -> Self {
        let has = |name: &str| words.contains(&Name(name));
        // Other functions are called `glob`, too.
        let is_of_crate = |name: &str| {
            let path = [Name("glob"), Mark(b':'), Mark(b':')];
            !name.starts_with("glob") || words.windows(3).any(|words| *words == path)
        };
        let lists = |name: &str, is: Option<bool>| {
            calls_of(name, words).any(|call| is_own_folder(call) == is)
        };
        let is_called = |name: &str| {
            words.windows(2).any(|words| {
                *words == [Name(name), Mark(b'(')] || *words == [Name(name), Mark(b'!')]
            })
        };
        let is_new = || {
            let new = [Mark(b':'), Mark(b':'), Name("new"), Mark(b'(')];
            !has("clap") && words.windows(4).any(|words| *words == new)
        };
        let is_run =
            || STARTS_IF_RUN.into_iter().any(has) && (RUNS.into_iter().any(has) || is_new());
        let starts = has(STARTS) || STARTS_IF_CALLED.into_iter().any(is_called) || is_run();
        let mut calls = LISTS.into_iter().filter(|name| has(name) && !is_defined(name, words));
        let own = calls.clone().find(|name| is_of_package || lists(name, Some(true)));
        let given = calls.find(|name| is_of_crate(name) && lists(name, None));
        Self {
            own: own.or_else(|| finds_sources(words).then_some("Location::caller")),
            names_own: is_of_package || names_own_folder(words) || lists_above(words),
            given,
            starts,
        }
    }
}

/// Whether the folder above another one is listed: in one statement, or by the name that a statement gave it.
fn lists_above(words: &[Word<'_>]) -> bool {
    let statements = || words.split(|word| matches!(word, Mark(b';' | b'{' | b'}')));
    let goes_up =
        |words: &[Word<'_>]| words.contains(&Name("parent")) || words.contains(&Name("ancestors"));
    let named = statements().filter(|words| goes_up(words)).filter_map(|words| {
        let at = words.iter().position(|word| *word == Name("let"))?;
        words.iter().skip(at + 1).find(|word| **word != Name("mut"))
    });
    let named: Vec<&Word<'_>> = named.collect();
    let lists = |words: &[Word<'_>]| {
        words.iter().any(|word| matches!(word, Name(name) if LISTS.contains(name)))
    };
    statements()
        .filter(|words| lists(words))
        .any(|words| goes_up(words) || named.iter().any(|name| words.contains(name)))
}

/// Programs that take in the size or the time of a file, or may clone one; and those that do with an option.
const SIZING_PROGRAMS: [&str; 10] =
    ["[", "[[", "cp", "du", "gmake", "make", "rsync", "stat", "test", "wc"];
const SIZING_WITH_OPTIONS: [&str; 2] = ["find", "ls"];

/// Whether a program may be started that takes in the size or the time of a file: that is not observed.
pub(super) fn takes_sizes(words: &[Word<'_>]) -> bool {
    words.iter().enumerate().any(|(at, word)| {
        let Text(text) = word else { return false };
        let rest = up_to(b";{}", words.get(at + 1..).unwrap_or_default());
        // A text of another language.
        let is_given = |word: &Word<'_>| matches!(word, Text(text) if is_sizing_text(text));
        if is_interpreter(program_of(text)) && (is_sizing_text(text) || rest.iter().any(is_given)) {
            return true;
        }
        let has_option = text.contains(" -")
            || rest.iter().any(|word| matches!(word, Text(text) if text.starts_with('-')));
        commands(text).any(|command| is_sizing(command, has_option))
            && is_command(text, words.get(..at).unwrap_or_default())
    })
}

/// What takes sizes or times in scripts of other languages.
const SIZING_IN_SCRIPTS: [&str; 10] = [
    "-size",
    "-s ",
    "File.size",
    "filesize",
    "getmtime",
    "getsize",
    "st_mtime",
    "st_size",
    "stat(",
    "statSync",
];

fn is_sizing_text(text: &str) -> bool {
    SIZING_IN_SCRIPTS.iter().any(|name| text.contains(name))
}

/// Whether a script may take in the size or the time of a file.
pub(super) fn is_sizing_script(text: &str) -> bool {
    is_sizing_text(text) || commands(text).any(|command| is_sizing(command, command.contains(" -")))
}

/// Words of a command that are looked at for the name of a program: others may stand before it.
const LEADING: usize = 4;

/// Whether a command starts a program that takes in the size or the time of a file.
fn is_sizing(command: &str, has_option: bool) -> bool {
    // `env stat`, `if test`, `nice du`: the program is not always the first word.
    command.split_whitespace().take(LEADING).map(name_of).any(|name| {
        SIZING_PROGRAMS.contains(&name) || has_option && SIZING_WITH_OPTIONS.contains(&name)
    })
}

/// Programs that run a text, or a file, which they are given.
const INTERPRETERS: [&str; 19] = [
    "awk", "bash", "bun", "dash", "deno", "fish", "just", "ksh", "lua", "make", "node", "npm",
    "npx", "perl", "php", "python", "ruby", "sh", "zsh",
];

/// Whether a word is the path of a program that runs what it is given: that reads what it likes.
pub(super) fn is_interpreter(word: &str) -> bool {
    let name = name_of(word);
    INTERPRETERS.contains(&name) || name.starts_with("python3")
}

/// The name of the program of a command, without its folder.
fn program_of(command: &str) -> &str {
    name_of(command.split_whitespace().next().unwrap_or_default())
}

/// Whether a source asks where the source is that calls it.
fn finds_sources(words: &[Word<'_>]) -> bool {
    let path = [Name("Location"), Mark(b':'), Mark(b':'), Name("caller")];
    words.windows(4).any(|words| *words == path)
}

/// The commands of a script, those whose output is a word of others included.
fn commands(text: &str) -> impl Iterator<Item = &str> {
    text.split([';', '|', '&', '\n', '`', '(', ')'])
}

/// Whether a text is the folder that a program is started in, or one above it.
fn is_here(text: &str) -> bool {
    text.contains('.') && is_dots(text) || text.ends_with("/self/cwd")
}

/// Whether a name is that of an item of this source, and never one of another path: a type may be called `Walk`.
fn is_defined(name: &str, words: &[Word<'_>]) -> bool {
    let is_item = |words: &[Word<'_>]| {
        let [Name(kind), item] = words else { return false };
        ["struct", "enum", "union", "trait", "type", "fn"].contains(kind) && *item == Name(name)
    };
    let is_of_path = |words: &[Word<'_>]| {
        let [before, Mark(b':'), Mark(b':'), item] = words else { return false };
        *item == Name(name) && !matches!(before, Name("self" | "Self"))
    };
    let imports = words.iter().enumerate().filter(|(_, word)| **word == Name("use"));
    let mut imported = imports.flat_map(|(at, _)| up_to(b";", words.get(at..).unwrap_or_default()));
    words.windows(2).any(is_item)
        && !words.windows(4).any(is_of_path)
        && !imported.any(|word| *word == Name(name))
}

/// Whether a text, or what is called, says what the folder of the package is, or one above it.
fn names_own_folder(words: &[Word<'_>]) -> bool {
    let is_own = |text: &str| is_here(text) || text.starts_with("**");
    words.contains(&Name("current_dir"))
        || words.windows(2).any(|words| *words == [Name("file"), Mark(b'!')])
        || words.iter().enumerate().any(|(at, word)| {
            let before = words.get(..at).unwrap_or_default();
            let is_taken_apart = matches!(before, [.., Name(name), Mark(b'(')]
                if TAKES_APART.contains(name));
            matches!(word, Text(text) if is_own(text)) && !is_taken_apart
        })
}

/// What follows each place at which a name is called, or gets another name, up to the end of the call or the statement.
fn calls_of<'w, 'a>(name: &'w str, words: &'w [Word<'a>]) -> impl Iterator<Item = &'w [Word<'a>]> {
    let is_called = |rest: &&[Word<'_>]| {
        matches!(
            rest,
            [Mark(b'('), ..] | [Name("as"), ..] | [Mark(b':'), Mark(b':'), Name(_), Mark(b'('), ..]
        )
    };
    let places = words.iter().enumerate().filter(move |(_, word)| **word == Name(name));
    let around = places.map(|(at, _)| {
        (words.get(..at).unwrap_or_default(), words.get(at + 1..).unwrap_or_default())
    });
    let calls = around.filter(move |(before, rest)| is_called(rest) || is_value(before, rest));
    calls.map(|(_, rest)| up_to(b");{", rest))
}

/// Whether what stands between these words is given to another function or a variable: `and_then(read_dir)`,
/// `flat_map(WalkDir::new)`.
fn is_value(before: &[Word<'_>], after: &[Word<'_>]) -> bool {
    let after = match after {
        [Mark(b':'), Mark(b':'), Name(_), after @ ..] => after,
        after => after,
    };
    let is_of_path = matches!(before, [.., Mark(b':'), Mark(b':')]);
    let statement = before.iter().rev().take_while(|word| !matches!(word, Mark(b';' | b'}')));
    matches!(after, [Mark(b')' | b',' | b';'), ..])
        && (is_of_path || matches!(before, [.., Mark(b'(' | b',' | b'=')]))
        && !statement.clone().any(|word| *word == Name("use"))
}

/// The words before the first of these marks.
fn up_to<'w, 'a>(ends: &[u8], words: &'w [Word<'a>]) -> &'w [Word<'a>] {
    let is_end = |word: &Word<'_>| matches!(word, Mark(mark) if ends.contains(mark));
    let end = words.iter().position(is_end);
    words.get(..end.unwrap_or(words.len())).unwrap_or_default()
}

/// Whether the arguments of a call name the folder that it is in, or one above it, or a pattern, and nothing else; `None`
/// where the folder comes from elsewhere: it may be that one, too.
fn is_own_folder(call: &[Word<'_>]) -> Option<bool> {
    let mut found = None;
    for (at, word) in call.iter().enumerate() {
        // The name of a variable is no folder.
        let before = call.get(..at).unwrap_or_default();
        let is_variable = matches!(before, [.., Name("var" | "var_os"), Mark(b'(')]);
        if let Text(text) = word
            && !is_variable
        {
            let is_own = is_here(text) || text.starts_with('*');
            if !is_own && !text.starts_with('{') {
                return Some(false);
            }
            found = is_own.then_some(true).or(found);
        }
    }
    found
}

/// Whether a text after these words is a message for people: `.expect("cargo sets it")`.
fn is_message(before: &[Word<'_>]) -> bool {
    matches!(before, [.., Name("expect" | "expect_err"), Mark(b'(')])
        || matches!(before, [.., Name("panic" | "println" | "eprintln"), Mark(b'!'), Mark(b'(')])
}

/// Whether a text after these words is a command: a word that is none is an ordinary one.
fn is_command(text: &str, before: &[Word<'_>]) -> bool {
    text.contains(char::is_whitespace) && !is_message(before)
        || matches!(
            before,
            [.., Name("Command"), Mark(b':'), Mark(b':'), Name("new"), Mark(b'(')]
                | [.., Name("arg"), Mark(b'(')]
                | [.., Name("args"), Mark(b'('), Mark(b'[')]
                | [.., Name("args"), Mark(b'('), Mark(b'&'), Mark(b'[')]
        )
        || before.iter().rev().take(5).any(|word| *word == Name("cmd"))
}
