//! Emits `Default` for a message: its state before anything is decoded.

use super::types;
use crate::code::Code;
use crate::model::{Field, Kind, Message, Shape};

/// One constant, which is copied in whole words: a derived `Default` writes each field by itself,
/// and what reads two of them at once then waits for the stores.
pub(super) fn emit(code: &mut Code, message: &Message) {
    code.line("");
    let generics = if message.borrows { "<'a>" } else { "" };
    let name = types::message(message);
    let head = format!("impl{generics} ::core::default::Default for {name} {{");
    code.block(head, "}", |code| {
        code.line("#[inline]");
        code.block("fn default() -> Self {", "}", |code| {
            code.block("const {", "}", |code| {
                code.block("Self {", "}", |code| {
                    for field in message.plain_fields() {
                        code.line(format!("{}: {},", field.ident, value(message, field)));
                    }
                    for oneof in &message.oneofs {
                        code.line(format!("{}: ::core::option::Option::None,", oneof.ident));
                    }
                    if let Some(ident) = &message.unknown {
                        code.line(format!("{ident}: ::defiant::UnknownFields::new(),"));
                    }
                });
            });
        });
    });
}

fn value(message: &Message, field: &Field) -> String {
    match (&field.shape, &field.kind) {
        (Shape::Repeated { .. }, _) => "&[]".into(),
        (Shape::Map { .. }, _) => "::defiant::Map::new()".into(),
        (Shape::Required { default: Some(value) }, Kind::Scalar(_)) => value.clone(),
        (Shape::Required { .. } | Shape::Implicit, Kind::Scalar(scalar)) => scalar.zero.into(),
        (Shape::Required { default }, Kind::Enum { path, first, .. }) => {
            let variant = default.as_ref().unwrap_or(first);
            format!("{}::{variant} as i32", path.from(&message.path.modules))
        }
        (Shape::Implicit, Kind::Enum { .. }) => "0".into(),
        _ => "::core::option::Option::None".into(),
    }
}
