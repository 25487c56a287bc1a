//! Wording of progress.

/// `compiling 34/120: serde, syn(build)`.
pub(super) fn compiling(done: usize, total: usize, what: &str) -> String {
    let what = if what.is_empty() { String::new() } else { format!(": {what}") };
    format!("compiling {done}/{total}{what}")
}
