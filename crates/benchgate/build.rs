//! The commit that this program is built from, for the workflows that `benchgate init` pins to it.

use std::fs;

/// Written by cargo into a published package.
const OF_CARGO: &str = ".cargo_vcs_info.json";

fn main() {
    println!("cargo::rerun-if-env-changed=BENCHGATE_COMMIT");
    println!("cargo::rerun-if-changed=build.rs");
    // A release says it. Of a clone nothing is known: what is built there may not be what is committed.
    let said = std::env::var("BENCHGATE_COMMIT").ok();
    if let Some(commit) = said.or_else(of_package).filter(|commit| is_commit(commit)) {
        println!("cargo::rustc-env=BENCHGATE_BUILT_FROM={commit}");
    }
}

fn of_package() -> Option<String> {
    let text = fs::read_to_string(OF_CARGO).ok()?;
    let (_, rest) = text.split_once("\"sha1\": \"")?;
    let (commit, _) = rest.split_once('"')?;
    (!text.contains("\"dirty\": true")).then(|| commit.to_owned())
}

fn is_commit(text: &str) -> bool {
    text.len() == 40
        && text.bytes().all(|byte| byte.is_ascii_digit() || matches!(byte, b'a'..=b'f'))
}
