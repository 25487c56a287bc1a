//! `Message::encode_raw` and `Message::encoded_len`: a statement for each field, by number.

use super::{oneof, types};
use crate::code::Code;
use crate::model::{Field, Kind, Message, Shape, Wire};

pub(super) fn emit_encode(code: &mut Code, message: &Message) {
    let out = if message.fields.is_empty() { "_out" } else { "out" };
    let head = format!("fn encode_raw(&self, {out}: &mut ::defiant::Writer<'_>) {{");
    code.block(head, "}", |code| {
        for field in &message.fields {
            if let Some(index) = oneof_begins(message, field) {
                encode_oneof(code, message, index);
            } else if !matches!(field.shape, Shape::Oneof { .. }) {
                encode_field(code, message, field);
            }
        }
    });
}

pub(super) fn emit_len(code: &mut Code, message: &Message) {
    code.block("fn encoded_len(&self) -> usize {", "}", |code| {
        if message.fields.is_empty() {
            return code.line("0");
        }
        code.line("let mut len = 0;");
        for field in &message.fields {
            if let Some(index) = oneof_begins(message, field) {
                len_oneof(code, message, index);
            } else if !matches!(field.shape, Shape::Oneof { .. }) {
                code.line(format!("len += {};", field_len(message, field)));
            }
        }
        code.line("len");
    });
}

/// The oneof whose first variant `field` is: a oneof is written where its lowest number is.
fn oneof_begins(message: &Message, field: &Field) -> Option<usize> {
    let Shape::Oneof { index, .. } = field.shape else { return None };
    let (_, first) = oneof::variants(message, index).next()?;
    (first.number == field.number).then_some(index)
}

fn encode_field(code: &mut Code, message: &Message, field: &Field) {
    let key = types::key(field, types::wire(&field.kind));
    let delimited = types::key(field, Wire::Delimited);
    let codec = types::codec(&field.kind, &message.path.modules);
    let ident = &field.ident;
    match (&field.shape, &field.kind) {
        (Shape::Map { key: name }, _) => {
            let name = types::scalar_codec(*name);
            code.line(format!("out.map::<{name}, {codec}>({delimited}, self.{ident});"));
        }
        (Shape::Repeated { .. }, Kind::Message { group, .. }) => {
            code.block(format!("for message in self.{ident} {{"), "}", |code| {
                code.line(format!("out.{}({key}, message);", message_method(*group)));
            });
        }
        (_, Kind::Message { group, .. }) => {
            code.block(format!("if let Some(message) = self.{ident} {{"), "}", |code| {
                code.line(format!("out.{}({key}, message);", message_method(*group)));
            });
        }
        (Shape::Repeated { packed: true }, _) => {
            code.line(format!("out.packed::<{codec}>({delimited}, self.{ident});"));
        }
        (shape, _) => {
            code.line(format!("out.{}::<{codec}>({key}, self.{ident});", method(shape)));
        }
    }
}

fn field_len(message: &Message, field: &Field) -> String {
    let codec = types::codec(&field.kind, &message.path.modules);
    let (number, ident) = (field.number, &field.ident);
    match (&field.shape, &field.kind) {
        (Shape::Map { key }, _) => {
            let key = types::scalar_codec(*key);
            format!("::defiant::len::map::<{key}, {codec}>({number}, self.{ident})")
        }
        (Shape::Repeated { .. }, Kind::Message { group, .. }) => {
            format!("::defiant::len::{}s({number}, self.{ident})", message_method(*group))
        }
        (_, Kind::Message { group, .. }) => {
            let method = message_method(*group);
            format!("self.{ident}.map_or(0, |it| ::defiant::len::{method}({number}, it))")
        }
        (shape, _) => {
            format!("::defiant::len::{}::<{codec}>({number}, self.{ident})", method(shape))
        }
    }
}

/// What the runtime calls a scalar field of this shape.
fn method(shape: &Shape) -> &'static str {
    match shape {
        Shape::Optional { .. } => "optional",
        Shape::Implicit => "implicit",
        Shape::Repeated { packed: false } => "repeated",
        Shape::Repeated { packed: true } => "packed",
        Shape::Required { .. } | Shape::Map { .. } | Shape::Oneof { .. } => "required",
    }
}

fn message_method(group: bool) -> &'static str {
    if group { "group" } else { "message" }
}

fn encode_oneof(code: &mut Code, message: &Message, index: usize) {
    match_oneof(code, message, index, |field| {
        let key = types::key(field, types::wire(&field.kind));
        match &field.kind {
            Kind::Message { group, .. } => {
                format!("out.{}({key}, value)", message_method(*group))
            }
            kind => {
                let codec = types::codec(kind, &message.path.modules);
                format!("out.required::<{codec}>({key}, value)")
            }
        }
    });
}

fn len_oneof(code: &mut Code, message: &Message, index: usize) {
    match_oneof(code, message, index, |field| {
        let number = field.number;
        match &field.kind {
            Kind::Message { group, .. } => {
                format!("len += ::defiant::len::{}({number}, value)", message_method(*group))
            }
            kind => {
                let codec = types::codec(kind, &message.path.modules);
                format!("len += ::defiant::len::required::<{codec}>({number}, value)")
            }
        }
    });
}

fn match_oneof(code: &mut Code, message: &Message, index: usize, arm: impl Fn(&Field) -> String) {
    let oneof = &message.oneofs[index];
    let (_, path) = types::oneof(oneof, &message.path.modules);
    code.block(format!("match self.{} {{", oneof.ident), "}", |code| {
        for (variant, field) in oneof::variants(message, index) {
            code.line(format!("Some({path}::{variant}(value)) => {},", arm(field)));
        }
        code.line("None => {}");
    });
}
