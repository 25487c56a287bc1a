//! A suite that is led, as measuring knows it.

use std::collections::BTreeMap;

use benchgate_core::model::Metric;

use super::ask::Failure;
use super::{Draws, Led, Request, Round, Suite};
use crate::HostError;
use crate::sides::Executable;

const METRICS: &[Metric] = &[Metric::TIME];

impl Suite for Led {
    fn benchmarks(&self) -> &BTreeMap<String, Result<(), Failure>> {
        &self.benchmarks
    }

    fn metrics(&self) -> &[Metric] {
        METRICS
    }

    fn draws(&self) -> Draws {
        Draws { samples: false, padding: true }
    }

    fn has_layouts(&self) -> bool {
        true
    }

    fn led(&self) -> Option<&Self> {
        Some(self)
    }

    fn round(&self, _: &str, _: &Request<'_>) -> Result<Result<Round, Failure>, HostError> {
        Ok(Err(Failure::new("it is led, and not asked for rounds")))
    }

    fn once(&self, id: &str) -> Option<Vec<String>> {
        Some(["--bench", "--test", "--exact", "--", id].map(str::to_owned).to_vec())
    }

    fn executable(&self) -> &Executable {
        &self.executable
    }
}
