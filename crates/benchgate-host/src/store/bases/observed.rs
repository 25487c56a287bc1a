//! What runs of a suite were observed to read, next to what is kept of it: `benchgate.observed/3`.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::path::Path;

use benchgate_core::affected::Observed;
use serde::{Deserialize, Serialize};

use super::record::{Sealed, read};
use crate::HostError;
use crate::system::files;
use crate::system::sandbox::{Places, state};

/// The name of its file.
pub(super) const NAME: &str = "observed.json";

const SCHEMA: &str = "benchgate.observed/3";

/// Maximum number of bytes.
const LARGEST: u64 = 64 << 20;

#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Kept {
    schema: String,
    files: BTreeSet<String>,
    folders: BTreeSet<String>,
    whole: bool,
    /// SHA-256 of the value of each variable that it was started with: one may say which file is read.
    variables: BTreeMap<String, String>,
    /// The state of the places outside of the checkout that it may read; `None` where that is not known.
    places: Places,
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

/// Variables of a shell's session and of the cargo that started this program: no file is chosen by them.
const OF_SESSION: [&str; 11] =
    ["_", "CARGO", "COLUMNS", "LINES", "OLDPWD", "PWD", "SHLVL", "TEMP", "TERM", "TMP", "TMPDIR"];

/// What a run is started under.
pub(crate) struct Under {
    pub(super) variables: BTreeMap<OsString, OsString>,
    pub(super) places: Places,
}

/// What was observed of a suite.
pub(super) struct Found {
    pub(super) observed: Observed,
    /// Names of variables that have another value than then.
    pub(super) variables: Vec<String>,
    /// Whether a place outside of the checkout is not as it was then.
    pub(super) has_other_places: bool,
}

/// Reads what was observed of the suite with this record; `None` where nothing was, or it is not as it was written.
pub(super) fn of(place: &Path, record: &str, under: &Under) -> Option<Found> {
    let bytes = read(&place.join(NAME), LARGEST).ok()?;
    let kept: Kept = serde_json::from_slice(&bytes).ok()?;
    let is_own = kept.schema == SCHEMA && kept.record == record && kept.is_as_written();
    let Kept { files, folders, whole, variables: then, places, .. } = kept;
    let now = digests(&under.variables);
    let names: BTreeSet<&String> = then.keys().chain(now.keys()).collect();
    let others = names.into_iter().filter(|name| then.get(*name) != now.get(*name)).cloned();
    is_own.then(|| Found {
        observed: Observed { files, folders, is_whole: whole, ..Observed::default() },
        variables: others.collect(),
        has_other_places: places != under.places || places.values().any(Option::is_none),
    })
}

/// Keeps what was observed with these variables, with what was before.
pub(super) fn keep(
    place: &Path,
    record: &str,
    mut observed: Observed,
    under: &Under,
) -> Result<(), HostError> {
    if let Some(Found { observed: before, variables, has_other_places }) = of(place, record, under)
    {
        // The whole of then is not that of now.
        let is_whole = before.is_whole && variables.is_empty() && !has_other_places;
        observed.add(Observed { is_whole, ..before });
    }
    let Observed { files, folders, is_whole: whole, .. } = observed;
    let (record, schema) = (record.to_owned(), SCHEMA.to_owned());
    let (variables, places) = (digests(&under.variables), under.places.clone());
    let digest = String::new();
    let kept = Kept { schema, files, folders, whole, variables, places, record, digest }.sealed();
    files::write_atomically(&place.join(NAME), kept.to_json().as_bytes())
}

fn digests(variables: &BTreeMap<OsString, OsString>) -> BTreeMap<String, String> {
    let digest = |(name, value): (&OsString, &OsString)| {
        // A file that it leads to may say which one is read.
        let path = Path::new(value);
        let is_file = path.is_absolute() && path.is_file();
        let content = if is_file { state(path) } else { None }.unwrap_or_default();
        let digest = files::digest_of(&[value.as_encoded_bytes(), content.as_bytes()].concat());
        (name.to_string_lossy().into_owned(), digest)
    };
    let of_session = |name: &OsString| OF_SESSION.iter().any(|of_session| name == of_session);
    variables.iter().filter(|(name, _)| !of_session(name)).map(digest).collect()
}
