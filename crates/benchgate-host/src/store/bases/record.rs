//! The record of one suite in the store: `benchgate.kept/2`.

use std::collections::BTreeMap;
use std::path::Path;

use serde::{Deserialize, Serialize};

use super::identity::Identity;
use super::inputs::Inputs;
use crate::cargo::start::Additions;
use crate::system::files;
use crate::system::links::{self, Link};

/// Value of the key `schema`.
pub(super) const RECORD_SCHEMA: &str = "benchgate.kept/2";

/// Maximum number of bytes of a record.
pub(super) const LARGEST: u64 = 16 << 20;

/// A suite of one commit.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Record {
    pub(super) schema: String,
    pub(super) identity: Identity,
    pub(super) package: String,
    pub(super) suite: String,
    pub(super) executable: File,
    /// What cargo left next to it, by path below the folder of its profile.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub(super) neighbours: BTreeMap<String, File>,
    /// What it was linked from; `None` where that is not kept.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) link: Option<LinkRecord>,
    pub(super) start: Option<Additions>,
    pub(super) inputs: Inputs,
    /// The Cargo.lock that was resolved for it, where the repository brings none.
    pub(super) lock_file: Option<String>,
    /// SHA-256 of the record with this value empty.
    pub(super) digest: String,
}

/// What a suite was linked from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct LinkRecord {
    pub(super) arguments: Vec<String>,
    /// By name.
    pub(super) files: BTreeMap<String, File>,
}

/// A file of an entry.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct File {
    sha256: String,
    bytes: u64,
}

impl File {
    pub(super) fn of(bytes: &[u8]) -> Self {
        Self { sha256: files::digest_of(bytes), bytes: bytes.len() as u64 }
    }

    /// Reads it under this name; why it is not what was written.
    pub(super) fn read(&self, place: &Path, name: &str) -> Result<Vec<u8>, String> {
        let bytes = read(&place.join(name), self.bytes)?;
        if bytes.len() as u64 != self.bytes {
            return Err(format!("its {name} has {} bytes, and not {}", bytes.len(), self.bytes));
        }
        if files::digest_of(&bytes) != self.sha256 {
            return Err(format!("its {name} has another digest"));
        }
        Ok(bytes)
    }
}

impl LinkRecord {
    pub(super) fn read(&self, place: &Path) -> Result<Link, String> {
        let files = self.files.iter().map(|(name, file)| match links::is_name(name) {
            true => Ok((name.clone(), file.read(place, name)?)),
            false => Err(format!("its record names a file `{name}`")),
        });
        Ok(Link { arguments: self.arguments.clone(), files: files.collect::<Result<_, String>>()? })
    }
}

/// What is kept with a digest of itself.
pub(super) trait Sealed: Serialize + Clone {
    /// Where its digest is, which counts as empty.
    fn digest(&mut self) -> &mut String;

    fn to_json(&self) -> String {
        // Only strings, numbers, sets and maps of them: serializing cannot fail.
        serde_json::to_string_pretty(self).unwrap_or_default()
    }

    /// With its digest.
    fn sealed(mut self) -> Self {
        self.digest().clear();
        *self.digest() = files::digest_of(self.to_json().as_bytes());
        self
    }

    /// Whether it is as it was written.
    fn is_as_written(&self) -> bool {
        let mut bare = self.clone();
        let written = std::mem::take(bare.digest());
        written == files::digest_of(bare.to_json().as_bytes())
    }
}

impl Sealed for Record {
    fn digest(&mut self) -> &mut String {
        &mut self.digest
    }
}

impl Record {
    /// Reads a record; why it is none.
    pub(super) fn read(bytes: &[u8]) -> Result<Self, String> {
        let record: Self = serde_json::from_slice(bytes)
            .map_err(|error| format!("its record cannot be read: {error}"))?;
        if record.schema != RECORD_SCHEMA {
            return Err(format!("its record is `{}`, and not `{RECORD_SCHEMA}`", record.schema));
        }
        if !record.is_as_written() {
            return Err("its record has another digest".to_owned());
        }
        Ok(record)
    }
}

/// Reads a file of a size that is known. A link could lead anywhere.
pub(super) fn read(path: &Path, most: u64) -> Result<Vec<u8>, String> {
    let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let metadata = path.symlink_metadata().map_err(|_| format!("it has no {name}"))?;
    if !metadata.is_file() {
        return Err(format!("its {name} is not a file"));
    }
    if metadata.len() > most {
        return Err(format!("its {name} has {} bytes, and not {most}", metadata.len()));
    }
    files::read(path).map_err(|error| error.to_string())
}
