//! What git knows of the files of the user's checkout.

use std::collections::BTreeSet;
use std::path::Path;

use super::Repository;
use crate::HostError;
use crate::system::files;

impl Repository {
    /// The folders of the user's checkout that have a manifest of cargo and none above, from the top.
    ///
    /// # Errors
    /// When git cannot be run.
    pub fn workspaces(&self) -> Result<Vec<String>, HostError> {
        let manifests = self.manifests()?;
        let mut folders: Vec<String> = Vec::new();
        let mut sorted: Vec<&str> =
            manifests.iter().filter_map(|path| path.strip_suffix("/Cargo.toml")).collect();
        sorted.sort_unstable();
        for folder in sorted {
            if !folders.iter().any(|above| Path::new(folder).starts_with(above)) {
                folders.push(folder.to_owned());
            }
        }
        Ok(folders)
    }

    /// The manifests of cargo in the checkout, from the top.
    ///
    /// # Errors
    /// When git cannot be run.
    pub(crate) fn manifests(&self) -> Result<Vec<String>, HostError> {
        let listing =
            ["ls-files", "-z", "--cached", "--others", "--exclude-standard", "--full-name"];
        let list =
            self.run("list the manifests", &[&listing[..], &["--", "*Cargo.toml"]].concat())?;
        let is_manifest = |path: &&str| Path::new(path).ends_with("Cargo.toml");
        Ok(list.split('\0').filter(is_manifest).map(str::to_owned).collect())
    }

    /// The manifests of the checkout whose packages seem to have benches: they name one, or lie beside `benches`.
    ///
    /// # Errors
    /// When git cannot be run.
    pub fn benched(&self) -> Result<Vec<String>, HostError> {
        let is_benched = |path: &String| {
            let manifest = self.top.join(path);
            let names_one =
                files::read(&manifest).is_ok_and(|text| files::holds(&text, b"[[bench]]"));
            names_one || manifest.with_file_name("benches").is_dir()
        };
        Ok(self.manifests()?.into_iter().filter(is_benched).collect())
    }

    /// The paths of a folder at which the user's checkout has something that git knows.
    ///
    /// # Errors
    /// When git cannot be run.
    pub(crate) fn tracked(
        &self,
        folder: &Path,
        paths: &[String],
    ) -> Result<BTreeSet<String>, HostError> {
        let mut tracked = BTreeSet::new();
        for path in paths {
            let full = folder.join(path).to_string_lossy().into_owned();
            let listing = ["--literal-pathspecs", "ls-files", "-z", "--cached", "--", &full];
            // One behind a link is none that git knows.
            if self.run("list tracked files", &listing).is_ok_and(|list| !list.is_empty()) {
                tracked.insert(path.clone());
            }
        }
        Ok(tracked)
    }

    /// Files and folders of the user's checkout that git ignores.
    ///
    /// # Errors
    /// When git cannot be run.
    pub fn ignored(&self) -> Result<Vec<String>, HostError> {
        let listing =
            ["ls-files", "-z", "--others", "--ignored", "--exclude-standard", "--directory"];
        let list = self.run("list the ignored files", &listing)?;
        let paths = list.split('\0').filter(|path| !path.is_empty());
        Ok(paths.map(|path| path.trim_end_matches('/').to_owned()).collect())
    }
}
