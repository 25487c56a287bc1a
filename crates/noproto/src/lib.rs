#![doc = include_str!("../README.md")]
#![no_std]
#![forbid(unsafe_code)]

extern crate alloc;

mod access;
mod buffer;
mod content;
mod deep;
mod edit;
mod error;
mod fill;
mod json;
mod kind;
mod make;
mod map;
mod node;
mod path;
mod schema;
mod sort;
mod value;
mod view;
mod wire;

pub use access::{Get, Set};
pub use buffer::Buffer;
pub use edit::{Edit, ListMut, NodeMut, StructMut};
pub use error::{Error, Result};
pub use kind::Kind;
pub use node::{List, Map, Node, Struct, Tuple};
pub use path::{AsPath, Path};
pub use schema::{Schema, Type};
pub use value::{Choice, Date, Decimal, Geo, Ulid, Uuid};
pub use view::View;
