//! Other tools' formats, and only their formats: text in, values out.

pub mod callgrind;
pub mod cargo;
pub mod command;
pub mod counts;
pub mod critcmp;
pub mod criterion;
pub mod criterion_cli;
pub mod dhat;
pub mod divan;
mod entries;
mod estimates;
pub mod jmh;
pub mod jmh_cli;
pub mod kernel;
mod libtest;
pub mod others;
pub mod profile;
pub mod rounds;
pub mod unread;
