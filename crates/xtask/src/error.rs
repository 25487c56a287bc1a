//! Why a command failed.

use std::io;

use thiserror::Error;

#[derive(Debug, Error)]
pub(crate) enum Error {
    #[error("{0}")]
    Usage(String),
    #[error("cannot read {path}: {source}")]
    Read { path: String, source: io::Error },
    #[error("cannot write {path}: {source}")]
    Write { path: String, source: io::Error },
    /// A file was read and cannot be used.
    #[error("{path}: {problem}")]
    Content { path: String, problem: String },
}

impl Error {
    pub(crate) fn content(path: &str, problem: impl ToString) -> Self {
        Self::Content { path: path.to_owned(), problem: problem.to_string() }
    }
}
