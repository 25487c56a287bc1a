//! The text form of a schema.

use alloc::borrow::Cow;
use alloc::boxed::Box;
use alloc::vec::Vec;

use super::MAX_DEPTH;
use super::build::{Definition, What};
use crate::json::Parser;
use crate::{Error, Result};

pub(crate) fn parse(text: &str) -> Result<Definition<'_>> {
    let mut reader = Reader { json: Parser::with_comments(text), depth: 0 };
    let definition = reader.definition()?;
    reader.json.end()?;
    Ok(definition)
}

struct Reader<'t> {
    json: Parser<'t>,
    depth: usize,
}

impl<'t> Reader<'t> {
    fn definition(&mut self) -> Result<Definition<'t>> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return Err(Error::Schema("nested too deep"));
        }
        let what = self.what()?;
        let default = if self.json.take(b'=') { Some(self.json.value()?) } else { None };
        self.depth -= 1;
        Ok(Definition { what, default })
    }

    fn what(&mut self) -> Result<What<'t>> {
        let name = self.json.word().ok_or_else(|| self.json.expected("a type"))?;
        Ok(match name {
            "struct" => What::Struct(self.between(b'{', b'}', |this| {
                let name = this.name()?;
                this.json.need(b':', "`:`")?;
                Ok((name, this.definition()?))
            })?),
            "enum" => What::Enum(self.between(b'{', b'}', Self::name)?),
            "tuple" => What::Tuple(self.between(b'(', b')', Self::definition)?),
            "list" => What::List(self.item()?),
            "map" => What::Map(self.item()?),
            "decimal" => {
                self.json.need(b'(', "`(`")?;
                let digits = self.json.integer()?;
                self.json.need(b')', "`)`")?;
                What::Decimal(digits)
            }
            _ if self.json.take(b'[') => {
                let size = self.json.integer()?;
                self.json.need(b']', "`]`")?;
                What::Sized(Cow::Borrowed(name), size)
            }
            _ => What::Named(Cow::Borrowed(name)),
        })
    }

    fn item(&mut self) -> Result<Box<Definition<'t>>> {
        self.json.need(b'<', "`<`")?;
        let item = self.definition()?;
        self.json.need(b'>', "`>`")?;
        Ok(Box::new(item))
    }

    fn name(&mut self) -> Result<Cow<'t, str>> {
        match self.json.word() {
            Some(word) => Ok(Cow::Borrowed(word)),
            None => self.json.string(),
        }
    }

    /// Parses a comma-separated list between `open` and `close`; a trailing comma is allowed.
    fn between<T>(
        &mut self,
        open: u8,
        close: u8,
        one: impl Fn(&mut Self) -> Result<T>,
    ) -> Result<Vec<T>> {
        if !self.json.take(open) {
            return Err(self.json.expected("an opening bracket"));
        }
        let mut all = Vec::new();
        while !self.json.take(close) {
            all.push(one(self)?);
            if !self.json.take(b',') {
                self.json.need(close, "`,` or a closing bracket")?;
                break;
            }
        }
        Ok(all)
    }
}
