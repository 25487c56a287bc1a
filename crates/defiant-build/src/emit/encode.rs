//! `Message::encode_raw` and `Message::encoded_len`: the same calls, by number of field, once on a
//! writer with keys and once on a length with numbers.

use std::collections::BTreeMap;

use super::{oneof, types};
use crate::code::Code;
use crate::model::{Field, Kind, Message, Shape, Wire};

/// The receiver of the fields in the generated code.
#[derive(Clone, Copy)]
enum To {
    Writer,
    Len,
}

impl To {
    fn name(self) -> &'static str {
        match self {
            Self::Writer => "out",
            Self::Len => "len",
        }
    }

    /// Returns the field's key with `wire` for the writer, and its number for the length.
    fn tag(self, field: &Field, wire: Wire) -> u32 {
        match self {
            Self::Writer => types::key(field, wire),
            Self::Len => field.number,
        }
    }
}

pub(super) fn emit_encode(code: &mut Code, message: &Message) {
    let is_empty = message.fields.is_empty() && message.unknown.is_none();
    let out = if is_empty { "_out" } else { "out" };
    let head = format!("fn encode_raw(&self, {out}: &mut ::defiant::Writer<'_>) {{");
    code.block(head, "}", |code| {
        fields(code, message, To::Writer, |_| true);
        if let Some(ident) = &message.unknown {
            code.line(format!("self.{ident}.write(out);"));
        }
    });
}

pub(super) fn emit_len(code: &mut Code, message: &Message) {
    code.block("fn encoded_len(&self) -> usize {", "}", |code| {
        if message.fields.is_empty() && message.unknown.is_none() {
            return code.line("0");
        }
        code.line("let mut len = ::defiant::Len::new();");
        let together = together(message);
        for (codec, fields) in &together {
            let fields =
                fields.iter().map(|field| format!("({}, self.{})", field.number, field.ident));
            let fields = fields.collect::<Vec<_>>().join(", ");
            code.line(format!("len.implicits::<{codec}, _>([{fields}]);"));
        }
        let is_done = |field: &Field| {
            together.iter().any(|(_, fields)| fields.iter().any(|done| done.number == field.number))
        };
        fields(code, message, To::Len, |field| !is_done(field));
        if let Some(ident) = &message.unknown {
            code.line(format!("len.unknown(self.{ident});"));
        }
        code.line("len.bytes()");
    });
}

/// How many fields are passed over at once.
const TOGETHER: usize = 4;

/// The varint fields without presence, by codec: a sum may be in any order.
fn together(message: &Message) -> Vec<(String, Vec<&Field>)> {
    let mut by_codec: BTreeMap<String, Vec<&Field>> = BTreeMap::new();
    for field in &message.fields {
        let codec = types::codec(&field.kind, &message.path.modules);
        // A `bool` needs no jump.
        let is_varint = types::wire(&field.kind) == Wire::Varint && !codec.ends_with("::Bool");
        if matches!(field.shape, Shape::Implicit) && is_varint {
            by_codec.entry(codec).or_default().push(field);
        }
    }
    let groups = by_codec.iter().flat_map(|(codec, fields)| {
        fields.chunks(TOGETHER).map(|fields| (codec.clone(), fields.to_vec()))
    });
    groups.filter(|(_, fields)| fields.len() > 1).collect()
}

fn fields(code: &mut Code, message: &Message, to: To, is_wanted: impl Fn(&Field) -> bool) {
    for field in message.fields.iter().filter(|field| is_wanted(field)) {
        if let Some(index) = oneof::begins(message, field) {
            whole_oneof(code, message, index, to);
        } else if !matches!(field.shape, Shape::Oneof { .. }) {
            plain_field(code, message, field, to);
        }
    }
}

fn plain_field(code: &mut Code, message: &Message, field: &Field, to: To) {
    let out = to.name();
    let tag = to.tag(field, types::wire(&field.kind));
    let delimited = to.tag(field, Wire::Delimited);
    let codec = types::codec(&field.kind, &message.path.modules);
    let ident = &field.ident;
    match (&field.shape, &field.kind) {
        (Shape::Map { key }, _) => {
            let key = types::scalar_codec(*key);
            code.line(format!("{out}.map::<{key}, {codec}>({delimited}, self.{ident});"));
        }
        (Shape::Repeated { .. }, Kind::Message { group, .. }) => {
            code.block(format!("for message in self.{ident} {{"), "}", |code| {
                code.line(format!("{out}.{}({tag}, message);", message_method(*group)));
            });
        }
        (_, Kind::Message { group, .. }) => {
            code.block(format!("if let Some(message) = self.{ident} {{"), "}", |code| {
                code.line(format!("{out}.{}({tag}, message);", message_method(*group)));
            });
        }
        (Shape::Repeated { packed: true }, _) => {
            code.line(format!("{out}.packed::<{codec}>({delimited}, self.{ident});"));
        }
        (shape, _) => {
            code.line(format!("{out}.{}::<{codec}>({tag}, self.{ident});", method(shape)));
        }
    }
}

/// Returns the name of the runtime's method for a scalar field of this shape.
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

fn whole_oneof(code: &mut Code, message: &Message, index: usize, to: To) {
    let oneof = &message.oneofs[index];
    let modules = &message.path.modules;
    let (_, path) = types::oneof(oneof, modules);
    let out = to.name();
    code.block(format!("match self.{} {{", oneof.ident), "}", |code| {
        for (variant, field) in oneof::variants(message, index) {
            let tag = to.tag(field, types::wire(&field.kind));
            let call = match &field.kind {
                Kind::Message { group, .. } => message_method(*group).to_owned(),
                kind => format!("required::<{}>", types::codec(kind, modules)),
            };
            code.line(format!("Some({path}::{variant}(value)) => {out}.{call}({tag}, value),"));
        }
        code.line("None => {}");
    });
}
