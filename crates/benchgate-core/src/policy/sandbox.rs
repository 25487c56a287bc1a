//! The restrictions of builds and rounds, and the files, variables and network that a policy lets them reach.

use serde::Serialize;

/// The restrictions of builds and rounds.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Sandbox {
    /// Whether they are restricted at all.
    pub enabled: bool,
    /// Files, variables and network that all of them may reach.
    pub reach: Reach,
}

/// Files, variables and network that builds and rounds may reach beyond those that every one needs. A path is absolute, starts
/// with `~/` or a variable, or is relative to a side's checkout.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Reach {
    /// Whether they may use the network.
    pub network: bool,
    /// Paths that they may read.
    pub read: Vec<String>,
    /// Paths that they may read and write.
    pub write: Vec<String>,
    /// Variables that they get beyond those that compilers and harnesses go by; a `*` at the end stands for all that begin
    /// so.
    pub variables: Vec<String>,
}

impl Sandbox {
    /// Allows only what another one allows too.
    pub(super) fn tighten(&mut self, other: &Self) {
        self.enabled |= other.enabled;
        self.reach.tighten(&other.reach);
    }
}

impl Reach {
    /// Allows only what another one allows too.
    pub(super) fn tighten(&mut self, other: &Self) {
        self.network &= other.network;
        self.read.retain(|path| other.read.contains(path));
        self.write.retain(|path| other.write.contains(path));
        self.variables.retain(|name| other.variables.contains(name));
    }
}

impl Default for Sandbox {
    fn default() -> Self {
        Self { enabled: true, reach: Reach::default() }
    }
}
