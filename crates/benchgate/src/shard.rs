//! Digests that `check --shard` writes and `merge` compares.

use benchgate_core::policy::Policy;
use benchgate_core::result::RunResult;
use benchgate_host::system::files;

/// The digest of what decides: of the base's policy and of the head's.
pub(crate) fn digest_of_policy(policy: &Policy, of_head: Option<&Policy>) -> String {
    // A policy is one line.
    let of_head = of_head.map(Policy::deciding).unwrap_or_default();
    files::digest_of(format!("{}\n{of_head}", policy.deciding()).as_bytes())
}

/// Writes the digest of a shard into it; of another result, nothing.
pub(crate) fn seal(result: &mut RunResult) {
    let digest = digest(result);
    if let (Some(shard), Some(digest)) = (&mut result.shard, digest) {
        shard.digest = digest;
    }
}

/// Whether a shard is as it was written.
pub(crate) fn is_sealed(result: &RunResult) -> bool {
    result.shard.as_ref().is_some_and(|shard| digest(result).as_ref() == Some(&shard.digest))
}

fn digest(result: &RunResult) -> Option<String> {
    let mut bare = result.clone();
    bare.shard.as_mut()?.digest.clear();
    Some(files::digest_of(bare.to_json().as_bytes()))
}
