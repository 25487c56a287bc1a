//! Determines what would be red if no slowdown were left to the layout of the code: what is worth counting the
//! instructions of, before the run is decided.

use std::collections::BTreeSet;

use super::findings::{Observation, Outcome, judge_pairs, survivors};
use super::looks::run_error;
use super::rules::{self, Heads};
use super::waive::{Request, waive};
use crate::model::{BenchmarkKey, Date, Evidence, Metric};
use crate::policy::Policy;
use crate::result::BenchmarkReport;

/// Returns the benchmarks whose time would be red in any layout. Each is judged as by [`decide`](super::decide), and
/// only those with confirmation pairs: without them no slowdown is proven. Trailers, which could accept one, are not
/// known yet, and no waiver is over.
pub fn red_in_any_layout(observed: &[Observation], policy: &Policy) -> BTreeSet<BenchmarkKey> {
    // Most runs have none.
    if !observed.iter().any(|observation| confirmed(observation).is_some()) {
        return BTreeSet::new();
    }
    let limits_of = |key: &BenchmarkKey| policy.limits_for(key);
    let most = policy.measure.pairs as usize;
    let (_, p_values) = rules::tested(&policy.rules, &Heads::Observed(observed));
    let (survive, _) = survivors(observed, &limits_of, &p_values, run_error(None));
    let mut reports: Vec<BenchmarkReport> = Vec::new();
    for (observation, survives) in observed.iter().zip(survive) {
        if let Some(evidence) = confirmed(observation) {
            let any_layout = Box::new(Evidence { layouts: Vec::new(), ..evidence.clone() });
            reports.push(judge_pairs(observation, any_layout, &limits_of, survives, most));
        }
    }
    let request = Request { today: Date::default(), trailers: &[], head: None, whole: true };
    waive(&mut reports, &[], policy, &request);
    let red = reports.iter().filter(|row| row.is_proven_to_fail());
    red.map(BenchmarkReport::key).collect()
}

/// The evidence of a time that has confirmation pairs.
fn confirmed(observation: &Observation) -> Option<&Evidence> {
    match &observation.outcome {
        Outcome::Compared { evidence, .. }
            if observation.metric == Metric::TIME && !evidence.confirmation.is_empty() =>
        {
            Some(evidence)
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Context, decide};
    use super::*;
    use crate::model::Rounds;

    /// A slowdown by `percent` whose layout is not ruled out.
    fn slower(id: &str, percent: f64, is_confirmed: bool) -> Observation {
        let (base, head): (Vec<f64>, Vec<f64>) = (0..15)
            .map(|i| (1000.0 + f64::from(i), 1000.0 + f64::from(i) + percent * 10.0))
            .unzip();
        let rounds = Rounds { base, head };
        let confirmation = if is_confirmed { rounds.clone() } else { Rounds::default() };
        let layouts = if is_confirmed { vec![0; 15] } else { Vec::new() };
        let evidence = Box::new(Evidence { rounds, confirmation, layouts, ..Evidence::default() });
        let outcome = Outcome::Compared { evidence, renamed_from: None };
        Observation { key: BenchmarkKey::new("p", "s", id), metric: Metric::TIME, outcome }
    }

    fn red(observed: &[Observation], policy: &str) -> Vec<String> {
        let red = red_in_any_layout(observed, &Policy::parse(policy).unwrap());
        red.into_iter().map(|key| key.id).collect()
    }

    #[test]
    fn a_slowdown_that_only_its_layout_keeps_from_being_red_is_red_in_any_layout() {
        let observed = vec![
            slower("slower", 20.0, true),
            slower("same", 0.0, true),
            slower("less", 3.0, true),
            slower("screened", 20.0, false),
        ];
        assert_eq!(red(&observed, ""), ["slower"]);
        assert_eq!(red(&observed[1..], ""), [""; 0]);
        let waiver = "[[waiver]]\nbenchmark = \"slower\"\nceiling = 25\nuntil = 2026-12-31\n\
                      issue = \"#1\"\nreason = \"r\"";
        assert_eq!(red(&observed, waiver), [""; 0]);
        let decided = decide(observed, Vec::new(), &Policy::default(), Context::default());
        assert!(decided.benchmarks.iter().all(|row| !row.blocking), "{:?}", decided.benchmarks);
    }

    #[test]
    fn all_candidates_of_a_run_are_corrected_for() {
        let alone = slower("slower", 20.0, true);
        assert_eq!(red(std::slice::from_ref(&alone), ""), ["slower"]);
        let unchanged = (0..2_000).map(|i| slower(&format!("same/{i:04}"), 0.0, true));
        let crowd: Vec<Observation> = std::iter::once(alone).chain(unchanged).collect();
        let of_run = decide(any_layout(&crowd), Vec::new(), &Policy::default(), Context::default());
        let blocking =
            of_run.benchmarks.iter().filter(|row| row.blocking).map(|row| row.id.clone());
        assert_eq!(red(&crowd, ""), blocking.collect::<Vec<_>>());
    }

    fn any_layout(observed: &[Observation]) -> Vec<Observation> {
        let mut any_layout = observed.to_vec();
        for observation in &mut any_layout {
            if let Outcome::Compared { evidence, .. } = &mut observation.outcome {
                evidence.layouts.clear();
            }
        }
        any_layout
    }
}
