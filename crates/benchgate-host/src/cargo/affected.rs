//! Reads a checkout before it is built: its packages, what they are built from, their sources.

use std::collections::BTreeSet;
use std::path::{Component, Path, PathBuf};

use benchgate_core::affected::{Dependency, Link, Package, Runs, Source, Tree};
use benchgate_core::model::SuiteKey;
use cargo_metadata::{DependencyKind, Metadata, Target, TargetKind};
use fs_err as fs;

use crate::HostError;
use crate::cargo::metadata;
use crate::system::sandbox::Sandbox;
use crate::system::{files, platform};

/// Keys of cargo's configuration by which packages are built from other folders than the manifests say.
const OTHER_FOLDERS: [&str; 4] = ["include", "patch", "paths", "source"];

/// Tables of a root manifest that do the same.
const OTHER_PACKAGES: [&str; 2] = ["patch", "replace"];

/// The names of cargo's configuration.
const CONFIGURATIONS: [&str; 2] = [".cargo/config.toml", ".cargo/config"];

/// Reads the packages, sources and links of the checkout in `top`. The workspace's root manifest is in `root`.
///
/// # Errors
/// When cargo cannot read the manifests, or a file cannot be read.
pub fn tree(top: &Path, root: &Path, sandbox: &Sandbox) -> Result<Tree, HostError> {
    let metadata = metadata(root, sandbox, &["--no-deps"])?;
    let mut tree = Tree { unclear: unclear(top, root, &metadata)?, ..Tree::default() };
    for package in metadata.workspace_packages() {
        let manifest = package.manifest_path.as_std_path();
        let Some(folder) = manifest.parent().and_then(|folder| inside(folder, top)) else {
            tree.unclear = Some(format!("`{}` is outside of the repository", package.name));
            continue;
        };
        let is = |target: &Target, kinds: &[TargetKind]| {
            target.kind.iter().any(|kind| kinds.contains(kind))
        };
        let runs = |kind: TargetKind, runs: Runs| {
            package.targets.iter().any(|t| t.kind.contains(&kind)).then_some(runs)
        };
        let root = |target: &Target| inside(target.src_path.as_std_path(), top);
        let built = package
            .targets
            .iter()
            .filter(|target| !is(target, &[TargetKind::Test, TargetKind::Example]));
        let on_paths = package.dependencies.iter().filter_map(|dependency| {
            let is_dev = dependency.kind == DependencyKind::Development;
            let path = dependency.path.as_ref()?.as_std_path();
            Some(Dependency { folder: inside(path, top), is_dev })
        });
        for target in package.targets.iter().filter(|target| target.is_bench()) {
            let key = SuiteKey::new(package.name.to_string(), target.name.clone());
            tree.suites.insert(key, [folder.clone()].into());
        }
        tree.packages.push(Package {
            name: package.name.to_string(),
            dependencies: on_paths.collect(),
            runs: runs(TargetKind::CustomBuild, Runs::BuildScript)
                .or_else(|| runs(TargetKind::ProcMacro, Runs::ProcMacro)),
            programs: programs(package),
            roots: built.filter_map(root).collect(),
            benches: package.targets.iter().filter(|it| it.is_bench()).filter_map(root).collect(),
            sources: Vec::new(),
            folder,
        });
    }
    read_sources(&mut tree, top)?;
    Ok(tree)
}

/// The names of the programs and dynamic libraries of a package.
fn programs(package: &cargo_metadata::Package) -> BTreeSet<String> {
    let kinds = [TargetKind::Bin, TargetKind::Example, TargetKind::CDyLib, TargetKind::DyLib];
    let is_program = |target: &&Target| target.kind.iter().any(|kind| kinds.contains(kind));
    package.targets.iter().filter(is_program).map(|target| target.name.clone()).collect()
}

/// Longer texts, and more of them, are not read for the files that they name.
const LONGEST_TEXT: u64 = 64 << 10;
const MOST_TEXTS: usize = 5_000;

/// The text of a file that is short and holds one.
fn short_text(path: &Path) -> Option<String> {
    let is_short = path.metadata().is_ok_and(|metadata| metadata.len() <= LONGEST_TEXT);
    let bytes = is_short.then(|| files::read(path).ok())??;
    String::from_utf8(bytes).ok().filter(|text| !text.contains('\0'))
}

/// Why the manifests alone do not say what is built.
fn unclear(top: &Path, root: &Path, metadata: &Metadata) -> Result<Option<String>, HostError> {
    let manifest = table(&root.join("Cargo.toml"))?;
    if let Some(name) = OTHER_PACKAGES.iter().find(|name| manifest.contains_key(**name)) {
        return Ok(Some(format!("`[{name}]` in Cargo.toml builds other packages than are named")));
    }
    // cargo is started in the folder of each package.
    let packages = metadata.workspace_packages();
    let folders: BTreeSet<&Path> = packages
        .iter()
        .flat_map(|package| package.manifest_path.as_std_path().ancestors().skip(1))
        .filter(|folder| folder.starts_with(top))
        .collect();
    for folder in folders {
        for name in CONFIGURATIONS {
            let path = folder.join(name);
            if !path.is_file() {
                continue;
            }
            let configuration = table(&path)?;
            if let Some(key) = OTHER_FOLDERS.iter().find(|key| configuration.contains_key(**key)) {
                let path = inside(&path, top).unwrap_or_default();
                return Ok(Some(format!("`{key}` in {path} builds from other folders")));
            }
        }
    }
    Ok(None)
}

fn table(path: &Path) -> Result<toml::Table, HostError> {
    let text = String::from_utf8_lossy(&files::read(path)?).into_owned();
    text.parse().map_err(|error: toml::de::Error| HostError::Content {
        path: path.to_owned(),
        problem: error.message().to_owned(),
    })
}

/// A path as the core has it: from the top, with `/`; `None` when it is elsewhere.
fn inside(path: &Path, top: &Path) -> Option<String> {
    let mut parts: Vec<&str> = Vec::new();
    for part in path.strip_prefix(top).ok()?.components() {
        match part {
            Component::Normal(part) => parts.push(part.to_str()?),
            Component::ParentDir => drop(parts.pop()?),
            _ => {}
        }
    }
    Some(parts.join("/"))
}

/// Gives each package its Rust files, and the tree its links and short texts.
fn read_sources(tree: &mut Tree, top: &Path) -> Result<(), HostError> {
    let mut left: Vec<PathBuf> = vec![top.to_owned()];
    let real = fs::canonicalize(top)?;
    while let Some(folder) = left.pop() {
        for entry in fs::read_dir(&folder)? {
            let entry = entry?;
            let (path, kind) = (entry.path(), entry.file_type()?);
            let Some(at) = inside(&path, top) else {
                tree.unclear = Some(format!("the name of `{}` is not UTF-8", path.display()));
                continue;
            };
            if !kind.is_dir() {
                tree.files.insert(at.clone());
            }
            if kind.is_file() && platform::is_executable(&entry.metadata()?) {
                tree.executable.insert(at.clone());
            }
            if kind.is_symlink() {
                let is_folder = path.is_dir();
                let named = inside(&folder.join(fs::read_link(&path)?), top);
                // A folder above what it leads to may be a link, too: `..` leads above where that one leads to.
                let end = fs::canonicalize(&path).ok().and_then(|end| inside(&end, &real));
                // Files outside of the repository are the same for both sides.
                let all: BTreeSet<String> = named.into_iter().chain(end).collect();
                tree.links.extend(all.into_iter().map(|to| Link { at: at.clone(), to, is_folder }));
            } else if kind.is_dir() && entry.file_name() != ".git" {
                left.push(path);
            } else if kind.is_file() && at.ends_with(".rs") {
                let holds = |package: &&mut Package| {
                    package.folder.is_empty()
                        || at.strip_prefix(&package.folder).is_some_and(|at| at.starts_with('/'))
                };
                let owner = tree.packages.iter_mut().filter(holds);
                if let Some(owner) = owner.max_by_key(|package| package.folder.len()) {
                    let text = String::from_utf8_lossy(&files::read(&path)?).into_owned();
                    owner.sources.push(Source { path: at, text });
                }
            } else if kind.is_file()
                && !tree.has_more_texts
                && let Some(text) = short_text(&path)
            {
                match tree.texts.len() {
                    MOST_TEXTS => tree.has_more_texts = true,
                    _ => tree.texts.push(Source { path: at, text }),
                }
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    fn write(top: &Path, files: &[(&str, &str)]) {
        for (path, text) in files {
            let path = top.join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
    }

    /// A workspace of a bench, a library with a build script, and a macro.
    fn workspace() -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        let package = |name: &str, more: &str| {
            format!("[package]\nname = \"{name}\"\nversion = \"0.1.0\"\nedition = \"2024\"\n{more}")
        };
        let bench = "[[bench]]\nname = \"speed\"\nharness = false\n[dependencies]\n\
                     library = { path = \"../library\" }\n[dev-dependencies]\n\
                     macros = { path = \"../macros\" }\naway = { path = \"../../away\" }\n";
        write(
            folder.path(),
            &[
                ("top/Cargo.toml", "[workspace]\nmembers = [\"bench\", \"library\", \"macros\"]\n"),
                ("top/bench/Cargo.toml", &package("bench", bench)),
                ("top/bench/benches/speed.rs", "fn main() {}"),
                ("top/bench/tests/t.rs", ""),
                ("top/bench/src/lib.rs", ""),
                ("top/library/Cargo.toml", &package("library", "")),
                ("top/library/src/lib.rs", "// it"),
                ("top/library/build.rs", "fn main() {}"),
                ("top/macros/Cargo.toml", &package("macros", "[lib]\nproc-macro = true\n")),
                ("top/macros/src/lib.rs", ""),
                ("top/README.md", ""),
                ("away/Cargo.toml", &package("away", "")),
                ("away/src/lib.rs", ""),
            ],
        );
        folder
    }

    #[test]
    fn a_checkout_says_what_its_benches_are_built_from() {
        let folder = workspace();
        let top = folder.path().canonicalize().unwrap().join("top");
        fs_err::os::unix::fs::symlink("../README.md", top.join("bench/README.md")).unwrap();
        fs_err::os::unix::fs::symlink("/etc", top.join("etc")).unwrap();
        let tree = tree(&top, &top, &Sandbox::default()).unwrap();
        assert_eq!(tree.unclear, None);
        let suite = (SuiteKey::new("bench", "speed"), ["bench".to_owned()].into());
        assert_eq!(tree.suites.into_iter().collect::<Vec<_>>(), [suite]);
        let link = Link { at: "bench/README.md".into(), to: "README.md".into(), is_folder: false };
        assert_eq!(tree.links, [link]);
        let mut packages = tree.packages;
        packages.sort_by(|a, b| a.name.cmp(&b.name));
        let [bench, library, macros] = &packages[..] else { panic!("{packages:?}") };
        let mut dependencies = bench.dependencies.clone();
        dependencies.sort_by(|a, b| a.folder.cmp(&b.folder));
        let on =
            |folder: Option<&str>, is_dev| Dependency { folder: folder.map(Into::into), is_dev };
        assert_eq!(
            dependencies,
            [on(None, true), on(Some("library"), false), on(Some("macros"), true)]
        );
        assert_eq!(bench.roots, ["bench/src/lib.rs", "bench/benches/speed.rs"]);
        assert_eq!(bench.sources.len(), 3);
        assert_eq!((library.runs, macros.runs), (Some(Runs::BuildScript), Some(Runs::ProcMacro)));
        assert!(library.sources.iter().any(|source| source.text == "// it"));
    }

    #[test]
    fn programs_examples_and_dynamic_libraries_are_what_may_be_started_or_loaded() {
        let folder = workspace();
        let manifest = "[package]\nname = \"library\"\nversion = \"0.1.0\"\nedition = \"2024\"\n";
        for (target, kind, expected) in [
            ("src/bin/tool.rs", "", &["tool"][..]),
            ("src/main.rs", "", &["library"]),
            ("examples/shown.rs", "", &["shown"]),
            (
                "examples/plugin.rs",
                "[[example]]\nname = \"plugin\"\ncrate-type = [\"cdylib\"]",
                &["plugin"],
            ),
            ("src/lib.rs", "[lib]\ncrate-type = [\"cdylib\"]", &["library"]),
            ("src/lib.rs", "[lib]\ncrate-type = [\"dylib\"]", &["library"]),
            ("src/lib.rs", "[lib]\ncrate-type = [\"rlib\", \"cdylib\"]", &["library"]),
            ("src/lib.rs", "", &[]),
            ("tests/t.rs", "", &[]),
            ("benches/b.rs", "", &[]),
        ] {
            let top = folder.path().canonicalize().unwrap().join("top");
            fs::remove_dir_all(top.join("library")).unwrap();
            let files =
                [("Cargo.toml", format!("{manifest}{kind}\n")), ("src/lib.rs", String::new())];
            for (path, text) in files.into_iter().chain([(target, "fn main() {}".to_owned())]) {
                write(&top.join("library"), &[(path, &text)]);
            }
            let tree = tree(&top, &top, &Sandbox::default()).unwrap();
            let library = tree.packages.into_iter().find(|of| of.name == "library").unwrap();
            let programs: Vec<String> = library.programs.into_iter().collect();
            assert_eq!(programs, expected, "{target} {kind}");
        }
    }

    /// Lists, scripts and configuration name what else is read. Code is read apart, and what is long or no text names nothing.
    #[test]
    fn short_texts_of_a_checkout_are_read_and_code_long_files_and_bytes_are_not() {
        let folder = workspace();
        let top = folder.path().canonicalize().unwrap().join("top");
        let longest = "x".repeat(usize::try_from(LONGEST_TEXT).unwrap());
        write(
            &top,
            &[
                ("data/list.txt", "docs/a.md"),
                ("scripts/run", "#!/bin/sh\ncat docs/a.md"),
                (".cargo/config.toml", "[env]\nPAGE = \"docs/a.md\"\n"),
                ("longest", &longest),
                ("longer", &format!("{longest}x")),
                ("zero", "docs/a.md\0"),
                (".git/config", "docs/a.md"),
            ],
        );
        fs::write(top.join("bytes"), b"docs/a.md\xff").unwrap();
        let read: BTreeMap<String, String> = tree(&top, &top, &Sandbox::default())
            .unwrap()
            .texts
            .into_iter()
            .map(|source| (source.path, source.text))
            .collect();
        let paths: Vec<&str> = read.keys().map(String::as_str).collect();
        let expected = [
            ".cargo/config.toml",
            "Cargo.toml",
            "README.md",
            "bench/Cargo.toml",
            "data/list.txt",
            "library/Cargo.toml",
            "longest",
            "macros/Cargo.toml",
            "scripts/run",
        ];
        assert_eq!(paths, expected);
        assert_eq!(read["data/list.txt"], "docs/a.md");
    }

    /// The core compares names as texts.
    #[test]
    fn a_checkout_with_a_name_that_is_no_text_is_unclear() {
        use std::os::unix::ffi::OsStrExt as _;
        for name in [&b"docs/b\xff.md"[..], b"b\xff/a.md", b"src\xff.rs"] {
            let folder = workspace();
            let top = folder.path().canonicalize().unwrap().join("top");
            let path = top.join(std::ffi::OsStr::from_bytes(name));
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(&path, "1").unwrap();
            let unclear = tree(&top, &top, &Sandbox::default()).unwrap().unclear;
            assert!(unclear.is_some_and(|why| why.contains("is not UTF-8")), "{name:?}");
        }
    }

    #[test]
    fn what_replaces_packages_or_folders_is_unclear() {
        for (path, text) in [
            ("top/Cargo.toml", "[workspace]\nmembers = [\"library\"]\n[patch.crates-io]\n"),
            ("top/.cargo/config.toml", "paths = [\"elsewhere\"]"),
            ("top/library/.cargo/config", "[patch.crates-io]\n"),
        ] {
            let folder = workspace();
            let top = folder.path().canonicalize().unwrap().join("top");
            write(folder.path(), &[(path, text)]);
            assert!(tree(&top, &top, &Sandbox::default()).unwrap().unclear.is_some(), "{path}");
        }
    }
}
