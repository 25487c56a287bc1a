"""The lines of functions in Rust source, and those that a diff changes. For scripts/evidence/corpus."""

import re

# What has no braces that count: comments, strings and characters.
QUIET = re.compile(
    r"//[^\n]*|/\*.*?\*/|b?r(#*)\".*?\"\1|b?\"(?:\\.|[^\"\\])*\"|b?'(?:\\(?:x..|u\{[^}]*\}|.)|[^'\\\n])'",
    re.DOTALL,
)
HUNK = re.compile(r"^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@", re.MULTILINE)


def ranges(source, name):
    """The lines of every `fn` of this name, from the line of `fn` to that of its closing brace."""
    plain = QUIET.sub(lambda found: re.sub(r"[^\n]", " ", found[0]), source)
    found = []
    for start in re.finditer(rf"\bfn\s+{re.escape(name)}\b", plain):
        depth = 0
        for at in range(start.end(), len(plain)):
            if plain[at] == ";" and depth == 0 and not plain[start.end() : at].count("["):
                break  # declared, and not defined
            depth += {"{": 1, "}": -1}.get(plain[at], 0)
            if plain[at] == "}" and depth == 0:
                first = plain.count("\n", 0, start.start()) + 1
                found.append(range(first, plain.count("\n", 0, at) + 2))
                break
    return found


def changed(diff, side):
    """The lines that `git diff -U0` removes (side 0) or adds (side 1)."""
    lines = set()
    for hunk in HUNK.finditer(diff):
        first, count = hunk.group(1 + 2 * side), hunk.group(2 + 2 * side)
        lines.update(range(int(first), int(first) + int(count if count is not None else 1)))
    return lines
