//! The types for which an option of the [`Config`](crate::Config) was chosen.

/// Paths of packages and types.
#[derive(Clone, Debug, Default)]
pub(crate) struct Selection(Vec<String>);

impl Selection {
    /// Adds what is in each of `paths`: a package, or a type with those nested in it. The empty path has everything in it.
    pub(crate) fn add(&mut self, paths: impl IntoIterator<Item = impl AsRef<str>>) {
        self.0
            .extend(paths.into_iter().map(|path| path.as_ref().trim_start_matches('.').to_owned()));
    }

    /// Whether the type of this full name is among them.
    pub(crate) fn has(&self, full_name: &str) -> bool {
        let full_name = full_name.trim_start_matches('.');
        self.0.iter().any(|path| is_in(full_name, path))
    }
}

/// Whether the type of this full name is in `path`.
pub(crate) fn is_in(full_name: &str, path: &str) -> bool {
    match full_name.strip_prefix(path) {
        Some(rest) => path.is_empty() || rest.is_empty() || rest.starts_with('.'),
        None => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_selects_whole_names_and_what_is_nested_in_them() {
        let mut selection = Selection::default();
        assert!(!selection.has(".sample.v1.Car"));
        selection.add([".sample.v1", "shared.Color"]);
        for name in [".sample.v1.Car", ".sample.v1.Car.Engine", ".shared.Color"] {
            assert!(selection.has(name), "{name}");
        }
        for name in [".sample.v10.Car", ".sample", ".shared.Colors", ".shared.Nothing"] {
            assert!(!selection.has(name), "{name}");
        }
    }
}
