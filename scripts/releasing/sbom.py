"""Bills of materials of the executables, in CycloneDX's format: the same for the same commit, without time and path.

They list what cargo links, with the features of that build: a generator that reads `cargo metadata` lists what other packages
of the workspace turn on. What cargo says that it has built is compared with it.
"""

import hashlib
import json
import os
import sys
from pathlib import Path

import tomllib

sys.dont_write_bytecode = True

from project import note, require, run  # noqa: E402 (after the setting)

VERSION = "1.5"


def built(messages, target, profile):
    """Name and version of what cargo has built for the target, from its messages: what ran on the machine is elsewhere."""
    found = set()
    for line in messages.splitlines():
        message = json.loads(line) if line.startswith("{") else {}
        files = message.get("filenames", ())
        if message.get("reason") == "compiler-artifact" and any(f"/{target}/{profile}/" in f for f in files):
            source, _, name = message["package_id"].rpartition("#")
            name, _, version = name.rpartition("@")
            found.add((name or Path(source).name, version))
    return found


def tree(manifest, package, target):
    """Packages that are linked, with features and licence, and what each of them needs."""
    done = run(
        *("cargo", "tree", "--locked", "--offline", "--package", package, "--target", target),
        *("--edges", "normal,no-proc-macro", "--prefix", "depth", "--format", " {p}|{f}|{l}", "--no-dedupe"),
        cwd=manifest.parent,
    )
    packages, needs, above = {}, {}, []
    for line in filter(None, done.stdout.splitlines()):
        depth, _, text = line.partition(" ")
        described, features, licence = text.split("|")
        name, version = described.split()[:2]
        key = (name, version.removeprefix("v"))
        packages[key] = (sorted(filter(None, features.split(","))), licence)
        needs.setdefault(key, set())
        above[int(depth) :] = [key]
        if int(depth):
            needs[above[-2]].add(key)
    return packages, needs


def purl(key):
    return f"pkg:cargo/{key[0]}@{key[1]}"


def component(kind, key, features, licence, checksum):
    parts = {"type": kind, "bom-ref": purl(key), "name": key[0], "version": key[1], "purl": purl(key)}
    require(licence, f"{key[0]} names no licence")
    # An old form of crates.io.
    parts["licenses"] = [{"expression": licence.replace("/", " OR ")}]
    if checksum:
        parts["hashes"] = [{"alg": "SHA-256", "content": checksum}]
    if features:
        parts["properties"] = [{"name": "cargo:features", "value": " ".join(features)}]
    return parts


def write(project, path, manifest, target, executables, made):
    """`executables` by their names; `made`: what cargo says that it has built, where it has."""
    package = path.name.split("-", 1)[0]
    packages, needs = tree(manifest, package, target)
    [top] = [key for key in packages if key[0] == package]
    if made is not None:
        more, less = sorted(made - packages.keys()), sorted(packages.keys() - made)
        require(not more, f"{path.name} lacks what was built: {more}")
        require(not less, f"{path.name} lists what was not built: {less}")
    # The lock file of a workspace is in its top folder.
    lock = next(folder / "Cargo.lock" for folder in manifest.parents if (folder / "Cargo.lock").is_file())
    checksums = {
        (entry["name"], entry["version"]): entry.get("checksum")
        for entry in tomllib.loads(lock.read_text())["package"]
    }
    described = {
        key: component("library" if key != top else "application", key, *of, checksums.get(key))
        for key, of in sorted(packages.items())
    }
    programs = [
        {
            "type": "application",
            "name": name,
            "hashes": [{"alg": "SHA-256", "content": hashlib.sha256(file.read_bytes()).hexdigest()}],
        }
        for name, file in sorted(executables.items())
    ]
    bill = {
        "bomFormat": "CycloneDX",
        "specVersion": VERSION,
        "version": 1,
        "metadata": {
            "component": {**described.pop(top), "components": programs},
            "properties": [
                {"name": "cargo:target", "value": target},
                {"name": "rustc", "value": run("rustc", "--version").stdout.strip()},
            ],
        },
        "components": list(described.values()),
        "dependencies": [
            {"ref": purl(key), "dependsOn": sorted(map(purl, needs[key]))} for key in sorted(needs)
        ],
    }
    path.write_text(json.dumps(bill, indent=1) + "\n")
    validate(project, path)
    compared = "as cargo lists and built them" if made is not None else "as cargo lists them"
    note(f"{path.name}: {len(packages)} packages, {compared}")


def validate(project, path):
    """Against CycloneDX's schema, in a Python that has its library."""
    python = os.environ.get("CYCLONEDX")
    if python:
        run(python, __file__, path)
    else:
        project.not_done.append(f"{path.name} was not validated: CYCLONEDX names no Python with its library")


def main():
    from cyclonedx.schema import SchemaVersion
    from cyclonedx.validation.json import JsonStrictValidator

    text = Path(sys.argv[1]).read_text()
    problem = JsonStrictValidator(SchemaVersion.V1_5).validate_str(text)
    sys.exit(str(problem)[:2000] if problem else 0)


if __name__ == "__main__":
    main()
