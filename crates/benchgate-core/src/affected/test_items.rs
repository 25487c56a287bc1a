//! Items of a source file that no bench is built with: those of unit tests and of documentation tests of a library.
//!
//! A bench target itself is compiled with `--cfg test`; what it is built from is not. At the top of a file attributes are
//! followed by an item. Elsewhere they may be before an arm or a field, whose end is another one; there nothing is left
//! out.

use std::collections::BTreeSet;

use super::words::Word;

/// The words without those items; all of them where brackets do not match.
pub(super) fn without_test_items(words: Vec<Word<'_>>) -> Vec<Word<'_>> {
    let mut kept = Vec::with_capacity(words.len());
    let mut at = 0;
    while let Some(word) = words.get(at) {
        let rest = words.get(at..).unwrap_or_default();
        let (attributes, is_of_test) = attributes(rest);
        let item = rest.get(attributes..).unwrap_or_default();
        let length = match word {
            Word::Mark(b'#') if attributes > 0 => match (is_of_test, length_of_item(item)) {
                (true, Some(length)) => {
                    at += attributes + length;
                    continue;
                }
                _ => Some(attributes),
            },
            Word::Mark(b'(' | b'[' | b'{') => group(rest),
            Word::Mark(b')' | b']' | b'}') => None,
            _ => Some(1),
        };
        let Some(length) = length else { return words };
        kept.extend(rest.iter().take(length).cloned());
        at += length;
    }
    kept
}

/// The names of modules in other files.
pub(super) fn modules(words: &[Word<'_>]) -> BTreeSet<String> {
    let name = |window: &[Word<'_>]| match window {
        [Word::Name("mod"), Word::Name(name), Word::Mark(b';')] => Some((*name).to_owned()),
        _ => None,
    };
    words.windows(3).filter_map(name).collect()
}

/// The number of words of the attributes that come next, and whether one is that of tests.
fn attributes(words: &[Word<'_>]) -> (usize, bool) {
    let (mut length, mut is_of_test) = (0, false);
    while let Some([Word::Mark(b'#'), Word::Mark(b'['), ..]) = words.get(length..) {
        let attribute = words.get(length + 1..).unwrap_or_default();
        let Some(size) = group(attribute) else { break };
        is_of_test |= matches!(
            attribute.get(..size),
            Some([
                _,
                Word::Name("cfg"),
                Word::Mark(b'('),
                Word::Name("test" | "doctest"),
                Word::Mark(b')'),
                _
            ])
        );
        length += 1 + size;
    }
    (length, is_of_test)
}

/// The number of words up to the end of an item: a semicolon or a block. A shorter end leaves more to be read.
fn length_of_item(words: &[Word<'_>]) -> Option<usize> {
    let mut length = 0;
    loop {
        match words.get(length)? {
            Word::Mark(b';') => return Some(length + 1),
            Word::Mark(b'{') => return Some(length + group(words.get(length..)?)?),
            Word::Mark(b'(' | b'[') => length += group(words.get(length..)?)?,
            Word::Mark(b')' | b']' | b'}') => return None,
            _ => length += 1,
        }
    }
}

/// The number of words from a bracket to the one that closes it.
fn group(words: &[Word<'_>]) -> Option<usize> {
    let mut open = Vec::new();
    for (at, word) in words.iter().enumerate() {
        match word {
            Word::Mark(b'(') => open.push(b')'),
            Word::Mark(b'[') => open.push(b']'),
            Word::Mark(b'{') => open.push(b'}'),
            Word::Mark(mark @ (b')' | b']' | b'}')) if open.pop() != Some(*mark) => return None,
            _ => {}
        }
        if open.is_empty() {
            return Some(at + 1);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::super::words::words;
    use super::*;

    /// The texts that are left.
    fn texts(source: &str) -> Vec<String> {
        let text = |word| if let Word::Text(text) = word { Some(text) } else { None };
        without_test_items(words(source)).into_iter().filter_map(text).collect()
    }

    #[test]
    fn items_of_tests_are_left_out_and_what_follows_is_not() {
        for (source, left) in [
            ("#[cfg(test)] mod tests { f(\"a\"); g({ \"b\" }) } const X: &str = \"x\";", "x"),
            (
                "const X: &str = \"x\"; #[cfg(test)]\n#[allow(x)] pub(crate) mod tests { f(\"a\") }",
                "x",
            ),
            ("#[doc = include_str!(\"a\")] #[cfg(doctest)] pub struct Readme; f!(\"x\");", "x"),
            ("#[cfg(test)] mod tests; f!(\"x\");", "x"),
            ("#[cfg(test)] const A: [u8; 2] = *b\"a\"; f!(\"x\");", "x"),
            ("#[cfg(test)] fn a() -> [u8; 3] { \"a\" } f!(\"x\");", "x"),
            // An end that is found too early leaves more.
            ("#[cfg(test)] const A: S = S { a: \"a\" }.of(\"b\"); f!(\"x\");", "b x"),
        ] {
            assert_eq!(texts(source).join(" "), left, "{source}");
        }
    }

    #[test]
    fn what_may_be_built_is_kept() {
        for source in [
            "#[cfg(not(test))] mod a { f(\"x\") }",
            "#[cfg(any(test, feature = \"x\"))] mod a { f() }",
            "#[cfg_attr(test, x = \"x\")] mod a {}",
            "fn a() { #[cfg(test)] f(1); g(\"x\") }",
            "m! { #[cfg(test)] mod tests { f(\"x\") } }",
            "match a { #[cfg(test)] A => 1, B => \"x\" }",
            "#[doc = \"x\"] mod a {}",
            // Brackets that do not match: nothing is left out.
            "} #[cfg(test)] mod tests { f(\"x\") }",
            "#[cfg(test)] mod tests { f(\"x\") ",
            "#[cfg(test)] mod tests { ( } f(\"x\")",
            "#[cfg(test)] \"x\"",
        ] {
            assert_eq!(texts(source), ["x"], "{source}");
        }
    }
}
