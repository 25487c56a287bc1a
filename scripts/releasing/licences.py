"""The licences of what is linked into the executables."""

import json
import tempfile
from pathlib import Path

from project import PRODUCT, require, run

PATTERNS = ("LICENSE*", "LICENCE*", "COPYING*", "COPYRIGHT*", "NOTICE*", "UNLICENSE*")
RULE = "=" * 100


def texts(folder):
    found = {path for pattern in PATTERNS for path in folder.glob(pattern) if path.is_file()}
    return sorted(found)


def linked(project, target):
    """Packages that are part of `benchgate`, those that only build it left out."""
    done = run(
        *("cargo", "tree", "--locked", "--offline", "--package", "benchgate", "--target", target),
        *("--edges", "normal", "--prefix", "none", "--format", "{p}", "--no-dedupe"),
        cwd=project.root,
    )
    names = {tuple(line.split()[:2]) for line in done.stdout.splitlines() if line.strip()}
    return {(name, version.removeprefix("v")) for name, version in names}


def of(project, target):
    # Nothing is fetched where a build was before.
    run("cargo", "fetch", "--locked", cwd=project.root)
    done = run(
        *("cargo", "metadata", "--locked", "--offline", "--format-version=1", "--filter-platform", target),
        cwd=project.root,
    )
    packages = {(found["name"], found["version"]): found for found in json.loads(done.stdout)["packages"]}
    parts = ["Packages that are part of this program, with their licences.\n"]
    for key in sorted(linked(project, target)):
        package = packages[key]
        if package["name"] in PRODUCT:
            continue
        require(package["license"], f"{package['name']} names no licence")
        parts.append(f"{RULE}\n{key[0]} {key[1]}: {package['license']}\n{package['repository'] or ''}\n")
        for path in texts(Path(package["manifest_path"]).parent):
            parts.append(f"\n{path.read_text(errors='replace').strip()}\n")
    return "\n".join(parts)


def unpacked(project, name, version):
    """Where cargo has unpacked a package of crates.io."""
    done = run("cargo", "metadata", "--locked", "--offline", "--format-version=1", cwd=project.root)
    folders = {
        Path(package["manifest_path"]).parent.parent / f"{name}-{version}"
        for package in json.loads(done.stdout)["packages"]
        if (package["source"] or "").startswith("registry+")
    }
    if not any(map(Path.is_dir, folders)):
        fetch(name, version)
    found = [folder for folder in folders if folder.is_dir()]
    require(found, f"{name} {version} is not where cargo unpacks packages")
    return found[0]


def of_crate(project, name, version):
    """Name and text of each licence of a package of crates.io."""
    found = texts(unpacked(project, name, version))
    require(found, f"{name} {version} holds no licence")
    return {path.name: path.read_bytes() for path in found}


def fetch(name, version):
    """A CI job keeps installed tools, and not what they were built from."""
    with tempfile.TemporaryDirectory(prefix="benchgate-licences-") as temporary:
        folder = Path(temporary)
        (folder / "Cargo.toml").write_text(
            '[package]\nname = "licences"\nversion = "0.0.0"\nedition = "2024"\n[lib]\npath = "lib.rs"\n'
            f'[dependencies]\n{name} = "={version}"\n'
        )
        (folder / "lib.rs").touch()
        run("cargo", "fetch", cwd=folder)
