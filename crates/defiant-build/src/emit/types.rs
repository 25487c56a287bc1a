//! Codecs, types, names and keys of fields in the generated code.

use crate::ident;
use crate::model::{Field, Kind, Message, Oneof, Scalar, Shape, Wire};

/// A scalar's codec.
pub(super) fn scalar_codec(scalar: Scalar) -> String {
    format!("::defiant::codec::{}", scalar.codec)
}

/// The codec of a field's single value; for messages, that of a map value.
pub(super) fn codec(kind: &Kind, modules: &[String]) -> String {
    match kind {
        Kind::Scalar(scalar) => scalar_codec(*scalar),
        Kind::Enum { closed: false, .. } => "::defiant::codec::Int32".into(),
        Kind::Enum { path, .. } => format!("::defiant::codec::Closed<{}>", path.from(modules)),
        Kind::Message { .. } => format!("::defiant::map::Of<{}>", value(kind, modules)),
    }
}

/// The type of a field's single value.
pub(super) fn value(kind: &Kind, modules: &[String]) -> String {
    match kind {
        Kind::Scalar(scalar) => scalar.rust.into(),
        Kind::Enum { .. } => "i32".into(),
        Kind::Message { path, borrows, .. } => with_lifetime(&path.from(modules), *borrows),
    }
}

/// The type of a single value where it stands in a struct or a oneof.
pub(super) fn held(kind: &Kind, modules: &[String]) -> String {
    let value = value(kind, modules);
    match kind {
        Kind::Message { .. } => format!("&'a {value}"),
        _ => value,
    }
}

/// The type of a struct's field.
pub(super) fn field(field: &Field, modules: &[String]) -> String {
    match &field.shape {
        Shape::Repeated { .. } => format!("&'a [{}]", value(&field.kind, modules)),
        Shape::Map { key } => {
            format!("::defiant::Map<'a, {}, {}>", key.rust, value(&field.kind, modules))
        }
        Shape::Required { .. } | Shape::Implicit if !matches!(field.kind, Kind::Message { .. }) => {
            value(&field.kind, modules)
        }
        _ => format!("::core::option::Option<{}>", held(&field.kind, modules)),
    }
}

/// The name of a message's type.
pub(super) fn message(message: &Message) -> String {
    with_lifetime(&message.path.ident, message.borrows)
}

/// The type of a oneof, or its name before a variant.
pub(super) fn oneof(oneof: &Oneof, modules: &[String]) -> (String, String) {
    let path = oneof.path.from(modules);
    (with_lifetime(&path, oneof.borrows), path)
}

fn with_lifetime(path: &str, borrows: bool) -> String {
    if borrows { format!("{path}<'a>") } else { path.into() }
}

/// The wire type of a value that is not packed.
pub(super) fn wire(kind: &Kind) -> Wire {
    match kind {
        Kind::Scalar(scalar) => scalar.wire,
        Kind::Enum { .. } => Wire::Varint,
        Kind::Message { group: false, .. } => Wire::Delimited,
        Kind::Message { group: true, .. } => Wire::StartGroup,
    }
}

/// The key of `field` with `wire`.
pub(super) fn key(field: &Field, wire: Wire) -> u32 {
    field.number << 3 | wire as u32
}

/// The variable that a repeated field is while it is decoded.
pub(super) fn list(field: &Field) -> String {
    format!("{}_list", ident::plain(&field.ident))
}

/// The oneof of `index`, if `field` is in one.
pub(super) fn oneof_of<'m>(message: &'m Message, field: &Field) -> Option<&'m Oneof> {
    match field.shape {
        Shape::Oneof { index, .. } => message.oneofs.get(index),
        _ => None,
    }
}
