//! Scalar fields in each of their forms, for any codec: how generated code reads and writes them.

use crate::codec::Codec;
use crate::error::DecodeError;
use crate::reader::Reader;
use crate::vec::ArenaVec;
use crate::writer::Writer;

impl<'a> Reader<'a> {
    /// Takes a value.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub fn read<C: Codec<'a>>(&mut self) -> Result<C::Value, DecodeError> {
        C::read(self)
    }

    /// Takes a value; `None` if the type does not have it.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub fn known<C: Codec<'a>>(&mut self) -> Result<Option<C::Value>, DecodeError> {
        C::read(self).map(|value| C::is_known(value).then_some(value))
    }

    /// Takes the elements of a packed field.
    pub fn packed<C: Codec<'a>>(
        &mut self,
        list: &mut ArenaVec<'a, C::Value>,
    ) -> Result<(), DecodeError> {
        C::read_packed(self.delimited()?, list)
    }
}

impl Writer<'_> {
    /// Appends a field that has presence.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub fn optional<'a, C: Codec<'a>>(&mut self, key: u32, value: Option<C::Value>) {
        if let Some(value) = value {
            C::write_field(self, key, value);
        }
    }

    /// Appends a field that has no presence, unless it has its default value.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub fn implicit<'a, C: Codec<'a>>(&mut self, key: u32, value: C::Value) {
        if !C::is_default(value) {
            C::write_field(self, key, value);
        }
    }

    /// Appends a field that is always there.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub fn required<'a, C: Codec<'a>>(&mut self, key: u32, value: C::Value) {
        C::write_field(self, key, value);
    }

    /// Appends the elements of a repeated field that is not packed.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub fn repeated<'a, C: Codec<'a>>(&mut self, key: u32, values: &[C::Value]) {
        for value in values {
            C::write_field(self, key, *value);
        }
    }
}
