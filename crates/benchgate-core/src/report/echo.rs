//! The command that a result echoes, as far as it may be pasted: known flags, each with a value that is one word.

use super::command::{MARKS, option};
use super::text::is_unsafe;

/// Whether a flag has a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Switch,
    Value,
    /// A flag that may be omitted.
    Optional,
}

/// Flags of `check` that decide builds, measurements and findings.
const KEPT: [(&str, Kind); 18] = [
    ("--measure-identical", Kind::Switch),
    ("--sensitive", Kind::Switch),
    ("--policy", Kind::Value),
    ("--pairs", Kind::Value),
    ("--filter", Kind::Value),
    ("--suite", Kind::Value),
    ("--package", Kind::Value),
    ("--exclude", Kind::Value),
    ("--features", Kind::Value),
    ("--no-default-features", Kind::Switch),
    ("--all-features", Kind::Switch),
    ("--runtime", Kind::Value),
    ("--locked", Kind::Switch),
    ("--offline", Kind::Switch),
    ("--manifest-path", Kind::Value),
    ("--fail-on", Kind::Value),
    ("--levels", Kind::Value),
    ("--exact-base", Kind::Switch),
];

/// Flags of one run alone: its commits, machine, time, folders and seed.
const LEFT_OUT: [(&str, Kind); 15] = [
    ("--base", Kind::Value),
    ("--anchor", Kind::Optional),
    ("--head", Kind::Value),
    ("--baseline", Kind::Switch),
    ("--machine", Kind::Value),
    ("--budget", Kind::Value),
    ("--shard", Kind::Value),
    ("--durations", Kind::Value),
    ("--rebuild", Kind::Switch),
    ("--output", Kind::Value),
    ("--earlier", Kind::Value),
    ("--seed", Kind::Value),
    ("--resume", Kind::Switch),
    ("--jobs", Kind::Value),
    ("--open", Kind::Switch),
];

/// The flags of a `benchgate check` that a result echoes.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Echo {
    given: Vec<(&'static str, Option<String>)>,
    is_anchored: bool,
}

impl Echo {
    /// Reads a command; of the shards of one run, the first. `None` where anything in it is not known: a part of a
    /// command would build something else.
    pub(super) fn of(command: &str) -> Option<Self> {
        let mut words = words(command)?.into_iter().peekable();
        if words.next()? != "benchgate" || words.next()? != "check" {
            return None;
        }
        let mut echo = Self::default();
        while let Some(word) = words.next() {
            let (flag, joined) = match word.split_once('=') {
                Some((flag, value)) => (flag, Some(value.to_owned())),
                None => (word.as_str(), None),
            };
            let (name, kind) = *KEPT.iter().chain(&LEFT_OUT).find(|(name, _)| *name == flag)?;
            let value = match kind {
                Kind::Switch => None,
                _ if joined.is_some() => joined,
                Kind::Value => Some(words.next()?),
                Kind::Optional => words.next_if(|next| !next.starts_with('-')),
            };
            echo.is_anchored |= name == "--anchor";
            if KEPT.contains(&(name, kind)) {
                echo.given.push((name, value));
            }
        }
        Some(echo)
    }

    /// The flag that names the base.
    pub(super) fn base(&self, commit: &str) -> String {
        // A release is graded by the head's policy.
        let flag = if self.is_anchored { "--anchor" } else { "--base" };
        option(flag, commit)
    }

    /// The flags that are kept; those that choose benchmarks by their ids only where all are measured.
    pub(super) fn flags(&self, is_of_all: bool) -> impl Iterator<Item = String> {
        let wanted = move |flag: &str| is_of_all || flag != "--filter";
        self.given.iter().filter(move |(flag, _)| wanted(flag)).map(|(flag, value)| match value {
            Some(value) => option(flag, value),
            None => (*flag).to_owned(),
        })
    }
}

/// The words of a command as it is printed, up to its end or an `&&`; `None` where a shell would take anything in it
/// for more than words.
pub fn words(command: &str) -> Option<Vec<String>> {
    let plain = |c: char| c.is_alphanumeric() || MARKS.contains(c);
    let (mut words, mut word) = (Vec::new(), None::<String>);
    let mut characters = command.chars().peekable();
    while let Some(c) = characters.next() {
        match c {
            ' ' => words.extend(word.take()),
            '&' if characters.next() == Some('&') && word.is_none() => return Some(words),
            '\'' => {
                let word = word.get_or_insert_default();
                loop {
                    match characters.next()? {
                        '\'' => break,
                        c if is_unsafe(c) => return None,
                        c => word.push(c),
                    }
                }
            }
            '\\' if characters.next() == Some('\'') => word.get_or_insert_default().push('\''),
            c if plain(c) => word.get_or_insert_default().push(c),
            _ => return None,
        }
    }
    words.extend(word);
    Some(words)
}

#[cfg(test)]
mod tests {
    use super::super::command::quoted;
    use super::*;

    #[test]
    fn words_are_read_as_they_are_quoted() {
        let all = ["main", "", "a b", "it's", "$(id)`id`", "--filter=-1", "a && b", "é*"];
        let command = all.map(quoted).join(" ");
        assert_eq!(words(&command).unwrap(), all);
        assert_eq!(words("a b && c").unwrap(), ["a", "b"]);
        for other in
            ["a | b", "a; b", "$(id)", "a & b", "a\nb", "'a\u{202e}'", "a\\b", "a > b", "it's"]
        {
            assert_eq!(words(other), None, "{other}");
        }
    }

    #[test]
    fn a_command_of_which_anything_is_unknown_gives_nothing() {
        for command in
            ["", "benchgate report x", "benchgate check --new", "benchgate check x", "sh"]
        {
            assert_eq!(Echo::of(command), None, "{command}");
        }
        let flags = |command| Echo::of(command).unwrap().flags(true).collect::<Vec<_>>().join(" ");
        assert_eq!(
            flags("benchgate check --anchor --suite a --filter=-1"),
            "--suite a --filter=-1"
        );
        let shards = "benchgate check --locked --shard 1/2 && benchgate check --locked --shard 2/2";
        assert_eq!(flags(shards), "--locked");
        let anchored = Echo::of("benchgate check --anchor v1 --seed 4").unwrap();
        assert_eq!(anchored.base("abc"), "--anchor abc");
    }
}
