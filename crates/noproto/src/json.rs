//! JSON as text, both ways: what schemas and values need of it, and no more.

use alloc::borrow::Cow;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt::Write as _;

use crate::{Error, Result};

/// A JSON value; numbers stay as they are written, so that none is rounded.
pub(crate) enum Json<'t> {
    Null,
    Bool(bool),
    Number(&'t str),
    String(Cow<'t, str>),
    Array(Vec<Self>),
    Object(Vec<(Cow<'t, str>, Self)>),
}

/// Schemas nested as deep as they may be need three levels for each of theirs.
const MAX_DEPTH: usize = 128;

/// Reads JSON, and the few things that the text form of a schema has in addition.
pub(crate) struct Parser<'t> {
    text: &'t str,
    at: usize,
    has_comments: bool,
    depth: usize,
}

impl<'t> Parser<'t> {
    pub(crate) fn new(text: &'t str) -> Self {
        Self { text, at: 0, has_comments: false, depth: 0 }
    }

    /// `//` is white space up to the end of its line.
    pub(crate) fn with_comments(text: &'t str) -> Self {
        Self { has_comments: true, ..Self::new(text) }
    }

    #[cold]
    pub(crate) fn expected(&self, expected: &'static str) -> Error {
        Error::Syntax { at: self.at, expected }
    }

    fn rest(&self) -> &'t str {
        self.text.get(self.at..).unwrap_or_default()
    }

    fn peek(&mut self) -> Option<u8> {
        loop {
            let rest = self.rest();
            let trimmed = rest.trim_start_matches([' ', '\t', '\n', '\r']);
            self.at += rest.len() - trimmed.len();
            if !(self.has_comments && trimmed.starts_with("//")) {
                return trimmed.bytes().next();
            }
            self.at += trimmed.find('\n').unwrap_or(trimmed.len());
        }
    }

    /// Whether `byte` comes next, which is then passed.
    pub(crate) fn take(&mut self, byte: u8) -> bool {
        let is_next = self.peek() == Some(byte);
        self.at += usize::from(is_next);
        is_next
    }

    pub(crate) fn need(&mut self, byte: u8, expected: &'static str) -> Result<()> {
        if self.take(byte) { Ok(()) } else { Err(self.expected(expected)) }
    }

    pub(crate) fn end(&mut self) -> Result<()> {
        if self.peek().is_none() { Ok(()) } else { Err(self.expected("the end")) }
    }

    fn run(&mut self, belongs: impl Fn(u8) -> bool) -> &'t str {
        let rest = self.rest();
        let len = rest.bytes().position(|byte| !belongs(byte)).unwrap_or(rest.len());
        self.at += len;
        rest.get(..len).unwrap_or_default()
    }

    /// An identifier, if one comes next.
    pub(crate) fn word(&mut self) -> Option<&'t str> {
        let is_word = self.peek().is_some_and(|byte| byte.is_ascii_alphabetic() || byte == b'_');
        is_word.then(|| self.run(|byte| byte.is_ascii_alphanumeric() || byte == b'_'))
    }

    pub(crate) fn integer(&mut self) -> Result<u64> {
        self.peek();
        let at = self.at;
        let digits = self.run(|byte| byte.is_ascii_digit());
        digits.parse().map_err(|_| Error::Syntax { at, expected: "a whole number" })
    }

    pub(crate) fn value(&mut self) -> Result<Json<'t>> {
        match self.peek() {
            Some(b'"') => self.string().map(Json::String),
            Some(b'-' | b'0'..=b'9') => self.number(),
            Some(b'[') => self.deeper(|this| {
                let mut items = Vec::new();
                this.members(b']', |this| {
                    items.push(this.value()?);
                    Ok(())
                })?;
                Ok(Json::Array(items))
            }),
            Some(b'{') => self.deeper(|this| {
                let mut members = Vec::new();
                this.members(b'}', |this| {
                    this.peek();
                    let key = this.string()?;
                    this.need(b':', "`:`")?;
                    members.push((key, this.value()?));
                    Ok(())
                })?;
                if is_repeated(&members) {
                    return Err(this.expected("each key once"));
                }
                Ok(Json::Object(members))
            }),
            _ => {
                let at = self.at;
                match self.word() {
                    Some("null") => Ok(Json::Null),
                    Some("true") => Ok(Json::Bool(true)),
                    Some("false") => Ok(Json::Bool(false)),
                    _ => Err(Error::Syntax { at, expected: "a JSON value" }),
                }
            }
        }
    }

    fn deeper(&mut self, inner: impl FnOnce(&mut Self) -> Result<Json<'t>>) -> Result<Json<'t>> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return Err(self.expected("less deep nesting"));
        }
        let value = inner(self)?;
        self.depth -= 1;
        Ok(value)
    }

    /// Parses a bracketed list up to `close`, each member by `one`.
    fn members(&mut self, close: u8, mut one: impl FnMut(&mut Self) -> Result<()>) -> Result<()> {
        self.at += 1;
        if self.take(close) {
            return Ok(());
        }
        loop {
            one(self)?;
            if self.take(close) {
                return Ok(());
            }
            self.need(b',', "`,` or a closing bracket")?;
        }
    }

    fn number(&mut self) -> Result<Json<'t>> {
        let at = self.at;
        let text = self.run(|byte| matches!(byte, b'0'..=b'9' | b'-' | b'+' | b'.' | b'e' | b'E'));
        let digits = text.strip_prefix('-').unwrap_or(text);
        let (whole, rest) = digits.split_at(digits.bytes().take_while(u8::is_ascii_digit).count());
        let is_whole = !whole.is_empty() && (whole == "0" || !whole.starts_with('0'));
        let (fraction, exponent) = rest.split_once(['e', 'E']).unwrap_or((rest, "0"));
        let exponent = exponent.strip_prefix(['+', '-']).unwrap_or(exponent);
        let are_digits = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
        let is_fraction = fraction.is_empty() || fraction.strip_prefix('.').is_some_and(are_digits);
        if is_whole && is_fraction && are_digits(exponent) {
            Ok(Json::Number(text))
        } else {
            Err(Error::Syntax { at, expected: "a number" })
        }
    }

    pub(crate) fn string(&mut self) -> Result<Cow<'t, str>> {
        self.need(b'"', "a string")?;
        let plain = self.run(|byte| byte >= b' ' && byte != b'"' && byte != b'\\');
        if self.rest().starts_with('"') {
            self.at += 1;
            return Ok(Cow::Borrowed(plain));
        }
        let mut text = String::from(plain);
        loop {
            text.push_str(self.run(|byte| byte >= b' ' && byte != b'"' && byte != b'\\'));
            let escape = self.rest().as_bytes();
            match escape {
                [b'"', ..] => {
                    self.at += 1;
                    return Ok(Cow::Owned(text));
                }
                [b'\\', b'u', ..] => {
                    self.at += 2;
                    text.push(self.unicode()?);
                }
                [b'\\', byte, ..] => {
                    text.push(match byte {
                        b'"' | b'\\' | b'/' => char::from(*byte),
                        b'b' => '\u{8}',
                        b'f' => '\u{c}',
                        b'n' => '\n',
                        b'r' => '\r',
                        b't' => '\t',
                        _ => return Err(self.expected("an escape")),
                    });
                    self.at += 2;
                }
                _ => return Err(self.expected("the end of a string")),
            }
        }
    }

    /// Parses the digits behind `\u`, and a second escape if they are half of a surrogate pair.
    fn unicode(&mut self) -> Result<char> {
        let first = self.four_hex()?;
        let code = if (0xD800..0xDC00).contains(&first) && self.rest().starts_with("\\u") {
            self.at += 2;
            let second = self.four_hex()?;
            if !(0xDC00..0xE000).contains(&second) {
                return Err(self.expected("the second half of a surrogate pair"));
            }
            0x1_0000 + ((first - 0xD800) << 10) + (second - 0xDC00)
        } else {
            first
        };
        char::from_u32(code).ok_or_else(|| self.expected("a character"))
    }

    fn four_hex(&mut self) -> Result<u32> {
        let digits = self.rest().get(..4).filter(|d| d.bytes().all(|b| b.is_ascii_hexdigit()));
        let code = digits.and_then(|digits| u32::from_str_radix(digits, 16).ok());
        self.at += 4;
        code.ok_or_else(|| self.expected("four hexadecimal digits"))
    }
}

/// Whether a key is there twice: which of its values is meant, other readers answer differently.
fn is_repeated(members: &[(Cow<'_, str>, Json<'_>)]) -> bool {
    let mut keys: Vec<&str> = members.iter().map(|(key, _)| &**key).collect();
    keys.sort_unstable();
    keys.windows(2).any(|pair| pair[0] == pair[1])
}

/// Reads a number of JSON as units of 10⁻ⁿ, if it is a whole number of them: `1.0` and `1e3` are
/// whole numbers too.
pub(crate) fn units(number: &str, digits: u8) -> Option<i128> {
    let (is_negative, number) = match number.strip_prefix('-') {
        Some(number) => (true, number),
        None => (false, number),
    };
    let (mantissa, exponent) = number.split_once(['e', 'E']).unwrap_or((number, "0"));
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let mut significant = String::from(whole);
    significant.push_str(fraction);
    let all = significant.trim_start_matches('0');
    if all.is_empty() {
        return Some(0);
    }
    let significant = all.trim_end_matches('0');
    let zeros = exponent.parse::<i64>().ok()?.checked_add(digits.into())?;
    let zeros = zeros.checked_sub_unsigned(fraction.len() as u64)?;
    let zeros = zeros.checked_add_unsigned((all.len() - significant.len()) as u64)?;
    // A `u64` has at most 20 digits, and an `i128` room for 38.
    let zeros = u32::try_from(zeros).ok().filter(|zeros| *zeros <= 20)?;
    let units = significant.parse::<u64>().ok()?;
    let units = i128::from(units).checked_mul(10_i128.checked_pow(zeros)?)?;
    Some(if is_negative { -units } else { units })
}

/// Whether `text` is an identifier.
pub(crate) fn is_word(text: &str) -> bool {
    let mut parser = Parser::new(text);
    !text.starts_with([' ', '\t', '\n', '\r']) && parser.word() == Some(text)
}

pub(crate) fn write_string(text: &str, out: &mut String) {
    out.push('"');
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            c if c < ' ' => {
                // Writing to a `String` cannot fail.
                let _ = write!(out, "\\u{:04x}", u32::from(c));
            }
            c => out.push(c),
        }
    }
    out.push('"');
}

/// Writes each, with commas between them.
pub(crate) fn separated<T>(
    items: impl Iterator<Item = T>,
    out: &mut String,
    one: impl Fn(T, &mut String),
) {
    for (index, item) in items.enumerate() {
        if index > 0 {
            out.push(',');
        }
        one(item, out);
    }
}
