//! What the operating system gives: files, processes, the sandbox, the machine.

pub mod access_times;
pub mod awake;
pub(crate) mod configuration;
pub mod doctor;
pub mod files;
pub mod interrupt;
pub mod launcher;
pub mod links;
pub mod machine;
pub mod others;
pub mod platform;
pub mod process;
pub mod sandbox;
