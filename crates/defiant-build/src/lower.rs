//! From descriptors to the model.

use std::collections::{BTreeMap, BTreeSet};

use prost_types::field_descriptor_proto::{Label, Type};
use prost_types::{
    DescriptorProto, EnumDescriptorProto, FieldDescriptorProto, FileDescriptorProto,
    FileDescriptorSet,
};

use crate::docs::Comments;
use crate::error::Error;
use crate::index::{self, Entry, Index};
use crate::model::{Enum, Field, Kind, Message, Oneof, Package, Path, Scalar, Shape, Value, Wire};
use crate::selection::Selection;
use crate::{defaults, ident, json};

// Field numbers of `descriptor.proto`, which source locations are paths of.
const FILE_MESSAGE: i32 = 4;
const FILE_ENUM: i32 = 5;
const MESSAGE_FIELD: i32 = 2;
const MESSAGE_NESTED: i32 = 3;
const MESSAGE_ENUM: i32 = 4;
const MESSAGE_ONEOF: i32 = 8;
const ENUM_VALUE: i32 = 2;

/// The types that get more than their messages' code.
#[derive(Clone, Debug, Default)]
pub(crate) struct Options {
    /// Written as JSON.
    pub(crate) json: Selection,
    /// Lent by `defiant::Owned`.
    pub(crate) owned: Selection,
    /// Keep their unknown fields.
    pub(crate) unknown: Selection,
}

/// The packages of `fds`, by name.
pub(crate) fn packages(fds: &FileDescriptorSet, options: &Options) -> Result<Vec<Package>, Error> {
    let index = Index::new(fds, &options.unknown)?;
    let mut packages = BTreeMap::new();
    for file in &fds.file {
        let name = file.package().to_owned();
        let modules = index::modules(&name);
        let package = packages.entry(name.clone()).or_insert_with(|| Package {
            name,
            modules,
            messages: Vec::new(),
            enums: Vec::new(),
        });
        let lower = Lower {
            index: &index,
            options,
            comments: Comments::new(file.source_code_info.as_ref()),
            proto3: file.syntax() == "proto3",
        };
        lower.file(file, package)?;
    }
    Ok(packages.into_values().collect())
}

struct Lower<'a> {
    index: &'a Index<'a>,
    options: &'a Options,
    comments: Comments,
    proto3: bool,
}

/// Where a descriptor is: in the full names, in the generated modules, and in its file.
struct Place<'a> {
    name: String,
    modules: &'a [String],
    location: Vec<i32>,
}

impl Place<'_> {
    fn at(&self, steps: [i32; 2]) -> Vec<i32> {
        [self.location.as_slice(), &steps].concat()
    }
}

impl Lower<'_> {
    fn file(&self, file: &FileDescriptorProto, package: &mut Package) -> Result<(), Error> {
        let modules = package.modules.clone();
        let prefix =
            if file.package().is_empty() { String::new() } else { format!(".{}", file.package()) };
        for (at, message) in (0..).zip(&file.message_type) {
            let name = format!("{prefix}.{}", message.name());
            let location = vec![FILE_MESSAGE, at];
            package
                .messages
                .push(self.message(message, Place { name, modules: &modules, location })?);
        }
        for (at, descriptor) in (0..).zip(&file.enum_type) {
            let name = format!("{prefix}.{}", descriptor.name());
            let location = vec![FILE_ENUM, at];
            package
                .enums
                .push(self.enumeration(descriptor, Place { name, modules: &modules, location }));
        }
        Ok(())
    }

    fn message(&self, descriptor: &DescriptorProto, place: Place<'_>) -> Result<Message, Error> {
        let module = ident::snake(descriptor.name());
        let inner = [place.modules, std::slice::from_ref(&module)].concat();
        let mut fields = Vec::new();
        let oneofs = self.oneofs(descriptor, &place, &inner);
        for (at, field) in (0..).zip(&descriptor.field) {
            fields.push(self.field(field, at, &place, descriptor)?);
        }
        fields.sort_by_key(|field| field.number);
        let mut messages = Vec::new();
        for (at, nested) in (0..).zip(&descriptor.nested_type) {
            if !nested.options.as_ref().is_some_and(|options| options.map_entry()) {
                let name = format!("{}.{}", place.name, nested.name());
                let location = place.at([MESSAGE_NESTED, at]);
                messages.push(self.message(nested, Place { name, modules: &inner, location })?);
            }
        }
        let enums = (0..).zip(&descriptor.enum_type).map(|(at, nested)| {
            let name = format!("{}.{}", place.name, nested.name());
            let location = place.at([MESSAGE_ENUM, at]);
            self.enumeration(nested, Place { name, modules: &inner, location })
        });
        let borrows = match self.index.get(&place.name) {
            Some(Entry::Message { borrows, .. }) => *borrows,
            _ => false,
        };
        let unknown = self.options.unknown.has(&place.name).then(|| {
            let mut ident = "unknown_fields".to_owned();
            while fields.iter().any(|field: &Field| field.ident == ident)
                || oneofs.iter().any(|oneof| oneof.ident == ident)
            {
                ident.push('_');
            }
            ident
        });
        Ok(Message {
            unknown,
            path: Path { modules: place.modules.to_vec(), ident: ident::camel(descriptor.name()) },
            name: descriptor.name().to_owned(),
            docs: self
                .comments
                .at(&place.location, format!("Message `{}`.", place.name.trim_start_matches('.'))),
            borrows,
            json: json::is_written(&self.options.json, &place.name),
            owned: self.options.owned.has(&place.name),
            fields,
            oneofs,
            module,
            messages,
            enums: enums.collect(),
        })
    }

    /// The oneofs that are written in the file. Those made up for proto3 `optional` come last. The type of one that is named
    /// as a nested type gets `OneOf` behind its name, as in prost-build.
    fn oneofs(
        &self,
        descriptor: &DescriptorProto,
        place: &Place<'_>,
        inner: &[String],
    ) -> Vec<Oneof> {
        let messages = descriptor.nested_type.iter().map(DescriptorProto::name);
        let enums = descriptor.enum_type.iter().map(EnumDescriptorProto::name);
        let mut taken: BTreeSet<_> = messages.chain(enums).map(ident::camel).collect();
        let written = (0..).zip(&descriptor.oneof_decl).filter_map(|(at, oneof)| {
            let mut fields = descriptor
                .field
                .iter()
                .filter(|field| field.oneof_index == Some(at) && !field.proto3_optional());
            let first = fields.next()?;
            let borrows = [first].into_iter().chain(fields).any(|field| {
                matches!(field.r#type(), Type::String | Type::Bytes | Type::Message | Type::Group)
            });
            let docs = self
                .comments
                .at(&place.at([MESSAGE_ONEOF, at]), format!("Oneof `{}`.", oneof.name()));
            let mut ident = ident::camel(oneof.name());
            while !taken.insert(ident.clone()) {
                ident.push_str("OneOf");
            }
            let path = Path { modules: inner.to_vec(), ident };
            Some(Oneof { ident: ident::snake(oneof.name()), path, docs, borrows })
        });
        written.collect()
    }

    fn field(
        &self,
        field: &FieldDescriptorProto,
        at: i32,
        place: &Place<'_>,
        message: &DescriptorProto,
    ) -> Result<Field, Error> {
        // A group's field is named as its type, in lower case.
        let name = field.name();
        let full_name = || format!("{}.{name}", place.name.trim_start_matches('.'));
        let mut kind = self.kind(field, &full_name)?;
        let default =
            match field.default_value.as_deref() {
                Some(value) => Some(self.default(field, value).ok_or_else(|| Error::Default {
                    field: full_name(),
                    value: value.to_owned(),
                })?),
                None => None,
            };
        let shape = match (field.label(), field.oneof_index) {
            (Label::Repeated, _) => match self.map_entry(field) {
                Some(entry) => {
                    kind = self.kind(&entry.field[1], &full_name)?;
                    Shape::Map { key: scalar(entry.field[0].r#type()) }
                }
                None => Shape::Repeated { packed: self.is_packed(field) },
            },
            (Label::Optional, Some(oneof)) if !field.proto3_optional() => {
                let index = usize::try_from(oneof).unwrap_or_default();
                Shape::Oneof { index, variant: ident::camel(name) }
            }
            (Label::Required, _) => Shape::Required { default },
            (Label::Optional, _)
                if self.proto3
                    && !field.proto3_optional()
                    && !matches!(kind, Kind::Message { .. }) =>
            {
                Shape::Implicit
            }
            (Label::Optional, _) => Shape::Optional { default },
        };
        let otherwise = format!("`{name}`, field {} of `{}`.", field.number(), message.name());
        Ok(Field {
            name: name.to_owned(),
            ident: ident::snake(name),
            json_name: json::name(field),
            number: field.number() as u32,
            docs: self.comments.at(&place.at([MESSAGE_FIELD, at]), otherwise),
            deprecated: field.options.as_ref().is_some_and(|options| options.deprecated()),
            shape,
            kind,
        })
    }

    fn kind(
        &self,
        field: &FieldDescriptorProto,
        full_name: &impl Fn() -> String,
    ) -> Result<Kind, Error> {
        if !matches!(field.r#type(), Type::Enum | Type::Message | Type::Group) {
            return Ok(Kind::Scalar(scalar(field.r#type())));
        }
        match self.index.get(field.type_name()) {
            Some(Entry::Enum { path, closed, descriptor }) => {
                let first = descriptor.value.first().map(|value| value.name()).unwrap_or_default();
                let first = ident::variant(descriptor.name(), first);
                Ok(Kind::Enum { path: path.clone(), closed: *closed, first })
            }
            Some(Entry::Message { path, borrows, .. }) => Ok(Kind::Message {
                path: path.clone(),
                borrows: *borrows,
                group: field.r#type() == Type::Group,
            }),
            None => Err(Error::UnknownType {
                field: full_name(),
                type_name: field.type_name().to_owned(),
            }),
        }
    }

    /// The default value as an expression, or as the variant if the field is an enum.
    fn default(&self, field: &FieldDescriptorProto, value: &str) -> Option<String> {
        match self.index.get(field.type_name()) {
            Some(Entry::Enum { descriptor, .. }) => {
                let number = descriptor.value.iter().find(|known| known.name() == value)?.number();
                // An alias has no variant of its own.
                let first = descriptor.value.iter().find(|known| known.number() == number)?;
                Some(ident::variant(descriptor.name(), first.name()))
            }
            _ => defaults::expression(field, value),
        }
    }

    fn map_entry(&self, field: &FieldDescriptorProto) -> Option<&DescriptorProto> {
        match self.index.get(field.type_name()) {
            Some(Entry::Message { descriptor, .. }) => {
                let is_entry = descriptor.options.as_ref().is_some_and(|it| it.map_entry());
                (is_entry && descriptor.field.len() == 2).then_some(*descriptor)
            }
            _ => None,
        }
    }

    fn is_packed(&self, field: &FieldDescriptorProto) -> bool {
        let packable =
            !matches!(field.r#type(), Type::String | Type::Bytes | Type::Message | Type::Group);
        let said = field.options.as_ref().and_then(|options| options.packed);
        packable && said.unwrap_or(self.proto3)
    }

    fn enumeration(&self, descriptor: &EnumDescriptorProto, place: Place<'_>) -> Enum {
        let mut numbers = BTreeSet::new();
        let values = (0..).zip(&descriptor.value).map(|(at, value)| Value {
            name: value.name().to_owned(),
            variant: ident::variant(descriptor.name(), value.name()),
            number: value.number(),
            docs: self.comments.at(&place.at([ENUM_VALUE, at]), format!("`{}`.", value.name())),
            alias: !numbers.insert(value.number()),
        });
        Enum {
            path: Path { modules: place.modules.to_vec(), ident: ident::camel(descriptor.name()) },
            docs: self.comments.at(&place.location, format!("Enum `{}`.", descriptor.name())),
            json: json::is_written(&self.options.json, &place.name),
            values: values.collect(),
        }
    }
}

/// The scalar of `kind`; enums are integers here.
fn scalar(kind: Type) -> Scalar {
    let (codec, rust, wire, zero) = match kind {
        Type::Double => ("Double", "f64", Wire::Fixed64, "0.0"),
        Type::Float => ("Float", "f32", Wire::Fixed32, "0.0"),
        Type::Int64 => ("Int64", "i64", Wire::Varint, "0"),
        Type::Uint64 => ("UInt64", "u64", Wire::Varint, "0"),
        Type::Int32 | Type::Enum => ("Int32", "i32", Wire::Varint, "0"),
        Type::Fixed64 => ("Fixed64", "u64", Wire::Fixed64, "0"),
        Type::Fixed32 => ("Fixed32", "u32", Wire::Fixed32, "0"),
        Type::Bool => ("Bool", "bool", Wire::Varint, "false"),
        Type::String => ("Str", "&'a str", Wire::Delimited, "\"\""),
        Type::Bytes | Type::Message | Type::Group => ("Bytes", "&'a [u8]", Wire::Delimited, "&[]"),
        Type::Uint32 => ("UInt32", "u32", Wire::Varint, "0"),
        Type::Sfixed32 => ("SFixed32", "i32", Wire::Fixed32, "0"),
        Type::Sfixed64 => ("SFixed64", "i64", Wire::Fixed64, "0"),
        Type::Sint32 => ("SInt32", "i32", Wire::Varint, "0"),
        Type::Sint64 => ("SInt64", "i64", Wire::Varint, "0"),
    };
    Scalar { codec, rust, wire, zero }
}
