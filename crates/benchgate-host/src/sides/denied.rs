//! What the sandbox denied processes that failed, as the policy allows it.

use std::path::{Path, PathBuf};

use benchgate_core::model::Side;
use benchgate_core::policy::Reach;

use super::BuildDir;
use crate::system::sandbox::variables::is_secret;
use crate::system::sandbox::{Denial, GENERATED, installation};

/// A side's own checkout.
const ALL: &str = ".";

/// Where everybody has files.
const SHARED: [&str; 4] = ["/tmp", "/var/tmp", "/dev", "/dev/shm"];

impl BuildDir {
    /// What processes that failed were denied until now.
    pub fn denials(&self) -> impl Iterator<Item = Denial> {
        self.options.sandbox.denials().into_iter()
    }

    /// What a policy has to allow for these denials; none of what no policy should: secrets, and the gate's files.
    pub fn allowing(&self, denials: impl Iterator<Item = Denial>) -> Reach {
        let mut reach = Reach::default();
        for denial in denials {
            match denial {
                Denial::Read(path) => reach.read.extend(self.place(&path, false)),
                Denial::Write(path) => reach.write.extend(self.place(&path, true)),
                Denial::Network => reach.network = true,
                Denial::Variable(name) if !is_secret(&name) => reach.variables.push(name),
                // The first needs a policy without a sandbox, the second somebody who means it, the third a file.
                Denial::Call(_) | Denial::Variable(_) | Denial::Find(_) => {}
            }
        }
        for paths in [&mut reach.read, &mut reach.write] {
            paths.sort();
            paths.dedup();
        }
        // What may be written may be read.
        let Reach { read, write, .. } = &mut reach;
        read.retain(|path| !write.contains(path));
        reach
    }

    /// A path as the policy has it: the folder of a file, for what reads one file there reads the next.
    fn place(&self, path: &Path, writes: bool) -> Option<String> {
        for side in [Side::Base, Side::Head] {
            if let Ok(inside) = path.strip_prefix(self.trees.join(side.name())) {
                return Some(within(inside));
            }
            if path.starts_with(self.target_dir(side)) {
                return Some(GENERATED.to_owned());
            }
        }
        let is_of_gate = [&self.trees, &self.work].iter().any(|folder| path.starts_with(folder));
        let place = if is_of_gate { None } else { outside(path, writes) };
        place?.to_str().map(str::to_owned)
    }
}

/// The folder of a file of a checkout; the whole where it cannot be written plainly.
fn within(inside: &Path) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "/._-".contains(c);
    let folder = inside.parent().and_then(Path::to_str).unwrap_or_default();
    let is_folder = !folder.is_empty() && folder.chars().all(is_plain) && !folder.contains("..");
    if is_folder { folder.to_owned() } else { ALL.to_owned() }
}

/// A place of the machine: the folder of a file, unless people and services keep things there.
fn outside(path: &Path, writes: bool) -> Option<PathBuf> {
    let home = std::env::var_os("HOME").map(PathBuf::from).unwrap_or_default();
    let inside = path.strip_prefix(&home).ok();
    if inside.is_some_and(|inside| inside.to_string_lossy().starts_with('.')) {
        // Secrets are kept there, and programs.
        return installation(path).filter(|_| !writes);
    }
    let folder = if path.is_dir() { path } else { path.parent()? };
    let is_of_people = home.starts_with(folder) || folder.parent().is_none();
    if is_of_people {
        // What is not there cannot be allowed by its name.
        return path.exists().then(|| path.to_owned());
    }
    let is_shared = SHARED.iter().any(|it| folder == Path::new(it));
    let is_file = path.exists() && folder != path;
    Some(if is_shared && is_file { path.to_owned() } else { folder.to_owned() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_of_a_checkout_is_allowed_by_its_folder_and_one_elsewhere_by_the_least_that_is_nobodys()
     {
        for (inside, folder) in
            [("out/x.csv", "out"), ("a/b/x", "a/b"), ("x.csv", "."), ("ü/x.csv", ".")]
        {
            assert_eq!(within(Path::new(inside)), folder, "{inside}");
        }
        let home = std::env::var("HOME").unwrap();
        let cases = [
            ("/srv/data/x.bin".to_owned(), false, Some("/srv/data".to_owned())),
            ("/no-such-file".to_owned(), false, None),
            ("/tmp/no-such-file".to_owned(), true, Some("/tmp".to_owned())),
            (format!("{home}/.ssh/id_ed25519"), false, None),
            (format!("{home}/no-such-file"), true, None),
            (format!("{home}/models/x"), false, Some(format!("{home}/models"))),
        ];
        for (path, writes, allowed) in cases {
            let found = outside(Path::new(&path), writes);
            assert_eq!(found.as_deref().and_then(Path::to_str), allowed.as_deref(), "{path}");
        }
    }
}
