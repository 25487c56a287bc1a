//! Restricts this process, and all that it becomes or starts, by Landlock.

use std::io;
use std::path::PathBuf;

use landlock::{
    ABI, Access as _, AccessFs, AccessNet, LandlockStatus, RestrictionStatus, Ruleset,
    RulesetAttr as _, RulesetCreatedAttr as _, RulesetError, RulesetStatus, Scope,
    path_beneath_rules,
};

/// The newest version of Landlock that was tested: its access rights are restricted, as far as the kernel knows them.
const TESTED: ABI = ABI::V6;

/// The version of Landlock that the kernel has; 0 if it has none, or where it is switched off.
pub(crate) fn landlock_version() -> u32 {
    // Only a restriction says what took effect, and it is of its thread alone.
    let asked = std::thread::spawn(|| apply(&[PathBuf::from("/")], &[], true));
    match asked.join() {
        Ok(Ok(RestrictionStatus {
            landlock: LandlockStatus::Available { effective_abi, kernel_abi },
            ..
        })) => kernel_abi
            .and_then(|version| u32::try_from(version).ok())
            .unwrap_or(effective_abi as u32),
        _ => 0,
    }
}

/// Leaves this thread, and all that it becomes or starts, these files, and TCP if it may have it.
pub(crate) fn restrict(read: &[PathBuf], write: &[PathBuf], has_network: bool) -> io::Result<()> {
    match apply(read, write, has_network) {
        Ok(status) if status.ruleset != RulesetStatus::NotEnforced => Ok(()),
        Ok(_) => Err(io::Error::other("the kernel has no Landlock")),
        Err(error) => Err(io::Error::other(error)),
    }
}

fn apply(
    read: &[PathBuf],
    write: &[PathBuf],
    has_network: bool,
) -> Result<RestrictionStatus, RulesetError> {
    let mut rules = Ruleset::default()
        .handle_access(AccessFs::from_all(TESTED))?
        .scope(Scope::from_all(TESTED))?;
    if !has_network {
        rules = rules.handle_access(AccessNet::from_all(TESTED))?;
    }
    // Root could make a device of a disk in a folder that it may write, and write to the disk.
    let devices = AccessFs::MakeBlock | AccessFs::MakeChar;
    // A path that is not there gives nothing, and can be read by nobody.
    rules
        .create()?
        .add_rules(path_beneath_rules(read, AccessFs::from_read(TESTED)))?
        .add_rules(path_beneath_rules(write, AccessFs::from_all(TESTED) & !devices))?
        .restrict_self()
}
