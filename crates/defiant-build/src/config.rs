//! The interface for build scripts.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};

use prost_types::FileDescriptorSet;

use crate::emit;
use crate::error::Error;
use crate::lower::{self, Options};

/// How to generate code.
///
/// # Examples
///
/// In a `build.rs`:
///
/// ```no_run
/// defiant_build::Config::new()
///     .include_file("protos.rs")
///     .compile_protos(&["protos/car.proto"], &["protos"])
///     .expect("the protos compile");
/// ```
#[derive(Clone, Debug, Default)]
pub struct Config {
    out_dir: Option<PathBuf>,
    include_file: Option<PathBuf>,
    options: Options,
}

/// Generates code for `protos` with the default [`Config`].
///
/// # Errors
///
/// See [`Config::compile_protos`].
pub fn compile_protos(
    protos: &[impl AsRef<Path>],
    includes: &[impl AsRef<Path>],
) -> Result<(), Error> {
    Config::new().compile_protos(protos, includes)
}

/// Generates code for `fds` with the default [`Config`].
///
/// # Errors
///
/// See [`Config::compile_fds`].
pub fn compile_fds(fds: FileDescriptorSet) -> Result<(), Error> {
    Config::new().compile_fds(fds)
}

impl Config {
    /// The default: one file for each package, in `OUT_DIR`.
    pub fn new() -> Self {
        Self::default()
    }

    /// Where to write the generated files; `OUT_DIR` otherwise.
    pub fn out_dir(&mut self, path: impl Into<PathBuf>) -> &mut Self {
        self.out_dir = Some(path.into());
        self
    }

    /// A file to write alongside the others that includes each as its package's module.
    pub fn include_file(&mut self, path: impl Into<PathBuf>) -> &mut Self {
        self.include_file = Some(path.into());
        self
    }

    /// Makes the messages and enums in `paths` implement `serde::Serialize` by protobuf's JSON mapping. A path is
    /// the full name of a package or of a type, which has its nested types in it; `"."` has everything in it.
    ///
    /// The generated code needs the feature `serde` of `defiant`. The types of the fields must implement it too. Those
    /// of `google.protobuf` do not, whatever the paths are: most have a form of their own, and need an implementation
    /// by hand.
    pub fn serde(&mut self, paths: impl IntoIterator<Item = impl AsRef<str>>) -> &mut Self {
        self.options.json.add(paths);
        self
    }

    /// Makes the messages in `paths` usable with `defiant::Owned`, which keeps a message with what it borrows from. A path
    /// is one as for [`Self::serde`].
    pub fn owned(&mut self, paths: impl IntoIterator<Item = impl AsRef<str>>) -> &mut Self {
        self.options.owned.add(paths);
        self
    }

    /// Makes the messages in `paths` keep the fields that their types do not have, extensions among them, in a field
    /// `unknown_fields`, and write them again. A path is one as for [`Self::serde`].
    ///
    /// Such a message always has a lifetime. If a field of the message has that name, the new one gets an underscore.
    pub fn unknown_fields(
        &mut self,
        paths: impl IntoIterator<Item = impl AsRef<str>>,
    ) -> &mut Self {
        self.options.unknown.add(paths);
        self
    }

    /// Generates code for `protos` and what they import, found in `includes`.
    ///
    /// # Errors
    ///
    /// If the files cannot be read, are not valid, or use editions, and if the generated files
    /// cannot be written.
    pub fn compile_protos(
        &mut self,
        protos: &[impl AsRef<Path>],
        includes: &[impl AsRef<Path>],
    ) -> Result<(), Error> {
        self.compile_fds(protox::compile(protos, includes)?)
    }

    /// Generates code for all files of `fds`, one file `<package>.rs` for each package, and `_.rs`
    /// for files without one.
    ///
    /// # Errors
    ///
    /// If the descriptors are not valid or use editions, and if the generated files cannot be
    /// written.
    pub fn compile_fds(&mut self, fds: FileDescriptorSet) -> Result<(), Error> {
        let out_dir = match (&self.out_dir, env::var_os("OUT_DIR")) {
            (Some(path), _) => path.clone(),
            (None, Some(path)) => path.into(),
            (None, None) => return Err(Error::NoOutDir),
        };
        let packages = lower::packages(&fds, &self.options)?;
        for package in &packages {
            write(&out_dir.join(package.file_name()), &emit::package(package))?;
        }
        if let Some(file) = &self.include_file {
            write(&out_dir.join(file), &emit::include_file(&packages))?;
        }
        Ok(())
    }
}

/// Writes only what has changed, so that Cargo does not see a new file after each build.
fn write(path: &Path, text: &str) -> Result<(), Error> {
    if fs::read_to_string(path).is_ok_and(|old| old == text) {
        return Ok(());
    }
    fs::write(path, text).map_err(|source| Error::Write { path: path.into(), source })
}
