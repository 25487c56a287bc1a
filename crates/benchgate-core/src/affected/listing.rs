//! What of a source lists folders: its calls, and the programs that it starts.

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

/// Programs that list folders; those that list the folder they are started in, whatever their arguments.
const LISTING_PROGRAMS: [&str; 9] =
    ["ls", "find", "grep", "tree", "tar", "rsync", "du", "zip", "ls-files"];
const SEARCHING_PROGRAMS: [&str; 7] = ["ack", "ag", "fd", GREP_OF_GIT, "mdbook", "rg", "ugrep"];
const GREP_OF_GIT: &str = "git grep";

/// Programs that build from whatever a manifest or a source leads to, and the variables that lead to them.
const BUILDING_PROGRAMS: [&str; 5] = ["cargo", "rustc", "rustdoc", "rustfmt", "clippy-driver"];
const THEIR_VARIABLES: [&str; 3] = ["CARGO", "RUSTC", "RUSTDOC"];

/// Names of what starts a program, where they are called; and those that need not be.
const STARTS_IF_CALLED: [&str; 9] = [
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
const STARTS: [&str; 3] = ["Command", "Exec", "cmd"];

/// Programs that run a text which they are given.
const INTERPRETERS: [&str; 11] =
    ["bash", "dash", "fish", "ksh", "node", "perl", "python", "python3", "ruby", "sh", "zsh"];

/// What lists folders in scripts of other languages.
const LISTS_IN_SCRIPTS: [&str; 13] = [
    "Dir.each",
    "Dir.entries",
    "Dir.glob",
    "File::Find",
    "glob(",
    "glob.",
    "iterdir",
    "listdir",
    "opendir",
    "os.walk",
    "readdir",
    "scandir",
    "wildcard *",
];

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
        let is_start = STARTS.into_iter().any(has) || STARTS_IF_CALLED.into_iter().any(is_called);
        let programs: Vec<Option<bool>> =
            if is_start { programs(words).collect() } else { Vec::new() };
        let program = |is| programs.contains(&is).then_some("a program that lists folders");
        let is_shell = is_start
            && (has("cmd")
                || STARTS_IF_CALLED.into_iter().any(is_called)
                || texts(words).any(|text| ["-c", "-e"].contains(&text) || is_interpreter(text)));
        let has_script = is_shell && texts(words).any(lists_in_script);
        let is_given = is_start
            && ["arg", "args"].into_iter().any(|name| {
                calls_of(name, words)
                    .flatten()
                    .any(|word| matches!(word, Text(text) if is_here(text)))
            });
        let mut calls = LISTS.into_iter().filter(|name| has(name) && !is_defined(name, words));
        let own = calls.clone().find(|name| is_of_package || lists(name, Some(true)));
        let given = calls.find(|name| is_of_crate(name) && lists(name, None));
        Self {
            own: own
                .or_else(|| program(Some(true)))
                .or(has_script.then_some("a script that lists folders"))
                .or(is_given.then_some("a program that is given its folder"))
                .or_else(|| finds_sources(words).then_some("Location::caller")),
            names_own: is_of_package || names_own_folder(words) || lists_above(words),
            given: given.or_else(|| program(None)),
            starts: is_start,
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

/// Whether a program may be started that builds, where programs are.
pub(super) fn builds(words: &[Word<'_>], is_start: bool) -> bool {
    let is_command = |(at, word): (usize, &Word<'_>)| {
        let Text(text) = word else { return false };
        let is_builder = commands(text).any(is_builder);
        is_builder && is_command(text, words.get(..at).unwrap_or_default())
    };
    let is_variable =
        |word: &Word<'_>| matches!(word, Text(name) if THEIR_VARIABLES.contains(&name.as_str()));
    is_start && (words.iter().any(is_variable) || words.iter().enumerate().any(is_command))
        || words.contains(&Name("MetadataCommand"))
}

/// Programs that take in the size or the time of a file, or may clone one; and those that do with an option.
const SIZING_PROGRAMS: [&str; 8] = ["cp", "du", "gmake", "make", "rsync", "stat", "test", "wc"];
const SIZING_WITH_OPTIONS: [&str; 2] = ["find", "ls"];

/// Whether a program may be started that takes in the size or the time of a file: that is not observed.
pub(super) fn takes_sizes(words: &[Word<'_>]) -> bool {
    words.iter().enumerate().any(|(at, word)| {
        let Text(text) = word else { return false };
        let rest = up_to(b";{}", words.get(at + 1..).unwrap_or_default());
        let has_option = text.contains(" -")
            || rest.iter().any(|word| matches!(word, Text(text) if text.starts_with('-')));
        let takes = |command: &str| {
            let name = program_of(command);
            SIZING_PROGRAMS.contains(&name) || has_option && SIZING_WITH_OPTIONS.contains(&name)
        };
        commands(text).any(takes) && is_command(text, words.get(..at).unwrap_or_default())
    })
}

/// The name of the program of a command, without its folder.
fn program_of(command: &str) -> &str {
    name_of(command.split_whitespace().next().unwrap_or_default())
}

/// Whether a command starts a program that builds.
fn is_builder(command: &str) -> bool {
    BUILDING_PROGRAMS.contains(&program_of(command))
}

/// Whether a source asks where the source is that calls it.
fn finds_sources(words: &[Word<'_>]) -> bool {
    let path = [Name("Location"), Mark(b':'), Mark(b':'), Name("caller")];
    words.windows(4).any(|words| *words == path)
}

/// Whether a text is the path of a program that runs a text.
fn is_interpreter(text: &str) -> bool {
    INTERPRETERS.contains(&name_of(text))
}

/// Whether a text that an interpreter runs lists the folder that it is started in, or one that comes from elsewhere.
fn lists_in_script(text: &str) -> bool {
    has_star(text)
        || LISTS_IN_SCRIPTS.iter().any(|name| text.contains(name))
        || text.contains(char::is_whitespace) && commands(text).any(is_given_its_folder)
}

/// The commands of a script, those whose output is a word of others included.
fn commands(text: &str) -> impl Iterator<Item = &str> {
    text.split([';', '|', '&', '\n', '`', '(', ')'])
}

/// Whether a command is given the folder that it is started in, or one above it, to read: `cd ..` reads nothing.
fn is_given_its_folder(command: &str) -> bool {
    let mut words = command.split_whitespace();
    let program = words.next().unwrap_or_default();
    !["cd", "pushd", "popd"].contains(&program) && words.any(is_here)
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

/// For each program that lists folders: whether it lists its working directory; `None` where a folder comes from
/// elsewhere.
fn programs<'w>(words: &'w [Word<'_>]) -> impl Iterator<Item = Option<bool>> + 'w {
    words.iter().enumerate().filter_map(|(at, word)| {
        let Text(text) = word else { return None };
        let (program, arguments) = listing_commands(text).next()?;
        let before = words.get(..at).unwrap_or_default();
        if !is_command(text, before) {
            return None;
        }
        let is_of_git = program == "grep" && texts(before).last() == Some("git");
        let program = if is_of_git { GREP_OF_GIT } else { program };
        let rest = up_to(b";{}", words.get(at + 1..).unwrap_or_default());
        Some(if SEARCHING_PROGRAMS.contains(&program) {
            Some(true)
        } else {
            is_started_there(program, arguments, rest)
        })
    })
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

/// The programs of a command line that list folders, with their arguments. Sentences have such words, too: `the working
/// tree`, `find the base`.
fn listing_commands(text: &str) -> impl Iterator<Item = (&str, Vec<&str>)> {
    text.split(['|', ';', '&']).filter_map(|command| {
        let mut words = command.split_whitespace();
        let (mut is_sentence, mut is_git) = (false, false);
        let program = words.by_ref().find_map(|word| {
            is_sentence |= ["a", "an", "the", "working"].contains(&word);
            let name = name_of(word);
            if is_git && name == "grep" {
                return Some(GREP_OF_GIT);
            }
            is_git |= name == "git";
            let is_known = LISTING_PROGRAMS.contains(&name) || SEARCHING_PROGRAMS.contains(&name);
            is_known.then_some(name)
        })?;
        let arguments: Vec<&str> = words.collect();
        is_sentence |= arguments.first() == Some(&"the");
        (!is_sentence).then_some((program, arguments))
    })
}

/// The texts among words.
fn texts<'w>(words: &'w [Word<'_>]) -> impl Iterator<Item = &'w str> {
    words.iter().filter_map(|word| match word {
        Text(text) => Some(text.as_str()),
        _ => None,
    })
}

/// Whether a program with these arguments, and those in the words that follow, lists the folder that it is started in.
fn is_started_there(program: &str, arguments: Vec<&str>, rest: &[Word<'_>]) -> Option<bool> {
    let all: Vec<&str> = arguments.into_iter().chain(texts(rest)).collect();
    let is_option = |text: &str| text.starts_with('-');
    let mut folders: Vec<&str> =
        all.iter().copied().filter(|text| !text.is_empty() && !is_option(text)).collect();
    if program == "grep" {
        if !descends(&all) {
            return Some(false);
        }
        // What is looked for.
        folders = folders.split_off(folders.len().min(1));
    }
    let is_given = rest.iter().any(|word| matches!(word, Name("arg" | "args")));
    match folders.as_slice() {
        [] if is_given && program != "grep" => None,
        [] => Some(true),
        folders => Some(folders.iter().any(|text| is_dots(text) || text.starts_with('*'))),
    }
}

/// Whether `grep` with these arguments reads folders.
fn descends(arguments: &[&str]) -> bool {
    let is_short = |text: &str| !text.starts_with("--") && text.contains(['r', 'R']);
    let mut options = arguments.iter().filter(|text| text.starts_with('-'));
    options.any(|text| is_short(text) || text.contains("recursive"))
}

/// What a script lists.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct ListedByScript {
    /// Whether it may list the folder that it is started in, or one that comes from elsewhere.
    pub(super) any: bool,
    /// Folders that it names.
    pub(super) folders: Vec<String>,
}

impl ListedByScript {
    /// What a script lists; `is_shell` says whether a shell runs it, for which a `*` is each name.
    pub(super) fn by(text: &str, is_shell: bool) -> Self {
        let mut listed = Self::default();
        for line in text.lines().filter(|line| !line.trim_start().starts_with('#')) {
            // A nested command is a command like others.
            let nested = line.replace(['(', ')', '`', '"', '\''], ";");
            listed.any |= is_shell && commands(&nested).any(is_given_its_folder);
            for (program, arguments) in listing_commands(&nested) {
                if program == "grep" && !descends(&arguments) {
                    continue;
                }
                listed.any |= SEARCHING_PROGRAMS.contains(&program)
                    || arguments.iter().any(|text| text.starts_with('$'));
                listed.folders.extend(arguments.iter().map(|text| (*text).to_owned()));
                listed.any |= is_started_there(program, arguments, &[]) == Some(true);
            }
            listed.any |= LISTS_IN_SCRIPTS.iter().any(|name| line.contains(name));
            listed.any |= is_shell && has_star(line);
        }
        listed
    }
}

/// Programs that take many files, of which a `*` may be the first ones.
const TAKE_FILES: [&str; 10] =
    ["cat", "cksum", "cp", "grep", "head", "mv", "sha256sum", "sort", "tail", "wc"];

/// Whether a line of a shell has a `*` for any name: at the end of a command, or for a program that takes files. Elsewhere it
/// multiplies, and one with a bracket at its end is for any word.
fn has_star(line: &str) -> bool {
    let is_star = |word: &str| word.contains('*') && word.chars().all(|c| "./*".contains(c));
    line.split([';', '|', '&', '>', '<', '\n']).any(|command| {
        let words: Vec<&str> = command.split_whitespace().collect();
        let first = words.first().copied().unwrap_or_default();
        let last = words.last().copied().unwrap_or_default();
        let takes_files = TAKE_FILES.contains(&first) && words.iter().any(|word| is_star(word));
        takes_files || is_star(last) && words.len() > 1 && first.starts_with(char::is_lowercase)
    })
}
