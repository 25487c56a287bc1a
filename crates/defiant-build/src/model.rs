//! The model of the generated code: descriptors with names, references and defaults resolved.

/// All types of one package.
pub(crate) struct Package {
    /// As in the `.proto` files.
    pub(crate) name: String,
    pub(crate) modules: Vec<String>,
    pub(crate) messages: Vec<Message>,
    pub(crate) enums: Vec<Enum>,
}

impl Package {
    pub(crate) fn file_name(&self) -> String {
        let name = if self.name.is_empty() { "_" } else { &self.name };
        format!("{name}.rs")
    }
}

/// The place and name of a generated type.
#[derive(Clone, Debug)]
pub(crate) struct Path {
    pub(crate) modules: Vec<String>,
    pub(crate) ident: String,
}

impl Path {
    /// The path as seen from inside `modules`.
    pub(crate) fn from(&self, modules: &[String]) -> String {
        let common = self.modules.iter().zip(modules).take_while(|(a, b)| a == b).count();
        let up = std::iter::repeat_n("super", modules.len() - common);
        let down = self.modules[common..].iter().map(String::as_str);
        up.chain(down).chain([self.ident.as_str()]).collect::<Vec<_>>().join("::")
    }
}

pub(crate) struct Message {
    pub(crate) path: Path,
    /// As in the `.proto` file.
    pub(crate) name: String,
    pub(crate) docs: Vec<String>,
    /// Whether the type has the lifetime of its arena.
    pub(crate) borrows: bool,
    /// Whether it is written as JSON.
    pub(crate) json: bool,
    /// Whether it is lent by `defiant::Owned`.
    pub(crate) owned: bool,
    /// The field that its unknown fields are kept in, if they are.
    pub(crate) unknown: Option<String>,
    /// All fields, those of oneofs too, by number.
    pub(crate) fields: Vec<Field>,
    pub(crate) oneofs: Vec<Oneof>,
    /// The module of the nested types.
    pub(crate) module: String,
    pub(crate) messages: Vec<Message>,
    pub(crate) enums: Vec<Enum>,
}

impl Message {
    /// The fields that are not in a oneof.
    pub(crate) fn plain_fields(&self) -> impl Iterator<Item = &Field> {
        self.fields.iter().filter(|field| !matches!(field.shape, Shape::Oneof { .. }))
    }
}

pub(crate) struct Oneof {
    pub(crate) ident: String,
    pub(crate) path: Path,
    pub(crate) docs: Vec<String>,
    pub(crate) borrows: bool,
}

pub(crate) struct Field {
    /// As in the `.proto` file.
    pub(crate) name: String,
    pub(crate) ident: String,
    pub(crate) json_name: String,
    pub(crate) number: u32,
    pub(crate) docs: Vec<String>,
    pub(crate) deprecated: bool,
    pub(crate) shape: Shape,
    pub(crate) kind: Kind,
}

/// How often a field's value can be there, and how that is detected.
pub(crate) enum Shape {
    /// With presence.
    Optional {
        default: Option<String>,
    },
    /// proto2 `required`: always written.
    Required {
        default: Option<String>,
    },
    /// Without presence.
    Implicit,
    Repeated {
        packed: bool,
    },
    /// The values of a map; the key is a scalar.
    Map {
        key: Scalar,
    },
    /// A variant of the oneof of this index.
    Oneof {
        index: usize,
        variant: String,
    },
}

/// The kind of a field's value.
pub(crate) enum Kind {
    Scalar(Scalar),
    Enum { path: Path, closed: bool, first: String },
    Message { path: Path, borrows: bool, group: bool },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Wire {
    Varint = 0,
    Fixed64 = 1,
    Delimited = 2,
    StartGroup = 3,
    Fixed32 = 5,
}

/// A scalar type: its codec in the runtime, its Rust type, and its layout.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Scalar {
    pub(crate) codec: &'static str,
    pub(crate) rust: &'static str,
    pub(crate) wire: Wire,
    /// The default of the type as Rust code.
    pub(crate) zero: &'static str,
}

pub(crate) struct Enum {
    pub(crate) path: Path,
    pub(crate) docs: Vec<String>,
    /// Whether its values are written as JSON.
    pub(crate) json: bool,
    pub(crate) values: Vec<Value>,
}

pub(crate) struct Value {
    /// As in the `.proto` file.
    pub(crate) name: String,
    pub(crate) variant: String,
    pub(crate) number: i32,
    pub(crate) docs: Vec<String>,
    /// Whether an earlier value has the same number and gives its name to the variant.
    pub(crate) alias: bool,
}
