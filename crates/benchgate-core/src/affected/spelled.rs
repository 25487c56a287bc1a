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
    /// Which of them it has, of those without a text of their own.
    makes: BTreeSet<Makes>,
    /// Texts that are taken off, by their first byte: few of them are in any other text.
    cuts: BTreeMap<u8, BTreeSet<String>>,
    /// Texts in place of which others are put, by the first byte of the first one.
    replaced: BTreeMap<u8, BTreeSet<(String, String)>>,
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
    pub(super) fn join(&mut self, other: &Self) {
        self.makes.extend(&other.makes);
        for (first, cuts) in &other.cuts {
            self.cuts.entry(*first).or_default().extend(cuts.iter().cloned());
        }
        for (first, replaced) in &other.replaced {
            self.replaced.entry(*first).or_default().extend(replaced.iter().cloned());
        }
    }

    /// What a text may become.
    pub(super) fn of(&self, text: &str) -> BTreeSet<String> {
        let mut made = BTreeSet::new();
        // Parts of a sentence, and what stands next to a placeholder, are ordinary words.
        let is_sentence = text.split_whitespace().count() > MOST_WORDS;
        if text.len() > LONGEST || is_sentence || text.contains(['\n', '{', '*', '$', '`']) {
            return made;
        }
        for makes in &self.makes {
            match makes {
                Makes::Lower => made.extend([text.to_lowercase()]),
                Makes::Upper => made.extend([text.to_uppercase(), with_capital(text)]),
                Makes::Path => {
                    // One that begins with it is an ending of names.
                    let parts = |mark: &char| text.contains(*mark) && !text.starts_with(*mark);
                    let marks = SEPARATORS.into_iter().filter(parts);
                    made.extend(marks.map(|mark| text.replace(mark, "/")));
                }
                Makes::Stem => made.extend(stem(text)),
            }
        }
        let bytes: BTreeSet<u8> = text.bytes().collect();
        let cuts = bytes.iter().filter_map(|byte| self.cuts.get(byte)).flatten();
        for cut in cuts.filter(|cut| text.contains(cut.as_str())) {
            let parts: Vec<&str> = text.split(&**cut).filter(|part| !part.is_empty()).collect();
            made.insert(parts.join("/"));
            made.extend(parts.into_iter().filter(|part| part.len() > 1).map(str::to_owned));
        }
        for (from, to) in bytes.iter().filter_map(|byte| self.replaced.get(byte)).flatten() {
            made.insert(text.replace(from, to));
        }
        // As in an address.
        made.insert(text.replace("%2F", "/").replace("%2f", "/").replace("%2E", "."));
        made.remove(text);
        made
    }
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
