"""Which runs GitHub starts for an event, and what an expression of a workflow is worth in a run.

Only what the files of .github use: anything else is an error, so that no condition is believed which was not evaluated.
https://docs.github.com/en/actions/reference/workflows-and-actions has both.
"""

import functools
import json
import re

TOKEN = re.compile(r"\s*('(?:[^']|'')*'|-?\d+(?:\.\d+)?|[A-Za-z_][\w.*-]*|&&|\|\||[=!]=|[<>]=?|[!(),])")
STATUS = ("always", "success", "failure", "cancelled")


def number(value):
    """As GitHub converts the sides of a comparison whose types differ."""
    if value is None or value == "":
        return 0.0
    try:
        return float(value)
    except (TypeError, ValueError):
        return float("nan")


def equal(left, right):
    if isinstance(left, str) and isinstance(right, str):
        return left.lower() == right.lower()
    return left == right if type(left) is type(right) else number(left) == number(right)


def text(value):
    if value is None:
        return ""
    if isinstance(value, bool):
        return str(value).lower()
    return str(value)


def contains(where, what):
    if isinstance(where, list):
        return any(equal(item, what) for item in where)
    return text(what).lower() in text(where).lower()


FUNCTIONS = {
    "contains": contains,
    "startsWith": lambda whole, part: text(whole).lower().startswith(text(part).lower()),
    "endsWith": lambda whole, part: text(whole).lower().endswith(text(part).lower()),
    "format": lambda pattern, *values: pattern.format(*map(text, values)),
    "fromJSON": json.loads,
}
LITERALS = {"true": True, "false": False, "null": None}
COMPARISONS = {
    "==": equal,
    "!=": lambda a, b: not equal(a, b),
    "<": lambda a, b: number(a) < number(b),
    "<=": lambda a, b: number(a) <= number(b),
    ">": lambda a, b: number(a) > number(b),
    ">=": lambda a, b: number(a) >= number(b),
}


class Parser:
    """Makes a function of the context: a mapping from names with their dots to values."""

    def __init__(self, source):
        self.source, self.tokens, place = source, [], 0
        while place < len(source.rstrip()):
            found = TOKEN.match(source, place)
            if not found:
                raise ValueError(f"not an expression that is known: {source}")
            self.tokens.append(found[1])
            place = found.end()
        self.tokens.append("")

    def take(self, *expected):
        if expected and self.tokens[0] not in expected:
            raise ValueError(f"`{self.tokens[0]}` in {self.source}: expected {expected}")
        return self.tokens.pop(0)

    def whole(self):
        found = self.any_of()
        self.take("")
        return found

    def any_of(self):
        return self.joined("||", self.all_of, lambda a, b: lambda known: a(known) or b(known))

    def all_of(self):
        return self.joined("&&", self.compared, lambda a, b: lambda known: a(known) and b(known))

    def joined(self, mark, part, join):
        left = part()
        while self.tokens[0] == mark:
            self.take()
            left = join(left, part())
        return left

    def compared(self):
        left = self.one()
        if self.tokens[0] in COMPARISONS:
            compare, right = COMPARISONS[self.take()], self.one()
            return lambda known: compare(left(known), right(known))
        return left

    def one(self):
        token = self.take()
        if token == "!":
            inner = self.one()
            return lambda known: not inner(known)
        if token == "(":
            inner = self.any_of()
            self.take(")")
            return inner
        if token.startswith("'"):
            inside = token[1:-1].replace("''", "'")
            return lambda known: inside
        if re.fullmatch(r"-?\d+(\.\d+)?", token):
            amount = float(token)
            return lambda known: amount
        if token in LITERALS:
            return lambda known, value=LITERALS[token]: value
        if self.tokens[0] == "(":
            return self.called(token)
        if not re.fullmatch(r"[A-Za-z_][\w.*-]*", token):
            raise ValueError(f"`{token}` in {self.source}")
        return lambda known: known.get(token)

    def called(self, name):
        self.take("(")
        arguments = []
        while self.tokens[0] != ")":
            arguments.append(self.any_of())
            if self.take(",", ")") == ")":
                break
        else:
            self.take(")")
        if name in STATUS:
            return lambda known: name == "always" or known.get("status", "success") == name
        function = FUNCTIONS[name]
        return lambda known: function(*(argument(known) for argument in arguments))


@functools.cache
def parsed(source):
    return Parser(source).whole()


def value(template, known):
    """What a text with `${{ }}` becomes; a single expression keeps its type."""
    template = str(template)
    single = re.fullmatch(r"\$\{\{((?:(?!\}\}).)*)\}\}", template.strip(), re.S)
    if single:
        return parsed(single[1])(known)
    return re.sub(r"\$\{\{(.*?)\}\}", lambda found: text(parsed(found[1])(known)), template, flags=re.S)


@functools.cache
def condition(source):
    """`if:` of a job or step. One that asks for no status holds only where nothing failed before."""
    bare = source.strip()
    if bare.startswith("${{") and bare.endswith("}}"):
        bare = bare[3:-2]
    asks = any(re.search(rf"\b{name}\(\)", bare) for name in STATUS)
    holds = parsed(bare)
    return lambda known: bool((asks or known.get("status", "success") == "success") and holds(known))


def runs(body, known):
    """Whether a job or step runs."""
    return condition(text(body.get("if", "success()")))(known)


@functools.cache
def pattern(source):
    """A filter of branches, tags or paths."""
    parts = {"**": ".*", "*": "[^/]*", "?": "?", "+": "+"}
    found = re.findall(r"\*\*|\*|\?|\+|\[[^\]]*\]|\\.|.", source)
    return re.compile("".join(parts.get(p, p if p[0] in "[\\" else re.escape(p)) for p in found), re.S)


def matches(patterns, name):
    """The last match decides; a pattern with `!` takes out again."""
    found = False
    for one in patterns:
        if pattern(one.removeprefix("!")).fullmatch(name):
            found = not one.startswith("!")
    return found


def passes(filters, key, names):
    """Whether one of the names is wanted by `key`, and one is left by `key-ignore`."""
    wanted, ignored = filters.get(key), filters.get(f"{key}-ignore")
    if wanted is not None and not any(matches(wanted, name) for name in names):
        return False
    return ignored is None or not all(matches(ignored, name) for name in names)


TYPES = {"pull_request": ("opened", "synchronize", "reopened"), "merge_group": ("checks_requested",)}
TYPED = ("pull_request", "merge_group", "workflow_run")


def branch_of(event, payload):
    """What the filter `branches` is compared with."""
    if event == "pull_request":
        return payload["pull_request"]["base"]["ref"]
    if event == "merge_group":
        return payload["merge_group"]["base_ref"].removeprefix("refs/heads/")
    return payload["workflow_run"]["head_branch"]


def starts(on, event, payload, changed=()):
    """Whether an event starts a workflow with this `on:`, given the files that are changed."""
    on = dict.fromkeys([on] if isinstance(on, str) else on) if not isinstance(on, dict) else on
    if event not in on:
        return False
    filters = on[event] if isinstance(on[event], dict) else {}
    if event in TYPED:
        types = filters.get("types", TYPES.get(event, (payload["action"],)))
        if payload["action"] not in types or not passes(filters, "branches", [branch_of(event, payload)]):
            return False
    if event == "workflow_run" and payload["workflow_run"]["name"] not in filters.get("workflows", ()):
        return False
    if event == "push":
        kind, other = (
            ("branches", "tags") if payload["ref"].startswith("refs/heads/") else ("tags", "branches")
        )
        named = {name.removesuffix("-ignore") for name in filters}
        if kind not in named and other in named:
            return False
        if not passes(filters, kind, [payload["ref"].split("/", 2)[2]]):
            return False
        if kind == "tags":
            return True
    return event not in ("push", "pull_request") or passes(filters, "paths", list(changed))
