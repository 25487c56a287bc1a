//! Messages as types: what can be written, and how a payload becomes a FlatBuffers root.

use flatbuffers::{
    FlatBufferBuilder, Follow, InvalidFlatbuffer, Verifiable, VerifierOptions, WIPOffset,
};

/// Something that can be laid out as one FlatBuffer.
pub trait StreamSerialize {
    /// The type of the buffer's root: a table, or a vector.
    type Root<'b>;

    /// The four bytes that mark the buffer's schema, if it has any.
    const FILE_IDENTIFIER: Option<&'static str> = None;

    /// Builds the root in an empty builder. The writer finishes the buffer.
    fn build<'b>(&self, builder: &mut FlatBufferBuilder<'b>) -> WIPOffset<Self::Root<'b>>;
}

impl<T: StreamSerialize + ?Sized> StreamSerialize for &T {
    type Root<'b> = T::Root<'b>;
    const FILE_IDENTIFIER: Option<&'static str> = T::FILE_IDENTIFIER;

    #[inline]
    fn build<'b>(&self, builder: &mut FlatBufferBuilder<'b>) -> WIPOffset<Self::Root<'b>> {
        (**self).build(builder)
    }
}

/// The text as the root of its buffer.
impl StreamSerialize for str {
    type Root<'b> = &'b str;

    #[inline]
    fn build<'b>(&self, builder: &mut FlatBufferBuilder<'b>) -> WIPOffset<&'b str> {
        builder.create_string(self)
    }
}

/// As [`str`].
impl StreamSerialize for String {
    type Root<'b> = &'b str;

    #[inline]
    fn build<'b>(&self, builder: &mut FlatBufferBuilder<'b>) -> WIPOffset<&'b str> {
        self.as_str().build(builder)
    }
}

/// Something that can be laid out as one FlatBuffer, unless something about it is wrong.
pub trait TryStreamSerialize {
    /// The type of the buffer's root: a table, or a vector.
    type Root<'b>;

    /// The error of a value that cannot be laid out.
    type Error: Into<Box<dyn std::error::Error + Send + Sync>>;

    /// The four bytes that mark the buffer's schema, if it has any.
    const FILE_IDENTIFIER: Option<&'static str> = None;

    /// Builds the root in an empty builder. The writer finishes the buffer.
    ///
    /// # Errors
    ///
    /// If there is something that cannot be written. Nothing of the message then gets out.
    fn try_build<'b>(
        &self,
        builder: &mut FlatBufferBuilder<'b>,
    ) -> Result<WIPOffset<Self::Root<'b>>, Self::Error>;
}

/// The root of `payload`, after the FlatBuffers verifier has followed every offset in it.
///
/// Fields are read byte by byte where they stand, so a payload needs no alignment in memory.
///
/// # Errors
///
/// Fails with the verifier's error if `payload` is not a FlatBuffer with a root of type `T`.
#[inline]
pub fn root<'a, T>(payload: &'a [u8]) -> Result<T::Inner, InvalidFlatbuffer>
where
    T: Follow<'a> + Verifiable + 'a,
{
    flatbuffers::root::<T>(payload)
}

/// As [`root`], with limits of the caller's: how deep tables may be nested, how many there may be, how
/// far the offsets may lead in all.
///
/// # Errors
///
/// As [`root`], and if a limit is exceeded.
#[inline]
pub fn root_with<'a, T>(
    payload: &'a [u8],
    options: &VerifierOptions,
) -> Result<T::Inner, InvalidFlatbuffer>
where
    T: Follow<'a> + Verifiable + 'a,
{
    flatbuffers::root_with_opts::<T>(options, payload)
}
