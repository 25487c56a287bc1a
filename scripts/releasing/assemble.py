"""What is made from the archives of all platforms: checksums, what the action takes, the AUR's files."""

import hashlib
import json
import shutil
import tarfile

import aur
import binary
from gate_source import digest
from project import TARGETS, note, require


def checksum(path):
    return hashlib.sha256(path.read_bytes()).hexdigest()


def archives(project):
    """Architecture, target, archive and critcmp's archive, of what is there."""
    for architecture, musl in TARGETS.items():
        for target in (musl, musl.replace("musl", "gnu")):
            path = project.files / f"{binary.archive_name(project, target)}.tar.gz"
            if path.is_file():
                critcmp = project.files / f"{binary.critcmp_name(project, target)}.tar.gz"
                yield architecture, target, path, critcmp
                break


def make(project):
    found = list(archives(project))
    require(found, f"there is no archive in {project.files}\nhelp: run the stage `binary` first")
    if project.options.complete:
        targets = [target for _, target, _, _ in found]
        expected = list(TARGETS.values())
        require(targets == expected, f"there are archives of {targets}: a release has {expected}")
    for archive in project.files.glob("*.tar.gz"):
        bill = project.files / f"{archive.name.removesuffix('.tar.gz')}.cdx.json"
        require(bill.is_file(), f"there is no {bill.name}, which says what is in {archive.name}")
    with tarfile.open(found[0][2]) as archive:
        unpack(project, archive)
    crate = project.files / f"benchgate-{project.version}.crate"
    require(crate.is_file(), f"there is no {crate.name}\nhelp: run the stage `crates` first")
    aur.make(project, {arch: (path, checksum(path)) for arch, _, path, _ in found}, checksum(crate))
    release(project, found)
    sums(project)


def unpack(project, archive):
    """The executable that knows its commands."""
    folder = project.work / "unpacked"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    for member in archive:
        if member.name.endswith("/benchgate"):
            (folder / "benchgate").write_bytes(archive.extractfile(member).read())
            (folder / "benchgate").chmod(0o755)


def release(project, found):
    """scripts/ci/release.json, to be committed once the release is there."""
    platforms = {}
    for architecture, _, path, critcmp in found:
        if not critcmp.is_file():
            require(not project.options.complete, f"there is no {critcmp.name}")
            project.not_done.append(f"release.json is without {architecture}: critcmp was not packed")
            continue
        platforms[f"Linux-{architecture}"] = {
            name: {"url": project.download(file.name), "sha256": checksum(file)}
            for name, file in (("benchgate", path), ("critcmp", critcmp))
        }
    content = {"version": project.version, "source": digest(project.root), "platforms": platforms}
    (project.files / "release.json").write_text(json.dumps(content, indent=2) + "\n")
    note(f"release.json: {', '.join(platforms) or 'no platform'}")


def sums(project):
    kinds = ("*.tar.gz", "*.cdx.json", "*.crate", "release.json")
    files = [path for kind in kinds for path in project.files.glob(kind)]
    lines = [f"{checksum(path)}  {path.name}\n" for path in sorted(files)]
    (project.files / "SHA256SUMS").write_text("".join(lines))
    note(f"SHA256SUMS: {len(lines)} files")
