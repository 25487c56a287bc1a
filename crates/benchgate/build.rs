//! Tells `init` which commit a published package is of: cargo packs it. The builds of a release say it themselves.

use std::{env, fs};

/// Written by `cargo package`; a checkout has none.
const PACKED: &str = ".cargo_vcs_info.json";
const VARIABLE: &str = "BENCHGATE_COMMIT";

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rerun-if-env-changed={VARIABLE}");
    let Ok(packed) = fs::read_to_string(PACKED) else { return };
    // What was packed with changes is of no commit.
    let is_whole = !packed.contains("\"dirty\": true");
    let commit = packed.split("\"sha1\": \"").nth(1).and_then(|rest| rest.split('"').next());
    if let Some(commit) = commit.filter(|_| is_whole && env::var_os(VARIABLE).is_none()) {
        println!("cargo:rustc-env={VARIABLE}={commit}");
    }
}
