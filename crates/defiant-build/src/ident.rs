//! Names: from `.proto` conventions to Rust's, in the way of prost-build.

use heck::{ToSnakeCase, ToUpperCamelCase};

/// A field's or module's name.
pub(crate) fn snake(name: &str) -> String {
    usable(name.to_snake_case())
}

/// A type's or variant's name.
pub(crate) fn camel(name: &str) -> String {
    usable(name.to_upper_camel_case())
}

/// The variant of a value of the enum `enum_name`, whose name in upper camel case is left out.
pub(crate) fn variant(enum_name: &str, value: &str) -> String {
    let (prefix, name) = (enum_name.to_upper_camel_case(), value.to_upper_camel_case());
    match name.strip_prefix(&prefix) {
        Some(rest) if rest.starts_with(|c: char| c.is_uppercase()) => usable(rest.into()),
        _ => usable(name),
    }
}

/// `name` without the mark of a raw identifier.
pub(crate) fn plain(name: &str) -> &str {
    name.trim_start_matches("r#")
}

fn usable(name: String) -> String {
    match name.as_str() {
        "as" | "break" | "const" | "continue" | "else" | "enum" | "false" | "fn" | "for" | "if"
        | "impl" | "in" | "let" | "loop" | "match" | "mod" | "move" | "mut" | "pub" | "ref"
        | "return" | "static" | "struct" | "trait" | "true" | "type" | "unsafe" | "use"
        | "where" | "while" | "dyn" | "abstract" | "become" | "box" | "do" | "final" | "macro"
        | "override" | "priv" | "typeof" | "unsized" | "virtual" | "yield" | "async" | "await"
        | "try" | "gen" => format!("r#{name}"),
        // Of underscores alone.
        "" => "__".into(),
        // Not possible as raw identifiers.
        "_" | "super" | "self" | "Self" | "extern" | "crate" => format!("{name}_"),
        _ if name.starts_with(|c: char| c.is_numeric()) => format!("_{name}"),
        _ => name,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keywords_become_raw_identifiers_and_the_impossible_ones_get_an_underscore() {
        assert_eq!(snake("type"), "r#type");
        assert_eq!(snake("self"), "self_");
        assert_eq!(snake("_"), "__");
        assert_eq!(camel("self"), "Self_");
        assert_eq!(snake("fooBar2"), "foo_bar2");
    }

    #[test]
    fn variants_lose_the_name_of_their_enum_only_as_a_whole_word() {
        assert_eq!(variant("Foo", "FOO_BAR"), "Bar");
        assert_eq!(variant("Foo", "FOOBAR"), "Foobar");
        assert_eq!(variant("Foo", "FOO_1"), "Foo1");
        assert_eq!(variant("Foo", "FOO_SELF"), "Self_");
    }
}
