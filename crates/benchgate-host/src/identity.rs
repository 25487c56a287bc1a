//! Which suites have the same machine code on both sides.

use std::collections::BTreeMap;
use std::os::unix::ffi::OsStrExt as _;

use benchgate_core::identity::{Comparison, compare};

use crate::sides::BuiltSide;
use crate::{HostError, files};

/// Compares the executables of every suite that both sides have, by package and suite.
///
/// # Errors
/// When an executable cannot be read.
pub fn identities(
    base: &BuiltSide,
    head: &BuiltSide,
) -> Result<BTreeMap<(String, String), Comparison>, HostError> {
    let folders = [base.folder(), head.folder()].map(|folder| folder.as_os_str().as_bytes());
    let mut identities = BTreeMap::new();
    for old in &base.executables {
        let is_same_suite = |new: &&crate::sides::Executable| {
            (&old.package, &old.suite) == (&new.package, &new.suite)
        };
        let Some(new) = head.executables.iter().find(is_same_suite) else { continue };
        let comparison = compare(&files::read(&old.path)?, &files::read(&new.path)?, folders);
        identities.insert((old.package.clone(), old.suite.clone()), comparison);
    }
    Ok(identities)
}
