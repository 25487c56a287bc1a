"""The packages of crates.io: exactly the product's, complete in themselves, and installable."""

import hashlib
import json
import os
import re
import shutil
import tarfile
import tempfile
from pathlib import Path, PurePosixPath

import prove
from project import PRODUCT, note, require, run

# What crates.io wants, and what its page is made from.
FIELDS = ("description", "license", "repository", "readme", "keywords", "categories", "rust_version")
INCLUDES = re.compile(r'include_(?:str|bytes)!\(\s*"([^"]+)"')
NEEDED = ("Cargo.toml", "README.md", "LICENSE-APACHE", "LICENSE-MIT")


def published(project):
    """Names of what cargo would publish: `publish = false` is an empty list of registries."""
    return {name for name, package in project.packages.items() if package["publish"] != []}


def manifests(project):
    names = published(project)
    require(names == set(PRODUCT), f"cargo would publish {sorted(names)}: expected {sorted(PRODUCT)}")
    for name in PRODUCT:
        package = project.packages[name]
        lacks = [field for field in FIELDS if not package[field]]
        require(not lacks, f"crates/{name}/Cargo.toml has no {', '.join(lacks)}")
        require(package["version"] == project.version, f"{name} is {package['version']}")
        require(len(package["keywords"]) <= 5, f"crates/{name}/Cargo.toml: crates.io takes five keywords")
        for needed in package["dependencies"]:
            if needed["name"] in PRODUCT:
                exact = f"={project.version}"
                require(needed["req"] == exact, f"{name} takes {needed['name']} {needed['req']}, not {exact}")


def crate_files(project):
    return {name: project.target / "package" / f"{name}-{project.version}.crate" for name in PRODUCT}


def package(project):
    manifests(project)
    quick = project.options.quick
    selected = [part for name in PRODUCT for part in ("--package", name)]
    # Offline, and without a build: the stage `install` builds all three from nothing but the packages.
    flags = ["--locked", "--offline", "--no-verify", *(["--allow-dirty"] if quick else [])]
    run("cargo", "package", *flags, *selected, cwd=project.root)
    for name, path in crate_files(project).items():
        note(f"{path.name}: {contents(project, name, path)} files, {path.stat().st_size} bytes")
        shutil.copy(path, project.files)
    if not quick:
        # cargo's own checks, in the order in which they depend on each other.
        done = run(
            "cargo", "publish", "--workspace", "--locked", "--dry-run", "--no-verify", cwd=project.root
        )
        uploads = re.findall(r"Uploading (\S+) v", done.stderr)
        require(tuple(uploads) == PRODUCT, f"cargo would upload {uploads}: expected {list(PRODUCT)}")
        note(f"cargo publish --workspace --dry-run: {', '.join(uploads)}")


def contents(project, name, path):
    """Checks what is in a package, and gives how many files there are."""
    top = f"{name}-{project.version}/"
    with tarfile.open(path) as archive:
        files = {member.name.removeprefix(top): member for member in archive if member.isfile()}
        for needed in NEEDED:
            require(needed in files, f"{path.name} lacks {needed}")
        for file in files:
            if file.endswith(".rs"):
                text = archive.extractfile(files[file]).read().decode()
                for missing in missing_includes(file, text, files):
                    require(False, f"{path.name}: {file} includes `{missing}`, which is not in the package")
        for text in ("LICENSE-APACHE", "LICENSE-MIT"):
            packed = archive.extractfile(files[text]).read()
            require(packed == (project.root / text).read_bytes(), f"{path.name}: {text} is not the licence")
    return len(files)


def missing_includes(file, text, files):
    """Files that a source file includes at build time, and that are not there. Tests are not built."""
    text = re.split(r"#\[cfg\(test\)\]\s*(?:pub\S* )?mod \w+ \{", text)[0]
    if PurePosixPath(file).name == "tests.rs":
        return
    for included in INCLUDES.findall(text):
        path = os.path.normpath(PurePosixPath(file).parent / included)
        if path not in files and not file_is_test(file):
            yield included


def file_is_test(file):
    return "tests" in PurePosixPath(file).parts


def directory_source(project, folder):
    """A copy of crates.io as it is after publishing: what the lock file names, and the packages."""
    run("cargo", "vendor", "--locked", "--versioned-dirs", "--quiet", folder, cwd=project.root)
    for name, path in crate_files(project).items():
        with tarfile.open(path) as archive:
            archive.extractall(folder, filter="data")
        checksum = {"files": {}, "package": hashlib.sha256(path.read_bytes()).hexdigest()}
        unpacked = folder / f"{name}-{project.version}"
        (unpacked / ".cargo-checksum.json").write_text(json.dumps(checksum))


def install(project):
    """`cargo install benchgate`, where crates.io is that copy and nothing of this repository is."""
    with tempfile.TemporaryDirectory(prefix="benchgate-install-") as temporary:
        empty = Path(temporary)
        directory_source(project, empty / "crates.io")
        home = empty / "cargo-home"
        home.mkdir()
        (home / "config.toml").write_text(
            '[source.crates-io]\nreplace-with = "copy"\n'
            f'[source.copy]\ndirectory = "{empty / "crates.io"}"\n[net]\noffline = true\n'
        )
        environment = {
            name: value
            for name, value in os.environ.items()
            if not name.startswith(("CARGO_", "RUSTFLAGS", "RUSTC")) or name == "CARGO_BUILD_JOBS"
        }
        environment["CARGO_HOME"] = str(home)
        # Whether it builds and runs is asked, not how fast: a third of the time.
        environment["CARGO_PROFILE_RELEASE_OPT_LEVEL"] = "0"
        # cargo's own folder is gone from PATH with its home; the compiler is rustup's all the same.
        environment.setdefault("RUSTUP_HOME", str(Path.home() / ".rustup"))
        command = ("cargo", "install", "--locked", "--root", empty / "out", "benchgate")
        done = run(*command, "--version", f"={project.version}", cwd=empty, env=environment)
        require("Installed package" in done.stderr, done.stderr)
        installed = empty / "out/bin"
        for name in ("benchgate", "cargo-benchgate"):
            require((installed / name).is_file(), f"cargo install left no {name}")
        prove.answers(project, installed / "benchgate")
        prove.sets_up(project, installed / "benchgate", empty)
