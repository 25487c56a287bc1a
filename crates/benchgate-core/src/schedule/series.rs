//! What was measured of one metric of a benchmark, by this attempt and by the ones before it.

use crate::model::{Evidence, Stage};

/// The values, in the order of the attempts.
#[derive(Clone, Debug)]
pub(super) struct Series {
    pub(super) evidence: Evidence,
    /// Of how many attempts the evidence told, where earlier attempts measured it.
    told: Option<usize>,
}

impl Series {
    /// A series that none of this number of earlier attempts measured.
    pub(super) fn new(attempts: usize) -> Self {
        Self { evidence: Evidence::after(attempts), told: None }
    }

    /// A series that some of them measured.
    pub(super) fn known(evidence: Evidence, attempts: usize) -> Self {
        let told = Some(evidence.earlier.len());
        Self { evidence: evidence.continued(attempts), told }
    }

    /// What this attempt measured.
    pub(super) fn measured(&self, stage: Stage) -> usize {
        self.evidence.measured(stage)
    }

    /// All values. An attempt that added nothing is not among its attempts.
    pub(super) fn into_evidence(self) -> Evidence {
        let is_as_before =
            [Stage::Screening, Stage::Confirmation].iter().all(|stage| self.measured(*stage) == 0);
        let mut evidence = self.evidence;
        if let Some(told) = self.told.filter(|_| is_as_before) {
            evidence.earlier.truncate(told);
        }
        evidence
    }
}
