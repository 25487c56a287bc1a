//! The gate, end to end: real repositories, real builds, real processes. Only the speeds are fake.

#![expect(clippy::unwrap_used, reason = "a test that cannot set itself up has failed")]

mod affected;
mod allocations;
mod anchor;
mod bisect;
mod broken;
mod builds;
mod cache;
mod check;
mod ci;
mod doctor;
mod earlier;
mod engine;
mod explain;
mod fakes;
mod forecast;
mod git;
mod harnesses;
mod history;
mod identical;
mod init;
mod inputs;
mod instructions;
mod interruption;
mod inventory;
mod jmh;
mod lockstep;
mod misbehaviour;
mod observed;
mod records;
mod repositories;
mod sandbox;
mod selftest;
mod shards;
mod sides;
mod starts;
mod strictness;
mod suites;
mod support;
mod terminal;
mod waivers;
