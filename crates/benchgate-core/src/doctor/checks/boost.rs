//! Clock above the nominal one.

use super::{Check, Facts, Observation};
use crate::adapters::kernel as parse;

const NO_TURBO: &str = "/sys/devices/system/cpu/intel_pstate/no_turbo";
const BOOST: &str = "/sys/devices/system/cpu/cpufreq/boost";
const OF_EACH: &str = "/sys/devices/system/cpu/cpu*/cpufreq/boost";

pub(super) const CHECK: Check = Check {
    name: "boost",
    reads: &[NO_TURBO, BOOST, OF_EACH],
    why: "with boost the clock depends on heat and on what the other cores do",
    judge,
};

fn judge(facts: &Facts) -> Observation {
    let of_each = facts.values(OF_EACH);
    let global = parse::boost(facts.text(NO_TURBO), facts.text(BOOST));
    // Some drivers have the switch of each CPU alone.
    let on = global.or_else(|| (!of_each.is_empty()).then(|| of_each.contains_key("1")));
    let fix = if facts.exists(NO_TURBO) {
        format!("echo 1 | sudo tee {NO_TURBO}")
    } else if facts.exists(BOOST) {
        format!("echo 0 | sudo tee {BOOST}")
    } else {
        format!("echo 0 | sudo tee {OF_EACH}")
    };
    match on {
        None => Observation::unknown("not reported by the system"),
        Some(false) => Observation::ok("off"),
        Some(true) => Observation::blocking("on", fix),
    }
}
