//! Methods for what a field's plain value does not say: defaults, and enums by name.

use super::types;
use crate::code::Code;
use crate::model::{Field, Kind, Message, Scalar, Shape};

pub(super) fn emit(code: &mut Code, message: &Message) {
    let mut methods: Vec<Method> = Vec::new();
    let mut setters = Vec::new();
    for field in &message.fields {
        match (&field.shape, &field.kind) {
            (Shape::Optional { default }, Kind::Scalar(scalar)) => {
                methods.push(optional(field, *scalar, default.as_deref()));
            }
            (
                Shape::Optional { .. } | Shape::Required { .. } | Shape::Implicit,
                Kind::Enum { .. },
            ) => {
                methods.push(getter(message, field));
                setters.push((methods.len(), setter(message, field)));
            }
            (Shape::Repeated { .. }, Kind::Enum { .. }) => {
                methods.push(enumerations(message, field));
            }
            _ => {}
        }
    }
    // A field may have the name of another one's setter, and then keeps it for its getter. From the last one on, so that
    // the places of the others stay as they are.
    for (at, setter) in setters.into_iter().rev() {
        if methods.iter().all(|getter| getter.name != setter.name) {
            methods.insert(at, setter);
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
            let head = format!("pub fn {}{} {{", method.name, method.signature);
            code.block(head, "}", |code| code.line(&method.body));
        }
    });
}

struct Method {
    docs: String,
    name: String,
    signature: String,
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
        name: ident.clone(),
        signature: format!("(&self) -> {}", scalar.rust),
        body,
    }
}

fn getter(message: &Message, field: &Field) -> Method {
    let Field { ident, name, .. } = field;
    let path = enum_path(message, field);
    let try_from = try_from(&path);
    let (value, default) = match &field.shape {
        Shape::Optional { default } => {
            (format!("self.{ident}.and_then(|value| {try_from}(value).ok())"), default)
        }
        Shape::Required { default } => (format!("{try_from}(self.{ident})"), default),
        _ => (format!("{try_from}(self.{ident})"), &None),
    };
    let fallback = match (default, &field.kind) {
        (Some(variant), Kind::Enum { first, .. }) if variant != first => {
            format!("unwrap_or({path}::{variant})")
        }
        _ => "unwrap_or_default()".into(),
    };
    Method {
        docs: format!("/// The value of `{name}`, or its default if it is not set or unknown."),
        name: ident.clone(),
        signature: format!("(&self) -> {path}"),
        body: format!("{value}.{fallback}"),
    }
}

fn setter(message: &Message, field: &Field) -> Method {
    let value = match field.shape {
        Shape::Optional { .. } => "Some(value as i32)",
        _ => "value as i32",
    };
    Method {
        docs: format!("/// Sets `{}`.", field.name),
        name: format!("set_{}", crate::ident::plain(&field.ident)),
        signature: format!("(&mut self, value: {})", enum_path(message, field)),
        body: format!("self.{} = {value};", field.ident),
    }
}

fn enumerations(message: &Message, field: &Field) -> Method {
    let path = enum_path(message, field);
    Method {
        docs: format!("/// The known values in `{}`.", field.name),
        name: field.ident.clone(),
        signature: format!("(&self) -> impl ::core::iter::Iterator<Item = {path}> + 'a"),
        body: format!(
            "self.{}.iter().filter_map(|value| {}(*value).ok())",
            field.ident,
            try_from(&path)
        ),
    }
}

/// The path of the enum that `field` is of.
fn enum_path(message: &Message, field: &Field) -> String {
    match &field.kind {
        Kind::Enum { path, .. } => path.from(&message.path.modules),
        _ => String::new(),
    }
}

/// The conversion to the enum of this path, by the trait's name: it is not in scope in all editions.
fn try_from(path: &str) -> String {
    format!("<{path} as ::core::convert::TryFrom<i32>>::try_from")
}
