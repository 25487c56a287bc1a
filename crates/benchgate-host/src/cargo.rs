//! cargo: which bench targets there are, and their executables.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Command;

use benchgate_core::model::SuiteKey;
use benchgate_core::policy::{Build, BuildProfile};
use cargo_metadata::{Message, Metadata};

use crate::command::{cargo, failed};
use crate::flags::Flags;
use crate::process;
use crate::progress::{let_cargo_count, pass_on};
use crate::{HostError, Progress, files};

/// A cargo workspace, or a package that is its own.
#[derive(Clone, Debug)]
pub struct Workspace {
    /// Folder of the root manifest.
    pub root: PathBuf,
    /// The name of the root package, or of the folder where there is none.
    pub name: String,
    /// Where cargo builds.
    pub target_dir: PathBuf,
    /// Every bench target of every member, in the order of package and name.
    pub benches: Vec<BenchTarget>,
    /// Of every member, the names of its binaries.
    bins: BTreeMap<String, Vec<String>>,
    /// Of every member, its features and what each enables.
    features: BTreeMap<String, BTreeMap<String, Vec<String>>>,
}

/// One bench target.
#[derive(Clone, Debug)]
pub struct BenchTarget {
    /// Its package.
    pub package: String,
    /// Folder of the package.
    pub package_dir: PathBuf,
    /// Its name: the suite.
    pub suite: String,
    /// Whether it brings its own `main`, as Criterion's do.
    pub own_main: bool,
    /// Features without which it is not built.
    pub required_features: Vec<String>,
    package_id: String,
}

impl BenchTarget {
    /// Its key.
    pub fn key(&self) -> SuiteKey {
        SuiteKey::new(&*self.package, &*self.suite)
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

impl Workspace {
    /// The workspace around a folder.
    ///
    /// # Errors
    /// When there is no readable manifest.
    pub fn around(folder: &Path) -> Result<Self, HostError> {
        let mut command = cargo(folder);
        command.args(["metadata", "--no-deps", "--format-version", "1"]);
        let done = process::run(&mut command, None, &mut |_| {})?;
        if !done.succeeded() {
            return Err(failed("read the manifest", &done));
        }
        let metadata: Metadata = serde_json::from_str(&done.stdout).map_err(|error| {
            HostError::Cargo { what: "read the manifest".into(), output: error.to_string() }
        })?;
        let mut benches = Vec::new();
        let mut features = BTreeMap::new();
        let mut bins = BTreeMap::new();
        for package in metadata.workspace_packages() {
            features.insert(package.name.to_string(), package.features.clone());
            let own_bins = package.targets.iter().filter(|target| target.is_bin());
            bins.insert(package.name.to_string(), own_bins.map(|bin| bin.name.clone()).collect());
            let own_mains = own_mains(package.manifest_path.as_std_path())?;
            let package_dir = package.manifest_path.parent().map_or_else(PathBuf::new, Into::into);
            for target in package.targets.iter().filter(|target| target.is_bench()) {
                benches.push(BenchTarget {
                    package: package.name.to_string(),
                    package_dir: package_dir.clone(),
                    suite: target.name.clone(),
                    own_main: own_mains.contains(&target.name),
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
            benches,
            bins,
            features,
        })
    }

    /// The binary of its own package that a built bench names: cargo tells benches where it lies.
    pub fn binary_of<'a>(
        &'a self,
        bench: &BenchTarget,
        executable: &[u8],
        target_dir: &Path,
    ) -> Option<&'a str> {
        let bins = self.bins.get(&bench.package)?;
        bins.iter().map(String::as_str).find(|bin| {
            let place = target_dir.join("release").join(bin);
            let place = place.as_os_str().as_encoded_bytes();
            executable.windows(place.len()).any(|bytes| bytes == place)
        })
    }

    /// The features of a policy that a package of this side has.
    fn asked<'a>(&'a self, package: &str, build: &Build) -> Vec<&'a str> {
        let Some(features) = self.features.get(package) else { return Vec::new() };
        let is_asked = |feature: &&String| {
            build.features.iter().any(|asked| {
                asked == *feature || asked.split_once('/') == Some((package, feature.as_str()))
            })
        };
        features.keys().filter(is_asked).map(String::as_str).collect()
    }

    /// The features that a package is built with: its defaults, the policy's, and what they enable.
    pub fn enabled<'a>(&'a self, package: &str, build: &Build) -> BTreeSet<&'a str> {
        let mut enabled = BTreeSet::new();
        let Some(features) = self.features.get(package) else { return enabled };
        let mut left = self.asked(package, build);
        left.extend(features.get_key_value("default").map(|(name, _)| name.as_str()));
        while let Some(feature) = left.pop() {
            if enabled.insert(feature) {
                left.extend(features.get(feature).into_iter().flatten().map(String::as_str));
            }
        }
        enabled
    }

    /// Builds bench targets and gives their executables, in the order asked for.
    ///
    /// # Errors
    /// When cargo fails; with the end of what it said.
    pub fn build(
        &self,
        targets: &[&BenchTarget],
        build: &Build,
        target_dir: &Path,
        progress: &dyn Progress,
    ) -> Result<Vec<PathBuf>, HostError> {
        let mut executables = BTreeMap::new();
        let packages: BTreeSet<&str> = targets.iter().map(|t| t.package_id.as_str()).collect();
        for package in packages {
            let of_package: Vec<&BenchTarget> =
                targets.iter().copied().filter(|t| t.package_id == package).collect();
            executables.extend(self.build_package(&of_package, build, target_dir, progress)?);
        }
        targets
            .iter()
            .map(|target| {
                let key = (target.package_id.clone(), target.suite.clone());
                executables.get(&key).cloned().ok_or_else(|| HostError::Cargo {
                    what: format!("build {}.{}", target.package, target.suite),
                    output: "it reported no executable for it".into(),
                })
            })
            .collect()
    }
}

impl Workspace {
    /// Each package by itself, in its folder: over several, cargo would build every name in each, with
    /// the features of all.
    fn build_package(
        &self,
        targets: &[&BenchTarget],
        build: &Build,
        target_dir: &Path,
        progress: &dyn Progress,
    ) -> Result<BTreeMap<(String, String), PathBuf>, HostError> {
        let Some(first) = targets.first() else { return Ok(BTreeMap::new()) };
        let mut command = cargo(&first.package_dir);
        command.args(["bench", "--no-run"]);
        self.like_every_build(&mut command, targets, build, target_dir)?;
        let done = process::run(&mut command, None, &mut |line| pass_on(line, progress))?;
        if done.succeeded() {
            Ok(executables(&done.stdout))
        } else {
            Err(failed("build the benches", &done))
        }
    }

    /// Arguments and flags that make a cargo command build what the others build.
    fn like_every_build(
        &self,
        command: &mut Command,
        targets: &[&BenchTarget],
        build: &Build,
        target_dir: &Path,
    ) -> Result<(), HostError> {
        let_cargo_count(command);
        command.arg("--message-format=json-render-diagnostics");
        command.arg("--target-dir").arg(target_dir);
        command.args(profile_arguments(build.profile));
        command.args(targets.iter().flat_map(|target| ["--bench", target.suite.as_str()]));
        let Some(first) = targets.first() else { return Ok(()) };
        let features = self.asked(&first.package, build);
        if !features.is_empty() {
            command.args(["--features", &features.join(",")]);
        }
        if build.align {
            Self::flags(first, target_dir)?.aligned().give_to(command);
        }
        Ok(())
    }

    /// The user's flags in force for a package.
    pub(crate) fn flags(target: &BenchTarget, target_dir: &Path) -> Result<Flags, HostError> {
        Flags::in_force(&target.package_dir, &target_dir.join("flags"))
    }

    /// Builds one bench target with arguments for its own compilation alone; dependencies stay.
    pub(crate) fn build_with(
        &self,
        target: &BenchTarget,
        arguments: &[String],
        build: &Build,
        target_dir: &Path,
        progress: &dyn Progress,
    ) -> Result<Option<PathBuf>, HostError> {
        let mut command = cargo(&target.package_dir);
        command.args(["rustc", "--profile", "bench"]);
        self.like_every_build(&mut command, &[target], build, target_dir)?;
        command.arg("--").args(arguments);
        let done = process::run(&mut command, None, &mut |line| pass_on(line, progress))?;
        if !done.succeeded() {
            return Err(failed("build the suite again", &done));
        }
        Ok(executables(&done.stdout).into_values().next())
    }
}

/// What `[profile.bench]` is set to, as arguments: the highest of cargo's sources.
fn profile_arguments(profile: BuildProfile) -> Vec<String> {
    match profile {
        BuildProfile::Own => Vec::new(),
        BuildProfile::Gate => ["profile.bench.lto=\"fat\"", "profile.bench.codegen-units=1"]
            .iter()
            .flat_map(|setting| ["--config".to_owned(), (*setting).to_owned()])
            .collect(),
    }
}

fn executables(messages: &str) -> BTreeMap<(String, String), PathBuf> {
    Message::parse_stream(messages.as_bytes())
        .filter_map(Result::ok)
        .filter_map(|message| match message {
            Message::CompilerArtifact(artifact) if artifact.target.is_bench() => {
                let key = (artifact.package_id.repr, artifact.target.name);
                Some((key, artifact.executable?.into()))
            }
            _ => None,
        })
        .collect()
}

/// The bench targets with `harness = false`: cargo's metadata does not tell, the manifest does.
fn own_mains(manifest: &Path) -> Result<BTreeSet<String>, HostError> {
    let text = String::from_utf8_lossy(&files::read(manifest)?).into_owned();
    let table: toml::Table = text.parse().map_err(|error: toml::de::Error| HostError::Content {
        path: manifest.to_owned(),
        problem: error.message().to_owned(),
    })?;
    let benches = table.get("bench").and_then(toml::Value::as_array).cloned().unwrap_or_default();
    Ok(benches
        .iter()
        .filter(|bench| bench.get("harness").and_then(toml::Value::as_bool) == Some(false))
        .filter_map(|bench| bench.get("name").and_then(toml::Value::as_str).map(str::to_owned))
        .collect())
}

/// Settings of the bench profile that results depend on, as a line for people.
///
/// # Errors
/// When the root manifest cannot be read.
pub fn describe_profile(root: &Path, build: &Build) -> Result<String, HostError> {
    let mut settings = match build.profile {
        BuildProfile::Gate => vec!["lto = fat".to_owned(), "codegen-units = 1".to_owned()],
        BuildProfile::Own => bench_profile(root)?,
    };
    settings.insert(0, "bench".to_owned());
    settings.extend(build.align.then(|| "functions aligned".to_owned()));
    Ok(settings.join(", "))
}

fn bench_profile(root: &Path) -> Result<Vec<String>, HostError> {
    let text = String::from_utf8_lossy(&files::read(&root.join("Cargo.toml"))?).into_owned();
    let table: Option<toml::Table> = text.parse().ok();
    let bench = table.as_ref().and_then(|table| table.get("profile")?.get("bench")?.as_table());
    Ok(bench
        .into_iter()
        .flatten()
        .filter(|(_, value)| !value.is_table())
        .map(|(key, value)| format!("{key} = {value}"))
        .collect())
}
