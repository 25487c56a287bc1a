//! The JSON form of a schema.

use alloc::borrow::Cow;
use alloc::boxed::Box;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use super::build::{Definition, What};
use super::{MAX_DEPTH, Shape, Type};
use crate::json::{self, Json};
use crate::{Error, Kind, Result, content};

pub(crate) fn parse(text: &str) -> Result<Definition<'_>> {
    let mut parser = json::Parser::new(text);
    let value = parser.value()?;
    parser.end()?;
    definition(value, 0)
}

fn definition(json: Json<'_>, depth: usize) -> Result<Definition<'_>> {
    if depth >= MAX_DEPTH {
        return problem("nested too deep");
    }
    let Json::Object(members) = json else { return problem("a type is an object") };
    let (mut name, mut default, mut of, mut fields) = (None, None, None, None);
    let (mut size, mut digits, mut choices) = (None, None, None);
    for (key, value) in members {
        let place = match &*key {
            "type" => &mut name,
            "default" => &mut default,
            "of" => &mut of,
            "fields" => &mut fields,
            "size" => &mut size,
            "digits" => &mut digits,
            "choices" => &mut choices,
            _ => return problem("a type has a member that is not known"),
        };
        if place.replace(value).is_some() {
            return problem("a type has a member twice");
        }
    }
    let Some(Json::String(name)) = name else { return problem("a type has a `type`, a string") };
    let what = match &*name {
        "struct" => What::Struct(each(fields.take(), "`fields` is an array", |pair| {
            let Json::Array(pair) = pair else { return problem("a field is `[name, type]`") };
            let Ok([Json::String(name), ty]) = <[Json<'_>; 2]>::try_from(pair) else {
                return problem("a field is `[name, type]`");
            };
            Ok((name, definition(ty, depth + 1)?))
        })?),
        "enum" => What::Enum(each(choices.take(), "`choices` is an array", |name| match name {
            Json::String(name) => Ok(name),
            _ => problem("a choice is a string"),
        })?),
        "tuple" => What::Tuple(each(of.take(), "`of` a tuple is an array", |ty| {
            definition(ty, depth + 1)
        })?),
        "list" | "map" => {
            let Some(item) = of.take() else { return problem("lists and maps have an `of`") };
            let item = Box::new(definition(item, depth + 1)?);
            if name == "list" { What::List(item) } else { What::Map(item) }
        }
        "decimal" => What::Decimal(integer(digits.take(), "`digits` is a whole number")?),
        _ if size.is_some() => What::Sized(name, integer(size.take(), "`size` is a whole number")?),
        _ => What::Named(name),
    };
    if fields.is_some() || choices.is_some() || of.is_some() || digits.is_some() || size.is_some() {
        return problem("a type has what belongs to another");
    }
    Ok(Definition { what, default })
}

fn each<'t, T>(
    list: Option<Json<'t>>,
    name: &'static str,
    one: impl Fn(Json<'t>) -> Result<T>,
) -> Result<Vec<T>> {
    let Some(Json::Array(items)) = list else {
        return problem(name);
    };
    items.into_iter().map(one).collect()
}

fn integer(json: Option<Json<'_>>, name: &'static str) -> Result<u64> {
    match json {
        Some(Json::Number(text)) => text.parse().ok(),
        _ => None,
    }
    .ok_or(Error::Schema(name))
}

fn problem<T>(problem: &'static str) -> Result<T> {
    Err(Error::Schema(problem))
}

pub(crate) fn print(ty: &Type) -> String {
    let mut out = String::new();
    write(ty, &mut out);
    out
}

fn write(ty: &Type, out: &mut String) {
    out.push_str("{\"type\":");
    json::write_string(ty.kind.name(), out);
    match &ty.shape {
        Shape::Plain => {
            if matches!(ty.kind, Kind::FixedText | Kind::FixedBytes) {
                out.push_str(&format!(",\"size\":{}", ty.size));
            }
        }
        Shape::Decimal(digits) => out.push_str(&format!(",\"digits\":{digits}")),
        Shape::Choices(names) => {
            out.push_str(",\"choices\":[");
            json::separated(names.iter(), out, |name, out| json::write_string(name, out));
            out.push(']');
        }
        Shape::Struct(layout) => {
            out.push_str(",\"fields\":[");
            json::separated(layout.fields.iter(), out, |field, out| {
                out.push('[');
                json::write_string(&field.name, out);
                out.push(',');
                write(&field.ty, out);
                out.push(']');
            });
            out.push(']');
        }
        Shape::Items(item) => {
            out.push_str(",\"of\":");
            write(item, out);
        }
        Shape::Tuple(parts) => {
            out.push_str(",\"of\":[");
            json::separated(parts.iter(), out, |part, out| write(&part.ty, out));
            out.push(']');
        }
    }
    if let Some(default) = default(ty) {
        out.push_str(",\"default\":");
        out.push_str(&default);
    }
    out.push('}');
}

/// A default as JSON.
pub(crate) fn default(ty: &Type) -> Option<Cow<'static, str>> {
    let mut text = String::new();
    // It was read from JSON, so that it can be written as such.
    content::to_json(ty, ty.default.as_deref()?, &mut text).ok()?;
    Some(Cow::Owned(text))
}
