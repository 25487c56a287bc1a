//! cargo: which bench targets a workspace has, and which features they are built with.

pub(crate) mod above;
pub mod affected;
pub mod building;
pub mod choice;
pub mod command;
pub(crate) mod dependencies;
pub mod flags;
pub mod neighbours;
pub(crate) mod policy_command;
pub mod questions;
pub(crate) mod runner;
pub(crate) mod rustc;
pub(crate) mod rustup;
pub(crate) mod share;
pub mod stand_ins;
pub mod start;
pub(crate) mod written;

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use benchgate_core::model::SuiteKey;
use benchgate_core::policy::{Build, BuildProfile};
use cargo_metadata::Metadata;
use fs_err as fs;

use crate::cargo::command::{cargo, failed, without_network};
use crate::cargo::share::plain;
use crate::system::sandbox::Sandbox;
use crate::system::{files, process};
use crate::{HostError, Progress};

/// A cargo workspace, or a package that is its own.
#[derive(Clone, Debug)]
pub struct Workspace {
    /// Folder of the root manifest.
    pub root: PathBuf,
    /// The name of the root package, or of the folder if there is none.
    pub name: String,
    /// Cargo's target folder.
    pub target_dir: PathBuf,
    /// The sandbox of cargo and rustc in it.
    pub(crate) sandbox: Sandbox,
    /// Every bench target of every member, in the order of package and name.
    pub benches: Vec<BenchTarget>,
    /// The names of its packages and of all their targets, as crates have them.
    own_names: BTreeSet<String>,
    /// Of every member, its features and what each enables.
    features: BTreeMap<String, BTreeMap<String, Vec<String>>>,
}

/// The file in the folder of benchgate that names the workspace which it is of.
pub(crate) const OWNER: &str = "workspace";

/// A bench target.
#[derive(Clone, Debug)]
pub struct BenchTarget {
    /// Its package.
    pub package: String,
    /// Folder of the package.
    pub package_dir: PathBuf,
    /// Its name: the suite.
    pub suite: String,
    /// Whether it brings its own `main`, as suites of Criterion and divan do.
    pub own_main: bool,
    /// Whether its manifest leaves it out of `cargo bench` (`bench = false`).
    pub is_left_out: bool,
    /// Features without which it is not built.
    pub required_features: Vec<String>,
    pub(crate) package_id: String,
}

impl BenchTarget {
    /// Its key.
    pub fn key(&self) -> SuiteKey {
        SuiteKey::new(&*self.package, &*self.suite)
    }

    /// Returns the argument of `--package`: the id, which a dependency of the same name does not share. Before cargo
    /// 1.77 ids are not arguments, and it is the name.
    pub(crate) fn spec(&self) -> &str {
        if self.package_id.contains(' ') { &self.package } else { &self.package_id }
    }
}

/// Downloads what a package with a lock file depends on, for every platform, as cargo does.
///
/// # Errors
/// [`HostError::Cargo`] when it cannot be had.
pub fn fetch(folder: &Path, progress: &dyn Progress) -> Result<(), HostError> {
    let mut command = cargo(folder);
    command.args(["fetch", "--locked"]);
    let done = process::run(&mut command, None, &mut |line| progress.line(line))?;
    if done.succeeded() { Ok(()) } else { Err(failed("fetch the dependencies", &done)) }
}

/// Downloads what a workspace depends on before it is built without a network, and reports failures: the build may
/// do without. cargo reads its configuration in `from`, where nothing is of the head, for it may name programs.
///
/// # Errors
/// When interrupted, or when cargo cannot be started.
pub(crate) fn fetch_for(
    manifest: &Path,
    from: &Path,
    notes: &Path,
    options: &[&str],
    progress: &dyn Progress,
) -> Result<Option<String>, HostError> {
    let mut command = cargo(from);
    command.arg("fetch").args(options).arg("--manifest-path").arg(manifest);
    // A checkout has no target directory yet, and without one cargo would ask rustc for each fetch again what it is.
    fs::create_dir_all(notes)?;
    command.env("CARGO_TARGET_DIR", notes).env("CARGO_BUILD_BUILD_DIR", notes);
    let done = process::run(&mut command, None, &mut |line| progress.line(line))?;
    Ok((!done.succeeded()).then(|| failed("", &done)).and_then(|error| match error {
        HostError::Cargo { output, .. } => Some(output),
        _ => None,
    }))
}

/// The error of a build, with what could not be downloaded for it.
pub(crate) fn without_download(error: HostError, unfetched: Option<String>) -> HostError {
    match (error, unfetched) {
        (HostError::Cargo { what, output }, Some(unfetched)) => {
            let output = format!("{output}\nbefore that, `cargo fetch` failed:\n{unfetched}");
            HostError::Cargo { what, output }
        }
        (error, _) => error,
    }
}

/// Returns cargo's metadata of the workspace around a folder, by options such as `--no-deps`.
pub(crate) fn metadata(
    folder: &Path,
    sandbox: &Sandbox,
    options: &[&str],
) -> Result<Metadata, HostError> {
    let run = || {
        let mut command = cargo(folder);
        command.args(["metadata", "--format-version", "1"]).args(options);
        if sandbox.restricts() {
            command.env(rustup::AUTO_INSTALL, "0");
        }
        without_network(&mut command, sandbox);
        process::run(&mut sandbox.command(command)?, None, &mut |_| {})
    };
    let mut done = run()?;
    // In the sandbox rustup cannot install the toolchain that the folder names; it says that it is missing instead.
    if !done.succeeded() && sandbox.restricts() && rustup::install(folder, &done.stderr) {
        done = run()?;
    }
    if !done.succeeded() {
        return Err(failed("read the manifest", &done));
    }
    serde_json::from_str(&done.stdout).map_err(|error| HostError::Cargo {
        what: "read the manifest".into(),
        output: error.to_string(),
    })
}

impl Workspace {
    /// The workspace around a folder.
    ///
    /// # Errors
    /// When there is no readable manifest.
    pub fn around(folder: &Path) -> Result<Self, HostError> {
        Self::around_in(folder, &Sandbox::default())
    }

    /// Like `around`, inside of a sandbox: a checkout may name the cargo that reads it.
    ///
    /// # Errors
    /// As [`around`](Self::around).
    pub fn around_in(folder: &Path, sandbox: &Sandbox) -> Result<Self, HostError> {
        let metadata = metadata(folder, sandbox, &["--no-deps"])?;
        let mut benches = Vec::new();
        let mut features = BTreeMap::new();
        let mut own_names = BTreeSet::new();
        for package in metadata.workspace_packages() {
            features.insert(package.name.to_string(), package.features.clone());
            own_names.insert(plain(&package.name));
            own_names.extend(package.targets.iter().map(|target| plain(&target.name)));
            let manifest = package.manifest_path.as_std_path();
            let own_mains = benches_without(manifest, "harness")?;
            let left_out = benches_without(manifest, "bench")?;
            let package_dir = package.manifest_path.parent().map_or_else(PathBuf::new, Into::into);
            for target in package.targets.iter().filter(|target| target.is_bench()) {
                benches.push(BenchTarget {
                    package: package.name.to_string(),
                    package_dir: package_dir.clone(),
                    suite: target.name.clone(),
                    own_main: own_mains.contains(&target.name),
                    is_left_out: left_out.contains(&target.name),
                    required_features: target.required_features.clone(),
                    package_id: package.id.repr.clone(),
                });
            }
        }
        benches.sort_by(|a, b| (&a.package, &a.suite).cmp(&(&b.package, &b.suite)));
        let of_folder = || metadata.workspace_root.file_name().unwrap_or_default().to_owned();
        let name = metadata.root_package().map_or_else(of_folder, |root| root.name.to_string());
        Ok(Self {
            name,
            root: metadata.workspace_root.into(),
            target_dir: metadata.target_directory.into(),
            sandbox: sandbox.clone(),
            benches,
            own_names,
            features,
        })
    }

    /// The names of its packages and of all their targets, as crates have them.
    pub(crate) fn own_names(&self) -> &BTreeSet<String> {
        &self.own_names
    }

    /// The folder of benchgate in its target folder. Several repositories may have one target folder
    /// (`CARGO_TARGET_DIR`): the first has the plain name, and each other one a separate folder.
    pub fn work_dir(&self) -> PathBuf {
        let plain = self.target_dir.join("benchgate");
        let root = self.root.as_os_str().as_encoded_bytes();
        let is_others = !self.target_dir.starts_with(&self.root)
            && fs_err::read(plain.join(OWNER)).is_ok_and(|owner| {
                owner != root && Path::new(&crate::system::platform::os_string(&owner)).is_dir()
            });
        if is_others {
            return self.target_dir.join(format!("benchgate-{}", &files::digest_of(root)[..8]));
        }
        plain
    }

    /// The names of its members.
    pub fn members(&self) -> impl Iterator<Item = &str> {
        self.features.keys().map(String::as_str)
    }

    /// The features of a policy that a package of this side has.
    pub(crate) fn asked<'a>(&'a self, package: &str, build: &Build) -> Vec<&'a str> {
        let Some(features) = self.features.get(package) else { return Vec::new() };
        let is_asked = |feature: &&String| {
            build.features.iter().any(|asked| {
                asked == *feature || asked.split_once('/') == Some((package, feature.as_str()))
            })
        };
        features.keys().filter(is_asked).map(String::as_str).collect()
    }

    /// Every feature as a policy may name it: `feature` and `package/feature`.
    pub(crate) fn feature_names(&self) -> impl Iterator<Item = String> {
        self.features.iter().flat_map(|(package, features)| {
            let names = features.keys();
            names.flat_map(move |feature| [feature.clone(), format!("{package}/{feature}")])
        })
    }

    /// The features that a package is built with: its defaults or all, the policy's, and what they enable.
    pub fn enabled<'a>(&'a self, package: &str, build: &Build) -> BTreeSet<&'a str> {
        let mut enabled = BTreeSet::new();
        let Some(features) = self.features.get(package) else { return enabled };
        let mut pending = self.asked(package, build);
        if build.default_features {
            pending.extend(features.get_key_value("default").map(|(name, _)| name.as_str()));
        }
        if build.all_features {
            pending.extend(features.keys().map(String::as_str));
        }
        while let Some(feature) = pending.pop() {
            if enabled.insert(feature) {
                pending.extend(features.get(feature).into_iter().flatten().map(String::as_str));
            }
        }
        enabled
    }

    /// The features that a bench target needs and is not built with.
    pub(crate) fn lacking_features<'a>(
        &self,
        bench: &'a BenchTarget,
        build: &Build,
    ) -> Vec<&'a str> {
        let enabled = self.enabled(&bench.package, build);
        let required = bench.required_features.iter().map(String::as_str);
        required.filter(|feature| !enabled.contains(feature)).collect()
    }

    /// The features, as a policy names them, that all bench targets together need where none of them can be built
    /// with those of `build`; empty where one can.
    pub fn needed_features(&self, build: &Build) -> Vec<String> {
        let mut needed = BTreeSet::new();
        for bench in self.benches.iter().filter(|bench| bench.own_main && !bench.is_left_out) {
            let lacking = self.lacking_features(bench, build);
            if lacking.is_empty() {
                return Vec::new();
            }
            let named = |feature: &str| match self.features.len() {
                1 => feature.to_owned(),
                _ => format!("{}/{feature}", bench.package),
            };
            needed.extend(lacking.into_iter().map(named));
        }
        needed.into_iter().collect()
    }
}

/// The bench targets for which a key is `false`: cargo's metadata does not say which, the manifest does.
fn benches_without(manifest: &Path, key: &str) -> Result<BTreeSet<String>, HostError> {
    let text = String::from_utf8_lossy(&files::read(manifest)?).into_owned();
    let table: toml::Table = text.parse().map_err(|error: toml::de::Error| HostError::Content {
        path: manifest.to_owned(),
        problem: error.message().to_owned(),
    })?;
    let benches = table.get("bench").and_then(toml::Value::as_array).cloned().unwrap_or_default();
    Ok(benches
        .iter()
        .filter(|bench| bench.get(key).and_then(toml::Value::as_bool) == Some(false))
        .filter_map(|bench| bench.get("name").and_then(toml::Value::as_str).map(str::to_owned))
        .collect())
}

/// Settings of the bench profile that results depend on, as a line for people.
///
/// # Errors
/// When the root manifest cannot be read.
pub fn describe_profile(root: &Path, build: &Build) -> Result<String, HostError> {
    let profile = build.profile.of_cargo();
    let mut settings = match build.profile {
        BuildProfile::Gate => vec!["lto = fat".to_owned(), "codegen-units = 1".to_owned()],
        BuildProfile::Own | BuildProfile::Named(_) => profile_settings(root, profile)?,
    };
    settings.insert(0, profile.to_owned());
    settings.extend(build.align.then(|| "functions aligned".to_owned()));
    Ok(settings.join(", "))
}

fn profile_settings(root: &Path, name: &str) -> Result<Vec<String>, HostError> {
    let text = String::from_utf8_lossy(&files::read(&root.join("Cargo.toml"))?).into_owned();
    let table: Option<toml::Table> = text.parse().ok();
    let bench = table.as_ref().and_then(|table| table.get("profile")?.get(name)?.as_table());
    Ok(bench
        .into_iter()
        .flatten()
        .filter(|(_, value)| !value.is_table())
        .map(|(key, value)| format!("{key} = {value}"))
        .collect())
}
