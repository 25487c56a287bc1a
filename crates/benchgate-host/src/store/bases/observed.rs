//! What runs of a suite were observed to read, next to what is kept of it: `benchgate.observed/1`.

use std::collections::BTreeSet;
use std::path::Path;

use benchgate_core::affected::Observed;
use serde::{Deserialize, Serialize};

use super::record::{Sealed, read};
use crate::HostError;
use crate::system::files;

/// The name of its file.
pub(super) const NAME: &str = "observed.json";

const SCHEMA: &str = "benchgate.observed/1";

/// Maximum number of bytes.
const LARGEST: u64 = 64 << 20;

#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Kept {
    schema: String,
    files: BTreeSet<String>,
    folders: BTreeSet<String>,
    whole: bool,
    /// The digest of the record of the suite that ran.
    record: String,
    /// SHA-256 of all this with this value empty.
    digest: String,
}

impl Sealed for Kept {
    fn digest(&mut self) -> &mut String {
        &mut self.digest
    }
}

/// Reads what was observed of the suite with this record; `None` where nothing was, or it is not as it was written.
pub(super) fn of(place: &Path, record: &str) -> Option<Observed> {
    let bytes = read(&place.join(NAME), LARGEST).ok()?;
    let kept: Kept = serde_json::from_slice(&bytes).ok()?;
    let is_own = kept.schema == SCHEMA && kept.record == record && kept.is_as_written();
    let Kept { files, folders, whole, .. } = kept;
    is_own.then_some(Observed { files, folders, is_whole: whole })
}

/// Keeps what was observed, with what was before.
pub(super) fn keep(place: &Path, record: &str, mut observed: Observed) -> Result<(), HostError> {
    if let Some(before) = of(place, record) {
        observed.add(before);
    }
    let Observed { files, folders, is_whole: whole } = observed;
    let record = record.to_owned();
    let schema = SCHEMA.to_owned();
    let kept = Kept { schema, files, folders, whole, record, digest: String::new() }.sealed();
    files::write_atomically(&place.join(NAME), kept.to_json().as_bytes())
}
