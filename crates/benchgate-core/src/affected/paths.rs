//! Paths within a repository: from its top, with `/` between their parts; the top itself is empty.

/// A path that is relative to a folder; `None` when it leaves the repository.
pub(super) fn resolve(folder: &str, path: &str) -> Option<String> {
    if path.starts_with('/') {
        return None;
    }
    let mut parts: Vec<&str> = folder.split('/').filter(|part| !part.is_empty()).collect();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." => drop(parts.pop()?),
            part => parts.push(part),
        }
    }
    Some(parts.join("/"))
}

/// A path relative to a folder that holds it; `None` when it is elsewhere.
pub(super) fn inside<'a>(path: &'a str, folder: &str) -> Option<&'a str> {
    match folder {
        "" => Some(path),
        folder => path.strip_prefix(folder)?.strip_prefix('/'),
    }
}

/// The folder of a file.
pub(super) fn folder_of(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(folder, _)| folder)
}

/// The last part of a path.
pub(super) fn name_of(path: &str) -> &str {
    path.rsplit_once('/').map_or(path, |(_, name)| name)
}

/// Whether a text names no more than "here" or "above".
pub(super) fn is_dots(text: &str) -> bool {
    text.split('/').all(|part| matches!(part, "" | "." | ".."))
}

/// A path and the folders above it, without the top.
pub(super) fn and_above(path: &str) -> impl Iterator<Item = &str> {
    std::iter::successors(Some(path), |path| {
        let folder = folder_of(path);
        (!folder.is_empty()).then_some(folder)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_is_followed_from_its_folder_and_does_not_leave_the_repository() {
        for (folder, path, expected) in [
            ("a/src", "b.rs", Some("a/src/b.rs")),
            ("a/src", "../README.md", Some("a/README.md")),
            ("a/src", "./x/../../y", Some("a/y")),
            ("", "docs", Some("docs")),
            ("a", "..", Some("")),
            ("a", "../..", None),
            ("a", "/etc/passwd", None),
        ] {
            assert_eq!(resolve(folder, path).as_deref(), expected, "{folder} {path}");
        }
        assert_eq!(inside("ab/c", "a"), None);
        assert_eq!(and_above("a/b/c").collect::<Vec<_>>(), ["a/b/c", "a/b", "a"]);
    }
}
