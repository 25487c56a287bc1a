//! Commands, a file for each.

pub(crate) mod baseline;
pub(crate) mod bisect;
pub(crate) mod cache;
pub(crate) mod check;
pub(crate) mod compare;
pub(crate) mod demo;
pub(crate) mod doctor;
pub(crate) mod explain;
pub(crate) mod here;
pub(crate) mod history;
pub(crate) mod init;
pub(crate) mod manual;
pub(crate) mod merge;
pub(crate) mod policy;
pub(crate) mod report;
pub(crate) mod selftest;
