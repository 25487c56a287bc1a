//! `serde::Serialize` by protobuf's JSON mapping: a call of the runtime for each field, by number.

use super::{oneof, types};
use crate::code::Code;
use crate::model::{Enum, Field, Kind, Message, Shape};

pub(super) fn message(code: &mut Code, message: &Message) {
    let generics = if message.borrows { "<'a>" } else { "" };
    serialize(code, generics, &types::message(message), |code| {
        if message.fields.is_empty() {
            return code.line("::defiant::json::Fields::new(serializer)?.end()");
        }
        code.line("let mut fields = ::defiant::json::Fields::new(serializer)?;");
        for field in &message.fields {
            if let Some(index) = oneof::begins(message, field) {
                whole_oneof(code, message, index);
            } else if !matches!(field.shape, Shape::Oneof { .. }) {
                plain_field(code, message, field);
            }
        }
        code.line("fields.end()");
    });
}

pub(super) fn enumeration(code: &mut Code, enumeration: &Enum) {
    serialize(code, "", &enumeration.path.ident, |code| {
        code.line("serializer.serialize_str(self.as_str_name())");
    });
}

fn serialize(code: &mut Code, generics: &str, name: &str, body: impl FnOnce(&mut Code)) {
    code.line("");
    let head = format!("impl{generics} ::defiant::json::Serialize for {name} {{");
    code.block(head, "}", |code| {
        // No message can have the name `__S`: those of types are without underscores in front.
        let head = "fn serialize<__S: ::defiant::json::Serializer>(&self, serializer: __S) -> \
                    ::core::result::Result<__S::Ok, __S::Error> {";
        code.block(head, "}", body);
    });
}

fn plain_field(code: &mut Code, message: &Message, field: &Field) {
    let form = form(&field.kind, &message.path.modules);
    let (name, ident) = (&field.json_name, &field.ident);
    let call = match (&field.shape, &field.kind) {
        (Shape::Repeated { .. }, _) => format!("repeated::<{form}>({name:?}, self.{ident})"),
        (Shape::Map { .. }, _) => format!("map::<{form}, _>({name:?}, self.{ident})"),
        (_, Kind::Message { .. }) => format!("optional::<{form}>({name:?}, self.{ident})"),
        (Shape::Optional { .. }, _) => {
            format!("optional::<{form}>({name:?}, self.{ident}.as_ref())")
        }
        (Shape::Implicit, _) => format!("implicit::<{form}>({name:?}, &self.{ident})"),
        (Shape::Required { .. } | Shape::Oneof { .. }, _) => {
            format!("required::<{form}>({name:?}, &self.{ident})")
        }
    };
    code.line(format!("fields.{call}?;"));
}

fn whole_oneof(code: &mut Code, message: &Message, index: usize) {
    let oneof = &message.oneofs[index];
    let modules = &message.path.modules;
    let (_, path) = types::oneof(oneof, modules);
    code.block(format!("match &self.{} {{", oneof.ident), "}", |code| {
        for (variant, field) in oneof::variants(message, index) {
            let (form, name) = (form(&field.kind, modules), &field.json_name);
            code.line(format!(
                "Some({path}::{variant}(value)) => fields.required::<{form}>({name:?}, value)?,"
            ));
        }
        code.line("None => {}");
    });
}

/// How JSON has a field's single value.
fn form(kind: &Kind, modules: &[String]) -> String {
    match kind {
        Kind::Enum { path, .. } => format!("::defiant::json::Enum<{}>", path.from(modules)),
        kind => types::codec(kind, modules),
    }
}
