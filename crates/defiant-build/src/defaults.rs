//! Default values of proto2 as Rust expressions.

use prost_types::FieldDescriptorProto;
use prost_types::field_descriptor_proto::Type;

/// `value`, in the form of `FieldDescriptorProto.default_value`, as an expression of the field's
/// Rust type; `None` if it is not one. Enums are not handled here.
pub(crate) fn expression(field: &FieldDescriptorProto, value: &str) -> Option<String> {
    Some(match field.r#type() {
        Type::String => format!("{value:?}"),
        Type::Bytes => format!("b\"{}\"", unescape(value)?.escape_ascii()),
        Type::Bool => value.parse::<bool>().ok()?.to_string(),
        Type::Float => float(value, "f32")?,
        Type::Double => float(value, "f64")?,
        Type::Int32 | Type::Sint32 | Type::Sfixed32 => value.parse::<i32>().ok()?.to_string(),
        Type::Int64 | Type::Sint64 | Type::Sfixed64 => value.parse::<i64>().ok()?.to_string(),
        Type::Uint32 | Type::Fixed32 => value.parse::<u32>().ok()?.to_string(),
        Type::Uint64 | Type::Fixed64 => value.parse::<u64>().ok()?.to_string(),
        Type::Enum | Type::Message | Type::Group => return None,
    })
}

fn float(value: &str, rust: &str) -> Option<String> {
    // In the type's own text, which has no more digits than it can hold. A number that it cannot hold is infinite.
    let text = match rust {
        "f32" => format!("{:?}", value.parse::<f32>().ok()?),
        _ => format!("{:?}", value.parse::<f64>().ok()?),
    };
    let constant = match text.as_str() {
        "inf" => "INFINITY",
        "-inf" => "NEG_INFINITY",
        "NaN" => "NAN",
        _ => return Some(text),
    };
    Some(format!("::core::primitive::{rust}::{constant}"))
}

/// The bytes of a C string literal.
fn unescape(text: &str) -> Option<Vec<u8>> {
    let mut bytes = text.bytes().peekable();
    let mut out = Vec::new();
    while let Some(byte) = bytes.next() {
        if byte != b'\\' {
            out.push(byte);
            continue;
        }
        let (radix, max, first) = match bytes.next()? {
            b'x' | b'X' => (16, 2, None),
            digit @ b'0'..=b'7' => (8, 3, Some(digit)),
            letter => {
                out.push(control(letter));
                continue;
            }
        };
        let mut digits = first.map(|digit| char::from(digit).to_string()).unwrap_or_default();
        while digits.len() < max {
            let Some(next) = bytes.next_if(|byte| char::from(*byte).is_digit(radix)) else { break };
            digits.push(char::from(next));
        }
        out.push(u8::from_str_radix(&digits, radix).ok()?);
    }
    Some(out)
}

/// Returns the byte for a letter after a backslash; letters without a meaning stand for themselves.
fn control(letter: u8) -> u8 {
    match letter {
        b'a' => 7,
        b'b' => 8,
        b't' => b'\t',
        b'n' => b'\n',
        b'v' => 11,
        b'f' => 12,
        b'r' => b'\r',
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escaped_bytes_are_those_of_the_c_literal() {
        let bytes = unescape(r#"a\n\001\x7f\377\\\"'"#).unwrap();
        assert_eq!(bytes, b"a\n\x01\x7f\xff\\\"'");
        assert_eq!(unescape("\\"), None);
    }

    #[test]
    fn floats_without_digits_are_constants() {
        let of = |value, rust| float(value, rust).unwrap();
        assert_eq!(of("inf", "f32"), "::core::primitive::f32::INFINITY");
        assert_eq!(of("-inf", "f64"), "::core::primitive::f64::NEG_INFINITY");
        assert_eq!(of("nan", "f64"), "::core::primitive::f64::NAN");
        assert_eq!(of("-nan", "f32"), "::core::primitive::f32::NAN");
        assert_eq!(of("1e39", "f32"), "::core::primitive::f32::INFINITY");
        assert_eq!(of("-1e39", "f32"), "::core::primitive::f32::NEG_INFINITY");
        assert_eq!(of("1e39", "f64"), "1e39");
        assert_eq!(of("1e400", "f64"), "::core::primitive::f64::INFINITY");
        assert_eq!(float("1", "f32").unwrap(), "1.0");
        assert_eq!(float("0.1", "f32").unwrap(), "0.1");
    }
}
