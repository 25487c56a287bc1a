//! Files that benches read and no commit has: `[data]`.

use serde::Serialize;

/// Files that both sides read, and neither writes.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Data {
    /// Paths below the workspace's folder: those of the user's checkout.
    pub paths: Vec<String>,
    /// The command that makes those that the user's checkout lacks, once; empty for none.
    pub command: Vec<String>,
    /// Whether the command may use the network.
    pub network: bool,
}
