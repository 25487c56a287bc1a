//! Schemas, read from their text and JSON forms and written in them.

mod build;
mod json;
mod print;
mod text;
mod types;

use alloc::string::String;
use alloc::sync::Arc;
use core::fmt;

use self::build::{Definition, build};
pub(crate) use self::types::{Field, Layout, MAX_DEPTH, Shape, TuplePart};
pub use self::types::{Schema, Type};
use crate::Result;

impl Schema {
    /// Reads the text form: `struct { name: type = default, … }`, where a type is
    ///
    /// - `bool`, `i8` to `i64`, `u8` to `u64`, `f32`, `f64`, `decimal(digits)`, `date`, `uuid`,
    ///   `ulid`, `geo4`, `geo8`, `geo16`;
    /// - `string` or `bytes`, or with a size, `string[8]`, which stands in place and can be sorted;
    /// - `enum { one, another }`;
    /// - `struct { … }`, `list<type>`, `map<type>`, `tuple(type, …)`.
    ///
    /// `//` begins a comment. Names that are not identifiers are written as JSON strings, and a
    /// default as JSON.
    ///
    /// # Errors
    ///
    /// If it is not well formed, nested more than 32 deep, or describes what cannot be.
    pub fn parse(text: &str) -> Result<Self> {
        text::parse(text).and_then(|definition| Self::new(&definition))
    }

    /// Reads the JSON form, in which a type is an object: `{"type": "u8", "default": 3}`,
    /// `{"type": "struct", "fields": [["name", {…}]]}`, `{"type": "list", "of": {…}}` and the same
    /// of a map, `{"type": "tuple", "of": [{…}]}`, `{"type": "string", "size": 8}` and the same of
    /// bytes, `{"type": "decimal", "digits": 2}`, `{"type": "enum", "choices": ["one"]}`.
    ///
    /// # Errors
    ///
    /// As [`Schema::parse`].
    pub fn from_json(text: &str) -> Result<Self> {
        json::parse(text).and_then(|definition| Self::new(&definition))
    }

    fn new(definition: &Definition<'_>) -> Result<Self> {
        Ok(Self { root: Arc::new(build(definition)?) })
    }

    /// The JSON form of the schema.
    #[must_use]
    pub fn to_json(&self) -> String {
        json::print(&self.root)
    }
}

impl fmt::Display for Schema {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        print::print(&self.root, f)
    }
}

impl fmt::Debug for Schema {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Schema({self})")
    }
}

impl fmt::Debug for Type {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Type(")?;
        print::print(self, f)?;
        f.write_str(")")
    }
}
