//! The files of cargo's configuration.

use std::path::{Path, PathBuf};

const NAMES: [&str; 2] = ["config.toml", "config"];

/// Those of a folder, a `.cargo` or cargo's home, each followed by the files that it includes, as deep as that goes.
pub(crate) fn files_of(folder: &Path) -> Vec<PathBuf> {
    NAMES.iter().flat_map(|name| with_included(folder.join(name))).collect()
}

fn with_included(file: PathBuf) -> Vec<PathBuf> {
    let mut all = vec![file];
    let mut next = 0;
    while let Some(file) = all.get(next) {
        let text = fs_err::read_to_string(file).unwrap_or_default();
        let folder = file.parent().unwrap_or(file).to_owned();
        let configuration: toml::Table = text.parse().unwrap_or_default();
        let included = match configuration.get("include") {
            Some(toml::Value::Array(entries)) => entries.clone(),
            Some(entry) => vec![entry.clone()],
            None => Vec::new(),
        };
        let path =
            |entry: &toml::Value| Some(folder.join(entry.get("path").unwrap_or(entry).as_str()?));
        for path in included.iter().filter_map(path) {
            if !all.contains(&path) {
                all.push(path);
            }
        }
        next += 1;
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_configuration_of_cargo_includes_is_part_of_it() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        std::fs::create_dir(at("deep")).unwrap();
        std::fs::write(
            at("config.toml"),
            "include = [\"flags.toml\", { path = \"deep/more.toml\", optional = true }]\n",
        )
        .unwrap();
        std::fs::write(at("flags.toml"), "include = \"config.toml\"\n").unwrap();
        std::fs::write(at("deep/more.toml"), "include = [\"../last.toml\"]\n").unwrap();
        let found = files_of(folder.path());
        let expected =
            ["config.toml", "flags.toml", "deep/more.toml", "deep/../last.toml", "config"];
        assert_eq!(found, expected.map(at));
    }
}
