//! `Message::merge_fields`: one loop, one match on whole keys, which the usual order of fields goes past.
//!
//! The reader is copied to a variable whose address never leaves the function, and lists are
//! variables until the message ends, so that both stay in registers. For the same reason each
//! names its field to its error: a closure around the loop, whose one error could be named at the
//! end, is not always inlined, and cost google_message1 a third of its decoding time.

use super::types;
use crate::code::Code;
use crate::model::{Field, Kind, Message, Shape, Wire};

/// How many fields of a message are decoded in a row: each is a block in the block of the next, and the compiler has
/// an end to that.
const IN_A_ROW: usize = 100;

pub(super) fn emit(code: &mut Code, message: &Message) {
    code.line("fn merge_fields(");
    code.line("    &mut self,");
    code.line("    input: &mut ::defiant::Reader<'a>,");
    code.line("    scope: ::defiant::Scope<'a>,");
    let head = ") -> ::core::result::Result<(), ::defiant::DecodeError> {";
    code.block(head, "}", |code| {
        code.line("use ::defiant::At as _;");
        code.line("let mut rest = input.clone();");
        for field in &message.fields {
            thaw(code, field);
        }
        if singular_messages(message).next().is_some() {
            code.line("let mut split = ::defiant::Split::new();");
        }
        if let Some(ident) = &message.unknown {
            code.line(format!("let mut unknown = self.{ident}.thaw(scope.arena());"));
        }
        fields(code, message);
        joins(code, message);
        for field in &message.fields {
            freeze(code, field);
        }
        if let Some(ident) = &message.unknown {
            code.line(format!("self.{ident} = unknown.freeze()?;"));
        }
        code.line("*input = rest;");
        code.line("Ok(())");
    });
}

/// Fields mostly come in the order of their numbers. So the code of each follows that of the field before it,
/// and where the next key is that of the next field, decoding goes straight on, without the match.
fn fields(code: &mut Code, message: &Message) {
    code.block("'fields: loop {", "}", |code| {
        code.block("if rest.is_empty() {", "}", |code| {
            code.line("scope.end_of_input()?;");
            code.line("break 'fields;");
        });
        if message.unknown.is_some() {
            code.line("let before = rest.clone();");
        }
        code.line("let key = rest.key()?;");
        if message.fields.is_empty() {
            return other(code, message);
        }
        let (row, more) = message.fields.split_at(message.fields.len().min(IN_A_ROW));
        for field in row.iter().rev() {
            code.line(format!("'field{}: {{", field.number));
        }
        code.block("match key {", "}", |code| {
            for field in row {
                code.line(format!("{} => break 'field{},", usual_key(field), field.number));
            }
            for field in more {
                code.block(format!("{} => {{", usual_key(field)), "}", |code| {
                    usual(code, message, field);
                    code.line("continue 'fields;");
                });
            }
            for field in &message.fields {
                unusual_arm(code, message, field);
            }
            code.block("_ => {", "}", |code| {
                other(code, message);
                code.line("continue 'fields;");
            });
        });
        for (at, field) in row.iter().enumerate() {
            code.line("}");
            usual(code, message, field);
            if let Some(next) = row.get(at + 1) {
                let head = format!("if !rest.skip_key::<{}>() {{", usual_key(next));
                code.block(head, "}", |code| code.line("continue 'fields;"));
            }
        }
    });
}

fn other(code: &mut Code, message: &Message) {
    let call = match message.unknown {
        Some(_) => "other_kept::<Self>(&before, &mut rest, key, &mut unknown)",
        None => "other::<Self>(&mut rest, key)",
    };
    code.block(format!("if scope.{call}.at::<Self>(key)? {{"), "}", |code| {
        code.line("break 'fields;");
    });
}

/// The key that a field is written with.
fn usual_key(field: &Field) -> u32 {
    match field.shape {
        Shape::Map { .. } | Shape::Repeated { packed: true } => types::key(field, Wire::Delimited),
        _ => types::key(field, types::wire(&field.kind)),
    }
}

/// Singular messages and groups, which may come in several pieces.
fn singular_messages(message: &Message) -> impl Iterator<Item = &Field> {
    message.fields.iter().filter(|field| {
        matches!(field.kind, Kind::Message { .. })
            && !matches!(field.shape, Shape::Repeated { .. } | Shape::Map { .. })
    })
}

/// The statement of a field that comes with its usual key; of a repeated one as often as it comes in a row.
fn usual(code: &mut Code, message: &Message, field: &Field) {
    if !matches!(field.shape, Shape::Repeated { packed: false } | Shape::Map { .. }) {
        return statement(code, message, field);
    }
    code.block("loop {", "}", |code| {
        statement(code, message, field);
        let head = format!("if !rest.skip_key::<{}>() {{", usual_key(field));
        code.block(head, "}", |code| code.line("break;"));
    });
}

fn statement(code: &mut Code, message: &Message, field: &Field) {
    let key = usual_key(field);
    let modules = &message.path.modules;
    let codec = types::codec(&field.kind, modules);
    let list = types::list(field);
    match (&field.shape, &field.kind) {
        (Shape::Map { key: name }, _) => {
            let name = types::scalar_codec(*name);
            let (function, kept) = match is_kept(message, field) {
                true => ("unknown.push_entry", format!(", {key}")),
                false => ("::defiant::map::push_entry", String::new()),
            };
            code.line(format!(
                "{function}::<{name}, {codec}>(&mut rest, &mut {list}, scope{kept}).at::<Self>({key})?;"
            ));
        }
        (Shape::Repeated { .. }, Kind::Message { group: false, .. }) => {
            code.line(format!("scope.push_message(&mut rest, &mut {list}).at::<Self>({key})?;"));
        }
        (Shape::Repeated { .. }, Kind::Message { group: true, .. }) => {
            code.line(format!(
                "scope.push_group(&mut rest, &mut {list}, {key}).at::<Self>({key})?;"
            ));
        }
        (Shape::Repeated { packed: true }, _) => packed(code, message, field, key),
        (Shape::Repeated { packed: false }, _) => {
            scalar(code, message, key, field, |value| format!("{list}.push({value})"));
        }
        (_, Kind::Message { .. }) => {
            let wire = types::wire(&field.kind);
            let read = if wire == Wire::StartGroup { "group" } else { "message" };
            with_slot(code, message, field, |slot| {
                format!("scope.{read}(&mut rest, {slot}, &mut split, {key}).at::<Self>({key})?;")
            });
        }
        (Shape::Oneof { variant, .. }, _) => {
            let Some(oneof) = types::oneof_of(message, field) else { return };
            let (_, path) = types::oneof(oneof, modules);
            scalar(code, message, key, field, |value| {
                format!("self.{} = Some({path}::{variant}({value}))", oneof.ident)
            });
        }
        (Shape::Optional { .. }, _) => {
            scalar(code, message, key, field, |value| {
                format!("self.{} = Some({value})", field.ident)
            });
        }
        (Shape::Required { .. } | Shape::Implicit, _) => {
            scalar(code, message, key, field, |value| format!("self.{} = {value}", field.ident));
        }
    }
}

/// The arm of a list of numbers that comes packed where it is not declared so, or the other way round.
fn unusual_arm(code: &mut Code, message: &Message, field: &Field) {
    let Shape::Repeated { packed: is_packed } = field.shape else { return };
    let wire = types::wire(&field.kind);
    if matches!(field.kind, Kind::Message { .. }) || wire == Wire::Delimited {
        return;
    }
    let list = types::list(field);
    let key = types::key(field, if is_packed { wire } else { Wire::Delimited });
    code.block(format!("{key} => {{"), "}", |code| {
        if is_packed {
            scalar(code, message, key, field, |value| format!("{list}.push({value})"));
        } else {
            packed(code, message, field, key);
        }
        code.line("continue 'fields;");
    });
}

/// Whether values of `field` that its type does not have are kept.
fn is_kept(message: &Message, field: &Field) -> bool {
    message.unknown.is_some() && matches!(field.kind, Kind::Enum { closed: true, .. })
}

fn packed(code: &mut Code, message: &Message, field: &Field, key: u32) {
    let codec = types::codec(&field.kind, &message.path.modules);
    let list = types::list(field);
    let call = if is_kept(message, field) {
        let single = types::key(field, types::wire(&field.kind));
        format!("unknown.packed::<{codec}>(&mut rest, &mut {list}, {single})")
    } else {
        format!("rest.packed::<{codec}>(&mut {list})")
    };
    code.line(format!("{call}.at::<Self>({key})?;"));
}

fn scalar(
    code: &mut Code,
    message: &Message,
    key: u32,
    field: &Field,
    store: impl Fn(&str) -> String,
) {
    let codec = types::codec(&field.kind, &message.path.modules);
    if !matches!(field.kind, Kind::Enum { closed: true, .. }) {
        let store = store(&format!("rest.read::<{codec}>().at::<Self>({key})?"));
        return code.line(format!("{store};"));
    }
    let known = if is_kept(message, field) {
        format!("unknown.known::<{codec}>(&mut rest, {key})")
    } else {
        format!("rest.known::<{codec}>()")
    };
    let head = format!("if let Some(value) = {known}.at::<Self>({key})? {{");
    code.block(head, "}", |code| code.line(format!("{};", store("value"))));
}

/// A statement on the place of a singular message: the field itself, or a variable for a oneof.
fn with_slot(
    code: &mut Code,
    message: &Message,
    field: &Field,
    statement: impl Fn(&str) -> String,
) {
    let (Shape::Oneof { variant, .. }, Some(oneof)) =
        (&field.shape, types::oneof_of(message, field))
    else {
        return code.line(statement(&format!("&mut self.{}", field.ident)));
    };
    let (_, path) = types::oneof(oneof, &message.path.modules);
    code.block(format!("let mut slot = match self.{} {{", oneof.ident), "};", |code| {
        code.line(format!("Some({path}::{variant}(message)) => Some(message),"));
        code.line("_ => None,");
    });
    code.line(statement("&mut slot"));
    code.block("if let Some(message) = slot {", "}", |code| {
        code.line(format!("self.{} = Some({path}::{variant}(message));", oneof.ident));
    });
}

/// Emits the code that joins the messages that came in several pieces.
fn joins(code: &mut Code, message: &Message) {
    if singular_messages(message).next().is_none() {
        return;
    }
    code.block("if !split.is_empty() {", "}", |code| {
        for field in singular_messages(message) {
            let key = types::key(field, types::wire(&field.kind));
            with_slot(code, message, field, |slot| {
                format!("split.join(scope, {slot}, {key}).at::<Self>({key})?;")
            });
        }
    });
}

fn thaw(code: &mut Code, field: &Field) {
    let list = types::list(field);
    let ident = &field.ident;
    match field.shape {
        Shape::Repeated { .. } => code.line(format!(
            "let mut {list} = ::defiant::ArenaVec::thaw(scope.arena(), self.{ident});"
        )),
        Shape::Map { .. } => {
            code.line(format!("let mut {list} = self.{ident}.thaw(scope.arena());"));
        }
        _ => {}
    }
}

fn freeze(code: &mut Code, field: &Field) {
    let list = types::list(field);
    let ident = &field.ident;
    match field.shape {
        Shape::Repeated { .. } => code.line(format!("self.{ident} = {list}.freeze();")),
        Shape::Map { .. } => {
            code.line(format!("self.{ident} = self.{ident}.or_list({list});"));
        }
        _ => {}
    }
}
