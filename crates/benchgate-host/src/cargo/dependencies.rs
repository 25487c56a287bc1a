//! Which packages are built of the same crates.

use std::collections::{BTreeMap, BTreeSet};

use cargo_metadata::{DependencyKind, Metadata, PackageId};

use super::building::Building;
use super::metadata;
use super::stand_ins::PACKAGE;
use crate::HostError;

/// The dependencies of a workspace's packages, with every feature.
pub(crate) struct Dependencies {
    /// What each package is built of; not what its tests and benches are.
    of: BTreeMap<PackageId, Vec<PackageId>>,
    /// The packages that a stand-in may replace.
    replaced: Vec<PackageId>,
}

impl Dependencies {
    /// Asks cargo.
    pub(crate) fn ask(building: &Building<'_>) -> Result<Self, HostError> {
        let root = &building.workspace.root;
        let options = [&["--all-features"], building.options].concat();
        Ok(Self::from(metadata(root, building.sandbox, &options)?))
    }

    /// Whether these packages would be compiled in the same way without any Criterion, and with another one: they are built of
    /// none, and of nothing that one is built of and that it could turn features on of.
    pub(crate) fn are_apart_from_criterion<'a>(
        &'a self,
        packages: impl IntoIterator<Item = &'a PackageId>,
    ) -> bool {
        let closure = self.closure(packages);
        let are_known = closure.iter().all(|package| self.of.contains_key(*package));
        are_known && closure.is_disjoint(&self.closure(&self.replaced))
    }

    /// These packages, and all that they are built of.
    fn closure<'a>(
        &'a self,
        packages: impl IntoIterator<Item = &'a PackageId>,
    ) -> BTreeSet<&'a PackageId> {
        let mut found = BTreeSet::new();
        let mut open: Vec<&PackageId> = packages.into_iter().collect();
        while let Some(package) = open.pop() {
            if found.insert(package) {
                open.extend(self.of.get(package).into_iter().flatten());
            }
        }
        found
    }
}

impl From<Metadata> for Dependencies {
    fn from(metadata: Metadata) -> Self {
        let is_replaced = |package: &&cargo_metadata::Package| package.name.as_str() == PACKAGE;
        let replaced = metadata.packages.iter().filter(is_replaced);
        let replaced = replaced.map(|package| package.id.clone()).collect();
        let nodes = metadata.resolve.into_iter().flat_map(|resolve| resolve.nodes);
        let of = nodes.map(|node| {
            let deps = node.deps.into_iter().filter(|dependency| {
                let mut kinds = dependency.dep_kinds.iter().map(|of_kind| of_kind.kind);
                // A cargo before 1.41 does not say.
                dependency.dep_kinds.is_empty() || kinds.any(|it| it != DependencyKind::Development)
            });
            (node.id, deps.map(|dependency| dependency.pkg).collect())
        });
        Self { of: of.collect(), replaced }
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::system::sandbox::Sandbox;

    fn write(folder: &Path, name: &str, manifest: &str) {
        std::fs::create_dir_all(folder.join(name).join("src")).unwrap();
        std::fs::write(folder.join(name).join("src/lib.rs"), "").unwrap();
        let manifest = format!("[package]\nname = \"{name}\"\nedition = \"2021\"\n{manifest}");
        std::fs::write(folder.join(name).join("Cargo.toml"), manifest).unwrap();
    }

    #[test]
    fn a_library_is_apart_from_criterion_if_it_shares_no_crate_with_it() {
        let folder = tempfile::tempdir().unwrap();
        let members = "[workspace]\nresolver = \"2\"\nmembers = [\"*\"]\n";
        std::fs::write(folder.path().join("Cargo.toml"), members).unwrap();
        let of = |name: &str| format!("{name} = {{ path = \"../{name}\" }}\n");
        let optional = "leaf = { path = \"../leaf\", optional = true }\n";
        write(folder.path(), "leaf", "");
        write(folder.path(), "criterion", &format!("[dependencies]\n{}", of("leaf")));
        write(folder.path(), "alone", &format!("[dev-dependencies]\n{}", of("criterion")));
        write(folder.path(), "above", &format!("[dependencies]\n{}", of("alone")));
        write(folder.path(), "shares", &format!("[dependencies]\n{}", of("leaf")));
        write(folder.path(), "builds", &format!("[build-dependencies]\n{}", of("shares")));
        write(folder.path(), "chooses", &format!("[dependencies]\n{optional}"));
        write(folder.path(), "measures", &format!("[dependencies]\n{}", of("criterion")));
        let said =
            metadata(folder.path(), &Sandbox::default(), &["--all-features", "--offline"]).unwrap();
        let id = |name: &str| {
            let package = said.packages.iter().find(|package| package.name.as_str() == name);
            package.unwrap().id.clone()
        };
        let ids = |names: &[&str]| names.iter().map(|name| id(name)).collect::<Vec<_>>();
        let dependencies = Dependencies::from(said.clone());
        let is_apart = |names: &[&str]| dependencies.are_apart_from_criterion(&ids(names));
        for names in [&["alone"][..], &["above"], &["above", "alone"]] {
            assert!(is_apart(names), "{names:?}");
        }
        let unknown = PackageId { repr: "unknown".to_owned() };
        assert!(!dependencies.are_apart_from_criterion([&unknown]));
        for names in [
            &["shares"][..],
            &["builds"],
            &["chooses"],
            &["measures"],
            &["criterion"],
            &["alone", "shares"],
        ] {
            assert!(!is_apart(names), "{names:?}");
        }
    }
}
