//! Encoded messages to bench with: generated ones, or the official protobuf datasets.
//!
//! Both come through the same [`Source::load`] and have the same shape: the same fields in the
//! same order, with values of the same encoded lengths. What a bench measures therefore does not
//! depend on having downloaded anything.
//!
//! | dataset | schema | payloads | bytes |
//! |---|---|---|---|
//! | `google_message1_proto2` | `benchmarks.proto2.GoogleMessage1` | 1 | 228 |
//! | `google_message1_proto3` | `benchmarks.proto3.GoogleMessage1` | 1 | 228 |
//! | `google_message2` | `benchmarks.proto2.GoogleMessage2` | 1 | 84,570 |
//! | `google_message2_utf8` | `benchmarks.proto2.GoogleMessage2` | 1 | 84,570 |
//!
//! The text of the official messages is ASCII. That of `google_message2_utf8`, which is generated
//! in any case, is not.

mod generator;
mod official;
mod wire;

use std::env::{self, VarError};
use std::path::PathBuf;

use crate::messages::prost::BenchmarkDataset;

pub use official::OfficialError;

/// Environment variable that names a folder with the official files.
pub const FOLDER_VARIABLE: &str = "BENCH_DATASETS";

/// A set of messages of one type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dataset {
    /// A flat message whose schema knows whether a field is present.
    GoogleMessage1Proto2,
    /// The same bytes, read with a schema in which a zero and an absent field are the same.
    GoogleMessage1Proto3,
    /// A message with a group repeated 1,000 times.
    GoogleMessage2,
    /// The same with text of one to four bytes a character.
    GoogleMessage2Utf8,
}

impl Dataset {
    /// All datasets, in the order in which they are benched.
    pub const ALL: [Self; 4] = [
        Self::GoogleMessage1Proto2,
        Self::GoogleMessage1Proto3,
        Self::GoogleMessage2,
        Self::GoogleMessage2Utf8,
    ];

    /// Those of which there are official files.
    pub const OFFICIAL: [Self; 3] =
        [Self::GoogleMessage1Proto2, Self::GoogleMessage1Proto3, Self::GoogleMessage2];

    /// The name in benchmark ids, in file names and in [`BenchmarkDataset::name`].
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::GoogleMessage1Proto2 => "google_message1_proto2",
            Self::GoogleMessage1Proto3 => "google_message1_proto3",
            Self::GoogleMessage2 => "google_message2",
            Self::GoogleMessage2Utf8 => "google_message2_utf8",
        }
    }

    /// The full protobuf name of the type of the payloads.
    #[must_use]
    pub fn message_name(self) -> &'static str {
        match self {
            Self::GoogleMessage1Proto2 => "benchmarks.proto2.GoogleMessage1",
            Self::GoogleMessage1Proto3 => "benchmarks.proto3.GoogleMessage1",
            Self::GoogleMessage2 | Self::GoogleMessage2Utf8 => "benchmarks.proto2.GoogleMessage2",
        }
    }
}

/// Where the messages come from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Source {
    /// Made here from a fixed seed: the same bytes on every machine, in every run.
    Generated,
    /// The official files, in this folder.
    Official(PathBuf),
}

impl Source {
    /// The source that [`FOLDER_VARIABLE`] asks for: official files where it is set, else
    /// generated ones.
    ///
    /// # Errors
    ///
    /// The variable is set, but is empty or not Unicode. Falling back to generated data would then
    /// measure something else than was asked for.
    pub fn from_env() -> Result<Self, SourceError> {
        Self::from_value(env::var(FOLDER_VARIABLE))
    }

    fn from_value(value: Result<String, VarError>) -> Result<Self, SourceError> {
        match value {
            Err(VarError::NotPresent) => Ok(Self::Generated),
            Err(VarError::NotUnicode(_)) => Err(SourceError::NotUnicode),
            Ok(folder) if folder.is_empty() => Err(SourceError::Empty),
            Ok(folder) => Ok(Self::Official(folder.into())),
        }
    }

    /// The messages of `dataset`, in the wrapper that the official files have too. Where there is
    /// no official file, they are generated.
    ///
    /// # Errors
    ///
    /// An official file is missing, unreadable, or not the file that was published.
    pub fn load(&self, dataset: Dataset) -> Result<BenchmarkDataset, OfficialError> {
        match self {
            Self::Generated => Ok(generator::generate(dataset)),
            Self::Official(folder) => match official::sha256(dataset) {
                Some(digest) => official::read(folder, dataset, digest),
                None => Ok(generator::generate(dataset)),
            },
        }
    }
}

/// [`FOLDER_VARIABLE`] does not say which source to use.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SourceError {
    /// Set to nothing.
    #[error("{FOLDER_VARIABLE} is empty; name a folder, or unset it to use generated messages")]
    Empty,
    /// Set to something that no message could show.
    #[error("{FOLDER_VARIABLE} is not valid Unicode; name a folder whose path is")]
    NotUnicode,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn without_the_variable_messages_are_generated() {
        assert_eq!(Source::from_value(Err(VarError::NotPresent)), Ok(Source::Generated));
    }

    #[test]
    fn a_folder_in_the_variable_means_official_files_from_there() {
        let source = Source::from_value(Ok("some/folder".to_owned()));
        assert_eq!(source, Ok(Source::Official(PathBuf::from("some/folder"))));
    }

    #[test]
    fn an_empty_variable_is_an_error_and_not_generated_messages() {
        let error = Source::from_value(Ok(String::new())).unwrap_err();
        assert_eq!(
            error.to_string(),
            "BENCH_DATASETS is empty; name a folder, or unset it to use generated messages"
        );
    }
}
