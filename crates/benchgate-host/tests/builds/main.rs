//! Real cargo, real git, a small crate without dependencies of the registry.

#![expect(clippy::unwrap_used, reason = "a test that cannot set itself up has failed")]

mod denied;
mod flags;
mod identity;
mod relink;
mod support;
