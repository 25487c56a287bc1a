"""PKGBUILD and .SRCINFO of `benchgate` and `benchgate-bin`, from one template, for the AUR."""

import os
import shutil
import subprocess
import tempfile
from pathlib import Path

import binary
import prove
from project import TARGETS, note, require, run

TEMPLATE = Path(__file__).parent / "PKGBUILD.in"
PACKAGES = {"benchgate": "source", "benchgate-bin": "binary"}
# Of .SRCINFO, in the order in which makepkg writes them; each may have one more for each architecture.
SINGLE = ("pkgdesc", "pkgver", "pkgrel", "url")
LISTS = (
    *("arch", "license", "makedepends", "depends", "optdepends", "provides", "conflicts", "options"),
    *("source", "sha256sums"),
)
NOBODY = 65534


def lines_for(kind):
    """The template without the lines of the other package."""
    for line in TEMPLATE.read_text().splitlines():
        marked = [other for other in PACKAGES.values() if line.startswith(f"{{{other}}}")]
        if not marked:
            yield line
        elif marked == [kind]:
            yield line.removeprefix(f"{{{kind}}}")


def text(project, package, archives, crate):
    """`archives`: architecture, and file with its checksum."""
    found = sorted(archives.items())
    sources = [f'source_{arch}=("{project.download(file.name)}")' for arch, (file, _) in found]
    sources += [f"sha256sums_{arch}=('{checksum}')" for arch, (_, checksum) in found]
    libc = {file.name.removesuffix(".tar.gz").rpartition("-")[2] for file, _ in archives.values()}
    require(len(libc) == 1, f"the archives are of different kinds: {libc}")
    # From source it is built anywhere; as a binary where there is one.
    architectures = list(TARGETS) if PACKAGES[package] == "source" else list(archives)
    program = project.work / "unpacked/benchgate"
    values = {
        "package": package,
        "version": project.version,
        "repository": project.repository,
        "description": project.packages["benchgate"]["description"],
        "arch": " ".join(f"'{arch}'" for arch in architectures),
        "crate": crate,
        "sources": "\n".join(sources),
        "libc": libc.pop(),
        "commands": " ".join(page.split("-")[1] for page in binary.manual_pages(program)[1:]),
    }
    whole = "\n".join(lines_for(PACKAGES[package])) + "\n"
    for name, value in values.items():
        whole = whole.replace(f"@{name}@", value)
    return whole


def srcinfo(file):
    """What makepkg --printsrcinfo prints, from the file as bash reads it."""
    names = ("pkgname", *SINGLE, *LISTS)
    architectures = ("x86_64", "aarch64")
    wanted = [*names, *(f"{name}_{arch}" for arch in architectures for name in ("source", "sha256sums"))]
    # A value a line, each below its name.
    script = '. "$1"; shift; for name; do declare -n list=$name; for i in "${list[@]}"; do '
    script += 'printf "%s\\t%s\\n" "$name" "$i"; done; done'
    found = {}
    for line in run("bash", "-euc", script, "-", file, *wanted).stdout.splitlines():
        name, _, value = line.partition("\t")
        found.setdefault(name, []).append(value)
    lines = [f"pkgbase = {found['pkgname'][0]}"]
    ordered = [*SINGLE, *LISTS]
    ordered += [name for name in wanted if "_" in name]
    for name in ordered:
        lines += [f"\t{name} = {value}" for value in found.get(name, [])]
    return "\n".join([*lines, "", f"pkgname = {found['pkgname'][0]}", ""])


def make(project, archives, crate):
    for package in PACKAGES:
        folder = project.files / "aur" / package
        folder.mkdir(parents=True, exist_ok=True)
        file = folder / "PKGBUILD"
        file.write_text(text(project, package, archives, crate))
        (folder / ".SRCINFO").write_text(srcinfo(file))
        check(project, package, folder, archives)


def check(project, package, folder, archives):
    file = folder / "PKGBUILD"
    require("@" not in file.read_text().split("\n", 1)[1], f"{package}: a placeholder was left in PKGBUILD")
    run("bash", "-n", file)
    shellcheck = shutil.which("shellcheck", path=f"{os.environ.get('LINTERS', '')}:{os.environ['PATH']}")
    if shellcheck:
        # Read and set by makepkg.
        run(shellcheck, "--shell=bash", "--exclude=SC2034,SC2154,SC2164", file)
    else:
        project.not_done.append("shellcheck of PKGBUILD: it is not on PATH")
    if not shutil.which("makepkg"):
        require(not project.options.complete, "makepkg is not installed, which a release is checked with")
        project.not_done.append(f"{package}: makepkg is not here, so .SRCINFO was not compared with its own")
        return
    with tempfile.TemporaryDirectory(prefix="benchgate-aur-") as temporary:
        work = Path(temporary)
        shutil.copy(file, work)
        printed = makepkg(work, "--printsrcinfo")
        expected = (folder / ".SRCINFO").read_text()
        require(printed.strip() == expected.strip(), f"{package}: makepkg's .SRCINFO differs:\n{printed}")
        for path in (*(path for path, _ in archives.values()), *project.files.glob("*.crate")):
            local = f"{package}-{project.version}.tar.gz" if path.suffix == ".crate" else path.name
            if path.suffix != ".crate" or path.name == f"benchgate-{project.version}.crate":
                shutil.copy(path, work / local)
        # The files stand where a download would put them: checksums are verified, and nothing is fetched.
        makepkg(work, "--verifysource", "--nodeps")
        done = "checksums verified and .SRCINFO compared by makepkg"
        if package == "benchgate-bin" and os.uname().machine in archives:
            built(project, work)
            done += ", built, and what it installs runs"
        note(f"{package}: {done}")


def built(project, work):
    makepkg(work, "--nodeps", "--force")
    [packed] = work.glob("*.pkg.tar*")
    root = work / "root"
    root.mkdir()
    run("tar", "--extract", "--file", packed, "--directory", root)
    for path in ("usr/bin/cargo-benchgate", "usr/share/man/man1/benchgate-check.1.gz"):
        require((root / path).is_file(), f"benchgate-bin installs no {path}")
    prove.answers(project, root / "usr/bin/benchgate")


def makepkg(work, *arguments):
    """It refuses to run as root."""
    settings = {"user": NOBODY, "group": NOBODY, "extra_groups": []} if os.getuid() == 0 else {}
    if settings:
        for path in (work, *work.rglob("*")):
            os.chown(path, NOBODY, NOBODY)
    environment = {
        "PATH": "/usr/bin:/bin",
        "HOME": str(work),
        "PKGEXT": ".pkg.tar",
        "BUILDDIR": str(work / "build"),
    }
    done = subprocess.run(
        ["makepkg", *arguments],
        cwd=work,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
        **settings,
    )
    require(done.returncode == 0, f"makepkg {' '.join(arguments)}: {(done.stdout + done.stderr)[-4000:]}")
    return done.stdout
