//! Checks, a file for each. The order here is the order of the report.

use super::{Check, Facts, Observation};

mod aslr;
mod awake;
mod boost;
mod clocksource;
mod cpu_quota;
mod disk;
mod energy_preference;
mod governor;
mod huge_pages;
mod isolation;
mod jvm;
mod kernel;
mod load;
mod memory;
mod microcode;
mod nmi_watchdog;
mod numa_balancing;
mod perf_events;
mod power;
mod sandbox;
mod smt;
mod swap;
mod throttling;
mod timers;
mod user;
mod valgrind;
mod virtualisation;

pub use load::while_measuring;

/// Every check.
pub const CHECKS: &[Check] = &[
    governor::CHECK,
    energy_preference::CHECK,
    boost::CHECK,
    smt::CHECK,
    throttling::CHECK,
    power::CHECK,
    load::CHECK,
    timers::CHECK,
    memory::CHECK,
    swap::CHECK,
    huge_pages::CHECK,
    aslr::CHECK,
    isolation::CHECK,
    awake::CHECK,
    cpu_quota::CHECK,
    nmi_watchdog::CHECK,
    numa_balancing::CHECK,
    clocksource::CHECK,
    kernel::CHECK,
    microcode::CHECK,
    virtualisation::CHECK,
    disk::CHECK,
    perf_events::CHECK,
    valgrind::CHECK,
    jvm::CHECK,
    user::CHECK,
    sandbox::CHECK,
];
