//! An enum: a Rust enum, and its conversions from and to numbers and names.

use super::json;
use crate::code::Code;
use crate::model::{Enum, Value};

const ERROR: &str = "::defiant::UnknownEnumValue";

pub(super) fn emit(code: &mut Code, enumeration: &Enum) {
    let name = &enumeration.path.ident;
    let variants: Vec<&Value> = enumeration.values.iter().filter(|value| !value.alias).collect();
    code.docs(&enumeration.docs);
    code.line("#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]");
    code.line("#[repr(i32)]");
    code.block(format!("pub enum {name} {{"), "}", |code| {
        for (at, value) in variants.iter().enumerate() {
            code.docs(&value.docs);
            if at == 0 {
                code.line("#[default]");
            }
            code.line(format!("{} = {},", value.variant, value.number));
        }
    });
    code.line("");
    code.block(format!("impl {name} {{"), "}", |code| {
        code.line("/// The name in the `.proto` file.");
        code.block("pub fn as_str_name(&self) -> &'static str {", "}", |code| {
            code.block("match self {", "}", |code| {
                for value in &variants {
                    code.line(format!("Self::{} => {:?},", value.variant, value.name));
                }
            });
        });
        code.line("");
        code.line("/// The value of a name in the `.proto` file.");
        let head = "pub fn from_str_name(name: &str) -> ::core::option::Option<Self> {";
        code.block(head, "}", |code| {
            code.block("match name {", "}", |code| {
                for value in &variants {
                    let names: Vec<_> = enumeration
                        .values
                        .iter()
                        .filter(|other| other.number == value.number)
                        .map(|other| format!("{:?}", other.name))
                        .collect();
                    code.line(format!("{} => Some(Self::{}),", names.join(" | "), value.variant));
                }
                code.line("_ => None,");
            });
        });
    });
    conversions(code, name, &variants);
    if enumeration.json {
        json::enumeration(code, enumeration);
    }
}

fn conversions(code: &mut Code, name: &str, variants: &[&Value]) {
    code.line("");
    code.block(format!("impl ::core::convert::From<{name}> for i32 {{"), "}", |code| {
        code.block(format!("fn from(value: {name}) -> i32 {{"), "}", |code| {
            code.line("value as i32");
        });
    });
    code.line("");
    code.block(format!("impl ::core::convert::TryFrom<i32> for {name} {{"), "}", |code| {
        code.line(format!("type Error = {ERROR};"));
        code.line("");
        // Not `Self::Error`, which may be a variant too.
        let head = format!("fn try_from(value: i32) -> ::core::result::Result<Self, {ERROR}> {{");
        code.block(head, "}", |code| {
            code.block("match value {", "}", |code| {
                for value in variants {
                    code.line(format!("{} => Ok(Self::{}),", value.number, value.variant));
                }
                code.line(format!("_ => Err({ERROR}(value)),"));
            });
        });
    });
}
