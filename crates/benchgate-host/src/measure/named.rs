//! Ids as both sides share them: without the folders that are one side's alone.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use benchgate_core::model::Metric;
use benchgate_core::policy::Measure;

use crate::HostError;
use crate::harness::{Draws, Failure, Request, Round, Suite};
use crate::sides::Executable;

/// A suite whose ids name folders of its side.
struct Named {
    suite: Arc<dyn Suite>,
    /// The id of the suite for each that is shown.
    asked: BTreeMap<String, String>,
    benchmarks: BTreeMap<String, Result<(), Failure>>,
}

/// The suite with ids that both sides share; itself where no id names a folder, or two would have one name.
pub(super) fn named(suite: Arc<dyn Suite>) -> Arc<dyn Suite> {
    // The order and the ids of a led suite are the process's own.
    if suite.led().is_some() {
        return suite;
    }
    let folders = &suite.executable().own_folders;
    let ids: BTreeSet<&String> = suite.benchmarks().keys().collect();
    let asked: BTreeMap<String, String> =
        ids.iter().map(|id| (without(id, folders), (*id).clone())).collect();
    if asked.len() < ids.len() || asked.iter().all(|(shown, id)| shown == id) {
        return suite;
    }
    let benchmarks = asked
        .iter()
        .filter_map(|(shown, id)| Some((shown.clone(), suite.benchmarks().get(id)?.clone())));
    let benchmarks = benchmarks.collect();
    Arc::new(Named { suite, asked, benchmarks })
}

/// Whether an id of a suite names a folder of its side.
pub(super) fn names_folders(suite: &dyn Suite) -> bool {
    let folders = &suite.executable().own_folders;
    suite.benchmarks().keys().any(|id| without(id, folders) != *id)
}

/// An id without these folders; what is in one of them is relative to it.
pub(super) fn without(id: &str, folders: &[PathBuf]) -> String {
    let mut id = id.to_owned();
    for folder in folders.iter().filter(|folder| folder.parent().is_some()) {
        let folder = folder.to_string_lossy();
        id = id.replace(&format!("{folder}/"), "");
        if id.ends_with(&*folder) {
            id = id.replace(&*folder, ".");
        }
    }
    id
}

impl Suite for Named {
    fn benchmarks(&self) -> &BTreeMap<String, Result<(), Failure>> {
        &self.benchmarks
    }

    fn metrics(&self) -> &[Metric] {
        self.suite.metrics()
    }

    fn draws(&self) -> Draws {
        self.suite.draws()
    }

    fn has_quick(&self) -> bool {
        self.suite.has_quick()
    }

    fn shortest(&self, measure: &Measure) -> Duration {
        self.suite.shortest(measure)
    }

    fn has_layouts(&self) -> bool {
        self.suite.has_layouts()
    }

    fn round(&self, id: &str, request: &Request<'_>) -> Result<Result<Round, Failure>, HostError> {
        let asked = self.asked.get(id).map_or(id, String::as_str);
        let round = self.suite.round(asked, request)?;
        Ok(round.map(|mut round| {
            let identity = &mut round.identity;
            let folders = &self.suite.executable().own_folders;
            for text in [&mut identity.group_id, &mut identity.full_id, &mut identity.title] {
                *text = without(text, folders);
            }
            for text in [&mut identity.function_id, &mut identity.value_str].into_iter().flatten() {
                *text = without(text, folders);
            }
            round
        }))
    }

    fn once(&self, id: &str) -> Option<Vec<String>> {
        self.suite.once(self.asked.get(id).map_or(id, String::as_str))
    }

    fn executable(&self) -> &Executable {
        self.suite.executable()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_is_relative_to_the_folders_of_its_side() {
        let folders =
            ["/cache/x/base", "/repo/target/benchgate/build/base", "/"].map(PathBuf::from);
        for (id, expected) in [
            ("/cache/x/base/tests/a.svg", "tests/a.svg"),
            ("read /cache/x/base/a and /cache/x/base/b", "read a and b"),
            ("/cache/x/base", "."),
            ("/cache/x/baseline/a", "/cache/x/baseline/a"),
            ("/repo/target/benchgate/build/base/debug/x", "debug/x"),
            ("decode/large", "decode/large"),
        ] {
            assert_eq!(without(id, &folders), expected);
        }
    }
}
