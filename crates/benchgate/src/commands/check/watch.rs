//! What a side reads of its checkout while it is listed or measured.

use benchgate_core::affected::Observed;
use benchgate_core::model::SuiteKey;
use benchgate_host::Availability;
use benchgate_host::sides::BuiltSide;
use benchgate_host::system::access_times::AccessTimes;

use super::plan::Plan;

/// What is observed of one side.
pub(super) struct Watch {
    times: Availability<AccessTimes>,
}

impl Watch {
    /// Begins to watch a side; `None` where nobody would read what it observes.
    pub(super) fn begin(side: Option<&BuiltSide>) -> Option<Self> {
        side.map(|side| Self { times: AccessTimes::set_back(side.folder()) })
    }

    /// What was read since; or why that is not known.
    pub(super) fn end(self) -> Result<Observed, String> {
        self.times.into_result().and_then(|times| times.reads().into_result())
    }
}

/// A side, unless it is known already what all of its suites read.
pub(super) fn unknown<'s>(plan: &Plan<'_>, side: Option<&'s BuiltSide>) -> Option<&'s BuiltSide> {
    let is_known = |key: &SuiteKey| {
        plan.suites.reaches.get(key).is_some_and(|taken| taken.way.why_names().is_none())
    };
    side.filter(|side| {
        let mut of_cargo = side.executables.iter().filter(|it| it.declared.is_none());
        of_cargo.any(|executable| !is_known(&executable.key))
    })
}
