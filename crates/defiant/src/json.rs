//! Messages as JSON, by protobuf's mapping, through a serializer of serde; with feature `serde`.
//!
//! Messages and enums that are generated with `defiant_build::Config::serde` implement [`Serialize`], whose code
//! calls [`Fields`]. A text is then what `serde_json::to_vec` or `serde_json::to_writer` writes.
//!
//! The mapping is described at <https://protobuf.dev/programming-guides/json/>. Text is not read, and well-known
//! types, which have forms of their own, get no [`Serialize`].

use core::fmt::Display;
use core::marker::PhantomData;

use base64::display::Base64Display;
use base64::engine::general_purpose::STANDARD;
use serde_core::ser::SerializeMap;
pub use serde_core::{Serialize, Serializer};

use crate::codec::{self, Codec};
use crate::map::{Map, Of};

/// The fields of a message, while they are written.
pub struct Fields<M>(M);

impl<M: SerializeMap> Fields<M> {
    /// Begins a message.
    ///
    /// # Errors
    ///
    /// Those of the serializer, as with all other functions here.
    pub fn new<S>(serializer: S) -> Result<Self, S::Error>
    where
        S: Serializer<SerializeMap = M>,
    {
        // Without a length: how many fields are set would take a look at each of them, and JSON has no use for it.
        serializer.serialize_map(None).map(Self)
    }

    /// Ends the message.
    pub fn end(self) -> Result<M::Ok, M::Error> {
        self.0.end()
    }

    /// A value that is always written.
    pub fn required<'a, F: Form<'a>>(
        &mut self,
        name: &'static str,
        value: &F::Value,
    ) -> Result<(), M::Error> {
        self.0.serialize_entry(name, &Shown::<F>(value))
    }

    /// A value with presence.
    pub fn optional<'a, F: Form<'a>>(
        &mut self,
        name: &'static str,
        value: Option<&F::Value>,
    ) -> Result<(), M::Error> {
        value.map_or(Ok(()), |value| self.required::<F>(name, value))
    }

    /// A value without presence.
    pub fn implicit<'a, F: Form<'a>>(
        &mut self,
        name: &'static str,
        value: &F::Value,
    ) -> Result<(), M::Error> {
        if F::is_default(value) { Ok(()) } else { self.required::<F>(name, value) }
    }

    /// A list, whether packed or not.
    pub fn repeated<'a, F: Form<'a>>(
        &mut self,
        name: &'static str,
        values: &[F::Value],
    ) -> Result<(), M::Error> {
        if values.is_empty() { Ok(()) } else { self.0.serialize_entry(name, &List::<F>(values)) }
    }

    /// A map with values of the form `F`.
    pub fn map<'a, F: Form<'a>, K: Display>(
        &mut self,
        name: &'static str,
        map: Map<'_, K, F::Value>,
    ) -> Result<(), M::Error> {
        if map.is_empty() {
            Ok(())
        } else {
            self.0.serialize_entry(name, &Entries::<K, F>(map.entries()))
        }
    }
}

/// How JSON has a value: implemented by the codecs, by [`Of`] a message, and by [`Enum`].
pub trait Form<'a> {
    /// The Rust type of a value.
    type Value: 'a;

    /// Whether a field without presence is left out for having this value. Messages have presence.
    fn is_default(_value: &Self::Value) -> bool {
        false
    }

    /// Writes a value.
    fn serialize<S: Serializer>(value: &Self::Value, serializer: S) -> Result<S::Ok, S::Error>;
}

/// An enum, open or closed: the name of the value, or the number of one that has none.
pub struct Enum<E>(PhantomData<E>);

impl<E: TryFrom<i32> + Serialize> Form<'_> for Enum<E> {
    type Value = i32;

    fn is_default(value: &i32) -> bool {
        *value == 0
    }

    fn serialize<S: Serializer>(value: &i32, serializer: S) -> Result<S::Ok, S::Error> {
        match E::try_from(*value) {
            Ok(known) => known.serialize(serializer),
            Err(_) => serializer.serialize_i32(*value),
        }
    }
}

impl<'a, M: Serialize + 'a> Form<'a> for Of<M> {
    type Value = M;

    fn serialize<S: Serializer>(value: &M, serializer: S) -> Result<S::Ok, S::Error> {
        value.serialize(serializer)
    }
}

macro_rules! scalar_forms {
    ($($write:ident: $($codec:ident)*;)*) => {$($(
        impl<'a> Form<'a> for codec::$codec {
            type Value = <Self as Codec<'a>>::Value;

            fn is_default(value: &Self::Value) -> bool {
                <Self as Codec<'a>>::is_default(*value)
            }

            fn serialize<S: Serializer>(
                value: &Self::Value,
                serializer: S,
            ) -> Result<S::Ok, S::Error> {
                $write(*value, serializer)
            }
        }
    )*)*};
}

scalar_forms! {
    plain: Int32 UInt32 SInt32 Fixed32 SFixed32 Bool Str;
    quoted: Int64 UInt64 SInt64 Fixed64 SFixed64;
    float: Float Double;
    base64: Bytes;
}

fn plain<T: Serialize, S: Serializer>(value: T, serializer: S) -> Result<S::Ok, S::Error> {
    value.serialize(serializer)
}

/// JSON's readers may hold numbers as `f64`, which has 53 bits for an integer.
fn quoted<T: itoa::Integer, S: Serializer>(value: T, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(itoa::Buffer::new().format(value))
}

fn float<T, S>(value: T, serializer: S) -> Result<S::Ok, S::Error>
where
    T: Copy + Into<f64> + Serialize,
    S: Serializer,
{
    let wide: f64 = value.into();
    if wide.is_finite() {
        value.serialize(serializer)
    } else if wide.is_nan() {
        serializer.serialize_str("NaN")
    } else {
        serializer.serialize_str(if wide > 0.0 { "Infinity" } else { "-Infinity" })
    }
}

fn base64<S: Serializer>(value: &[u8], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(&Base64Display::new(value, &STANDARD))
}

struct Shown<'v, 'a, F: Form<'a>>(&'v F::Value);

impl<'a, F: Form<'a>> Serialize for Shown<'_, 'a, F> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        F::serialize(self.0, serializer)
    }
}

struct List<'v, 'a, F: Form<'a>>(&'v [F::Value]);

impl<'a, F: Form<'a>> Serialize for List<'_, 'a, F> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.0.iter().map(Shown::<F>))
    }
}

struct Entries<'v, 'a, K, F: Form<'a>>(&'v [(K, F::Value)]);

impl<'a, K: Display, F: Form<'a>> Serialize for Entries<'_, 'a, K, F> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(key, value)| (Key(key), Shown::<F>(value))))
    }
}

/// A key of a map as text, whatever its type.
struct Key<'v, K>(&'v K);

impl<K: Display> Serialize for Key<'_, K> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self.0)
    }
}
