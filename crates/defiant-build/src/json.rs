//! The parts of protobuf's JSON mapping beyond the types: which of them have it, and the names of fields in it.

use prost_types::FieldDescriptorProto;

/// The types that are written as JSON.
#[derive(Clone, Debug, Default)]
pub(crate) struct Selection(Vec<String>);

impl Selection {
    /// Adds what is in `path`: a package, or a type with those nested in it. The empty path has everything in it.
    pub(crate) fn add(&mut self, path: &str) {
        self.0.push(path.trim_start_matches('.').to_owned());
    }

    /// Whether the type of this full name is among them. Those of `google.protobuf` never are: most have forms of
    /// their own, and without an implementation, no text can have another form by mistake.
    pub(crate) fn has(&self, full_name: &str) -> bool {
        let full_name = full_name.trim_start_matches('.');
        !is_in(full_name, "google.protobuf") && self.0.iter().any(|path| is_in(full_name, path))
    }
}

fn is_in(full_name: &str, path: &str) -> bool {
    match full_name.strip_prefix(path) {
        Some(rest) => path.is_empty() || rest.is_empty() || rest.starts_with('.'),
        None => false,
    }
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
    fn a_path_selects_whole_names_and_what_is_nested_in_them() {
        let mut selection = Selection::default();
        assert!(!selection.has(".sample.v1.Car"));
        selection.add(".sample.v1");
        selection.add("shared.Color");
        for name in [".sample.v1.Car", ".sample.v1.Car.Engine", ".shared.Color"] {
            assert!(selection.has(name), "{name}");
        }
        for name in [".sample.v10.Car", ".sample", ".shared.Colors", ".shared.Nothing"] {
            assert!(!selection.has(name), "{name}");
        }
    }

    #[test]
    fn a_dot_selects_all_but_the_well_known_types() {
        let mut selection = Selection::default();
        selection.add(".");
        assert!(selection.has(".Car"));
        assert!(selection.has(".google.rpc.Status"));
        assert!(!selection.has(".google.protobuf.Timestamp"));
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
