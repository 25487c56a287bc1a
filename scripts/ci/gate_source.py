"""What the gate is built from, as one digest. Written into release.json, and compared by take-release."""

import hashlib
import os

# Of the whole workspace, what decides what `cargo build --package benchgate` makes. Links lead to files elsewhere.
PLACES = (
    "Cargo.toml",
    "Cargo.lock",
    "crates/benchgate",
    "crates/benchgate-core",
    "crates/benchgate-host",
    "crates/benchgate-runtime",
)
NOT_BUILT = {"tests", "snapshots", "target"}


def files(root):
    for place in PLACES:
        path = root / place
        if path.is_file():
            yield path
        for folder, folders, names in os.walk(path, followlinks=True):
            folders[:] = sorted(set(folders) - NOT_BUILT)
            yield from (root / folder / name for name in names)


def digest(root):
    whole = hashlib.sha256()
    for path in sorted(files(root)):
        content = hashlib.sha256(path.read_bytes()).hexdigest()
        whole.update(f"{content} {path.relative_to(root).as_posix()}\n".encode())
    return whole.hexdigest()
