"""What an executable is and does, seen by reading and running it."""

import json
import os
import struct
import tempfile
from pathlib import Path

from project import Failed, note, require, run

PT_DYNAMIC, PT_INTERP, DT_NEEDED = 2, 3, 1
# A result that is in the repository, with a verdict that it must repeat.
RECORDED = "docs/evidence/recorded/canaries.json"


def libraries(path):
    """What an ELF file for 64 bits needs of its machine: its loader, and how many shared libraries."""
    data = path.read_bytes()
    require(data[:6] == b"\x7fELF\x02\x01", f"{path} is no 64-bit little-endian ELF file")
    (offset,) = struct.unpack_from("<Q", data, 32)
    size, count = struct.unpack_from("<HH", data, 54)
    found = []
    for number in range(count):
        kind, _, start, _, _, length = struct.unpack_from("<IIQQQQ", data, offset + number * size)
        if kind == PT_INTERP:
            found.append(data[start : start + length].rstrip(b"\0").decode())
        if kind == PT_DYNAMIC:
            entries = struct.iter_unpack("<QQ", data[start : start + length])
            needed = sum(tag == DT_NEEDED for tag, _ in entries)
            found += [f"{needed} shared libraries"] if needed else []
    return found


def is_static(path):
    found = libraries(path)
    require(not found, f"{path.name} is not static: it needs {', '.join(found)}")
    note(f"{path.name}: static, no loader and no shared library")


def homes():
    """Folders of tools, and each in that of the user, which alone may be a name that the gate knows, such as `/root`."""
    tools = (os.environ.get(name, "") for name in ("CARGO_HOME", "RUSTUP_HOME"))
    folders = [Path(folder) for folder in tools if folder]
    folders += [folder for folder in Path.home().iterdir() if folder.is_dir()]
    # One name may begin with another one.
    return [f"{folder}/" for folder in folders]


def holds_no_path(path, *folders):
    """Where it was built is nobody's business, and would differ on every machine."""
    data = path.read_bytes()
    for folder in folders:
        require(str(folder).encode() not in data, f"{path.name} holds the path {folder}")


def are_the_same(path, other):
    """Two builds of one commit. What differs names what came from the machine, the folder or the hour."""
    one, two = path.read_bytes(), other.read_bytes()
    if one != two:
        shorter = min(len(one), len(two))
        at = next((i for i in range(shorter) if one[i] != two[i]), shorter)
        shown = [data[max(at - 32, 0) : at + 32] for data in (one, two)]
        raise Failed(
            f"two builds of {path.name} differ from byte {at} on, of {len(one)} and {len(two)} bytes:\n"
            f"  {shown[0]}\n  {shown[1]}"
        )
    note(f"{path.name}: built twice, in other folders, the same {len(one)} bytes")


def answers(project, path):
    """Version, doctor and a report, in an empty folder, with an empty environment, without a compiler."""
    recorded = project.root / RECORDED
    expected = json.loads(recorded.read_text())["verdict"]
    with tempfile.TemporaryDirectory(prefix="benchgate-empty-") as empty:
        # With no PATH at all the system's own default is searched: an empty one has no rustc, cargo or git.
        for environment in ({}, {"PATH": empty}):

            def ask(*arguments, environment=environment, status=0):
                return run(path, *arguments, cwd=empty, env=environment, status=status).stdout

            version = ask("--version").strip()
            require(version == f"benchgate {project.version}", f"--version says `{version}`")
            # It has something to say of most machines; with --check that would be exit 101.
            diagnosis = ask("doctor")
            require("governor" in diagnosis, f"doctor says:\n{diagnosis}")
            summary = json.loads(ask("report", recorded, "--format", "summary"))
            require(summary["verdict"] == expected, f"report says {summary['verdict']}, expected {expected}")
        require(not list(Path(empty).iterdir()), "it left files in an empty folder")
    note(f"{version}: doctor and report ({expected}) in an empty folder, with an empty environment")


def sets_up(project, path, folder):
    """`init --hook` in a repository that is not this one: the files that are part of the executable."""
    other = folder / "other"
    (other / "src").mkdir(parents=True)
    (other / "Cargo.toml").write_text('[package]\nname = "other"\nversion = "1.0.0"\nedition = "2021"\n')
    (other / "src/lib.rs").write_text("")
    run("git", "init", "--quiet", other)
    run(path, "init", "--hook", cwd=other)
    hook = (other / ".git/hooks/pre-commit").read_text()
    require(hook == (project.root / "crates/benchgate/pre-commit").read_text(), "init writes another hook")
    schema = (other / "target/benchgate/policy.schema.json").read_text()
    require(
        schema == (project.root / "crates/benchgate/policy.schema.json").read_text(),
        "init writes another schema",
    )
    note("init --hook: hook, policy and schema in a repository of its own")
