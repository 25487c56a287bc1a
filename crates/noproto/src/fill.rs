//! Values from JSON into a buffer.

use alloc::vec::Vec;

use crate::access::set_blob;
use crate::json::{Json, Parser};
use crate::schema::Type;
use crate::wire::{self, range_mut};
use crate::{Error, Kind, Node, Result, content, deep, make};

pub(crate) fn parse(text: &str) -> Result<Json<'_>> {
    let mut parser = Parser::new(text);
    let json = parser.value()?;
    parser.end()?;
    Ok(json)
}

/// Says whether a value is of the type, before anything is made for it.
pub(crate) fn check(ty: &Type, json: &Json<'_>) -> Result<()> {
    let mut scratch = ty.blank.to_vec();
    fill(ty, json, &mut scratch, 0)
}

/// Puts a value in place of the one at `slot`, or leaves everything as it was.
pub(crate) fn replace(ty: &Type, json: &Json<'_>, bytes: &mut Vec<u8>, slot: usize) -> Result<()> {
    let reach = deep::reach(Node { ty, bytes, slot })?;
    if reach.has_newer {
        return Err(Error::NewerSchema);
    }
    let (len, old) = (bytes.len(), wire::range(bytes, slot, ty.size)?.to_vec());
    make::blank(bytes, slot, ty)?;
    let result = fill(ty, json, bytes, slot);
    if result.is_err() {
        // A new value is all behind the end, but for its slot.
        bytes.truncate(len);
        range_mut(bytes, slot, ty.size)?.copy_from_slice(&old);
        return result;
    }
    reach.wipe(bytes)
}

fn fill(ty: &Type, json: &Json<'_>, bytes: &mut Vec<u8>, slot: usize) -> Result<()> {
    let misfit = || Error::DoesNotFit(ty.kind);
    match (ty.kind, json) {
        // Of a struct, a list or a map, nothing is what was never set.
        (kind, Json::Null) if kind.is_out_of_line() => Ok(()),
        (Kind::Struct, Json::Object(members)) => {
            let layout = ty.layout()?;
            let (at, _) = make::structure(bytes, slot, layout)?;
            for (name, value) in members {
                let field = layout.fields.iter().find(|field| *field.name == **name);
                let field = field.ok_or(Error::NoSuchField)?;
                if !matches!(value, Json::Null) {
                    let slot = make::field(bytes, at, field)?;
                    fill(&field.ty, value, bytes, slot)?;
                }
            }
            Ok(())
        }
        (Kind::List, Json::Array(values)) => {
            let item = ty.items(Kind::List)?;
            make::array(bytes, slot, item.size, values.len(), 0)?;
            for value in values {
                let slot = make::push(bytes, slot, item)?;
                fill(item, value, bytes, slot)?;
            }
            Ok(())
        }
        (Kind::Map, Json::Object(members)) => {
            let item = ty.items(Kind::Map)?;
            make::array(bytes, slot, item.entry_size(), members.len(), 0)?;
            // Each key is the last one then: none has to make room for one before it.
            let mut members: Vec<_> = members.iter().collect();
            members.sort_unstable_by(|one, other| one.0.cmp(&other.0));
            for (key, value) in members {
                let slot = make::key(bytes, slot, item, key)?;
                fill(item, value, bytes, slot)?;
            }
            Ok(())
        }
        (Kind::Tuple, Json::Array(values)) => {
            let parts = ty.tuple()?;
            if values.len() != parts.len() {
                return Err(misfit());
            }
            for (part, value) in parts.iter().zip(values) {
                fill(&part.ty, value, bytes, slot + part.offset)?;
            }
            Ok(())
        }
        _ => {
            let content = content::from_json(ty, json)?;
            if ty.kind.is_out_of_line() {
                return set_blob(bytes, slot, &content);
            }
            range_mut(bytes, slot, content.len())?.copy_from_slice(&content);
            Ok(())
        }
    }
}
