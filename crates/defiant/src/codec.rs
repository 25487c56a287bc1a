//! How the scalar types of `.proto` files are laid out. Each type is named as in the file.
//!
//! Table of types: <https://protobuf.dev/programming-guides/proto3/#scalar>

use core::marker::PhantomData;

use crate::error::{DecodeError, DecodeErrorKind};
use crate::reader::Reader;
use crate::vec::ArenaVec;
use crate::wire::{self, WireType, varint};
use crate::writer::Writer;

/// One scalar type of the format.
pub trait Codec<'a>: Sized {
    /// The Rust type of a value.
    type Value: Copy + Default + PartialEq + 'a;

    /// The wire type of a value that is not packed.
    const WIRE: WireType;

    /// Encoded bytes of a value, if they are the same for all values.
    const FIXED_LEN: Option<usize> = None;

    /// The value of a map entry that has none.
    #[inline(always)]
    fn absent() -> Self::Value {
        Self::Value::default()
    }

    /// Takes a value from the input.
    fn read(input: &mut Reader<'a>) -> Result<Self::Value, DecodeError>;

    /// Appends a value with `key` in front, which is the key of [`Self::WIRE`].
    fn write_field(out: &mut Writer<'_>, key: u32, value: Self::Value);

    /// Appends a value.
    fn write(out: &mut Writer<'_>, value: Self::Value);

    /// Encoded bytes of a value.
    fn len(value: Self::Value) -> usize;

    /// Whether a field without presence is left out for having this value.
    #[inline(always)]
    fn is_default(value: Self::Value) -> bool {
        value == Self::Value::default()
    }

    /// Whether the type has this value; otherwise the field counts as unknown.
    #[inline(always)]
    fn is_known(_value: Self::Value) -> bool {
        true
    }

    /// How many values a packed field of these bytes has, for their memory. Too few is slow, and
    /// more than there are bytes must not be.
    fn count(packed: &[u8]) -> usize;

    /// Appends the values of a packed field to `list`.
    fn read_packed(
        packed: &'a [u8],
        list: &mut ArenaVec<'a, Self::Value>,
    ) -> Result<(), DecodeError> {
        list.try_reserve(Self::count(packed))?;
        let mut input = Reader::new(packed);
        while !input.is_empty() {
            if let Some(value) = input.known::<Self>()? {
                list.try_push(value)?;
            }
        }
        Ok(())
    }

    /// Appends the values of a packed field.
    fn write_packed(out: &mut Writer<'_>, values: &[Self::Value]) {
        for value in values {
            Self::write(out, *value);
        }
    }
}

macro_rules! varint_codec {
    ($($name:ident: $value:ty, $doc:literal, $fixed:expr, $decode:expr, $encode:expr;)*) => {$(
        #[doc = $doc]
        pub struct $name;

        impl Codec<'_> for $name {
            type Value = $value;

            const WIRE: WireType = WireType::Varint;
            const FIXED_LEN: Option<usize> = $fixed;

            #[inline(always)]
            fn read(input: &mut Reader<'_>) -> Result<$value, DecodeError> {
                let decode: fn(u64) -> $value = $decode;
                input.varint().map(decode)
            }

            #[inline(always)]
            fn write_field(out: &mut Writer<'_>, key: u32, value: $value) {
                let encode: fn($value) -> u64 = $encode;
                out.varint_field(key, encode(value));
            }

            #[inline(always)]
            fn write(out: &mut Writer<'_>, value: $value) {
                let encode: fn($value) -> u64 = $encode;
                out.varint(encode(value));
            }

            #[inline(always)]
            fn len(value: $value) -> usize {
                let encode: fn($value) -> u64 = $encode;
                varint::len(encode(value))
            }

            fn count(packed: &[u8]) -> usize {
                packed.iter().filter(|byte| **byte < 0x80).count()
            }
        }
    )*};
}

varint_codec! {
    Int32: i32, "`int32`, and `enum`s that keep unknown values.", None, |v| v as i32, |v| v as u64;
    Int64: i64, "`int64`.", None, |v| v as i64, |v| v as u64;
    UInt32: u32, "`uint32`.", None, |v| v as u32, |v| v.into();
    UInt64: u64, "`uint64`.", None, |v| v, |v| v;
    SInt32: i32, "`sint32`.", None, |v| varint::unzigzag(u64::from(v as u32)) as i32,
        |v| u64::from(varint::zigzag(v.into()) as u32);
    SInt64: i64, "`sint64`.", None, varint::unzigzag, varint::zigzag;
    Bool: bool, "`bool`.", Some(1), |v| v != 0, |v| v.into();
}

macro_rules! fixed_codec {
    ($($name:ident: $value:ty, $doc:literal, $wire:ident, $read:ident, $write:ident, $zero:expr;)*) => {$(
        #[doc = $doc]
        pub struct $name;

        impl Codec<'_> for $name {
            type Value = $value;

            const WIRE: WireType = WireType::$wire;
            const FIXED_LEN: Option<usize> = Some(size_of::<$value>());

            #[inline(always)]
            fn read(input: &mut Reader<'_>) -> Result<$value, DecodeError> {
                input.$read().map(<$value>::from_le_bytes)
            }

            #[inline(always)]
            fn write_field(out: &mut Writer<'_>, key: u32, value: $value) {
                out.$write(key, value.to_le_bytes());
            }

            #[inline(always)]
            fn write(out: &mut Writer<'_>, value: $value) {
                out.bytes(&value.to_le_bytes());
            }

            #[inline(always)]
            fn len(_value: $value) -> usize {
                size_of::<$value>()
            }

            #[inline(always)]
            fn is_default(value: $value) -> bool {
                let is_zero: fn($value) -> bool = $zero;
                is_zero(value)
            }

            fn count(packed: &[u8]) -> usize {
                packed.len() / size_of::<$value>()
            }

            // On the wire as in memory, so all values are copied in one piece.
            fn read_packed(
                packed: &[u8],
                list: &mut ArenaVec<'_, $value>,
            ) -> Result<(), DecodeError> {
                let (values, rest) = wire::arrays(packed);
                list.try_reserve(values.len())?;
                list.extend_converted(values, <$value>::from_le_bytes);
                if rest.is_empty() { Ok(()) } else { Err(DecodeErrorKind::Truncated.into()) }
            }

            fn write_packed(out: &mut Writer<'_>, values: &[$value]) {
                out.arrays(values, <$value>::to_le_bytes);
            }
        }
    )*};
}

// A float is left out if it is +0 only: -0 is another value, though equal.
fixed_codec! {
    Fixed32: u32, "`fixed32`.", Fixed32, fixed32, fixed32_field, |v| v == 0;
    Fixed64: u64, "`fixed64`.", Fixed64, fixed64, fixed64_field, |v| v == 0;
    SFixed32: i32, "`sfixed32`.", Fixed32, fixed32, fixed32_field, |v| v == 0;
    SFixed64: i64, "`sfixed64`.", Fixed64, fixed64, fixed64_field, |v| v == 0;
    Float: f32, "`float`.", Fixed32, fixed32, fixed32_field, |v| v.to_bits() == 0;
    Double: f64, "`double`.", Fixed64, fixed64, fixed64_field, |v| v.to_bits() == 0;
}

macro_rules! delimited_codec {
    ($($name:ident: $value:ty, $doc:literal, $read:ident, $bytes:expr;)*) => {$(
        #[doc = $doc]
        pub struct $name;

        impl<'a> Codec<'a> for $name {
            type Value = &'a $value;

            const WIRE: WireType = WireType::Delimited;

            #[inline(always)]
            fn read(input: &mut Reader<'a>) -> Result<&'a $value, DecodeError> {
                input.$read()
            }

            #[inline(always)]
            fn write_field(out: &mut Writer<'_>, key: u32, value: &'a $value) {
                let bytes: fn(&$value) -> &[u8] = $bytes;
                out.bytes_field(key, bytes(value));
            }

            #[inline(always)]
            fn write(out: &mut Writer<'_>, value: &'a $value) {
                let bytes: fn(&$value) -> &[u8] = $bytes;
                out.varint(value.len() as u64);
                out.bytes(bytes(value));
            }

            #[inline(always)]
            fn len(value: &'a $value) -> usize {
                varint::len(value.len() as u64) + value.len()
            }

            #[inline(always)]
            fn is_default(value: &'a $value) -> bool {
                value.is_empty()
            }

            fn count(_packed: &[u8]) -> usize {
                0
            }
        }
    )*};
}

delimited_codec! {
    Str: str, "`string`.", string, str::as_bytes;
    Bytes: [u8], "`bytes`.", delimited, |v| v;
}

/// An `enum` of proto2, whose unknown values count as unknown fields.
pub struct Closed<E>(PhantomData<E>);

impl<E: TryFrom<i32> + Into<i32> + Default> Codec<'_> for Closed<E> {
    type Value = i32;

    const WIRE: WireType = WireType::Varint;

    #[inline(always)]
    fn absent() -> i32 {
        E::default().into()
    }

    #[inline(always)]
    fn read(input: &mut Reader<'_>) -> Result<i32, DecodeError> {
        Int32::read(input)
    }

    #[inline(always)]
    fn write_field(out: &mut Writer<'_>, key: u32, value: i32) {
        Int32::write_field(out, key, value);
    }

    #[inline(always)]
    fn write(out: &mut Writer<'_>, value: i32) {
        Int32::write(out, value);
    }

    #[inline(always)]
    fn len(value: i32) -> usize {
        Int32::len(value)
    }

    #[inline(always)]
    fn is_known(value: i32) -> bool {
        E::try_from(value).is_ok()
    }

    fn count(packed: &[u8]) -> usize {
        Int32::count(packed)
    }
}
