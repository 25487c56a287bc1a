//! The record of one suite in the store: `benchgate.kept/1`.

use serde::{Deserialize, Serialize};

use super::identity::Identity;
use super::inputs::Inputs;
use crate::files;
use crate::start::Additions;

/// Value of the key `schema`.
pub(super) const RECORD_SCHEMA: &str = "benchgate.kept/1";

/// Maximum number of bytes of a record.
pub(super) const LARGEST: u64 = 16 << 20;

/// One suite of one commit.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Record {
    pub(super) schema: String,
    pub(super) identity: Identity,
    pub(super) package: String,
    pub(super) suite: String,
    pub(super) executable: Executable,
    pub(super) start: Option<Additions>,
    pub(super) inputs: Inputs,
    /// The Cargo.lock that was resolved for it, where the repository brings none.
    pub(super) lock_file: Option<String>,
    /// SHA-256 of the record with this value empty.
    pub(super) digest: String,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Executable {
    pub(super) sha256: String,
    pub(super) bytes: u64,
}

impl Record {
    pub(super) fn to_json(&self) -> String {
        // Only strings, numbers and maps of them: serializing cannot fail.
        serde_json::to_string_pretty(self).unwrap_or_default()
    }

    /// With its digest.
    pub(super) fn sealed(self) -> Self {
        let bare = Self { digest: String::new(), ..self };
        let digest = files::digest_of(bare.to_json().as_bytes());
        Self { digest, ..bare }
    }

    /// Reads a record; why it is none.
    pub(super) fn read(bytes: &[u8]) -> Result<Self, String> {
        let record: Self = serde_json::from_slice(bytes)
            .map_err(|error| format!("its record cannot be read: {error}"))?;
        if record.schema != RECORD_SCHEMA {
            return Err(format!("its record is `{}`, and not `{RECORD_SCHEMA}`", record.schema));
        }
        if record.clone().sealed().digest != record.digest {
            return Err("its record has another digest".to_owned());
        }
        Ok(record)
    }
}
