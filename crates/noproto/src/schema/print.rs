//! Prints a schema in its text form.

use alloc::string::String;
use core::fmt::{self, Write as _};

use super::json::default;
use super::{Shape, Type};
use crate::Kind;
use crate::json;

pub(crate) fn print(ty: &Type, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    f.write_str(ty.kind.name())?;
    match &ty.shape {
        Shape::Plain => {
            if matches!(ty.kind, Kind::FixedText | Kind::FixedBytes) {
                write!(f, "[{}]", ty.size)?;
            }
        }
        Shape::Decimal(digits) => write!(f, "({digits})")?,
        Shape::Choices(names) => {
            f.write_str(" { ")?;
            separated(names.iter(), f, |choice, f| name(choice, f))?;
            f.write_str(" }")?;
        }
        Shape::Struct(layout) if layout.fields.is_empty() => f.write_str(" {}")?,
        Shape::Struct(layout) => {
            f.write_str(" { ")?;
            separated(layout.fields.iter(), f, |field, f| {
                name(&field.name, f)?;
                f.write_str(": ")?;
                print(&field.ty, f)
            })?;
            f.write_str(" }")?;
        }
        Shape::Items(item) => {
            f.write_char('<')?;
            print(item, f)?;
            f.write_char('>')?;
        }
        Shape::Tuple(parts) => {
            f.write_char('(')?;
            separated(parts.iter(), f, |part, f| print(&part.ty, f))?;
            f.write_char(')')?;
        }
    }
    default(ty).map_or(Ok(()), |default| write!(f, " = {default}"))
}

fn separated<T>(
    items: impl Iterator<Item = T>,
    f: &mut fmt::Formatter<'_>,
    one: impl Fn(T, &mut fmt::Formatter<'_>) -> fmt::Result,
) -> fmt::Result {
    for (index, item) in items.enumerate() {
        if index > 0 {
            f.write_str(", ")?;
        }
        one(item, f)?;
    }
    Ok(())
}

fn name(name: &str, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    if json::is_word(name) {
        return f.write_str(name);
    }
    let mut quoted = String::new();
    json::write_string(name, &mut quoted);
    f.write_str(&quoted)
}

#[cfg(test)]
mod tests {
    use alloc::string::ToString as _;

    use crate::{Result, Schema};

    #[test]
    fn a_printed_schema_reads_as_the_same() -> Result<()> {
        let text = "struct { a: u8 = 3, \"b c\": list<map<string>>, d: tuple(i8, string[3]), \
                    e: enum { x, \"y z\" } = \"x\", f: struct {}, g: decimal(2) = 1.50 }";
        let schema = Schema::parse(text)?;
        assert_eq!(schema.to_string(), text);
        assert_eq!(Schema::from_json(&schema.to_json())?, schema);
        Ok(())
    }
}
