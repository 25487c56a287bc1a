"""Whether everything fits the tag, and the release notes."""

import os
import re

from project import PLACEHOLDER, Failed, note, require

HEADING = re.compile(r"^## (?:(Unreleased)|(\d+\.\d+\.\d+\S*) \((\d{4}-\d{2}-\d{2})\))$", re.M)
# [text](target), without what is a web page already.
LINK = re.compile(r"(\[[^\]]*\]\()(?!https?://)([^)\s#]*)(#[^)\s]*)?\)")


def sections(project):
    """Title, and what is below it, of each release of the changelog."""
    text = (project.root / "CHANGELOG.md").read_text()
    parts = re.split(r"^(?=## )", text, flags=re.M)[1:]
    found = []
    for part in parts:
        title, _, body = part.partition("\n")
        heading = HEADING.match(title)
        require(
            heading,
            f"CHANGELOG.md: `{title}` is not a heading of a release: expected `## VERSION (YYYY-MM-DD)`",
        )
        found.append((heading[1] or heading[2], body.strip()))
    return found


def section(project):
    """The entry of this version, or of what is not yet released when no tag asks for more."""
    found = [entry for entry in sections(project) if entry[0] != "Unreleased" or entry[1]]
    require(found, "CHANGELOG.md has no entry")
    title, body = found[0]
    if title == project.version:
        return title, body
    if project.options.tag or title != "Unreleased":
        raise Failed(
            f"CHANGELOG.md: the first entry is `## {title}`, expected `## {project.version} (YYYY-MM-DD)`\n"
            "help: rename the heading, with the day of the release, and commit"
        )
    return title, body


def state(project):
    tag = project.options.tag
    require(
        tag in (None, project.tag),
        f"the tag is `{tag}`, and Cargo.toml says version `{project.version}`: expected `{project.tag}`",
    )
    title, _ = section(project)
    note(f"version {project.version}, tag {project.tag}, entry of CHANGELOG.md: {title}")
    if title != project.version:
        project.not_done.append(f"CHANGELOG.md has no `## {project.version} (YYYY-MM-DD)` yet")
    clean = project.committed()
    if not clean:
        require(
            project.options.quick,
            "the working tree has changes, and a release is made of a commit\n"
            "help: commit or stash them; --quick goes on without",
        )
        note("the working tree has changes: what is made here is not of a commit")
    existing = project.git("rev-parse", "--verify", "--quiet", f"{project.tag}^{{commit}}", status=None)
    head = project.git("rev-parse", "HEAD").stdout.strip()
    if existing.returncode == 0:
        require(
            existing.stdout.strip() == head or not tag,
            f"the tag {project.tag} is {existing.stdout.strip()[:12]}, and this is {head[:12]}",
        )
    owner = project.name.split("/")[0]
    here = os.environ.get("GITHUB_REPOSITORY")
    if owner == PLACEHOLDER:
        require(
            not tag,
            f"Cargo.toml: `repository` is {project.repository}\n"
            f"help: write the owner of this repository instead of {PLACEHOLDER}, and run `scripts/test`",
        )
        project.not_done.append(f"`repository` of Cargo.toml names no owner: {project.repository}")
    elif tag and here:
        require(
            here == project.name, f"Cargo.toml: `repository` is {project.repository}; this runs in {here}"
        )
    note(f"commit {head[:12]} of {project.repository}")


def absolute(project, text):
    """Links of a file at the top of the repository, for a page elsewhere."""

    def replace(link):
        path = link[2] or "CHANGELOG.md"
        require((project.root / path).exists(), f"CHANGELOG.md links to `{path}`, which does not exist")
        return f"{link[1]}{project.repository}/blob/{project.tag}/{path}{link[3] or ''})"

    return LINK.sub(replace, text)


def render(project):
    _, body = section(project)
    text = f"""{absolute(project, body)}

## Install

```sh
cargo binstall benchgate            # the static binary for Linux on x86-64 or aarch64
cargo install --locked benchgate    # from source
```

Arch and Manjaro: `benchgate-bin` or `benchgate` in the AUR.

## Verify

```sh
sha256sum --check --ignore-missing SHA256SUMS
gh attestation verify FILE --repo {project.name}
```
"""
    require(not LINK.search(text), "the release notes hold a relative link")
    (project.files / "release-notes.md").write_text(text)
    note(f"release-notes.md: {len(text.splitlines())} lines")
