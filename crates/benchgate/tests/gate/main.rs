//! The gate, end to end: real repositories, real builds, real processes. Only the speeds are fake.

#![expect(clippy::unwrap_used, reason = "a test that cannot set itself up has failed")]

mod allocations;
mod broken;
mod check;
mod doctor;
mod engine;
mod harnesses;
mod identical;
mod init;
mod inventory;
mod records;
mod selftest;
mod sides;
mod suites;
mod support;
mod terminal;
mod waivers;
