//! The branch of the history: one file for each run, written once. Files of months that have passed are put together.
//!
//! Nothing is checked out: git's plumbing writes blobs, a tree and a commit, and a push that is not a fast-forward is
//! refused. The later writer reads the branch again.

use std::collections::{BTreeMap, BTreeSet};
use std::io::Write as _;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use benchgate_core::history::Record;
use fs_err as fs;

use crate::HostError;
use crate::git::Repository;
use crate::system::files::{Scratch, digest_of};

/// The branch.
pub const BRANCH: &str = "benchgate-history";

/// Pushes of one file before another writer is reported to be in the way for good.
const MOST_PUSHES: u32 = 400;

/// Of a remote in a folder: without the `gc` that git starts there after a push. It packs refs while others push, and
/// git distinguishes two packed files by size, second and inode: a push that takes the old one for the new one succeeds,
/// and what was pushed in between is lost.
const WITHOUT_GC: &str = "--receive-pack=git -c receive.autoGC=false receive-pack";

const RUNS: &str = "runs/";
const MONTHS: &str = "months/";

/// Each write has a separate index.
static WRITES: AtomicUsize = AtomicUsize::new(0);

/// Contents of the branch.
#[derive(Debug, Default)]
pub struct Kept {
    /// Records that can be read.
    pub records: Vec<Record>,
    /// Files that cannot, and why.
    pub unreadable: Vec<String>,
}

/// The branch in one repository.
pub struct Branch<'a> {
    repository: &'a Repository,
    /// The remote that has it; `None` for the repository itself.
    remote: Option<&'a str>,
}

impl<'a> Branch<'a> {
    /// The branch of a repository, or of one of its remotes.
    pub fn of(repository: &'a Repository, remote: Option<&'a str>) -> Self {
        Self { repository, remote }
    }

    /// Its records: those of the branch here, or of a remote's as it was last fetched.
    ///
    /// # Errors
    /// When git cannot read it.
    pub fn read(&self) -> Result<Kept, HostError> {
        let Some(tip) = self.known_tip() else { return Ok(Kept::default()) };
        let mut stored = Kept::default();
        for (path, bytes) in self.files(&tip)? {
            for (line, text) in bytes.split(|byte| *byte == b'\n').enumerate() {
                if text.is_empty() {
                    continue;
                }
                match Record::read(text) {
                    Ok(record) => stored.records.push(record),
                    Err(error) => stored.unreadable.push(format!("{path}:{}: {error}", line + 1)),
                }
            }
        }
        Ok(stored)
    }

    /// Adds a record. One that is there already is not added again.
    ///
    /// # Errors
    /// When it cannot be written or pushed.
    pub fn append(&self, record: &Record) -> Result<(), HostError> {
        let text = record.to_json();
        let month = month(record);
        let digest = digest_of(text.as_bytes());
        let name =
            format!("{RUNS}{month}/{}-{}.json", record.commit, digest.get(..8).unwrap_or("0"));
        let blob = self.write_blob(text.as_bytes())?;
        self.commit(&format!("Record {}", record.commit), |_, index| {
            self.add(index, &name, &blob).map(|()| true)
        })
    }

    /// Puts the files of every month before this one (`2026-11`) together; returns how many files went into others.
    ///
    /// # Errors
    /// When it cannot be written or pushed.
    pub fn compact(&self, this_month: &str) -> Result<usize, HostError> {
        let mut count = 0;
        self.commit("Put months together", |tip, index| {
            let Some(tip) = tip else { return Ok(false) };
            let mut months: BTreeMap<String, (BTreeSet<Vec<u8>>, Vec<String>)> = BTreeMap::new();
            for (path, bytes) in self.files(tip)? {
                let inside = path.strip_prefix(RUNS).and_then(|rest| rest.split_once('/'));
                let month = match inside {
                    Some((month, _)) if month < this_month => month.to_owned(),
                    _ => {
                        match path.strip_prefix(MONTHS).and_then(|rest| rest.strip_suffix(".jsonl"))
                        {
                            Some(month) => month.to_owned(),
                            None => continue,
                        }
                    }
                };
                let (lines, single) = months.entry(month).or_default();
                lines.extend(bytes.split(|byte| *byte == b'\n').map(<[u8]>::to_vec));
                if path.starts_with(RUNS) {
                    single.push(path);
                }
            }
            months.retain(|_, (_, single)| !single.is_empty());
            count = months.values().map(|(_, single)| single.len()).sum();
            for (month, (lines, single)) in &months {
                let lines: Vec<&[u8]> =
                    lines.iter().map(Vec::as_slice).filter(|line| !line.is_empty()).collect();
                let text = [lines.join(&b'\n'), vec![b'\n']].concat();
                let blob = self.write_blob(&text)?;
                self.add(index, &format!("{MONTHS}{month}.jsonl"), &blob)?;
                for path in single {
                    self.git(
                        "forget a file",
                        &["update-index", "--force-remove", "--", path],
                        index,
                    )?;
                }
            }
            Ok(count > 0)
        })?;
        Ok(count)
    }

    /// Makes a commit on top of the branch and publishes it; again from the start where another writer was first.
    fn commit(
        &self,
        message: &str,
        mut change: impl FnMut(Option<&str>, &PathBuf) -> Result<bool, HostError>,
    ) -> Result<(), HostError> {
        let number = WRITES.fetch_add(1, Ordering::Relaxed);
        let name = format!("benchgate-history-{}-{number}", std::process::id());
        let folder = Scratch::new(std::env::temp_dir().join(name))?;
        let index = folder.path().join("index");
        let mut attempt = 0;
        loop {
            let tip = self.current_tip()?;
            if index.exists() {
                fs::remove_file(&index)?;
            }
            if let Some(tip) = &tip {
                self.git("read the history", &["read-tree", tip], &index)?;
            }
            if !change(tip.as_deref(), &index)? {
                return Ok(());
            }
            let tree = self.git("write the history", &["write-tree"], &index)?;
            if let Some(tip) = &tip {
                let before = format!("{tip}^{{tree}}");
                if self.git("read the history", &["rev-parse", &before], &index)? == tree {
                    return Ok(());
                }
            }
            let mut arguments = vec!["commit-tree", &tree, "-m", message];
            arguments.extend(tip.iter().flat_map(|tip| ["-p", tip.as_str()]));
            let commit = self.git("commit the history", &arguments, &index)?;
            match self.publish(&commit, tip.as_deref()) {
                Ok(()) => return Ok(()),
                Err(error) => {
                    attempt += 1;
                    let is_late = self.current_tip()? != tip;
                    if !is_late || attempt >= MOST_PUSHES {
                        return Err(error);
                    }
                    // Writers that fail together try again at different times.
                    let delay = u64::from(std::process::id().wrapping_mul(attempt) % 37);
                    std::thread::sleep(Duration::from_millis(delay));
                }
            }
        }
    }

    fn publish(&self, commit: &str, tip: Option<&str>) -> Result<(), HostError> {
        let full = format!("refs/heads/{BRANCH}");
        match self.remote {
            Some(remote) => {
                let to = format!("{commit}:{full}");
                let mut arguments = vec!["push", "--quiet"];
                if self.is_folder(remote) {
                    arguments.push(WITHOUT_GC);
                }
                arguments.extend([remote, &to]);
                self.repository.run("push the history", &arguments).map(drop)
            }
            None => {
                // Only if it is still what was read; of zeros: only if there is none yet.
                let before = tip.map_or_else(|| "0".repeat(40), str::to_owned);
                self.repository
                    .run("write the branch", &["update-ref", &full, commit, &before])
                    .map(drop)
            }
        }
    }

    /// Whether git opens the remote as a folder of this machine.
    fn is_folder(&self, remote: &str) -> bool {
        let url = self.repository.run("find the remote", &["ls-remote", "--get-url", remote]);
        url.is_ok_and(|url| url.starts_with("file://") || self.repository.top().join(&url).is_dir())
    }

    /// The tip as the writer needs it: a remote's is fetched.
    fn current_tip(&self) -> Result<Option<String>, HostError> {
        let Some(remote) = self.remote else { return Ok(self.known_tip()) };
        let full = format!("refs/heads/{BRANCH}");
        let there = self.repository.run("look for the history", &["ls-remote", remote, &full])?;
        if there.is_empty() {
            return Ok(None);
        }
        let to = format!("+{full}:refs/remotes/{remote}/{BRANCH}");
        self.repository
            .run("fetch the history", &["fetch", "--quiet", "--no-tags", remote, &to])?;
        Ok(self.tip_of(&format!("refs/remotes/{remote}/{BRANCH}")))
    }

    fn known_tip(&self) -> Option<String> {
        match self.remote {
            Some(remote) => self.tip_of(&format!("refs/remotes/{remote}/{BRANCH}")),
            None => self.tip_of(&format!("refs/heads/{BRANCH}")),
        }
    }

    fn tip_of(&self, name: &str) -> Option<String> {
        let name = format!("{name}^{{commit}}");
        self.repository
            .run("find the history", &["rev-parse", "--verify", "--quiet", &name])
            .ok()
            .filter(|tip| !tip.is_empty())
    }

    fn add(&self, index: &PathBuf, path: &str, blob: &str) -> Result<(), HostError> {
        let entry = format!("100644,{blob},{path}");
        self.git("add a file", &["update-index", "--add", "--cacheinfo", &entry], index).map(drop)
    }

    fn git(&self, what: &str, arguments: &[&str], index: &PathBuf) -> Result<String, HostError> {
        let mut command = self.repository.command();
        command.args(arguments).env("GIT_INDEX_FILE", index);
        for role in ["AUTHOR", "COMMITTER"] {
            command.env(format!("GIT_{role}_NAME"), "benchgate");
            command.env(format!("GIT_{role}_EMAIL"), "benchgate@users.noreply.github.com");
        }
        crate::git::checked(what, &mut command)
    }

    fn write_blob(&self, bytes: &[u8]) -> Result<String, HostError> {
        let mut command = self.repository.command();
        command.args(["hash-object", "-w", "--stdin"]);
        let text = with_input(&mut command, bytes.to_vec())?;
        Ok(String::from_utf8_lossy(&text).trim().to_owned())
    }

    /// All files of the branch, by one process of git.
    fn files(&self, tip: &str) -> Result<Vec<(String, Vec<u8>)>, HostError> {
        let list = self
            .repository
            .run("list the history", &["ls-tree", "-r", "-z", "--full-tree", tip])?;
        let entries: Vec<(&str, &str)> = list
            .split('\0')
            .filter_map(|entry| {
                let (about, path) = entry.split_once('\t')?;
                let is_known = path.starts_with(RUNS) || path.starts_with(MONTHS);
                is_known.then_some((about.split(' ').nth(2)?, path))
            })
            .collect();
        let mut command = self.repository.command();
        command.args(["cat-file", "--batch"]);
        let names: String = entries.iter().map(|(blob, _)| format!("{blob}\n")).collect();
        let output = with_input(&mut command, names.into_bytes())?;
        let mut rest = output.as_slice();
        let mut files = Vec::with_capacity(entries.len());
        for (_, path) in entries {
            let Some((bytes, after)) = next_object(rest) else {
                return Err(HostError::Git {
                    what: "read the history".to_owned(),
                    message: format!("{path} is not in the repository"),
                });
            };
            files.push((path.to_owned(), bytes.to_vec()));
            rest = after;
        }
        Ok(files)
    }
}

/// The first object of what `cat-file --batch` prints, and what is behind it.
fn next_object(output: &[u8]) -> Option<(&[u8], &[u8])> {
    let end = output.iter().position(|byte| *byte == b'\n')?;
    let head = std::str::from_utf8(output.get(..end)?).ok()?;
    let size: usize = head.split(' ').nth(2)?.parse().ok()?;
    let body = output.get(end + 1..)?;
    Some((body.get(..size)?, body.get(size + 1..)?))
}

/// Runs a command of git with an input of any length, which is written while its output is read.
fn with_input(command: &mut Command, input: Vec<u8>) -> Result<Vec<u8>, HostError> {
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
    let mut child = command.spawn()?;
    let stdin = child.stdin.take();
    let writer = std::thread::spawn(move || {
        // A reader that is gone shows by its exit code.
        let _ = stdin.map(|mut stdin| stdin.write_all(&input));
    });
    let done = child.wait_with_output()?;
    let _ = writer.join();
    if done.status.success() {
        Ok(done.stdout)
    } else {
        let message = format!("git ended with {}", done.status);
        Err(HostError::Git { what: "read or write the history".to_owned(), message })
    }
}

/// The month of a record's time; of no time, none that will be put together.
fn month(record: &Record) -> String {
    let month = record.time.get(..7).unwrap_or("9999-99");
    let is_plain = month.bytes().all(|byte| byte.is_ascii_digit() || byte == b'-');
    if is_plain { month.to_owned() } else { "9999-99".to_owned() }
}

#[cfg(test)]
mod tests;
