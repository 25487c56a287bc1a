use core::fmt;

/// The kinds of types that a schema is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Kind {
    /// `bool`: one byte.
    Bool,
    /// `i8`.
    I8,
    /// `i16`.
    I16,
    /// `i32`.
    I32,
    /// `i64`.
    I64,
    /// `u8`.
    U8,
    /// `u16`.
    U16,
    /// `u32`.
    U32,
    /// `u64`.
    U64,
    /// `f32`.
    F32,
    /// `f64`.
    F64,
    /// `decimal(n)`: an `i64` in units of 10⁻ⁿ.
    Decimal,
    /// `date`: milliseconds since 1970.
    Date,
    /// `uuid`: 16 bytes.
    Uuid,
    /// `ulid`: 16 bytes.
    Ulid,
    /// `geo4`: a place on Earth in 4 bytes, in steps of a hundredth of a degree (1.1 km).
    Geo4,
    /// `geo8`: a place on Earth in 8 bytes, in steps of 10⁻⁷ degrees (1.1 cm).
    Geo8,
    /// `geo16`: a place on Earth in 16 bytes, as precise as two `f64`.
    Geo16,
    /// `enum { a, b }`: one of at most 255 names, in one byte.
    Enum,
    /// `string`: UTF-8 of any length.
    Text,
    /// `string[n]`: UTF-8 of at most `n` bytes, filled up with zeros.
    FixedText,
    /// `bytes`: of any number.
    Bytes,
    /// `bytes[n]`: exactly `n` bytes.
    FixedBytes,
    /// `struct { a: …, b: … }`: at most 255 fields, each there or not.
    Struct,
    /// `list<…>`.
    List,
    /// `map<…>`: text to values.
    Map,
    /// `tuple(…, …)`: a fixed number of values, all there.
    Tuple,
}

/// The bytes of an offset.
pub(crate) const POINTER: usize = 4;

/// The scalars that have a name and no parameter.
const NAMED: [(Kind, &str, usize); 17] = [
    (Kind::Bool, "bool", 1),
    (Kind::I8, "i8", 1),
    (Kind::I16, "i16", 2),
    (Kind::I32, "i32", 4),
    (Kind::I64, "i64", 8),
    (Kind::U8, "u8", 1),
    (Kind::U16, "u16", 2),
    (Kind::U32, "u32", 4),
    (Kind::U64, "u64", 8),
    (Kind::F32, "f32", 4),
    (Kind::F64, "f64", 8),
    (Kind::Date, "date", 8),
    (Kind::Uuid, "uuid", 16),
    (Kind::Ulid, "ulid", 16),
    (Kind::Geo4, "geo4", 4),
    (Kind::Geo8, "geo8", 8),
    (Kind::Geo16, "geo16", 16),
];

impl Kind {
    /// The name of the kind in schemas.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Decimal => "decimal",
            Self::Enum => "enum",
            Self::Text | Self::FixedText => "string",
            Self::Bytes | Self::FixedBytes => "bytes",
            Self::Struct => "struct",
            Self::List => "list",
            Self::Map => "map",
            Self::Tuple => "tuple",
            _ => NAMED.iter().find(|(kind, ..)| *kind == self).map_or("", |(_, name, _)| name),
        }
    }

    /// The scalar of this name and its size, if it needs no parameter.
    pub(crate) fn named(name: &str) -> Option<(Self, usize)> {
        NAMED.iter().find(|(_, known, _)| *known == name).map(|(kind, _, size)| (*kind, *size))
    }

    /// Whether a slot holds the offset of the value and not the value.
    pub(crate) fn is_out_of_line(self) -> bool {
        matches!(self, Self::Text | Self::Bytes | Self::Struct | Self::List | Self::Map)
    }

    /// Whether it is made of other types.
    #[must_use]
    pub fn is_collection(self) -> bool {
        matches!(self, Self::Struct | Self::List | Self::Map | Self::Tuple)
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
