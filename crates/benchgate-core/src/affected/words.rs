//! The words of Rust source: names, texts and marks, without comments.
//!
//! Read by hand, because nothing else is asked of it: a parser of Rust would refuse the syntax of tomorrow.

/// One word.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Word<'a> {
    /// A name, a keyword or a number.
    Name(&'a str),
    /// The content of a string of any kind, with its escapes resolved as far as paths need it.
    Text(String),
    /// A character, but for those that are written in another way.
    Character(char),
    /// Anything else.
    Mark(u8),
}

/// The words of a text; of one that is no Rust, something.
pub(super) fn words(text: &str) -> Vec<Word<'_>> {
    let mut reader = Reader { text, at: 0 };
    let mut words = Vec::new();
    while let Some(byte) = reader.peek(0) {
        words.extend(reader.word(byte));
    }
    words
}

struct Reader<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Reader<'a> {
    fn peek(&self, ahead: usize) -> Option<u8> {
        self.text.as_bytes().get(self.at + ahead).copied()
    }

    fn rest(&self) -> &'a [u8] {
        self.text.as_bytes().get(self.at..).unwrap_or_default()
    }

    /// The next word, if what is next is one: not a space and not a comment.
    fn word(&mut self, byte: u8) -> Option<Word<'a>> {
        match byte {
            b'/' if self.peek(1) == Some(b'/') => self.line(),
            b'/' if self.peek(1) == Some(b'*') => self.block(),
            b'"' => {
                self.at += 1;
                return Some(self.string());
            }
            b'\'' => return self.character(),
            byte if is_of_name(byte) => return Some(self.name()),
            byte => {
                self.at += 1;
                return (!byte.is_ascii_whitespace()).then_some(Word::Mark(byte));
            }
        }
        None
    }

    fn line(&mut self) {
        let end = self.rest().iter().position(|byte| *byte == b'\n');
        self.at = end.map_or(self.text.len(), |end| self.at + end);
    }

    fn block(&mut self) {
        let mut depth = 0_usize;
        while let Some(byte) = self.peek(0) {
            match (byte, self.peek(1)) {
                (b'/', Some(b'*')) => (depth, self.at) = (depth + 1, self.at + 2),
                (b'*', Some(b'/')) => (depth, self.at) = (depth - 1, self.at + 2),
                _ => self.at += 1,
            }
            if depth == 0 {
                return;
            }
        }
    }

    /// A character, or the mark of a lifetime, whose name is a word.
    fn character(&mut self) -> Option<Word<'a>> {
        let quoted = self.rest().get(1..).unwrap_or_default();
        let length = match quoted.first() {
            Some(b'\\') => quoted.iter().skip(2).position(|byte| *byte == b'\'').map(|end| end + 2),
            // One character has up to four bytes.
            Some(_) => {
                quoted.iter().take(5).skip(1).position(|byte| *byte == b'\'').map(|end| end + 1)
            }
            None => None,
        };
        let is_one = |length: &usize| {
            let inside = quoted.get(..*length).unwrap_or_default();
            let is_single = std::str::from_utf8(inside).is_ok_and(|text| text.chars().count() == 1);
            is_single || inside.first() == Some(&b'\\')
        };
        let length = length.filter(is_one);
        self.at += length.map_or(1, |length| length + 2);
        let inside = std::str::from_utf8(quoted.get(..length?)?).ok()?;
        inside.chars().next().filter(|c| *c != '\\').map(Word::Character)
    }

    /// A name; or the string that it is the prefix of.
    fn name(&mut self) -> Word<'a> {
        let start = self.at;
        let length = self.rest().iter().position(|byte| !is_of_name(*byte));
        self.at = length.map_or(self.text.len(), |length| start + length);
        let name = self.text.get(start..self.at).unwrap_or_default();
        let hashes = self.rest().iter().take_while(|byte| **byte == b'#').count();
        match (name, self.peek(hashes)) {
            ("r" | "br" | "cr", Some(b'"')) => {
                self.at += hashes + 1;
                self.raw(hashes)
            }
            ("b" | "c", Some(b'"')) if hashes == 0 => {
                self.at += 1;
                self.string()
            }
            _ => Word::Name(name),
        }
    }

    fn raw(&mut self, hashes: usize) -> Word<'a> {
        let end = format!("\"{}", "#".repeat(hashes));
        let rest = self.text.get(self.at..).unwrap_or_default();
        let (inside, after) = rest.split_once(&end).unwrap_or((rest, ""));
        self.at = self.text.len() - after.len();
        Word::Text(inside.to_owned())
    }

    fn string(&mut self) -> Word<'a> {
        let mut bytes = Vec::new();
        while let Some(byte) = self.peek(0) {
            self.at += 1;
            match byte {
                b'"' => break,
                b'\\' => {
                    let escaped = self.peek(0);
                    self.at += usize::from(escaped.is_some());
                    self.escape(escaped, &mut bytes);
                }
                byte => bytes.push(byte),
            }
        }
        Word::Text(String::from_utf8_lossy(&bytes).into_owned())
    }

    /// Of escapes, those that a path can be written with.
    fn escape(&mut self, escaped: Option<u8>, bytes: &mut Vec<u8>) {
        match escaped {
            // A line that goes on in the next one.
            Some(b'\n' | b'\r') => {
                while self.peek(0).is_some_and(|byte| byte.is_ascii_whitespace()) {
                    self.at += 1;
                }
            }
            Some(b'x') => {
                let digits = self.text.get(self.at..self.at + 2).unwrap_or_default();
                if let Ok(value) = u8::from_str_radix(digits, 16) {
                    bytes.push(value);
                    self.at += 2;
                }
            }
            Some(b'u') => {
                let rest = self.text.get(self.at..).unwrap_or_default();
                let digits = rest.strip_prefix('{').and_then(|rest| rest.split_once('}'));
                let Some((digits, after)) = digits else { return };
                let value = u32::from_str_radix(&digits.replace('_', ""), 16).ok();
                if let Some(character) = value.and_then(char::from_u32) {
                    bytes.extend(character.to_string().as_bytes());
                    self.at = self.text.len() - after.len();
                }
            }
            // The entries of a list may stand on lines of one string.
            Some(b'n') => bytes.push(b'\n'),
            Some(b'r') => bytes.push(b'\r'),
            Some(b't') => bytes.push(b'\t'),
            Some(b'0') => bytes.push(b'\0'),
            Some(other) => bytes.push(other),
            None => {}
        }
    }
}

fn is_of_name(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || !byte.is_ascii()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn shown(text: &str) -> String {
        let shown = |word: &Word<'_>| match word {
            Word::Name(name) => (*name).to_owned(),
            Word::Text(text) => format!("<{text}>"),
            Word::Character(character) => format!("'{character}'"),
            Word::Mark(mark) => char::from(*mark).to_string(),
        };
        words(text).iter().map(shown).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn comments_and_characters_are_not_words_and_strings_of_every_kind_are_texts() {
        for (text, expected) in [
            ("a::b // \"c\"\nd", "a : : b d"),
            ("a /* \" /* b */ \" */ c", "a c"),
            ("/// include_str!(\"x\")\nfn f() {}", "fn f ( ) { }"),
            (r#"f("a\"b", 'c', '"', '\'', "d")"#, "f ( <a\"b> , 'c' , '\"' , , <d> )"),
            (
                "fn f<'a>(x: &'a str, y: 'static) { 'é' }",
                "fn f < a > ( x : & a str , y : static ) { 'é' }",
            ),
            (r##"r"a\" r#"b"c"# br"d" b"e" c"f" r#type"##, "<a\\> <b\"c> <d> <e> <f> r # type"),
            (
                r#""a\x2fb\u{2f}c\
               d""#,
                "<a/b/cd>",
            ),
            ("'\\u{41}' x", "x"),
            (r#""a\nb\tc""#, "<a\nb\tc>"),
            ("\"never ends", "<never ends>"),
            ("r#\"never ends\"", "<never ends\">"),
            ("/* never ends", ""),
        ] {
            assert_eq!(shown(text), expected, "{text}");
        }
    }

    proptest! {
        #[test]
        fn any_text_has_words_without_a_panic(text: String, parts in prop::collection::vec(
            prop::sample::select(vec!["\"", "'", "\\", "r#", "#", "/*", "*/", "//", "\n", "é", "b", "x", "u{"]), 0..40,
        )) {
            let _ = words(&text);
            let _ = words(&parts.concat());
        }

        #[test]
        fn a_text_is_found_whatever_comment_stands_before_it(comment in "[a-z \"'/]{0,20}") {
            let text = format!("// {comment}\nf(\"found\")");
            let found = Word::Text("found".to_owned());
            prop_assert!(words(&text).get(2) == Some(&found));
        }
    }
}
