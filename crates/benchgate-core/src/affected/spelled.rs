//! What the strings of a suite become by what its sources call: other letters, another separator or ending, a part.
//!
//! Only calls of which the outcome is known: the string and what is done with it may stand in different sources.

use std::collections::{BTreeMap, BTreeSet};
use std::env::consts::{ARCH, FAMILY, OS};

use super::words::Word::{self, Character, Mark, Name, Text};

/// Names of what makes other letters of a text.
const LOWER: [&str; 3] = ["to_lowercase", "to_ascii_lowercase", "make_ascii_lowercase"];
const UPPER: [&str; 3] = ["to_uppercase", "to_ascii_uppercase", "make_ascii_uppercase"];

/// Names of what leaves the ending of a file's name away, or gives it another one.
const ENDINGS: [&str; 6] = [
    "add_extension",
    "file_prefix",
    "file_stem",
    "set_extension",
    "with_added_extension",
    "with_extension",
];

/// Names of what takes a text off another one, or parts it there.
const CUTS: [&str; 12] = [
    "rsplit",
    "rsplit_once",
    "split",
    "split_once",
    "split_terminator",
    "strip_prefix",
    "strip_suffix",
    "trim_end_matches",
    "trim_matches",
    "trim_prefix",
    "trim_start_matches",
    "trim_suffix",
];
const REPLACES: [&str; 3] = ["remove_matches", "replace", "replacen"];

/// What a text may have where a path has `/`, and is replaced or parted.
const SEPARATORS: [char; 7] = ['-', '_', '.', ':', ',', '|', ' '];

/// Longer texts are no names.
const LONGEST: usize = 256;
const MOST_WORDS: usize = 2;

/// What the sources of a suite do with texts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Spelling {
    /// What they make of any text.
    makes: BTreeSet<Makes>,
    /// Texts that are taken off, by their first byte: few of them are in any other text.
    cuts: BTreeMap<u8, BTreeSet<String>>,
    /// Texts in place of which others are put, by the first byte of the first one.
    replaced: BTreeMap<u8, BTreeSet<(String, String)>>,
}

/// The strings of a suite, each with the first source that has it, and what its sources do with them.
#[derive(Default)]
pub(super) struct Strings {
    spelling: Spelling,
    sources: BTreeMap<String, String>,
}

impl Strings {
    pub(super) fn add(&mut self, text: &str, source: &str) {
        self.sources.entry(text.to_owned()).or_insert_with(|| source.to_owned());
    }

    pub(super) fn spell(&mut self, spelling: &Spelling) {
        self.spelling.join(spelling);
    }

    /// What they become, each with the source of the string.
    pub(super) fn made(&self) -> impl Iterator<Item = (String, &str)> {
        self.sources.iter().flat_map(|(text, source)| {
            self.spelling.of(text).into_iter().map(|made| (made, source.as_str()))
        })
    }
}

/// What is made of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Makes {
    Lower,
    Upper,
    /// A path of what has other separators.
    Path,
    /// The name without its ending, before which another one may stand.
    Stem,
}

impl Spelling {
    /// That of the words of one source.
    pub(super) fn by(words: &[Word<'_>]) -> Self {
        let has = |names: &[&str]| {
            words.iter().any(|word| matches!(word, Name(name) if names.contains(name)))
        };
        let makes = [
            (Makes::Lower, has(&LOWER)),
            (Makes::Upper, has(&UPPER)),
            (Makes::Path, has(&["replace", "replacen"])),
            (Makes::Stem, has(&ENDINGS)),
        ];
        let mut spelling = Self {
            makes: makes.into_iter().filter(|(_, is)| *is).map(|(makes, _)| makes).collect(),
            ..Self::default()
        };
        for at in 0..words.len() {
            let Some([Name(name), Mark(b'('), arguments @ ..]) = words.get(at..) else { continue };
            match arguments {
                [first, Mark(b','), second, ..] if REPLACES.contains(name) => {
                    spelling.replace(literal(first), literal(second));
                }
                [first, ..] if CUTS.contains(name) => spelling.cut(literal(first)),
                [first, ..] if REPLACES.contains(name) => {
                    spelling.replace(literal(first), Some(String::new()));
                }
                _ => {}
            }
        }
        spelling
    }

    /// Adds a text that is taken off. Words of a sentence and parts of a path are no names.
    fn cut(&mut self, text: Option<String>) {
        match text.as_deref() {
            Some(".") => {
                self.makes.insert(Makes::Stem);
            }
            Some(cut) if cut.chars().any(|c| !c.is_whitespace() && !"/\\".contains(c)) => {
                let first = cut.bytes().next().unwrap_or_default();
                self.cuts.entry(first).or_default().extend(text);
            }
            _ => {}
        }
    }

    fn replace(&mut self, from: Option<String>, to: Option<String>) {
        if let (Some(from), Some(to)) = (from, to)
            && let Some(first) = from.bytes().next()
        {
            self.replaced.entry(first).or_default().insert((from, to));
        }
    }

    /// Adds that of another source.
    fn join(&mut self, other: &Self) {
        self.makes.extend(&other.makes);
        for (first, cuts) in &other.cuts {
            self.cuts.entry(*first).or_default().extend(cuts.iter().cloned());
        }
        for (first, replaced) in &other.replaced {
            self.replaced.entry(*first).or_default().extend(replaced.iter().cloned());
        }
    }

    /// What a text of any source may become.
    fn of(&self, text: &str) -> BTreeSet<String> {
        let mut made = BTreeSet::new();
        for makes in &self.makes {
            match makes {
                Makes::Lower => made.extend([text.to_lowercase()]),
                Makes::Upper => made.extend([text.to_uppercase(), with_capital(text)]),
                Makes::Stem => made.extend(stem(text)),
                Makes::Path if is_name(text) => {
                    // One that begins with the separator is an ending of names.
                    let is_path = |path: &String| !path.starts_with('/') || text.starts_with('/');
                    made.extend(self.paths(text).into_iter().filter(is_path));
                }
                Makes::Path => {}
            }
        }
        let bytes: BTreeSet<u8> = text.bytes().collect();
        if is_name(text) {
            let cuts = bytes.iter().filter_map(|byte| self.cuts.get(byte)).flatten();
            for cut in cuts.filter(|cut| text.contains(cut.as_str())) {
                let parts: Vec<&str> = text.split(&**cut).filter(|part| !part.is_empty()).collect();
                made.insert(parts.join("/"));
                made.extend(parts.into_iter().filter(|part| part.len() > 1).map(str::to_owned));
            }
        }
        for (from, to) in bytes.iter().filter_map(|byte| self.replaced.get(byte)).flatten() {
            made.insert(text.replace(from, to));
        }
        // As in an address.
        made.insert(text.replace("%2F", "/").replace("%2f", "/").replace("%2E", "."));
        made.remove(text);
        made
    }

    /// The paths that a text becomes with other separators; of a text of the same source, whatever it is.
    pub(super) fn paths(&self, text: &str) -> Vec<String> {
        let replaces = self.makes.contains(&Makes::Path);
        let marks = SEPARATORS.into_iter().filter(|mark| replaces && text.contains(*mark));
        marks.map(|mark| text.replace(mark, "/")).collect()
    }
}

/// Whether a text may be a name as it is: parts of a sentence, and what stands next to a placeholder, are ordinary words.
fn is_name(text: &str) -> bool {
    text.len() <= LONGEST
        && text.split_whitespace().count() <= MOST_WORDS
        && !text.contains(['\n', '{', '*', '$', '`'])
}

/// Texts that the system gives, where a source asks for its constants.
pub(super) fn of_system(words: &[Word<'_>]) -> impl Iterator<Item = String> {
    let asks = words.contains(&Name("consts"));
    [OS, ARCH, FAMILY].into_iter().filter(move |_| asks).map(str::to_owned)
}

fn literal(word: &Word<'_>) -> Option<String> {
    match word {
        Text(text) => Some(text.clone()),
        Character(character) => Some(character.to_string()),
        _ => None,
    }
}

fn with_capital(text: &str) -> String {
    let mut characters = text.chars();
    let first = characters.next().map(|first| first.to_uppercase().to_string());
    first.unwrap_or_default() + characters.as_str()
}

/// The name of a file without its ending, with whatever other one.
fn stem(text: &str) -> Option<String> {
    let (stem, ending) = text.rsplit_once('.')?;
    let is_ending = !ending.is_empty() && ending.chars().all(char::is_alphanumeric);
    (is_ending && stem.chars().any(char::is_alphabetic)).then(|| format!("{stem}.*"))
}
