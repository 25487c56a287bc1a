//! Compares the machine code of the suites of both sides.

use std::collections::BTreeMap;

use benchgate_core::identity::{Comparison, compare};
use benchgate_core::model::SuiteKey;

use crate::sides::BuiltSide;
use crate::{HostError, files};

/// Compares the executables of every suite that both sides have.
///
/// # Errors
/// When an executable cannot be read.
pub fn identities(
    base: &BuiltSide,
    head: &BuiltSide,
) -> Result<BTreeMap<SuiteKey, Comparison>, HostError> {
    let folders =
        [base.folder(), head.folder()].map(|folder| folder.as_os_str().as_encoded_bytes());
    let mut identities = BTreeMap::new();
    // What the policy declares says by its files what it is.
    for old in base.executables.iter().filter(|old| old.declared.is_none()) {
        let Some(new) = head.executables.iter().find(|new| new.key == old.key) else { continue };
        let comparison = compare(&files::read(&old.path)?, &files::read(&new.path)?, folders);
        identities.insert(old.key.clone(), comparison);
    }
    Ok(identities)
}
