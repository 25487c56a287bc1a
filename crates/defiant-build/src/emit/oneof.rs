//! A oneof: an enum with a variant for each of its fields.

use super::types;
use crate::code::Code;
use crate::model::{Field, Message, Oneof, Shape};

pub(super) fn emit(code: &mut Code, message: &Message, index: usize, oneof: &Oneof) {
    code.docs(&oneof.docs);
    code.line("#[derive(Clone, Copy, Debug, PartialEq)]");
    let generics = if oneof.borrows { "<'a>" } else { "" };
    code.block(format!("pub enum {}{generics} {{", oneof.path.ident), "}", |code| {
        for (variant, field) in variants(message, index) {
            code.docs(&field.docs);
            code.line(format!("{variant}({}),", types::held(&field.kind, &oneof.path.modules)));
        }
    });
}

/// The variants of the oneof of `index`.
pub(super) fn variants(message: &Message, index: usize) -> impl Iterator<Item = (&str, &Field)> {
    message.fields.iter().filter_map(move |field| match &field.shape {
        Shape::Oneof { index: of, variant } if *of == index => Some((variant.as_str(), field)),
        _ => None,
    })
}

/// The oneof whose first variant `field` is: a oneof is written where its lowest number is.
pub(super) fn begins(message: &Message, field: &Field) -> Option<usize> {
    let Shape::Oneof { index, .. } = field.shape else { return None };
    let (_, first) = variants(message, index).next()?;
    (first.number == field.number).then_some(index)
}
