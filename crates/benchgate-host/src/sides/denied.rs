//! Folders that the sandbox denied a bench to write, as a policy names them.

use std::path::Path;

use fs_err as fs;

use super::built::{BuiltSide, Executable};
use crate::system::files;
use crate::system::sandbox::GENERATED;

/// What is said of a file that may not be written.
const NOT_ALLOWED: [&str; 3] = ["Permission denied", "PermissionDenied", "os error 13"];

/// A side's own checkout.
const ALL: &str = ".";

/// The folders of a side that processes which failed with these outputs were denied, as `write` of `[sandbox]` has them:
/// those that an output names, else all of its own that the executables may mean. None of what is not of a side, or where no
/// output says that something was denied.
pub fn denied(sides: &[&BuiltSide], outputs: &[&str]) -> Vec<String> {
    let lines = outputs.iter().flat_map(|output| output.lines());
    let lines: Vec<&str> =
        lines.filter(|line| NOT_ALLOWED.iter().any(|it| line.contains(it))).collect();
    let named = |side: &&BuiltSide| -> Vec<String> {
        let folders = [(side.folder(), false), (&side.target_dir, true)];
        let found = folders.into_iter().flat_map(|(folder, is_generated)| {
            lines.iter().filter_map(move |line| {
                let path = path_below(folder, line)?;
                Some(if is_generated { GENERATED.to_owned() } else { path })
            })
        });
        found.collect()
    };
    let mut folders: Vec<String> = sides.iter().flat_map(named).collect();
    if folders.is_empty() && !lines.is_empty() {
        folders.push(ALL.to_owned());
        let executables = sides.iter().flat_map(|side| &side.executables);
        folders.extend(executables.into_iter().any(generates).then(|| GENERATED.to_owned()));
    }
    folders.sort();
    folders.dedup();
    folders
}

/// The folder, relative to this one, of the file below it that a line names; the whole where it cannot be written plainly.
fn path_below(folder: &Path, line: &str) -> Option<String> {
    let folder = folder.to_str()?;
    let (_, after) = line.split_once(folder)?;
    let inside = after.strip_prefix('/').unwrap_or_default();
    let is_end = |c: char| c.is_whitespace() || "`'\":,;()".contains(c);
    let path = &inside[..inside.find(is_end).unwrap_or(inside.len())];
    let above = path.rsplit_once('/').map_or("", |(above, _)| above);
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "/._-".contains(c);
    let is_folder = !above.is_empty() && above.chars().all(is_plain) && !above.contains("..");
    Some(if is_folder { above.to_owned() } else { ALL.to_owned() })
}

/// Whether an executable has the name or the place of what was generated for it.
fn generates(executable: &Executable) -> bool {
    let variable = GENERATED.trim_start_matches('$');
    let place = executable.start.as_ref().and_then(|start| start.variable(variable));
    let Some((place, bytes)) = place.zip(fs::read(&executable.path).ok()) else { return false };
    [variable.as_bytes(), place.as_encoded_bytes()].iter().any(|name| files::holds(&bytes, name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_that_a_line_names_is_known_by_its_folder() {
        for (line, folder) in [
            ("cannot open `/c/head/out/x.csv`: Permission denied", Some("out")),
            ("cannot open \"/c/head/a/b/x\" (os error 13)", Some("a/b")),
            ("/c/head/x.csv: Permission denied", Some(".")),
            ("/c/head/ü/x.csv: Permission denied", Some(".")),
            ("/srv/x: Permission denied", None),
        ] {
            assert_eq!(path_below(Path::new("/c/head"), line).as_deref(), folder, "{line}");
        }
        assert_eq!(denied(&[], &["Permission denied"]), ["."]);
        assert_eq!(denied(&[], &["No such file"]), Vec::<String>::new());
    }
}
