use alloc::string::String;
use alloc::vec::Vec;

use crate::access::{Get, Set};
use crate::path::AsPath;
use crate::schema::Schema;
use crate::{Edit, Result, View};

/// A buffer that owns its bytes and its schema.
///
/// [`Schema::view`] and [`Schema::edit`] do the same for bytes that belong to somebody else.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Buffer {
    schema: Schema,
    bytes: Vec<u8>,
}

impl Buffer {
    /// An empty buffer.
    #[must_use]
    pub fn new(schema: &Schema) -> Self {
        let mut bytes = Vec::new();
        schema.create(&mut bytes);
        Self { schema: schema.clone(), bytes }
    }

    /// A buffer of bytes that were written before.
    ///
    /// # Errors
    ///
    /// If the bytes do not begin as a buffer does.
    pub fn open(schema: &Schema, bytes: Vec<u8>) -> Result<Self> {
        schema.view(&bytes)?;
        Ok(Self { schema: schema.clone(), bytes })
    }

    /// A buffer with the values of a JSON text.
    ///
    /// # Errors
    ///
    /// If the text is not JSON, or not of this schema.
    pub fn from_json(schema: &Schema, json: &str) -> Result<Self> {
        let mut buffer = Self::new(schema);
        buffer.edit().set_json("", json)?;
        Ok(buffer)
    }

    /// The bytes.
    #[must_use]
    pub fn as_bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The bytes, for keeps.
    #[must_use]
    pub fn into_bytes(self) -> Vec<u8> {
        self.bytes
    }

    /// The schema.
    #[must_use]
    pub fn schema(&self) -> &Schema {
        &self.schema
    }

    /// The buffer, to read from.
    #[must_use]
    pub fn view(&self) -> View<'_> {
        View { schema: &self.schema, bytes: &self.bytes }
    }

    /// The buffer, to write to.
    pub fn edit(&mut self) -> Edit<'_> {
        Edit { schema: &self.schema, bytes: &mut self.bytes }
    }

    /// [`View::get`].
    ///
    /// # Errors
    ///
    /// As [`View::get`].
    pub fn get<'a, T: Get<'a>>(&'a self, path: impl AsPath<'a>) -> Result<Option<T>> {
        self.view().get(path)
    }

    /// [`Edit::set`].
    ///
    /// # Errors
    ///
    /// As [`Edit::set`].
    pub fn set<'p>(&'p mut self, path: impl AsPath<'p>, value: impl Set) -> Result<()> {
        self.edit().set(path, value)
    }

    /// [`Edit::del`].
    ///
    /// # Errors
    ///
    /// As [`Edit::del`].
    pub fn del<'p>(&'p mut self, path: impl AsPath<'p>) -> Result<bool> {
        self.edit().del(path)
    }

    /// [`Edit::compact`].
    ///
    /// # Errors
    ///
    /// As [`Edit::compact`].
    pub fn compact(&mut self) -> Result<()> {
        self.edit().compact()
    }

    /// [`View::to_json`].
    ///
    /// # Errors
    ///
    /// As [`View::to_json`].
    pub fn to_json(&self) -> Result<String> {
        self.view().to_json()
    }
}
