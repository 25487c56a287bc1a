//! Executables of bases, kept between runs: a base that was built once is not built again.
//!
//! An entry is one suite of one commit, built in one way, or the dependencies of all commits with one lock file. It is
//! used only if everything that is known to have gone into it is as it was, and if it is as it was written. Anything else
//! is refused by name, removed and built again.

mod dependencies;
mod identity;
mod inputs;
mod observed;
mod record;

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use benchgate_core::affected::Observed;
use benchgate_core::model::SuiteKey;
use fs_err as fs;

pub(crate) use self::identity::Identity;
use self::inputs::other_value;
pub(crate) use self::inputs::{Inputs, Variables, homes};
use self::observed::Found;
pub(crate) use self::observed::Under;
use self::record::{File, LinkRecord, RECORD_SCHEMA, Record, Sealed, read};
use crate::cargo::neighbours::is_inside;
use crate::cargo::start::{self, Start};
use crate::system::files;
use crate::system::links::Link;
use crate::system::sandbox::Sandbox;
use crate::{Availability, HostError};

/// Maximum number of bytes that are kept, unless the user prunes to less.
pub const LARGEST: u64 = 2 << 30;

/// Why names count besides what was observed.
const OTHER_PLACES: &str = "a file outside of the checkout that its runs may read was another one; what was observed counts too";

const RECORD: &str = "record.json";
const EXECUTABLE: &str = "executable";

/// A folder of entries.
#[derive(Clone, Debug)]
pub struct BaseStore {
    folder: PathBuf,
    /// The sandbox of builds: how cargo starts a bench is kept without the variables that it passes on.
    sandbox: Sandbox,
}

/// A store, and what a side is known by in it.
pub(crate) type Place = (BaseStore, Identity);

/// A suite that need not be built.
pub(crate) struct Restored {
    pub(crate) bytes: Vec<u8>,
    /// What cargo left next to it, below the folder of its profile.
    pub(crate) neighbours: BTreeMap<PathBuf, Vec<u8>>,
    pub(crate) link: Option<Link>,
    pub(crate) start: Option<Start>,
    /// The Cargo.lock that was resolved for it, where the repository brings none.
    pub(crate) lock_file: Option<String>,
}

/// A suite that was built, to be kept.
pub(crate) struct Built<'a> {
    pub(crate) executable: &'a Path,
    pub(crate) neighbours: &'a BTreeMap<PathBuf, Vec<u8>>,
    pub(crate) link: Option<&'a Link>,
    pub(crate) start: Option<&'a Start>,
    pub(crate) inputs: &'a Inputs,
    pub(crate) lock_file: Option<&'a str>,
}

/// What an entry is of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Of {
    /// A suite of a commit.
    Suite(String, SuiteKey),
    /// The dependencies of all commits with one lock file.
    Dependencies,
    /// Unreadable.
    Unknown,
}

/// An entry, as it is listed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// What it is of.
    pub of: Of,
    /// Its size on disk.
    pub bytes: u64,
    /// When it was used last.
    pub used: SystemTime,
    folder: PathBuf,
}

impl BaseStore {
    /// The store below the user's folder for what can be made again.
    pub fn below(cache: &Path) -> Self {
        Self { folder: cache.join("benchgate").join("bases"), sandbox: Sandbox::default() }
    }

    /// Like `below`, for builds in a sandbox.
    pub(crate) fn of_builds_in(self, sandbox: &Sandbox) -> Self {
        Self { sandbox: sandbox.clone(), ..self }
    }

    /// Where it is.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    fn place(&self, identity: &Identity, key: &SuiteKey) -> PathBuf {
        self.folder.join(&identity.digest()[..32]).join(key.to_string())
    }

    /// A suite of this identity; `None` if there is none.
    ///
    /// # Errors
    /// Why there is one and it cannot be used; it is removed.
    pub(crate) fn restore(
        &self,
        identity: &Identity,
        key: &SuiteKey,
    ) -> Result<Option<Restored>, String> {
        let place = self.place(identity, key);
        if place.symlink_metadata().is_err() {
            return Ok(None);
        }
        match checked(&place, identity, key, &self.sandbox) {
            Ok(restored) => {
                // The entry that was used last is pruned last. If its time cannot be set, it is only pruned earlier.
                let _ = touch(&place.join(RECORD));
                Ok(Some(restored))
            }
            Err(why) => {
                let _ = remove(&place);
                Err(format!("`{key}` of the store is refused and built again: {why}"))
            }
        }
    }

    /// Keeps a suite; says whether it could be kept.
    ///
    /// # Errors
    /// Names the file that cannot be written.
    pub(crate) fn keep(
        &self,
        identity: &Identity,
        key: &SuiteKey,
        built: &Built<'_>,
    ) -> Result<bool, HostError> {
        let start = match built.start.map(|start| start.additions(&self.sandbox)) {
            // A variable that is not text could not be set again.
            Some(None) => return Ok(false),
            additions => additions.flatten(),
        };
        let bytes = files::read(built.executable)?;
        let record = Record {
            schema: RECORD_SCHEMA.to_owned(),
            identity: identity.clone(),
            package: key.package.clone(),
            suite: key.suite.clone(),
            executable: File::of(&bytes),
            neighbours: built
                .neighbours
                .iter()
                .map(|(path, bytes)| (path.display().to_string(), File::of(bytes)))
                .collect(),
            link: built.link.map(|link| LinkRecord {
                arguments: link.arguments.clone(),
                files: link.files.iter().map(|(name, it)| (name.clone(), File::of(it))).collect(),
            }),
            start,
            inputs: built.inputs.clone(),
            lock_file: built.lock_file.map(str::to_owned),
            digest: String::new(),
        };
        let place = self.place(identity, key);
        remove(&place)?;
        // The record comes last: an entry without one is none.
        files::create_atomically(&place.join(EXECUTABLE), &bytes, true)?;
        for (number, bytes) in built.neighbours.values().enumerate() {
            files::create_atomically(&place.join(neighbour(number)), bytes, true)?;
        }
        for (name, bytes) in built.link.into_iter().flat_map(|link| &link.files) {
            files::create_atomically(&place.join(name), bytes, false)?;
        }
        files::write_atomically(&place.join(RECORD), record.sealed().to_json().as_bytes())?;
        Ok(true)
    }

    /// What runs of a suite of this identity were observed to read; or why that is not known.
    pub(crate) fn observed(
        &self,
        identity: &Identity,
        key: &SuiteKey,
        under: &Under,
    ) -> Result<Observed, &'static str> {
        let place = self.place(identity, key);
        let given = self.given();
        let record =
            record_of(&place, identity, key).ok().filter(|it| it.inputs.changed(&given).is_none());
        let record = record.ok_or("nothing of it is kept in the store")?;
        let found = observed::of(&place, &record.digest, under);
        let Found { observed, variables: others, has_other_places } =
            found.ok_or("no run of it was observed")?;
        // A variable may say which file is read.
        let is_asked_for = || {
            let names = (0..record.neighbours.len()).map(neighbour).chain([EXECUTABLE.to_owned()]);
            names.into_iter().any(|name| match files::read(&place.join(name)) {
                Ok(bytes) => others.iter().any(|name| files::holds(&bytes, name.as_bytes())),
                Err(_) => true,
            })
        };
        let is_whole = observed.is_whole && (others.is_empty() || !is_asked_for());
        let of_places = || has_other_places.then_some(OTHER_PLACES);
        let led_by = self.sandbox.leads_elsewhere().or_else(of_places);
        Ok(Observed { is_whole, has_other_variables: !others.is_empty(), led_by, ..observed })
    }

    /// The variables that a build is given now: `GITHUB_…` of this process are not among them in a sandbox.
    pub(crate) fn given(&self) -> Variables {
        start::inherited(&self.sandbox)
    }

    /// What a run is started under now: all of it is read.
    pub(crate) fn under(&self) -> Under {
        Under { variables: self.given(), places: self.sandbox.places_outside() }
    }

    /// Keeps what runs of a suite were observed to read, if the suite itself is kept.
    ///
    /// # Errors
    /// Names the file that cannot be written.
    pub(crate) fn keep_observed(
        &self,
        identity: &Identity,
        key: &SuiteKey,
        observed: Observed,
        under: &Under,
    ) -> Result<(), HostError> {
        let place = self.place(identity, key);
        match record_of(&place, identity, key) {
            Ok(record) => observed::keep(&place, &record.digest, observed, under),
            Err(_) => Ok(()),
        }
    }

    fn place_of_dependencies(&self, identity: &Identity) -> PathBuf {
        self.folder.join(&identity.digest()[..32]).join(dependencies::NAME)
    }

    /// Puts dependencies of this identity into a target folder that has none; says whether there are some.
    ///
    /// # Errors
    /// Why there are and they cannot be used. What is not as it was written is removed.
    pub(crate) fn restore_dependencies(
        &self,
        identity: &Identity,
        target_dir: &Path,
    ) -> Result<bool, String> {
        let place = self.place_of_dependencies(identity);
        if place.symlink_metadata().is_err() {
            return Ok(false);
        }
        let verified = dependencies::verify(&place, identity, &self.given()).map_err(|why| {
            let _ = remove(&place);
            format!("the dependencies of the store are refused and built again: {why}")
        })?;
        verified.copy(&place, target_dir).map_err(|error| {
            format!(
                "the dependencies of the store are built again, for they cannot be copied: {error}"
            )
        })?;
        let _ = touch(&place.join(dependencies::RECORD));
        Ok(true)
    }

    /// Keeps what a target folder has of other packages than these, or says why it is not kept. `known` are folders as
    /// of [`Inputs::of`].
    ///
    /// # Errors
    /// Names the file that cannot be written.
    pub(crate) fn keep_dependencies(
        &self,
        identity: &Identity,
        target_dir: &Path,
        own: &BTreeSet<String>,
        known: &[PathBuf],
    ) -> Result<Availability<()>, HostError> {
        let place = self.place_of_dependencies(identity);
        remove(&place)?;
        dependencies::keep(&place, identity, target_dir, own, known, &self.given())
    }

    /// Every entry, the last used first.
    ///
    /// # Errors
    /// When a folder cannot be read.
    pub fn entries(&self) -> Result<Vec<Entry>, HostError> {
        let mut entries = Vec::new();
        for of_identity in folders(&self.folder)? {
            for folder in folders(&of_identity)? {
                entries.push(entry(folder)?);
            }
        }
        entries.sort_by(|a, b| b.used.cmp(&a.used).then_with(|| a.folder.cmp(&b.folder)));
        Ok(entries)
    }

    /// Removes what was not used for longest, until no more than this is kept; returns what was removed.
    ///
    /// # Errors
    /// When a folder cannot be read or removed.
    pub fn prune(&self, most: u64) -> Result<Vec<Entry>, HostError> {
        let mut total = 0;
        let mut removed = Vec::new();
        for entry in self.entries()? {
            total += entry.bytes;
            if total > most {
                total -= entry.bytes;
                remove(&entry.folder)?;
                removed.push(entry);
            }
        }
        for folder in folders(&self.folder)? {
            // Fails where something is left in it.
            let _ = fs::remove_dir(folder);
        }
        Ok(removed)
    }
}

/// The record of an entry, if it is of this identity.
fn record_of(place: &Path, identity: &Identity, key: &SuiteKey) -> Result<Record, String> {
    let bytes = read(&place.join(RECORD), record::LARGEST)?;
    let record = Record::read(&bytes)?;
    if let Some(name) = identity.difference(&record.identity) {
        return Err(format!("it was built with another {name}"));
    }
    let of = SuiteKey::new(&*record.package, &*record.suite);
    if of != *key {
        return Err(format!("it is of `{of}`"));
    }
    Ok(record)
}

fn checked(
    place: &Path,
    identity: &Identity,
    key: &SuiteKey,
    sandbox: &Sandbox,
) -> Result<Restored, String> {
    let record = record_of(place, identity, key)?;
    if let Some(what) = record.inputs.changed(&start::inherited(sandbox)) {
        return Err(what);
    }
    let bytes = record.executable.read(place, EXECUTABLE)?;
    let neighbours = record.neighbours.iter().enumerate().map(|(number, (path, file))| {
        match is_inside(Path::new(path)) {
            true => Ok((PathBuf::from(path), file.read(place, &neighbour(number))?)),
            false => Err(format!("its record names a file `{path}`")),
        }
    });
    let neighbours = neighbours.collect::<Result<_, String>>()?;
    let link = record.link.as_ref().map(|link| link.read(place)).transpose()?;
    let start = record.start.as_ref().map(|start| Start::with(start, sandbox)).transpose();
    let start = start.map_err(|name| other_value(&name))?;
    Ok(Restored { bytes, neighbours, link, start, lock_file: record.lock_file })
}

/// The name of a program or library that is kept with a suite.
fn neighbour(number: usize) -> String {
    format!("neighbour-{number}")
}

fn touch(path: &Path) -> std::io::Result<()> {
    fs::OpenOptions::new().append(true).open(path)?.file().set_modified(SystemTime::now())
}

/// Removes an entry, whatever it is: a link is removed, and not what it leads to.
fn remove(place: &Path) -> Result<(), HostError> {
    match place.symlink_metadata() {
        Err(_) => Ok(()),
        Ok(metadata) if metadata.is_dir() => files::remove_dir(place),
        Ok(_) => files::remove_file(place),
    }
}

fn entry(folder: PathBuf) -> Result<Entry, HostError> {
    let is_dependencies = folder.join(dependencies::RECORD).is_file();
    let name = if is_dependencies { dependencies::RECORD } else { RECORD };
    let used = folder.join(name).metadata().and_then(|metadata| metadata.modified());
    let record = read(&folder.join(RECORD), record::LARGEST).and_then(|bytes| Record::read(&bytes));
    let of = match record {
        _ if is_dependencies => Of::Dependencies,
        Ok(record) => {
            Of::Suite(record.identity.commit(), SuiteKey::new(record.package, record.suite))
        }
        Err(_) => Of::Unknown,
    };
    let bytes = files::size(&folder)?;
    Ok(Entry { of, bytes, used: used.unwrap_or(SystemTime::UNIX_EPOCH), folder })
}

fn folders(folder: &Path) -> Result<Vec<PathBuf>, HostError> {
    if !folder.is_dir() {
        return Ok(Vec::new());
    }
    let mut entries = Vec::new();
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        if entry.file_type()?.is_dir() {
            entries.push(entry.path());
        }
    }
    entries.sort();
    Ok(entries)
}

#[cfg(test)]
mod tests;
