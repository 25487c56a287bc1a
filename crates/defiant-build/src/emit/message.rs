//! A message: its struct, what it can do, and the module of its nested types.

use super::{accessors, decode, default, encode, enums, json, oneof, types};
use crate::code::Code;
use crate::model::Message;

pub(super) fn emit(code: &mut Code, message: &Message) {
    structure(code, message);
    default::emit(code, message);
    accessors::emit(code, message);
    code.line("");
    let head = format!("impl<'a> ::defiant::Message<'a> for {} {{", types::message(message));
    code.block(head, "}", |code| {
        code.line(format!("const NAME: &'static str = {:?};", message.name));
        fields(code, message);
        code.line("");
        decode::emit(code, message);
        code.line("");
        encode::emit_encode(code, message);
        code.line("");
        encode::emit_len(code, message);
    });
    if message.json {
        json::message(code, message);
    }
    if message.owned {
        lend(code, message);
    }
    nested(code, message);
}

/// What `defiant::Owned` needs: the type by its lifetime.
fn lend(code: &mut Code, message: &Message) {
    let of = |lifetime: &str| match message.borrows {
        true => format!("{}<{lifetime}>", message.path.ident),
        false => message.path.ident.clone(),
    };
    code.line("");
    code.block(format!("impl ::defiant::Lend for {} {{", of("'_")), "}", |code| {
        code.line(format!("type Lent<'a> = {};", of("'a")));
        code.line("");
        let head =
            format!("fn shorten<'s, 'a: 's>(message: &'s {}) -> &'s {} {{", of("'a"), of("'s"));
        code.block(head, "}", |code| code.line("message"));
    });
}

fn structure(code: &mut Code, message: &Message) {
    code.docs(&message.docs);
    code.line("#[derive(Clone, Copy, Debug, PartialEq)]");
    code.block(format!("pub struct {} {{", types::message(message)), "}", |code| {
        for field in message.plain_fields() {
            code.docs(&field.docs);
            if field.deprecated {
                code.line("///");
                code.line("/// Deprecated.");
            }
            let kind = types::field(field, &message.path.modules);
            code.line(format!("pub {}: {kind},", field.ident));
        }
        for oneof in &message.oneofs {
            code.docs(&oneof.docs);
            let (kind, _) = types::oneof(oneof, &message.path.modules);
            code.line(format!("pub {}: ::core::option::Option<{kind}>,", oneof.ident));
        }
        if let Some(ident) = &message.unknown {
            code.line("/// The fields that the message's type does not have.");
            code.line(format!("pub {ident}: ::defiant::UnknownFields<'a>,"));
        }
    });
}

fn fields(code: &mut Code, message: &Message) {
    if message.fields.is_empty() {
        return code.line("const FIELDS: ::defiant::FieldNames = &[];");
    }
    code.block("const FIELDS: ::defiant::FieldNames = &[", "];", |code| {
        for field in &message.fields {
            code.line(format!("({}, {:?}),", field.number, field.name));
        }
    });
}

fn nested(code: &mut Code, message: &Message) {
    if message.messages.is_empty() && message.enums.is_empty() && message.oneofs.is_empty() {
        return;
    }
    code.line("");
    code.line(format!("/// Types nested in `{}`.", message.name));
    code.block(format!("pub mod {} {{", message.module), "}", |code| {
        let mut first = true;
        let mut space = |code: &mut Code| {
            if !std::mem::take(&mut first) {
                code.line("");
            }
        };
        for nested in &message.messages {
            space(code);
            emit(code, nested);
        }
        for nested in &message.enums {
            space(code);
            enums::emit(code, nested);
        }
        for (index, nested) in message.oneofs.iter().enumerate() {
            space(code);
            oneof::emit(code, message, index, nested);
        }
    });
}
