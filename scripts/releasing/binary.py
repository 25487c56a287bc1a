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
    environment = build_environment(project, target)
    run(
        *("cargo", "build", "--locked", "--profile", "dist", "--package", "benchgate", "--target", target),
        cwd=project.root,
        env=environment,
    )
    built = project.work / "build" / target / "dist"
    version = project.pin("CRITCMP_VERSION")
    tools = project.work / "tools"
    run(
        *("cargo", "install", "--quiet", "--locked", "--force", "--no-track", "--target", target),
        *("--root", tools, "--version", version, "critcmp"),
        cwd=project.work,
        # Its own profile keeps what a debugger needs: ten times the size.
        env=environment | {"CARGO_PROFILE_RELEASE_STRIP": "symbols", "CARGO_PROFILE_RELEASE_DEBUG": "0"},
    )
    critcmp = tools / "bin/critcmp"
    for path in (*(built / name for name in BINARIES), critcmp):
        prove.is_static(path)
        prove.holds_no_path(path, project.root, Path.home())
    pack(project, target, {name: built / name for name in BINARIES}, critcmp)


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
    pack(project, target, binaries, project.options.critcmp and project.options.critcmp.resolve())


def build_environment(project, target):
    """Nothing of earlier builds, of this machine's settings or of its folders is in what is released."""
    cargo_home = Path(os.environ.get("CARGO_HOME", Path.home() / ".cargo"))
    flags = ["-Ctarget-feature=+crt-static"]
    flags += [f"--remap-path-prefix={project.root}=/benchgate", f"--remap-path-prefix={cargo_home}=/cargo"]
    folder = project.work / "build"
    shutil.rmtree(folder, ignore_errors=True)
    drop = ("CARGO_PROFILE_", "CARGO_BUILD_RUSTC", "RUSTC_")
    kept = {name: value for name, value in os.environ.items() if not name.startswith(drop)}
    return kept | {
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
