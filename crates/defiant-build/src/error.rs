//! Why no code was generated.

use std::path::PathBuf;

/// Why no code was generated.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A `.proto` file is missing or wrong.
    #[error("failed to parse the .proto files: {0}")]
    Parse(#[from] protox::Error),
    /// Neither [`Config::out_dir`](crate::Config::out_dir) nor `OUT_DIR`, which Cargo sets for
    /// build scripts.
    #[error("nowhere to write to: OUT_DIR is not set and no out_dir was given")]
    NoOutDir,
    /// A generated file could not be written.
    #[error("failed to write {}: {source}", path.display())]
    Write {
        /// The file.
        path: PathBuf,
        /// Why not.
        source: std::io::Error,
    },
    /// A descriptor refers to a type that is in none of the files.
    #[error("{field} has the type {type_name:?}, which is in none of the files")]
    UnknownType {
        /// The field's full name.
        field: String,
        /// The type as the descriptor names it.
        type_name: String,
    },
    /// A file in a syntax that is not supported.
    #[error("{file}: {syntax:?} is not supported; proto2 and proto3 are")]
    Syntax {
        /// The file's name.
        file: String,
        /// The syntax.
        syntax: String,
    },
    /// A default value that is not one of the field's type.
    #[error("{field} has the default value {value:?}, which is not one of its type")]
    Default {
        /// The field's full name.
        field: String,
        /// The default value as the descriptor has it.
        value: String,
    },
}
