//! Methods for what a field's plain value does not say: defaults, and enums by name.

use super::types;
use crate::code::Code;
use crate::model::{Field, Kind, Message, Scalar, Shape};

pub(super) fn emit(code: &mut Code, message: &Message) {
    let mut methods = Vec::new();
    for field in &message.fields {
        match (&field.shape, &field.kind) {
            (Shape::Optional { default }, Kind::Scalar(scalar)) => {
                methods.push(optional(field, *scalar, default.as_deref()));
            }
            (
                Shape::Optional { .. } | Shape::Required { .. } | Shape::Implicit,
                Kind::Enum { .. },
            ) => {
                methods.extend(enumeration(message, field));
            }
            (Shape::Repeated { .. }, Kind::Enum { .. }) => {
                methods.push(enumerations(message, field));
            }
            _ => {}
        }
    }
    if methods.is_empty() {
        return;
    }
    code.line("");
    let generics = if message.borrows { "<'a>" } else { "" };
    code.block(format!("impl{generics} {} {{", types::message(message)), "}", |code| {
        for (at, method) in methods.iter().enumerate() {
            if at > 0 {
                code.line("");
            }
            code.line(&method.docs);
            code.block(format!("{} {{", method.head), "}", |code| code.line(&method.body));
        }
    });
}

struct Method {
    docs: String,
    head: String,
    body: String,
}

fn optional(field: &Field, scalar: Scalar, default: Option<&str>) -> Method {
    let ident = &field.ident;
    let value = default.unwrap_or(scalar.zero);
    let body = if default.is_some() && value != scalar.zero {
        format!("self.{ident}.unwrap_or({value})")
    } else {
        format!("self.{ident}.unwrap_or_default()")
    };
    Method {
        docs: format!("/// The value of `{}`, or its default, `{value}`.", field.name),
        head: format!("pub fn {ident}(&self) -> {}", scalar.rust),
        body,
    }
}

fn enumeration(message: &Message, field: &Field) -> Vec<Method> {
    let Kind::Enum { path, first, .. } = &field.kind else { return Vec::new() };
    let path = path.from(&message.path.modules);
    let (ident, name) = (&field.ident, &field.name);
    let (get, set, default) = match &field.shape {
        Shape::Optional { default } => (
            format!("self.{ident}.and_then(|value| {path}::try_from(value).ok())"),
            "Some(value as i32)",
            default.as_ref(),
        ),
        Shape::Required { default } => {
            (format!("{path}::try_from(self.{ident})"), "value as i32", default.as_ref())
        }
        _ => (format!("{path}::try_from(self.{ident})"), "value as i32", None),
    };
    let fallback = match default {
        Some(variant) if variant != first => format!("unwrap_or({path}::{variant})"),
        _ => "unwrap_or_default()".into(),
    };
    let setter = format!("set_{}", crate::ident::plain(ident));
    vec![
        Method {
            docs: format!("/// The value of `{name}`, or its default if it is not set or unknown."),
            head: format!("pub fn {ident}(&self) -> {path}"),
            body: format!("{get}.{fallback}"),
        },
        Method {
            docs: format!("/// Sets `{name}`."),
            head: format!("pub fn {setter}(&mut self, value: {path})"),
            body: format!("self.{ident} = {set};"),
        },
    ]
}

fn enumerations(message: &Message, field: &Field) -> Method {
    let path = match &field.kind {
        Kind::Enum { path, .. } => path.from(&message.path.modules),
        _ => String::new(),
    };
    Method {
        docs: format!("/// The known values in `{}`.", field.name),
        head: format!("pub fn {}(&self) -> impl Iterator<Item = {path}> + 'a", field.ident),
        body: format!(
            "self.{}.iter().filter_map(|value| {path}::try_from(*value).ok())",
            field.ident
        ),
    }
}
