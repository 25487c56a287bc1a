//! What the sandbox denied processes that failed, as the policy allows it.

use std::path::{Path, PathBuf};

use benchgate_core::model::Side;
use benchgate_core::policy::Reach;

use super::BuildDir;
use crate::system::files;
use crate::system::sandbox::variables::is_secret;
use crate::system::sandbox::{Denial, GENERATED, home, installation, is_of_system};

/// A side's own checkout.
const ALL: &str = ".";

/// Where everybody has files.
const SHARED: [&str; 3] = ["/tmp", "/var/tmp", "/dev/shm"];

/// Where people and services have theirs: a file in it is allowed, and never all of it.
const OF_OTHERS: [&str; 10] =
    ["/", "/boot", "/dev", "/home", "/media", "/mnt", "/root", "/run", "/srv", "/var"];

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
        // What a link leads to is asked for, and `..` may lead out of a checkout.
        let path = files::real(path)?;
        for side in [Side::Base, Side::Head] {
            if let Ok(inside) = path.strip_prefix(self.trees.join(side.name())) {
                return Some(within(inside));
            }
            if files::real(&self.target_dir(side)).is_some_and(|it| path.starts_with(it)) {
                return Some(GENERATED.to_owned());
            }
        }
        let place = outside(&path, writes)?;
        // Neither the gate's files, nor the user's checkout, nor what has them in it.
        let above = |folder: &Path| folder.parent().map(Path::to_owned);
        let (cache, checkout) = (above(&self.trees), above(&self.history));
        let kept = [Some(self.work.clone()), Some(self.history.clone()), cache, checkout];
        let is_kept = kept
            .into_iter()
            .flatten()
            .filter_map(|it| files::real(&it))
            .any(|kept| place.starts_with(&kept) || kept.starts_with(&place));
        if is_kept { None } else { place.to_str().map(str::to_owned) }
    }
}

/// The folder of a file of a checkout; the whole where it cannot be written plainly.
fn within(inside: &Path) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "/._-".contains(c);
    let folder = inside.parent().and_then(Path::to_str).unwrap_or_default();
    let is_folder = !folder.is_empty() && folder.chars().all(is_plain) && !folder.contains("..");
    if is_folder { folder.to_owned() } else { ALL.to_owned() }
}

/// A place of the machine: the folder of a file, unless people and services keep things there. None of what is hidden, and
/// of the system nothing to write.
fn outside(path: &Path, writes: bool) -> Option<PathBuf> {
    let home = home().unwrap_or_default();
    let is_hidden = |part: &std::ffi::OsStr| part.to_string_lossy().starts_with('.');
    if path.strip_prefix(&home).is_ok_and(|inside| inside.iter().any(is_hidden)) {
        // Secrets are kept there, and programs.
        return installation(path).filter(|_| !writes);
    }
    let is_of_kernel = path.starts_with("/proc") || path.starts_with("/sys");
    if path.file_name().is_some_and(is_hidden) || is_of_kernel || writes && is_of_system(path) {
        return None;
    }
    let folder = if path.is_dir() { path } else { path.parent()? };
    if home.starts_with(folder) || OF_OTHERS.iter().any(|it| folder == Path::new(it)) {
        // A file there, and what is not there cannot be allowed by its name.
        return path.is_file().then(|| path.to_owned());
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
            (format!("{home}/models/.env"), false, None),
            (home.clone(), false, None),
            ("/".to_owned(), false, None),
            ("/home".to_owned(), false, None),
            ("/srv/proj/.env".to_owned(), false, None),
            ("/usr/bin/new".to_owned(), true, None),
            ("/proc/self/oom_score_adj".to_owned(), true, None),
        ];
        for (path, writes, allowed) in cases {
            let found = outside(Path::new(&path), writes);
            assert_eq!(found.as_deref().and_then(Path::to_str), allowed.as_deref(), "{path}");
        }
    }
}
