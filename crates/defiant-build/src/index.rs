//! All types of all files by their full names, to resolve references.

use std::collections::BTreeMap;

use prost_types::field_descriptor_proto::{Label, Type};
use prost_types::{DescriptorProto, EnumDescriptorProto, FileDescriptorSet};

use crate::error::Error;
use crate::ident;
use crate::model::Path;
use crate::selection::Selection;

/// Details of a type that references to it need.
pub(crate) enum Entry<'a> {
    Message { path: Path, borrows: bool, descriptor: &'a DescriptorProto },
    Enum { path: Path, closed: bool, descriptor: &'a EnumDescriptorProto },
}

/// Types by full name, with a dot in front as in descriptors.
pub(crate) struct Index<'a> {
    entries: BTreeMap<String, Entry<'a>>,
    /// Messages that keep their unknown fields, and so borrow.
    unknown: &'a Selection,
}

impl<'a> Index<'a> {
    pub(crate) fn new(fds: &'a FileDescriptorSet, unknown: &'a Selection) -> Result<Self, Error> {
        let mut index = Self { entries: BTreeMap::new(), unknown };
        for file in &fds.file {
            let closed = match file.syntax() {
                "" | "proto2" => true,
                "proto3" => false,
                other => {
                    let file = file.name().to_owned();
                    return Err(Error::Syntax { file, syntax: other.to_owned() });
                }
            };
            let package = file.package();
            let prefix = if package.is_empty() { String::new() } else { format!(".{package}") };
            let modules = modules(package);
            for descriptor in &file.message_type {
                index.add_message(&prefix, &modules, descriptor, closed);
            }
            for descriptor in &file.enum_type {
                index.add_enum(&prefix, &modules, descriptor, closed);
            }
        }
        Ok(index)
    }

    pub(crate) fn get(&self, type_name: &str) -> Option<&Entry<'a>> {
        self.entries.get(type_name)
    }

    fn add_message(
        &mut self,
        prefix: &str,
        modules: &[String],
        descriptor: &'a DescriptorProto,
        closed: bool,
    ) {
        let name = format!("{prefix}.{}", descriptor.name());
        let mut inner = modules.to_vec();
        inner.push(ident::snake(descriptor.name()));
        for nested in &descriptor.nested_type {
            self.add_message(&name, &inner, nested, closed);
        }
        for nested in &descriptor.enum_type {
            self.add_enum(&name, &inner, nested, closed);
        }
        let path = Path { modules: modules.to_vec(), ident: ident::camel(descriptor.name()) };
        let borrows = self.unknown.has(&name)
            || descriptor.field.iter().any(|field| {
                field.label() == Label::Repeated
                    || matches!(field.r#type(), Type::String | Type::Bytes)
                    || matches!(field.r#type(), Type::Message | Type::Group)
            });
        self.entries.insert(name, Entry::Message { path, borrows, descriptor });
    }

    fn add_enum(
        &mut self,
        prefix: &str,
        modules: &[String],
        descriptor: &'a EnumDescriptorProto,
        closed: bool,
    ) {
        let path = Path { modules: modules.to_vec(), ident: ident::camel(descriptor.name()) };
        let name = format!("{prefix}.{}", descriptor.name());
        self.entries.insert(name, Entry::Enum { path, closed, descriptor });
    }
}

/// The modules of a package.
pub(crate) fn modules(package: &str) -> Vec<String> {
    package.split('.').filter(|part| !part.is_empty()).map(ident::snake).collect()
}
