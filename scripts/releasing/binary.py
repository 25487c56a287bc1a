"""The static executables of this machine's architecture, and the archives that hold them."""

import gzip
import io
import os
import platform
import shutil
import tarfile
import tempfile
from pathlib import Path

import licences
import prove
import sbom
from project import TARGETS, Failed, note, require, run

COMPLETIONS = {"bash": "benchgate.bash", "fish": "benchgate.fish", "zsh": "_benchgate"}
TEXTS = ("CHANGELOG.md", "LICENSE-APACHE", "LICENSE-MIT", "README.md")
BINARIES = ("benchgate", "cargo-benchgate")


def chosen_target(project):
    """The target to build for: musl's, or what this machine has where that is not installed."""
    machine = platform.machine()
    require(machine in TARGETS, f"there are no binaries for {machine}; there are for {', '.join(TARGETS)}")
    if project.options.target:
        return project.options.target
    libraries = Path(run("rustc", "--print", "sysroot").stdout.strip()) / "lib/rustlib"
    if (libraries / TARGETS[machine] / "lib").is_dir():
        return TARGETS[machine]
    fallback = TARGETS[machine].replace("musl", "gnu")
    project.not_done.append(
        f"{TARGETS[machine]} is not installed (rustup target add {TARGETS[machine]}): built for {fallback}, "
        "static with glibc; what is released is built with musl"
    )
    return fallback


def make(project):
    target = chosen_target(project)
    for other in set(TARGETS.values()) - {target.replace("gnu", "musl")}:
        project.not_done.append(f"{other}: built by release.yml only, on a machine of its own")
    if project.options.quick:
        quick(project, target)
        return
    binaries, of_binaries = twice(project, target, product)
    critcmp, of_critcmp = twice(project, target, critcmp_built)
    pack(project, target, binaries, critcmp["critcmp"])
    bills(project, target, binaries, critcmp["critcmp"], of_binaries, of_critcmp)


def bills(project, target, binaries, critcmp, of_binaries=None, of_critcmp=None):
    """Of each archive: what is in its executables."""
    path = project.files / f"{archive_name(project, target)}.cdx.json"
    manifest = Path(project.packages["benchgate"]["manifest_path"])
    sbom.write(project, path, manifest, target, binaries, of_binaries)
    if critcmp:
        path = project.files / f"{critcmp_name(project, target)}.cdx.json"
        manifest = licences.unpacked(project, "critcmp", project.pin("CRITCMP_VERSION")) / "Cargo.toml"
        # What an installed program was built from may not be there any more.
        run("cargo", "fetch", "--locked", "--manifest-path", manifest)
        sbom.write(project, path, manifest, target, {"critcmp": critcmp}, of_critcmp)


def places(project):
    """Sources, target folder and cargo's home of two builds: whatever a path could come from is another one."""
    cargo_home = Path(os.environ.get("CARGO_HOME", Path.home() / ".cargo"))
    other = project.work / "again"
    shutil.rmtree(other, ignore_errors=True)
    (other / "home").mkdir(parents=True)
    project.git("archive", "--output", other / "sources.tar", "HEAD")
    with tarfile.open(other / "sources.tar") as sources:
        sources.extractall(other / "sources", filter="data")
    # The packages are the same files, below another name.
    for path in cargo_home.iterdir():
        (other / "home" / path.name).symlink_to(path)
    yield project.root, project.work / "build", cargo_home
    yield other / "sources", other / "target", other / "home"


def twice(project, target, build):
    """What the first of two builds made, each program by its name, if the second one made the same; and of which packages."""
    (first, packages), (second, _) = (build(project, target, *place) for place in places(project))
    for name, path in first.items():
        prove.is_static(path)
        prove.are_the_same(path, second[name])
    return first, packages


def product(project, target, sources, folder, cargo_home):
    shutil.rmtree(folder, ignore_errors=True)
    done = run(
        *("cargo", "build", "--locked", "--profile", "dist", "--package", "benchgate", "--target", target),
        "--message-format=json",
        cwd=sources,
        env=build_environment(project, sources, folder, cargo_home),
    )
    paths = {name: folder / target / "dist" / name for name in BINARIES}
    for path in paths.values():
        prove.holds_no_path(path, project.root, sources, folder, cargo_home, *prove.homes())
    return paths, sbom.built(done.stdout, target, "dist")


def critcmp_built(project, target, sources, folder, cargo_home):
    done = run(
        *("cargo", "install", "--quiet", "--locked", "--force", "--no-track", "--target", target),
        *(
            "--message-format=json",
            "--root",
            folder / "tools",
            "--version",
            project.pin("CRITCMP_VERSION"),
            "critcmp",
        ),
        cwd=project.work,
        # Its own profile keeps what a debugger needs: ten times the size.
        env=build_environment(project, sources, folder, cargo_home)
        | {"CARGO_PROFILE_RELEASE_STRIP": "symbols", "CARGO_PROFILE_RELEASE_DEBUG": "0"},
    )
    path = folder / "tools/bin/critcmp"
    prove.holds_no_path(path, project.root, sources, folder, cargo_home, *prove.homes())
    return {"critcmp": path}, sbom.built(done.stdout, target, "release")


def quick(project, target):
    """Packs what is built already. It is not static, and the check must say so."""
    binary = project.options.binary.resolve()
    try:
        prove.is_static(binary)
    except Failed as refusal:
        note(f"as it must, the check of static executables refuses this one: {refusal}")
    else:
        raise Failed(f"{binary} passes as static: --quick is for what `cargo build --release` built")
    project.not_done.append("binaries for a release: --quick packs what `cargo build --release` built")
    binaries = {name: binary.parent / name for name in BINARIES}
    critcmp = project.options.critcmp and project.options.critcmp.resolve()
    pack(project, target, binaries, critcmp)
    bills(project, target, binaries, critcmp)


def build_environment(project, sources, folder, cargo_home):
    """Nothing of earlier builds, of this machine's settings or of its folders is in what is released."""
    flags = ["-Ctarget-feature=+crt-static"]
    # The last one that fits a path counts: the target folder may be in that of the sources.
    named = {sources: "/benchgate", cargo_home: "/cargo", folder: "/target"}
    flags += [f"--remap-path-prefix={path}={name}" for path, name in named.items()]
    drop = ("CARGO_PROFILE_", "CARGO_BUILD_RUSTC", "RUSTC_")
    kept = {name: value for name, value in os.environ.items() if not name.startswith(drop)}
    return kept | {
        "CARGO_HOME": str(cargo_home),
        "CARGO_TARGET_DIR": str(folder),
        "CARGO_INCREMENTAL": "0",
        # `benchgate init` pins the actions to it.
        "BENCHGATE_COMMIT": run("git", "rev-parse", "HEAD", cwd=project.root).stdout.strip(),
        "CARGO_ENCODED_RUSTFLAGS": "\x1f".join(flags),
    }


def archive_name(project, target):
    return f"benchgate-{project.version}-{target}"


def critcmp_name(project, target):
    return f"critcmp-{project.pin('CRITCMP_VERSION')}-{target}"


def pack(project, target, binaries, critcmp):
    with tempfile.TemporaryDirectory(prefix="benchgate-pack-") as temporary:
        top = Path(temporary) / archive_name(project, target)
        (top / "completions").mkdir(parents=True)
        (top / "man").mkdir()
        for name, path in binaries.items():
            shutil.copy(path, top / name)
        for name in TEXTS:
            shutil.copy(project.root / name, top / name)
        (top / "THIRD-PARTY.txt").write_text(licences.of(project, target))
        program = top / "benchgate"
        for shell, name in COMPLETIONS.items():
            (top / "completions" / name).write_text(run(program, "completions", shell, env={}).stdout)
        for page in manual_pages(program):
            (top / "man" / f"{page}.1").write_text(run(program, "man", *page.split("-")[1:2], env={}).stdout)
        write(project.files / f"{top.name}.tar.gz", top)
        if critcmp:
            top = Path(temporary) / critcmp_name(project, target)
            top.mkdir()
            shutil.copy(critcmp, top / "critcmp")
            texts = licences.of_crate(project, "critcmp", project.pin("CRITCMP_VERSION"))
            for name, text in texts.items():
                (top / name).write_bytes(text)
            write(project.files / f"{top.name}.tar.gz", top)
    check(project, target)


def manual_pages(program):
    """`benchgate` itself and each of its commands, as its help lists them."""
    text = run(program, "--help", env={}).stdout.split("Commands:\n")[1].split("\n\n")[0]
    commands = [line.split()[0] for line in text.splitlines() if line[:2] == "  " and line[2:3].strip()]
    return ["benchgate", *(f"benchgate-{command}" for command in commands if command != "help")]


def write(path, top):
    """The same files make the same bytes: no owner, no time, sorted."""
    raw = io.BytesIO()
    with tarfile.open(fileobj=raw, mode="w", format=tarfile.PAX_FORMAT) as archive:
        for file in sorted(top.rglob("*")):
            if file.is_file():
                member = tarfile.TarInfo(file.relative_to(top.parent).as_posix())
                member.size = file.stat().st_size
                member.mode = 0o755 if os.access(file, os.X_OK) else 0o644
                with file.open("rb") as content:
                    archive.addfile(member, content)
    path.write_bytes(gzip.compress(raw.getvalue(), mtime=0))


def check(project, target):
    """The archive as a user has it: unpacked elsewhere, complete, and running."""
    path = project.files / f"{archive_name(project, target)}.tar.gz"
    with tempfile.TemporaryDirectory(prefix="benchgate-unpacked-") as temporary:
        with tarfile.open(path) as archive:
            archive.extractall(temporary, filter="data")
        top = Path(temporary) / archive_name(project, target)
        for name in (*TEXTS, "THIRD-PARTY.txt", "man/benchgate.1", "man/benchgate-check.1"):
            require((top / name).stat().st_size > 0, f"{path.name}: {name} is empty")
        for name in COMPLETIONS.values():
            require("benchgate" in (top / "completions" / name).read_text(), f"{path.name}: {name}")
        if platform.machine() == target.split("-")[0]:
            prove.answers(project, top / "benchgate")
        binstall(project, target, top)
    note(f"{path.name}: {path.stat().st_size} bytes")


def binstall(project, target, top):
    """What cargo-binstall makes of the package's metadata is this archive, and this folder in it."""
    settings = project.packages["benchgate"]["metadata"]["binstall"]
    values = {"repo": project.repository, "version": project.version, "name": "benchgate", "target": target}

    def fill(text, **more):
        for name, value in (values | more).items():
            text = text.replace(f"{{ {name} }}", value)
        require("{" not in text, f"[package.metadata.binstall]: unknown placeholder in `{text}`")
        return text

    expected = project.download(f"{top.name}.tar.gz")
    url = fill(settings["pkg-url"])
    require(url == expected, f"[package.metadata.binstall] leads to {url}, expected {expected}")
    require(settings["pkg-fmt"] == "tgz", "[package.metadata.binstall] pkg-fmt is not tgz")
    for name in BINARIES:
        inside = fill(settings["bin-dir"], bin=name, **{"binary-ext": ""})
        require((top.parent / inside).is_file(), f"[package.metadata.binstall]: no {inside} in the archive")
