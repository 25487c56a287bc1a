//! The official datasets: `benchmarks/datasets` of protobuf at tag v3.14.0.

use std::path::{self, Path, PathBuf};
use std::{fmt::Write as _, fs, io};

use prost::Message;
use sha2::{Digest, Sha256};

use super::{Dataset, FOLDER_VARIABLE};
use crate::messages::prost::BenchmarkDataset;

/// Digests of the files at that tag, where there is one. `scripts/fetch-datasets` has the same ones.
pub(super) fn sha256(dataset: Dataset) -> Option<&'static str> {
    match dataset {
        Dataset::GoogleMessage1Proto2 => {
            Some("e8db59c48f99e4bfda06322a2146e94aadbe42cc17e883f09f925dd2b8e3430a")
        }
        Dataset::GoogleMessage1Proto3 => {
            Some("610e3a861b4a6bc38b778bd0e674baf200f2cd60318eb80a5403c81a36364b97")
        }
        Dataset::GoogleMessage2 => {
            Some("2d408fb9e0ba8d6cb86461d19d59bbce877ab57fc51be2531d3eeed05be2405b")
        }
        Dataset::GoogleMessage2Utf8 => None,
    }
}

/// An official file cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum OfficialError {
    /// There is no readable file.
    #[error(
        "cannot read the official dataset {}: {cause}\n  help: `scripts/fetch-datasets` downloads \
         it; unset {FOLDER_VARIABLE} to use generated messages",
        .file.display()
    )]
    Unreadable {
        /// Its absolute path, because cargo runs benches in another folder than the user's.
        file: PathBuf,
        /// The operating system's error.
        #[source]
        cause: io::Error,
    },
    /// The file is not the published one.
    #[error(
        "{} is not the official dataset: its sha256 is {actual}, expected {expected}\n  help: \
         remove it and let `scripts/fetch-datasets` download it again; unset {FOLDER_VARIABLE} to \
         use generated messages",
        .file.display()
    )]
    Different {
        /// Its absolute path.
        file: PathBuf,
        /// Lower-case hexadecimal digest of what is there.
        actual: String,
        /// Lower-case hexadecimal digest of what was published.
        expected: &'static str,
    },
    /// The file is the published one and still not a dataset: the schema here is wrong.
    #[error("cannot decode the official dataset {}: {cause}", .file.display())]
    Undecodable {
        /// Its absolute path.
        file: PathBuf,
        /// The decoder's error.
        #[source]
        cause: prost::DecodeError,
    },
}

pub(super) fn read(
    folder: &Path,
    dataset: Dataset,
    expected: &'static str,
) -> Result<BenchmarkDataset, OfficialError> {
    let file = folder.join(format!("dataset.{}.pb", dataset.name()));
    let file = path::absolute(&file).unwrap_or(file);
    let bytes = match fs::read(&file) {
        Ok(bytes) => bytes,
        Err(cause) => return Err(OfficialError::Unreadable { file, cause }),
    };
    let actual = hex(&Sha256::digest(&bytes));
    if actual != expected {
        return Err(OfficialError::Different { file, actual, expected });
    }
    BenchmarkDataset::decode(bytes.as_slice())
        .map_err(|cause| OfficialError::Undecodable { file, cause })
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut text, byte| {
        // Writing to a string cannot fail.
        let _ = write!(text, "{byte:02x}");
        text
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_script_that_downloads_the_files_expects_the_same_digests() {
        let script = include_str!("../../../../scripts/fetch-datasets");
        for dataset in Dataset::OFFICIAL {
            let line = format!("    {}\n", sha256(dataset).unwrap());
            assert!(script.contains(&line), "{}", dataset.name());
        }
    }
}
