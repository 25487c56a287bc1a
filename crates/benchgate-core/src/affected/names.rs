//! The files that strings name: whatever a program can spell, it may read or start.
//!
//! Kinds of files do not matter: parsers bench prose. A file is named by its own name or by that of a folder above it,
//! whole, as a path, as a pattern, or put together from pieces of one source.

use std::collections::{BTreeMap, BTreeSet};

use super::paths::{and_above, folder_of, name_of};
use crate::identity::ending;

/// Strings by the files that they stand in.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Names {
    /// Single names, each with the first file that has it.
    single: BTreeMap<String, String>,
    /// Paths of at least two parts, by the first of them.
    paths: BTreeMap<String, Vec<(Vec<String>, String)>>,
    /// Paths whose first part is a pattern or an end, and single patterns.
    patterns: Vec<(Vec<String>, String)>,
    /// Strings that are paths as a whole, without `./` and its like before them, by their last part; by nothing where that is
    /// a pattern.
    whole: BTreeMap<String, BTreeSet<String>>,
    /// Pieces of which a name can be put together, each with the files that have it.
    pieces: BTreeMap<String, BTreeSet<String>>,
    /// Folders that a program can be in or come from: those of packages and of the files that have the strings, and all
    /// above.
    known: BTreeSet<String>,
    /// The beginnings of paths: a program may go on from there.
    beginnings: BTreeSet<Vec<String>>,
}

/// Stands for what a program fills in, in place of `{}`, `*`, `?`, `[a-z]` and `$VARIABLE`.
const ANY: char = '\u{1}';

/// Longer ones are no names.
const LONGEST: usize = 4096;

impl Names {
    /// Adds a folder that a program can be in or come from.
    pub(super) fn know(&mut self, folder: &str) {
        if !self.known.contains(folder) {
            self.known.extend(and_above(folder).map(str::to_owned));
            self.known.insert(String::new());
        }
    }

    /// Adds a string of a source.
    pub(super) fn add(&mut self, text: &str, source: &str) {
        self.know(folder_of(source));
        if text.len() > LONGEST {
            // A list in a text: only what looks like a file.
            return self.add_list(text, source);
        }
        let text = with_placeholders(text);
        if text.chars().all(is_of_name) {
            self.whole(&text);
            self.token(&text, source);
        } else {
            if !text.contains(['\n', '\0']) {
                // Names may have spaces in them.
                self.token(&text, source);
            } else {
                self.entries(&text, source);
            }
            self.files(&text, source);
        }
    }

    /// Adds each word of a text that a shell may be given.
    pub(super) fn add_words(&mut self, text: &str, source: &str) {
        if text.len() > LONGEST {
            return;
        }
        for word in text.split_whitespace() {
            let word = with_placeholders(word.trim_matches(['"', '\'', ';', '(', ')']));
            if word.chars().all(is_of_name) {
                self.token(&word, source);
            }
        }
    }

    /// Adds the files that a text names, such as a configuration or a list.
    pub(super) fn add_list(&mut self, text: &str, source: &str) {
        self.know(folder_of(source));
        let text = with_placeholders(text);
        self.entries(&text, source);
        self.files(&text, source);
    }

    /// Adds what a list has on a separate line, or in quotes: it may be a name without an end, as `docs` and `LICENSE` are.
    fn entries(&mut self, text: &str, source: &str) {
        for line in text.lines() {
            let quoted =
                ['"', '\''].into_iter().flat_map(|quote| line.split(quote).skip(1).step_by(2));
            for entry in quoted.chain([line.trim()]) {
                if !entry.is_empty() && entry.chars().all(is_of_name) {
                    self.token(entry, source);
                }
            }
        }
    }

    /// Adds the paths that a text has on separate lines.
    pub(super) fn add_lines(&mut self, text: &str, source: &str) {
        self.know(folder_of(source));
        for line in text.lines() {
            let entry = line.trim_matches(|c: char| c.is_whitespace() || "\"'[],".contains(c));
            let is_path = entry.contains(['/', '.']) && entry.chars().all(is_of_name);
            if is_path {
                self.token(entry, source);
            }
        }
    }

    /// Adds a path as a whole, without what says where it begins.
    fn whole(&mut self, text: &str) {
        let is_start =
            |part: &&str| matches!(*part, "" | "." | "..") || part.chars().all(|c| c == ANY);
        if text.contains('/') {
            let parts: Vec<&str> = text.split('/').skip_while(is_start).collect();
            let path = parts.join("/").trim_start_matches(ANY).to_owned();
            let last = Some(name_of(&path)).filter(|last| !last.contains(ANY)).unwrap_or_default();
            self.whole.entry(last.to_owned()).or_default().insert(path);
        }
    }

    fn files(&mut self, text: &str, source: &str) {
        for token in text.split(|c| !is_of_name(c)) {
            let token = token.trim_end_matches(['.', '-']);
            let has_end = token.rsplit_once('.').is_some_and(|(start, end)| {
                !start.is_empty() && end.starts_with(|c: char| c.is_alphanumeric())
            });
            if has_end || token.contains(['/', '\\']) {
                self.whole(token);
                self.token(token, source);
            }
        }
    }

    fn token(&mut self, text: &str, source: &str) {
        // An option with its value, as `-Tlink.ld` is.
        let mut letters = text.chars();
        if letters.next() == Some('-') && letters.next().is_some_and(char::is_alphabetic) {
            self.token(letters.as_str(), source);
        }
        // A file of arguments, as in `@flags`.
        if let Some(file) = text.strip_prefix('@') {
            self.token(file, source);
        }
        let parts = self.parts(text);
        let has_letter = |part: &&str| part.chars().any(char::is_alphanumeric);
        if !parts.iter().any(has_letter) {
            return;
        }
        if let [above @ .., _] = parts.as_slice() {
            self.begin(above);
        }
        let mut owned: Vec<String> = parts.iter().map(|part| (*part).to_owned()).collect();
        if text.ends_with('/') && parts.len() > 1 {
            // The last one is whole.
            owned.push(String::new());
        }
        let entry = (owned, source.to_owned());
        match parts.as_slice() {
            [single] if single.contains(ANY) => {
                for piece in single.split(ANY).filter(|piece| !piece.is_empty()) {
                    self.piece(piece, source);
                }
                // `{}.md` is a kind of file, `notes.{}` and `LICENSE-{}` are files, and `{} ms` is neither.
                let end = single.rsplit(ANY).next().unwrap_or_default();
                let is_kind = ending(end).starts_with(|c: char| c.is_alphabetic());
                if (is_kind || is_beginning(single)) && !single.contains(' ') {
                    self.patterns.push(entry);
                }
            }
            [single] => {
                self.piece(single, source);
                self.single.entry((*single).to_owned()).or_insert_with(|| source.to_owned());
            }
            [first, ..] if first.contains(ANY) || first.starts_with(['_', '-', '.']) => {
                self.patterns.push(entry);
            }
            [first, ..] => self.paths.entry((*first).to_owned()).or_default().push(entry),
            [] => {}
        }
    }

    /// The parts of a path, from where they are known on.
    fn parts<'t>(&mut self, text: &'t str) -> Vec<&'t str> {
        let mut parts: Vec<&'t str> = Vec::new();
        for part in text.split(['/', '\\']) {
            match part {
                "" | "." => {}
                ".." => {
                    // Above the last of them, or above where that leads to.
                    self.begin(&parts);
                    parts.clear();
                }
                // As in `/proc/self/cwd`.
                "cwd" => parts.clear(),
                part if part.chars().all(|c| c == ANY) => {
                    // What is below a folder, whatever it is.
                    if !parts.is_empty() {
                        break;
                    }
                }
                part => parts.push(part),
            }
        }
        parts
    }

    /// Adds the beginnings of a path.
    fn begin(&mut self, parts: &[&str]) {
        for end in 1..=parts.len() {
            let beginning = parts.iter().take(end).map(|part| (*part).to_owned()).collect();
            self.beginnings.insert(beginning);
        }
    }

    /// The file with a string that names this path or a folder above it; the path is from the top of the repository.
    pub(super) fn source_of(&self, path: &str) -> Option<&str> {
        let parts: Vec<&str> = path.split('/').collect();
        let at = |at| {
            let (above, parts) = parts.split_at_checked(at)?;
            // A word alone is the name of many folders: it is that one where a program can come to what is above it. That
            // is asked last, because few words are names.
            let is_found = |_: &&str| parts.len() == 1 || self.is_known(above);
            self.path_at(parts).or_else(|| self.word_at(parts).filter(is_found))
        };
        (0..parts.len()).find_map(at)
    }

    /// Whether a program can come to a folder, though no string names it or a folder above it.
    fn is_known(&self, folder: &[&str]) -> bool {
        let leads_on = |beginning: &Vec<String>| {
            let at = folder.len().checked_sub(beginning.len());
            let Some((above, own)) = at.and_then(|at| folder.split_at_checked(at)) else {
                return false;
            };
            own.iter().zip(beginning).all(|(name, wanted)| fits(name, wanted))
                && self.is_known(above)
        };
        self.known.contains(&folder.join("/")) || self.beginnings.iter().any(leads_on)
    }

    /// Whether a string is the name of this very file, and not of a folder above it.
    pub(super) fn has_name(&self, path: &str) -> bool {
        self.single.contains_key(name_of(path))
    }

    /// Whether a string as a whole is the path of this very file, from wherever.
    pub(super) fn has_path(&self, path: &str) -> bool {
        let ends_with = |text: &String| {
            let (mut parts, mut wanted) = (path.rsplit('/'), text.rsplit('/'));
            // Any name below a folder is that of the folder.
            !text.ends_with(ANY)
                && wanted.all(|wanted| parts.next().is_some_and(|part| fits(part, wanted)))
        };
        let of_last = |last: &str| self.whole.get(last).is_some_and(|of| of.iter().any(ends_with));
        of_last(name_of(path)) || of_last("")
    }

    /// The file with a path or a pattern that names what these parts begin with.
    fn path_at(&self, parts: &[&str]) -> Option<&str> {
        let of_first = self.paths.get(*parts.first()?).into_iter().flatten();
        let mut all = of_first.chain(&self.patterns);
        all.find(|(wanted, _)| begins(parts, wanted)).map(|(_, source)| source.as_str())
    }

    /// The file with a word that is the first of these parts, or with pieces of it.
    fn word_at(&self, parts: &[&str]) -> Option<&str> {
        let first = *parts.first()?;
        self.single.get(first).map(String::as_str).or_else(|| self.made(first))
    }

    pub(super) fn piece(&mut self, piece: &str, source: &str) {
        self.pieces.entry(piece.to_owned()).or_default().insert(source.to_owned());
    }

    /// The file of whose pieces a name can be put together.
    fn made(&self, name: &str) -> Option<&str> {
        let begins = |text: &str| text.starts_with(|c: char| c.is_ascii_digit() || c == '.');
        let ends = |text: &str| text.ends_with(|c: char| c.is_ascii_digit() || c == '.');
        let is_piece = |text: Option<&str>| text.is_some_and(|text| self.pieces.contains_key(text));
        let mut places = name.char_indices().map(|(at, _)| at);
        // Most names have neither a beginning nor an end.
        if !(begins(name)
            || places.clone().any(|at| is_piece(name.get(..at)))
            || is_piece(Some(name)))
            || !(ends(name) || places.any(|at| is_piece(name.get(at..))))
        {
            return None;
        }
        let mut found: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
        let starts = name.char_indices().map(|(at, _)| at);
        let parts = starts.flat_map(|start| {
            let ends = name.char_indices().map(|(at, _)| at).chain([name.len()]);
            ends.filter(move |end| *end > start).filter_map(move |end| name.get(start..end))
        });
        for part in parts {
            for source in self.pieces.get(part).into_iter().flatten() {
                found.entry(source).or_default().insert(part);
            }
        }
        let of_one = found.into_iter().find(|(_, pieces)| is_made_of(name, pieces));
        of_one.map(|(source, _)| source).or_else(|| self.joined(name))
    }

    /// The file with the first of two pieces that a name has before and after a mark: each may be of another source.
    fn joined(&self, name: &str) -> Option<&str> {
        let marks =
            name.char_indices().filter(|(_, c)| ['.', '-', '_'].contains(c)).map(|(at, _)| at);
        let mut halves = marks.flat_map(|at| [(at, at), (at + 1, at + 1), (at, at + 1)]);
        halves.find_map(|(end, start)| {
            let first = self.pieces.get(name.get(..end).filter(|first| first.len() > 1)?)?;
            self.pieces.get(name.get(start..)?)?;
            first.first().map(String::as_str)
        })
    }
}

fn is_of_name(c: char) -> bool {
    c.is_alphanumeric() || c == ANY || "._-/\\+@~%".contains(c)
}

/// Whether a pattern is a name that goes on after a mark: `notes.` and `LICENSE-`.
fn is_beginning(pattern: &str) -> bool {
    let start = pattern.strip_suffix(ANY).unwrap_or_default();
    let name = start.trim_end_matches(['.', '-', '_']);
    name != start && name.chars().filter(|c| c.is_alphabetic()).count() > 1 && !name.contains(ANY)
}

/// Whether the parts of a path begin with these, of which the last may be the beginning of a name.
fn begins(parts: &[&str], wanted: &[String]) -> bool {
    let Some((last, before)) = wanted.split_last() else { return false };
    let is_each = before.iter().enumerate().all(|(at, wanted)| {
        let end =
            if at == 0 { wanted.strip_prefix(['_', '-', '.']).map(|_| &**wanted) } else { None };
        parts
            .get(at)
            .is_some_and(|part| fits(part, wanted) || end.is_some_and(|end| part.ends_with(end)))
    });
    // Without a name at its end, it is a folder as a whole: `a/b/` is not the beginning of `a/bc`.
    is_each
        && (last.is_empty()
            || parts.get(before.len()).is_some_and(|part| {
                let is_open = !last.contains('.') || last.ends_with(['_', '-', '.']);
                let is_beginning = !before.is_empty() && is_open && !last.contains(ANY);
                fits(part, last) || (is_beginning && part.starts_with(&**last))
            }))
}

/// Whether a name fits a pattern.
fn fits(name: &str, pattern: &str) -> bool {
    let mut pieces = pattern.split(ANY);
    let first = pieces.next().unwrap_or_default();
    let Some(mut rest) = name.strip_prefix(first) else { return false };
    let Some(last) = pieces.next_back() else { return rest.is_empty() };
    for piece in pieces {
        let Some((_, after)) = rest.split_once(piece) else { return false };
        rest = after;
    }
    rest.ends_with(last)
}

/// Whether a name can be put together from pieces, numbers and dots. One letter may be one piece of it.
fn is_made_of(name: &str, pieces: &BTreeSet<&str>) -> bool {
    if !pieces.iter().any(|piece| piece.len() > 1) {
        return false;
    }
    // For each end, the fewest single letters, with and without a longer piece.
    let mut reached: Vec<[Option<u8>; 2]> = vec![[None; 2]; name.len() + 1];
    if let Some(start) = reached.first_mut() {
        *start = [Some(0), None];
    }
    for at in 0..name.len() {
        let Some(from) = reached.get(at).copied().filter(|from| *from != [None; 2]) else {
            continue;
        };
        let Some(rest) = name.get(at..) else { continue };
        for (length, _) in rest.char_indices().skip(1).chain([(rest.len(), ' ')]) {
            let Some(piece) = rest.get(..length) else { continue };
            let is_free =
                piece.len() == 1 && piece.starts_with(|c: char| c.is_ascii_digit() || c == '.');
            let is_piece = pieces.contains(piece);
            if !is_free && !is_piece {
                continue;
            }
            let is_letter = u8::from(!is_free && piece.len() == 1);
            let Some(to) = reached.get_mut(at + length) else { continue };
            for (has_long, letters) in from.into_iter().enumerate() {
                let Some(letters) = letters.map(|letters| letters + is_letter).filter(|l| *l < 2)
                else {
                    continue;
                };
                let is_long = usize::from(has_long == 1 || (is_piece && piece.len() > 1));
                if let Some(slot) = to.get_mut(is_long) {
                    *slot = Some(slot.map_or(letters, |known| known.min(letters)));
                }
            }
        }
    }
    reached.last().is_some_and(|end| matches!(end, [_, Some(_)]))
}

/// The text with one character in place of what is filled in.
fn with_placeholders(text: &str) -> String {
    let mut done = String::with_capacity(text.len());
    let mut rest = text;
    let is_path = text.contains('/') && !text.contains(char::is_whitespace);
    while let Some(c) = rest.chars().next() {
        let length = match c {
            '*' => Some(1),
            // One letter of a name, and no question.
            '?' => match rest.chars().nth(1) {
                Some(next) => is_of_pattern(next),
                None => is_path,
            }
            .then_some(1),
            '[' => class(rest, done.chars().next_back()),
            '$' => variable(rest),
            '{' => rest
                .find('}')
                .filter(|end| {
                    let inside = rest.get(1..*end).unwrap_or_default();
                    inside.chars().all(|c| c.is_alphanumeric() || "_.:<>^?#$+-,".contains(c))
                })
                .map(|end| end + 1),
            _ => None,
        };
        done.push(if length.is_some() { ANY } else { c });
        rest = rest.get(length.unwrap_or(c.len_utf8())..).unwrap_or_default();
    }
    done
}

fn is_of_pattern(c: char) -> bool {
    is_of_name(c) || "*?[{".contains(c)
}

/// The length of `[a-z]` at the beginning, where it is next to letters of a name.
fn class(text: &str, before: Option<char>) -> Option<usize> {
    let (inside, after) = text.strip_prefix('[')?.split_once(']')?;
    let is_class = inside.chars().any(char::is_alphanumeric)
        && inside.chars().all(|c| c.is_alphanumeric() || "-_!^.".contains(c));
    let is_next = before.is_some_and(is_of_name) || after.starts_with(is_of_pattern);
    (is_class && is_next).then_some(inside.len() + 2)
}

/// The length of `$NAME` or `${NAME}` at the beginning.
fn variable(text: &str) -> Option<usize> {
    let name = text.strip_prefix('$')?;
    if let Some(braced) = name.strip_prefix('{') {
        return braced.find('}').map(|end| end + 3);
    }
    let end = name.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(name.len());
    (end > 0).then_some(end + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn named(texts: &[&str], path: &str) -> bool {
        let mut names = Names::default();
        for text in texts {
            names.add(text, "x.rs");
        }
        names.source_of(path).is_some()
    }

    #[test]
    fn a_file_is_named_by_itself_or_a_folder_whole_as_a_path_as_a_pattern_or_in_pieces() {
        for (texts, path) in [
            (&["a.md"][..], "docs/a.md"),
            (&["docs"], "docs/a.md"),
            (&["docs/"], "docs/deep/a.md"),
            (&["docs/a.md"], "x/docs/a.md"),
            (&["../docs/a.md"], "docs/a.md"),
            (&["src/../docs/a.md"], "docs/a.md"),
            (&["/docs/a"], "docs/a.md"),
            (&["docs\\a.md"], "docs/a.md"),
            (&["$CARGO_MANIFEST_DIR/a.md"], "x/a.md"),
            (&["${ROOT}/docs/{name}"], "docs/b.md"),
            (&["docs/{}.md"], "docs/a.md"),
            (&["data/case_"], "data/case_7.json"),
            (&["_data/a.json"], "my_data/a.json"),
            (&["*.md"], "a.md"),
            (&["docs/?.md"], "docs/a.md"),
            (&["docs/case_?"], "docs/case_7"),
            (&["docs/[a-c].md"], "docs/a.md"),
            (&["docs/case[0-9][0-9].md"], "docs/case12.md"),
            (&["docs/{a,b}.md"], "docs/b.md"),
            (&["{}.md"], "deep/a.md"),
            (&["a", ".md"], "a.md"),
            (&["READ", "ME.md"], "README.md"),
            (&["case", "json"], "case12.json"),
            (&["one.md\ntwo.md"], "two.md"),
            (&["a|data.txt|"], "data.txt"),
            (&["{\"file\": \"docs/a.md\"}"], "docs/a.md"),
            (&["see docs/a.md, please"], "docs/a.md"),
            (&["a b.md"], "a b.md"),
            (&["LICENSE"], "LICENSE"),
            (&["-Clink-arg=-Tlink/own.ld"], "link/own.ld"),
            (&["-Town.ld"], "own.ld"),
            (&["/proc/self/cwd/docs/a.md"], "docs/a.md"),
        ] {
            assert!(named(texts, path), "{texts:?} {path:?}");
        }
    }

    #[test]
    fn what_no_string_can_spell_is_not_named() {
        for (texts, path) in [
            (&["docs/a.md"][..], "docs/b.md"),
            (&["docs/a.md"], "a.md"),
            (&["see the docs"], "docs/a.md"),
            (&["{} ms", "{}", "{}.{}", ".", "..", "/", ""], "docs/a.md"),
            (&["{:.2} s"], "docs"),
            (&["a", "b", "c", "m", "d"], "bcd"),
            (&["md"], "a.md"),
            (&["data/case_"], "data/other.json"),
            (&["README"], "README.md"),
            (&["is it docs?", "a [docs] b", "[docs]", "docs?"], "docs/a.md"),
        ] {
            assert!(!named(texts, path), "{texts:?} {path:?}");
        }
        // Of two sources, a name and its ending are put together, and other pieces are not.
        let mut names = Names::default();
        for (text, source) in
            [("READ", "a.rs"), ("ME.md", "b.rs"), ("notes", "a.rs"), ("md", "b.rs")]
        {
            names.add(text, source);
        }
        assert_eq!(names.source_of("README.md"), None);
        assert_eq!(names.source_of("notes.md"), Some("a.rs"));
    }

    proptest::proptest! {
        #[test]
        fn any_text_is_taken_without_a_panic(text in ".{0,60}", path in "[a-zé/.{}*$ ]{0,30}") {
            named(&[&text], &path);
        }
    }
}
