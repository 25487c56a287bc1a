//! A repository with one suite whose executable prints how it was built.

use std::path::{Path, PathBuf};
use std::process::Command;

use benchgate_core::model::Side;
use benchgate_core::policy::{Build, BuildProfile, Runtime};
use benchgate_host::Progress;
use benchgate_host::cargo::Workspace;
use benchgate_host::cargo::choice::Choice;
use benchgate_host::git::Repository;
use benchgate_host::sides::{BuildDir, BuiltSide};

pub(crate) struct Quiet;

impl Progress for Quiet {}

/// The repository, `package` with the suite `build_info` and a library, in a temporary folder.
pub(crate) struct Repo(tempfile::TempDir);

pub(crate) const BENCH: &str = include_str!("build_info.rs");
pub(crate) const LIBRARY: &str = include_str!("library.rs");

impl Repo {
    pub(crate) fn new() -> Self {
        let repo = Self(tempfile::tempdir().unwrap());
        std::fs::create_dir(repo.top()).unwrap();
        repo.git(&["init", "--quiet", "--initial-branch=main"]);
        repo.write(".gitignore", "/target\n");
        repo.write(
            "Cargo.toml",
            "[workspace]\nmembers = [\"package\", \"library\"]\nresolver = \"3\"\n\n\
             [profile.bench]\ndebug = \"line-tables-only\"\n",
        );
        repo.write(
            "package/Cargo.toml",
            "[package]\nname = \"package\"\nversion = \"0.1.0\"\nedition = \"2024\"\n\n\
             [[bench]]\nname = \"build_info\"\nharness = false\n\n\
             [dev-dependencies]\nlibrary = { path = \"../library\" }\n",
        );
        repo.write("package/src/lib.rs", "");
        repo.write("package/benches/build_info.rs", BENCH);
        repo.write(
            "library/Cargo.toml",
            "[package]\nname = \"library\"\nversion = \"0.1.0\"\nedition = \"2024\"\n",
        );
        repo.write("library/src/lib.rs", LIBRARY);
        repo.commit("first");
        repo
    }

    pub(crate) fn top(&self) -> PathBuf {
        self.0.path().join("repo")
    }

    pub(crate) fn write(&self, path: &str, text: &str) {
        let path = self.top().join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }

    pub(crate) fn commit(&self, message: &str) {
        self.git(&["add", "--all"]);
        self.git(&["commit", "--quiet", "--allow-empty", "-m", message]);
    }

    fn git(&self, arguments: &[&str]) {
        let done = Command::new("git")
            .current_dir(self.top())
            .args(["-c", "user.name=t", "-c", "user.email=t@localhost"])
            .args(arguments)
            .output()
            .unwrap();
        assert!(done.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&done.stderr));
    }

    pub(crate) fn repository(&self) -> Repository {
        Repository::around(&self.top()).unwrap()
    }

    pub(crate) fn build_dir(&self) -> BuildDir {
        // Not the target folder of this test's own cargo.
        let mut workspace = Workspace::around(&self.top()).unwrap();
        workspace.target_dir = self.top().join("target");
        BuildDir::open_below(&self.0.path().join("cache"), &self.repository(), &workspace).unwrap()
    }

    pub(crate) fn build(&self, build_dir: &BuildDir, side: Side, commit: &str) -> BuiltSide {
        let repository = self.repository();
        let revision = repository.commit(commit).unwrap();
        build_dir.build(side, &repository, &revision, &gate(), &Choice::default(), &Quiet).unwrap()
    }

    /// The parent of the last commit, and the last commit.
    pub(crate) fn sides(&self, build_dir: &BuildDir) -> [BuiltSide; 2] {
        [(Side::Base, "HEAD^"), (Side::Head, "HEAD")]
            .map(|(side, commit)| self.build(build_dir, side, commit))
    }
}

pub(crate) fn gate() -> Build {
    let (profile, features) = (BuildProfile::Gate, Vec::new());
    let (default_features, all_features) = (true, false);
    Build {
        profile,
        align: true,
        layouts: 30,
        runtime: Runtime::Criterion,
        features,
        default_features,
        all_features,
        before: Vec::new(),
    }
}

/// The output of an executable of `build_info`.
pub(crate) fn output_of(executable: &Path) -> String {
    let done = Command::new(executable).output().unwrap();
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    String::from_utf8(done.stdout).unwrap()
}
