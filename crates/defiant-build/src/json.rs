//! The parts of protobuf's JSON mapping beyond the types: which of them have it, and the names of fields in it.

use prost_types::FieldDescriptorProto;

use crate::selection::{self, Selection};

/// Whether the type of this full name is written as JSON. Those of `google.protobuf` never are: most have forms of
/// their own, and without an implementation, no text can have another form by mistake.
pub(crate) fn is_written(selection: &Selection, full_name: &str) -> bool {
    !selection::is_in(full_name.trim_start_matches('.'), "google.protobuf")
        && selection.has(full_name)
}

/// A field's name. Parsers compute it where the file does not say it; descriptors may still be without.
pub(crate) fn name(field: &FieldDescriptorProto) -> String {
    let computed = || {
        let mut words = field.name().split('_');
        let first = words.next().unwrap_or_default().to_owned();
        words.fold(first, |name, word| name + &capital(word))
    };
    field.json_name.clone().unwrap_or_else(computed)
}

fn capital(word: &str) -> String {
    let first = word.chars().next().map(|first| first.to_ascii_uppercase());
    first.into_iter().chain(word.chars().skip(1)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_dot_selects_all_but_the_well_known_types() {
        let mut selection = Selection::default();
        selection.add(["."]);
        assert!(is_written(&selection, ".Car"));
        assert!(is_written(&selection, ".google.rpc.Status"));
        assert!(!is_written(&selection, ".google.protobuf.Timestamp"));
        assert!(selection.has(".google.protobuf.Timestamp"));
    }

    #[test]
    fn a_name_that_no_parser_computed_loses_its_underscores_to_capitals() {
        for (name, json) in [
            ("year", "year"),
            ("some_numbers", "someNumbers"),
            ("FooBar", "FooBar"),
            ("_a__b_2c_", "AB2c"),
        ] {
            let field = FieldDescriptorProto { name: Some(name.into()), ..Default::default() };
            assert_eq!(super::name(&field), json);
        }
        let field = FieldDescriptorProto {
            name: Some("some_numbers".into()),
            json_name: Some("numbers".into()),
            ..Default::default()
        };
        assert_eq!(super::name(&field), "numbers");
    }
}
