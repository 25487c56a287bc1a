"""Rules of `scripts/workflow-audit` on what runs when, on which machine, and with what.

MEANT says in which situation each job and each step runs, in words of its own; the condition in the file is evaluated in
every situation and compared. What a step is given is compared with what its script reads.
"""

import functools
import itertools
import json
import re
from pathlib import Path

import yaml
from github_events import runs, starts, text, value

ROOT = Path(__file__).resolve().parent.parent
CI = ROOT / "scripts/ci"
MODULES = ROOT / ".github/actions/report/modules"


@functools.cache
def parsed_yaml(source):
    """Nobody changes what was parsed: each rule reads every file."""
    return yaml.load(source, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))


# A label that is none of these is a machine of one's own: it needs no `self-hosted`, as that of a scale set does not.
GITHUBS = re.compile(r"ubuntu-(latest|slim|\d\d\.\d\d)(-arm)?")


def labels_of(body):
    return [body["runs-on"]] if isinstance(body["runs-on"], str) else body["runs-on"]


def is_own(body):
    """Whether a job runs on a machine that GitHub does not host."""
    return not all(GITHUBS.fullmatch(label) for label in labels_of(body))


def of_action(step, name):
    """Whether a step uses this action of ours."""
    return bool(re.search(rf"\.github/actions/{name}(@|$)", step.get("uses", "")))


def groups(all_files):
    """The steps of each job and action, in their order."""
    found = {}
    for where, step in all_files.steps():
        found.setdefault(where, []).append(step)
    return found


# What starts a workflow.


def of_pull(base):
    return "pull_request", {"action": "synchronize", "pull_request": {"base": {"ref": base}}}


def of_run(name, action):
    return "workflow_run", {"action": action, "workflow_run": {"name": name, "head_branch": "x"}}


QUEUE = {"action": "checks_requested", "merge_group": {"base_ref": "refs/heads/main"}}
EVENTS = {
    "a pull request onto main": of_pull("main"),
    "a pull request onto another branch": of_pull("release/1"),
    "a merge queue": ("merge_group", QUEUE),
    "a push to main": ("push", {"ref": "refs/heads/main"}),
    "a push to another branch": ("push", {"ref": "refs/heads/x/y"}),
    "a tag of a version": ("push", {"ref": "refs/tags/v1.2.3"}),
    "another tag": ("push", {"ref": "refs/tags/x"}),
    "a person": ("workflow_dispatch", {}),
    "the clock": ("schedule", {}),
    **{
        f"{of} {word}": of_run(name, action)
        for of, name in (("a gate's run", "GATE"), ("another run", "ci"))
        for word, action in (("asked for", "requested"), ("begun", "in_progress"), ("ended", "completed"))
    },
}
CHANGES = {
    "a pull request onto main",
    "a pull request onto another branch",
    "a merge queue",
    "a push to main",
}
STARTED_BY = {
    "anchor": {"the clock", "a person"},
    "baseline": {"a person"},
    "bench": CHANGES | {"a person"},
    "bisect": {"a person"},
    "ci": CHANGES | {"the clock"},
    "release": {"a tag of a version"},
    "report": {"a gate's run asked for", "a gate's run begun", "a gate's run ended"},
}


def workflows_start_when_they_are_meant_to(files):
    for workflow, parsed in files.workflows():
        gate = "bench" if parsed["name"] in ("report", "bench") else "benchgate"
        for what, (event, payload) in EVENTS.items():
            named = json.loads(json.dumps(payload).replace("GATE", gate))
            found, meant = starts(parsed["on"], event, named), what in STARTED_BY.get(workflow, ())
            if found != meant:
                yield f"{workflow}: {what} {'starts it' if found else 'does not start it'}"


# When jobs and steps run.

# Each name that a condition may ask for, and what it may be.
ANSWER = ("", "true", "false")
ENDED = ("success", "failure", "skipped")
FACTS = {
    "status": ("success", "failure"),
    "github.event_name": ("pull_request", "merge_group", "push", "workflow_dispatch", "schedule"),
    "github.ref_name": ("main", "x"),
    "github.ref": ("refs/heads/main", "refs/heads/x"),
    "github.repository": ("o/r",),
    "github.event.repository.default_branch": ("main", "trunk"),
    "github.event.pull_request.head.repo.full_name": ("o/r", "other/r"),
    "github.event.pull_request.user.type": ("User", "Bot"),
    "github.run_attempt": ("1", "2"),
    "github.triggering_actor": ("somebody", "some[bot]"),
    "vars.BENCHGATE_JAVA": ("", "measure"),
    "github.event.action": ("requested", "in_progress", "completed"),
    "github.event.workflow_run.event": ("pull_request", "merge_group", "push", "workflow_dispatch"),
    "github.event.workflow_run.head_branch": ("main", "x"),
    "inputs.method": ("paired", "baseline", "anchor", "save-baseline", "bisect", "merge"),
    "needs.release.outputs.exists": ANSWER,
    "inputs.shard": ("", "1", "2"),
    "inputs.part": ("pending", "render", "post", "history", "propose-baseline", "x"),
    "steps.tools.outputs.cache-hit": ANSWER,
    "steps.registry.outputs.cache-hit": ANSWER,
    "steps.registry.outputs.cache-matched-key": ("", "a key"),
    "steps.cache.outputs.cache-hit": ANSWER,
    "steps.cache.outputs.cache-matched-key": ("", "a key"),
    "steps.renderer.outputs.cache-hit": ANSWER,
    "steps.fetch.outputs.complete": ANSWER,
    "steps.fill.outputs.filled": ANSWER,
    "steps.bases.outputs.path": ("", "a path"),
    "steps.bisect.outputs.found": ("", "true"),
    "steps.check.outputs.state": ("", "result", "absent"),
    "steps.page.outputs.written": ANSWER,
    **{f"steps.{step}.outcome": ENDED for step in ("guard", "record", "save")},
}


def of_default(k):
    return k["github.ref"] == f"refs/heads/{k['github.event.repository.default_branch']}"


def filled(k):
    """What fills the caches."""
    return k["github.event_name"] == "push" and (
        k["github.ref_name"] == k["github.event.repository.default_branch"]
    )


def trusted(k):
    """What a machine of one's own measures."""
    if k["github.event_name"] != "pull_request":
        return True
    is_bots = k["github.event.pull_request.user.type"] == "Bot"
    is_read = k["github.run_attempt"] != "1" and k["github.triggering_actor"] == "somebody"
    return k["github.event.pull_request.head.repo.full_name"] == "o/r" and (is_read or not is_bots)


def reported(k):
    return k["github.event.action"] == "completed" and (
        k["github.event.workflow_run.event"] != "workflow_dispatch"
    )


TRUSTED = (
    "github.event_name",
    "github.event.pull_request.head.repo.full_name",
    "github.event.pull_request.user.type",
    "github.run_attempt",
    "github.triggering_actor",
)
FILLS = ("github.event_name", "github.ref_name", "github.event.repository.default_branch")
OF_RUN = ("github.event.action", "github.event.workflow_run.event")


class When:
    """In which situations something runs, and what decides that. Without `whatever` nothing before it may have failed."""

    def __init__(self, holds=lambda k: True, *asks, whatever=False):
        self.asks = asks
        self.holds = lambda k: holds(k) and (whatever or k["status"] == "success")


def when_method(*methods):
    return When(lambda k: k["inputs.method"] in methods, "inputs.method")


def when_not(*methods):
    return When(lambda k: k["inputs.method"] not in methods, "inputs.method")


def when_filled(name, answer, wanted=True):
    """A push to the default branch where a step answered so, or did not."""
    return When(lambda k: filled(k) and (k[name] == answer) == wanted, *FILLS, name)


def when_part(part):
    return When(lambda k: k["inputs.part"] == part, "inputs.part")


def when_is(name, answer):
    return When(lambda k: k[name] == answer, name)


def when_is_not(name, answer):
    return When(lambda k: k[name] != answer, name)


RESULT = "steps.check.outputs.state"
NO_RENDERER = When(
    lambda k: k[RESULT] == "result" and k["steps.renderer.outputs.cache-hit"] != "true",
    RESULT,
    "steps.renderer.outputs.cache-hit",
)
RECORDED, SAVED, FOUND = "steps.record.outcome", "steps.save.outcome", "steps.bisect.outputs.found"
TAGGED = "needs.release.outputs.exists"
RESULTS = ("paired", "baseline", "anchor", "merge")
MEANT = {
    "actions/benchgate/action.yml": {
        "guard.sh": When(),
        "checkout": When(),
        "rust-toolchain": When(),
        "cache-keys.sh": When(),
        "restore benchgate-tools": When(),
        "restore registry": When(),
        "verify-downloads": when_is("steps.registry.outputs.cache-matched-key", "a key"),
        "install-tools.sh": when_is_not("steps.tools.outputs.cache-hit", "true"),
        "fetch.sh": when_filled("steps.registry.outputs.cache-hit", "true", wanted=False),
        "save benchgate-tools": when_filled("steps.tools.outputs.cache-hit", "true", wanted=False),
        "save registry": When(
            lambda k: (
                filled(k)
                and k["steps.registry.outputs.cache-hit"] != "true"
                and k["steps.fetch.outputs.complete"] == "true"
            ),
            *FILLS,
            "steps.registry.outputs.cache-hit",
            "steps.fetch.outputs.complete",
        ),
        "revisions.sh": when_not("save-baseline"),
        "bases.sh": when_method("paired"),
        "restore bases": when_is("steps.bases.outputs.path", "a path"),
        "fill.sh": When(
            lambda k: filled(k) and k["steps.bases.outputs.path"] != "" and k["inputs.shard"] != "2",
            *FILLS,
            "steps.bases.outputs.path",
            "inputs.shard",
        ),
        "save bases": when_filled("steps.fill.outputs.filled", "true"),
        "valgrind.sh": when_not("merge", "save-baseline"),
        "doctor.sh": when_not("merge"),
        "save-baseline.sh": when_method("save-baseline"),
        "download benchgate-shards": when_method("merge"),
        "download benchgate-earlier": When(
            lambda k: (
                k["inputs.method"] == "paired" and k["inputs.shard"] == "" and k["github.run_attempt"] == "2"
            ),
            "inputs.method",
            "inputs.shard",
            "github.run_attempt",
        ),
        "bisect.sh": when_method("bisect"),
        "check.sh": when_method(*RESULTS),
        "record.sh": When(
            lambda k: k["steps.guard.outcome"] == "success" and k["inputs.method"] in RESULTS,
            "steps.guard.outcome",
            "inputs.method",
            whatever=True,
        ),
        "critcmp-tables": When(lambda k: k[RECORDED] == "success", RECORDED, whatever=True),
        "upload benchgate-artifact": When(
            lambda k: "success" in (k[RECORDED], k[SAVED]) or k[FOUND] == "true",
            RECORDED,
            SAVED,
            FOUND,
            whatever=True,
        ),
        "upload benchgate-page": When(
            lambda k: k[RECORDED] == "success" or k[FOUND] == "true", RECORDED, FOUND, whatever=True
        ),
        "verdict.sh": When(lambda k: k["inputs.method"] != "save-baseline", "inputs.method", whatever=True),
    },
    "actions/report/action.yml": {
        "pending": when_part("pending"),
        "download benchgate-attempts": when_part("render"),
        "check": when_part("render"),
        "cache-keys.sh": when_is(RESULT, "result"),
        "restore benchgate-renderer": when_is(RESULT, "result"),
        "rust-toolchain": NO_RENDERER,
        "install-renderer.sh": NO_RENDERER,
        "save benchgate-renderer": NO_RENDERER,
        "fetch-history.sh": when_is(RESULT, "result"),
        "renderPage": when_is(RESULT, "result"),
        "upload benchgate-page": when_is("steps.page.outputs.written", "true"),
        "renderResult": when_is(RESULT, "result"),
        "post": when_part("post"),
        "keep": when_part("history"),
        "download benchgate-baseline": when_part("propose-baseline"),
        "propose": when_part("propose-baseline"),
        "a script": when_part("x"),
    },
    "anchor": {
        "release": When(),
        "measure": When(
            lambda k: of_default(k) and k[TAGGED] == "true",
            "github.ref",
            "github.event.repository.default_branch",
            TAGGED,
        ),
    },
    "baseline": {
        "measure": When(of_default, "github.ref", "github.event.repository.default_branch"),
        "propose": When(),
    },
    "bench": {
        "measure": When(trusted, *TRUSTED),
        "java": When(
            lambda k: trusted(k) and k["vars.BENCHGATE_JAVA"] == "measure", *TRUSTED, "vars.BENCHGATE_JAVA"
        ),
        "gate": When(whatever=True),
    },
    "bisect": {
        "search": When(),
        "render": When(lambda k: k["needs.search.result"] != "skipped", whatever=True),
        "post": When(lambda k: k["needs.render.result"] == "success", whatever=True),
    },
    "ci": {
        "test": When(lambda k: k["github.event_name"] != "schedule", "github.event_name"),
        "advisories": When(lambda k: k["github.event_name"] == "schedule", "github.event_name"),
        "evidence": When(lambda k: k["github.event_name"] == "schedule", "github.event_name"),
    },
    "report": {
        "pending": When(
            lambda k: (
                k["github.event.action"] != "completed"
                and k["github.event.workflow_run.event"] != "workflow_dispatch"
            ),
            *OF_RUN,
        ),
        "render": When(reported, *OF_RUN),
        "post": When(reported, *OF_RUN, whatever=True),
        "history": When(
            lambda k: (
                reported(k)
                and k["github.event.workflow_run.event"] == "push"
                and k["github.event.workflow_run.head_branch"] == k["github.event.repository.default_branch"]
            ),
            *OF_RUN,
            "github.event.workflow_run.head_branch",
            "github.event.repository.default_branch",
        ),
    },
    "release": {
        job: When() for job in ("crates", "binaries", "assemble", "attest", "draft", "publish", "finish")
    },
}
# Jobs that one waits for, and no more.
AFTER = {
    ("anchor", "measure"): {"release"},
    ("baseline", "propose"): {"measure"},
    ("bisect", "render"): {"search"},
    ("bisect", "post"): {"render"},
    ("report", "post"): {"render"},
    ("report", "history"): {"render"},
    ("release", "assemble"): {"crates", "binaries"},
    ("release", "attest"): {"assemble"},
    ("release", "draft"): {"attest"},
    ("release", "publish"): {"draft"},
    ("release", "finish"): {"publish"},
}


def needed(body):
    needs = body.get("needs", [])
    return [needs] if isinstance(needs, str) else needs


NAME = re.compile(r"'[^']*'|(?<![\w.-])[a-z]+(?:\.[\w-]+)+")


def does(step):
    """What a step does, by what it runs or uses."""
    script, uses = step.get("run", ""), step.get("uses", "").split("@")[0]
    called = re.search(r"\.cjs`\)\.(\w+)\(", str(step.get("with", {}).get("script", "")))
    if called:
        return called[1]
    if not uses:
        named = re.search(r"scripts/(?:ci/)?([\w./-]+)", script)
        return named[1] if named else "a script"
    path = str(step.get("with", {}).get("path", ""))
    folder = re.search(r"benchgate-[a-z]+", path)
    what = "registry" if "registry" in path else "bases" if ".bases." in path else folder and folder[0]
    word = {"upload-artifact": "upload", "download-artifact": "download"}.get(
        uses.split("/")[1], uses.split("/")[-1]
    )
    return f"{word} {what}" if word in ("save", "restore", "upload", "download") else word


def situations(body, when, needs, deep):
    """Every combination of what decides, or is asked for. Of a job whose needs have needs, nothing before those may have
    failed either."""
    source = text(body.get("if"))
    asked = {name for name in NAME.findall(source) if not name.startswith("'")}
    facts = {**FACTS, **{f"needs.{job}.result": ENDED for job in needs}}
    unknown = asked - facts.keys()
    if unknown:
        raise ValueError(f"asks for {', '.join(sorted(unknown))}, of which no rule knows")
    names = sorted({"status", *asked, *when.asks, *(name for name in facts if name.endswith(".result"))})
    for values in itertools.product(*(facts[name] for name in names)):
        known = dict(zip(names, values, strict=True))
        known.setdefault("github.repository", "o/r")
        ended = {known[f"needs.{job}.result"] for job in needs}
        # Where nothing before it failed, and where something did.
        may_be = ended <= {"success"} if known["status"] == "success" else ended != {"success"} or deep
        if may_be:
            yield known


def differs(body, when, needs=(), deep=False):
    """The first situation in which a job or step does not run as it is meant to."""
    try:
        for known in situations(body, when, needs, deep):
            if runs(body, known) != when.holds(known):
                said = ", ".join(f"{name} is {value or 'empty'}" for name, value in known.items())
                return f"{'does not run' if when.holds(known) else 'runs'} where {said}"
    except ValueError as error:
        return str(error)
    return ""


def each_part_runs_when_it_is_meant_to(files):
    for name, source in files.texts.items():
        if name in MEANT:
            steps = [(does(step), step) for step in parsed_yaml(source)["runs"]["steps"]]
            for missing in MEANT[name].keys() - {what for what, _ in steps}:
                yield f"{name}: nothing does {missing}"
            for what, step in steps:
                if what not in MEANT[name]:
                    yield f"{name}: no rule knows when {what} runs"
                elif found := differs(step, MEANT[name][what]):
                    yield f"{name}: {what} {found}"
    for workflow, job, body in files.jobs():
        when = MEANT.get(workflow, {}).get(job)
        needs = needed(body)
        if when is None:
            yield f"{workflow}.{job}: no rule knows when it runs"
            continue
        if (workflow, job) == ("bench", "measure") and not is_own(body):
            when = When()
        after = AFTER.get((workflow, job), set())
        if job != "gate" and set(needs) != after:
            yield f"{workflow}.{job}: waits for {needs or 'nothing'}, not for {sorted(after) or 'nothing'}"
        elif found := differs(body, when, needs, deep=any((workflow, other) in AFTER for other in needs)):
            yield f"{workflow}.{job}: {found}"


def steps_of_jobs_run(files):
    """In a workflow a step has a condition only where a cache is filled, or the verdict is said."""
    for workflow, job, body in files.jobs():
        for step in body["steps"]:
            what = does(step)
            when = {"verify-downloads": when_is("steps.cache.outputs.cache-matched-key", "a key")}.get(what)
            if what == "fetch.sh":
                when = when_filled("steps.cache.outputs.cache-hit", "true", wanted=False)
            elif what == "save registry":
                when = when_filled("steps.fetch.outputs.complete", "true")
            elif (workflow, job, what) == ("bench", "gate", "a script") and step is body["steps"][-1]:
                when = None if "if" not in step else When(whatever=True)
            if found := differs(step, when or When()):
                yield f"{workflow}.{job}: {what} {found}"


# What a step is given.

# Of the runner, or of the system.
GIVEN = re.compile(
    r"(GITHUB|ACTIONS|BASH|GIT|CARGO)_\w+|RUNNER_(TEMP|OS|ARCH|ENVIRONMENT)|HOME|PATH|PWD|EUID|UID|BASH_SOURCE|WORKING_DIRECTORY"
)
SHELL = re.compile(r"\$\{?([A-Z][A-Z0-9_]+)")


# A line that sets variables and runs nothing with them.
ASSIGNS = re.compile(r"\s*(?:export |local )?(?:\w+=(?:\$\(.*\)|\"[^\"]*\"|[^\s\"]*)\s*)+(?:#.*)?")


@functools.cache
def read_by_shell(script):
    """Variables that a script reads and does not set, and those of the programs next to it that it runs."""
    lines = [line for line in script.splitlines() if not line.lstrip().startswith("#")]
    code = "\n".join(lines)
    assigned = {
        name
        for line in lines
        if ASSIGNS.fullmatch(line)
        for name in re.findall(r"\b([A-Z][A-Z0-9_]+)=", line)
    }
    found = {name for name in SHELL.findall(code) if name not in assigned}
    for program in re.findall(r"\$SOURCE/scripts/ci/([\w-]+)\"", code):
        handed = set(re.findall(r"\b([A-Z][A-Z0-9_]+)=\S+ (?=.*scripts/ci/)", code))
        found |= set(re.findall(r'\bof\("([A-Z_]+)"', (CI / program).read_text())) - handed
    return {name for name in found if not GIVEN.fullmatch(name)}


@functools.cache
def of_common():
    """What common.sh and the constants set for each script."""
    texts = [(CI / name).read_text() for name in ("common.sh", "constants.sh")]
    return {name for source in texts for name in re.findall(r"(?m)^(?:export )?([A-Z][A-Z0-9_]+)=", source)}


@functools.cache
def functions_of(module):
    """Each function of a module, by name."""
    parts = re.split(r"(?m)^(?=(?:async )?function )", (MODULES / f"{module}.cjs").read_text())
    return {re.match(r"(?:async )?function (\w+)", part)[1]: part.split("\n}\n")[0] for part in parts[1:]}


@functools.cache
def read_by_module(module, function):
    """Variables that a function of a module reads, in those that it hands its environment to as well."""
    source = functions_of(module)[function]
    found = set(re.findall(r"\b(?:process\.)?env\.([A-Z_]+)", source))
    # `{ A, B: b } = env`, also as the parameter of a function that is handed it.
    for names in re.findall(r"\{([^{}]*)\} = env\b|function \w+\(\{([^{}]*)\},", source):
        found |= set(re.findall(r"\b([A-Z_]{2,})\b", " ".join(names)))
    for other, called, arguments in re.findall(r"\b(?:(\w+)\.)?(\w+)\(([^;]*?)\)", source):
        home = other or module
        if called != function and re.search(r"\benv\b", arguments):
            home = home if (MODULES / f"{home}.cjs").exists() else module
            if called in functions_of(home):
                found |= read_by_module(home, called)
    return frozenset(name for name in found if not GIVEN.fullmatch(name))


def read_by(step):
    """What the script of a step reads of its environment, or nothing where it is another program's to say."""
    given, run = str(step.get("with", {}).get("script", "")), step.get("run", "")
    called = re.search(r"/(\w+)\.cjs`\)\.(\w+)\(", given)
    if called:
        return {"MODULES", *read_by_module(called[1], called[2])}
    script = re.search(r"scripts/ci/([\w-]+\.sh)", run)
    inline = read_by_shell(run)
    return inline | (read_by_shell((CI / script[1]).read_text()) - of_common() if script else set())


# Read by a program that the script starts.
ALSO_READ = {"gh": {"GH_TOKEN", "GH_REPO"}, "publish": {"CARGO_REGISTRY_TOKEN"}}


def scripts_are_given_what_they_read(files):
    """A variable that is not given is empty, and an option that is empty is the default or none at all."""
    for where, step in files.steps():
        if step.get("uses", "") and "github-script" not in step["uses"]:
            continue
        given = {name for name in step.get("env") or {} if name != "WORKING_DIRECTORY"}
        wanted = set(read_by(step))
        for program, names in ALSO_READ.items():
            wanted |= names if re.search(rf"\b{program}\b", step.get("run", "")) else set()
        for name in sorted(wanted - given):
            yield f"{where}: {does(step)} reads {name}, which it is not given"
        for name in sorted(given - wanted):
            yield f"{where}: {does(step)} is given {name}, which it does not read"


# What each job is there for: a step whose script holds this, or which uses this action of ours, in this part.
PURPOSES = {
    ("anchor", "release"): "git tag --merged",
    ("anchor", "measure"): "benchgate",
    ("baseline", "measure"): "benchgate",
    ("baseline", "propose"): "report propose-baseline",
    ("bench", "measure"): "benchgate",
    ("bench", "java"): "benchgate",
    ("bench", "gate"): 'end 0 "pass',
    ("bisect", "search"): "benchgate",
    ("bisect", "render"): "report render",
    ("bisect", "post"): "report post",
    ("ci", "test"): "scripts/test",
    ("ci", "advisories"): "scripts/test --advisories deny",
    ("ci", "evidence"): "scripts/evidence/again",
    ("release", "crates"): "state notes crates install",
    ("release", "binaries"): "state binary",
    ("release", "assemble"): "--complete state assemble",
    ("release", "attest"): "actions/attest",
    ("release", "draft"): "gh release create",
    ("release", "publish"): "scripts/releasing/publish",
    ("release", "finish"): "gh release edit",
    ("report", "pending"): "report pending",
    ("report", "render"): "report render",
    ("report", "post"): "report post",
    ("report", "history"): "report history",
}


def purpose_of(step):
    for action in ("benchgate", "report"):
        if of_action(step, action):
            return f"{action} {step['with'].get('part', '')}".strip()
    return step.get("uses", "").split("@")[0] or step.get("run", "")


def each_job_does_what_it_is_there_for(files):
    for workflow, job, body in files.jobs():
        purpose = PURPOSES.get((workflow, job))
        if purpose is None or not any(purpose in purpose_of(step) for step in body["steps"]):
            yield f"{workflow}.{job}: nothing does {purpose}"
        # With an argument more it is a part of the tests.
        if workflow == "ci" and not any(purpose == purpose_of(step) for step in body["steps"]):
            yield f"{workflow}.{job}: does another thing than {purpose}"


# What has to come before a step that runs this.
RUST = r"\bcargo |scripts/(test|release|evidence/again)\b|scripts/releasing/publish"
BEFORE = (
    (RUST, r"dtolnay/rust-toolchain"),
    (r"evidence/again", r"install .*\bvalgrind"),
    (r"state assemble", r"install .*\bmakepkg"),
    (r"RUNNER_TEMP/(made|released)\b", r"actions/download-artifact"),
)
# What release.yml builds for: the tests compile for it.
RELEASED = ("x86_64-unknown-linux-musl", "aarch64-unknown-linux-musl")
# What a step needs of its toolchain or checkout.
WANTS = (
    (r"scripts/test$", "dtolnay/rust-toolchain", "components", "clippy, rustfmt"),
    (r"scripts/test$", "actions/checkout", "fetch-depth", 0),
    (r"scripts/test$", "dtolnay/rust-toolchain", "targets", ", ".join(RELEASED)),
    (r"--target ", "dtolnay/rust-toolchain", "targets", "${{ matrix.target }}"),
)


def what_a_step_needs_comes_before_it(files):
    for workflow, job, body in files.jobs():
        done, folders = "", set()
        for step in body["steps"]:
            run, uses = re.sub(r"(?m)^\s*#.*$", "", step.get("run", "")), step.get("uses", "")
            local = re.match(r"\./(?:(\w+)/)?\.github/", uses)
            of_checkout = "scripts/" in run or re.search(r"\bcargo ", run)
            folder = (local[1] or ".") if local else "." if of_checkout else ""
            if folder and folder not in folders:
                yield f"{workflow}.{job}: {does(step)} comes from no checkout"
            for pattern, before in BEFORE:
                if re.search(pattern, run) and not re.search(before, done):
                    yield f"{workflow}.{job}: {does(step)} without {before}"
            for pattern, action, name, wanted in WANTS:
                given = [
                    s.get("with", {}).get(name) for s in body["steps"] if s.get("uses", "").startswith(action)
                ]
                if re.search(pattern, run) and given != [wanted]:
                    yield f"{workflow}.{job}: {does(step)} needs {name}: {wanted} of {action}"
            if re.search(r"\bcargo (?!.*--locked)", run):
                yield f"{workflow}.{job}: takes other versions than those of Cargo.lock"
            if uses.startswith("actions/checkout@"):
                folders.add(step.get("with", {}).get("path", "."))
            done += f"{uses} {run}\n"
        ids = {step.get("id") for step in body["steps"]}
        for name in set(re.findall(r"steps\.([\w-]+)\.", str(body))) - ids:
            yield f"{workflow}.{job}: reads of the step {name}, which there is not"
        for name in set(re.findall(r"needs\.([\w-]+)\.", str(body))) - set(needed(body)):
            yield f"{workflow}.{job}: reads of the job {name}, for which it does not wait"
        legs = body.get("strategy", {}).get("matrix", {}).get("include", ())
        for name in set(re.findall(r"matrix\.([\w-]+)", str(body))):
            if legs and all(name in leg for leg in legs):
                continue
            yield f"{workflow}.{job}: reads {name} of a matrix that does not give it"


# As scripts/runner/register-runner registers it.
OWN = {"self-hosted", "linux", "x64", "manjaro", "bench"}


def jobs_run_on_machines_that_there_are(files):
    for workflow, job, body in files.jobs():
        labels = labels_of(body)
        if labels == ["${{ matrix.machine }}"]:
            labels = [
                entry["machine"] for entry in body.get("strategy", {}).get("matrix", {}).get("include", ())
            ]
        if not labels or not (set(labels) == OWN or all(GITHUBS.fullmatch(label) for label in labels)):
            yield f"{workflow}.{job}: waits for a machine that nobody has: {labels}"


# What events carry, as far as a `ref` asks for it.
COMMITS = (
    (
        "pull_request",
        {"github.event.pull_request.base.sha": "BASE", "github.event.pull_request.head.sha": "HEAD"},
    ),
    (
        "merge_group",
        {"github.event.merge_group.base_sha": "BASE", "github.event.merge_group.head_sha": "HEAD"},
    ),
    ("push", {"github.event.before": "BASE"}),
    ("workflow_dispatch", {}),
)


def checked_out(step, known):
    """Which commit: GitHub's own choice for a pull request is a merge that nobody pushed."""
    common = {"github.sha": "SHA", "github.event.repository.default_branch": "DEFAULT"}
    return value(step.get("with", {}).get("ref", "a commit that it does not name"), {**common, **known})


def each_checkout_is_of_the_commit_that_is_meant(files):
    for workflow, parsed in files.workflows():
        for job, body in parsed["jobs"].items():
            uses_ours = any(step.get("uses", "").startswith("./") for step in body["steps"])
            for step in body["steps"] if uses_ours else ():
                for event, known in COMMITS if step.get("uses", "").startswith("actions/checkout@") else ():
                    meant = known.get(
                        f"github.event.{event}.base{'.' if event == 'pull_request' else '_'}sha", "SHA"
                    )
                    if any(of_action(s, "report") for s in body["steps"]) and workflow != "baseline":
                        meant = "DEFAULT"
                    found = checked_out(step, known)
                    if (event in parsed["on"] or meant == "DEFAULT") and found != meant:
                        yield f"{workflow}.{job}: runs code of {found} for {event}, not of {meant}"
    for step in groups(files).get("actions/benchgate/action.yml", ()):
        if step.get("uses", "").startswith("actions/checkout@"):
            given = step["with"]
            if given.get("path") != "${{ inputs.working-directory }}" or given.get("fetch-depth") != 0:
                yield "benchgate: the history of the head is not where it is measured"
            for event, known in COMMITS:
                meant = "HEAD" if "HEAD" in known.values() else "SHA"
                if checked_out(step, known) != meant:
                    yield f"benchgate: measures {checked_out(step, known)} for {event}, not {meant}"


# Scripts of the action that need no workspace.
ANYWHERE = ("guard.sh", "install-tools.sh", "bases.sh", "valgrind.sh", "verdict.sh")
AT_HEAD = "${{ inputs.working-directory }}"


def scripts_run_in_their_folder(files):
    for step in groups(files).get("actions/benchgate/action.yml", ()):
        what = does(step)
        meant = (
            None
            if what in ANYWHERE
            else AT_HEAD
            if what == "revisions.sh"
            else AT_HEAD + "/${{ inputs.workspace }}"
        )
        if "run" in step and step.get("working-directory") != meant:
            yield f"benchgate: {what} runs in {step.get('working-directory')}, not in {meant}"
    for workflow, job, body in files.jobs():
        downloads = [s["with"]["path"] for s in body["steps"] if "download-artifact" in s.get("uses", "")]
        for step in body["steps"]:
            reads = re.search(r"SHA256SUMS|release-notes", step.get("run", ""))
            if reads and step.get("working-directory") not in downloads:
                yield f"{workflow}.{job}: {reads[0]} is not in the folder that it runs in"


def the_report_asks_with_the_token_that_it_was_given(files):
    """Without it an action takes the job's: a GitHub App writes nothing then, and another run's artifact is not found."""
    for step in groups(files).get("actions/report/action.yml", ()):
        is_other_runs = does(step) == "download benchgate-attempts"
        asks = "github-script" in step.get("uses", "") or is_other_runs
        if asks and step["with"].get("github-token") != "${{ inputs.github-token }}":
            yield f"report: {does(step)} takes another token"
        known = {"github.run_id": "HERE", "github.event.workflow_run.id": "THERE"}
        if is_other_runs and value(step["with"].get("run-id", "HERE"), known) != "THERE":
            yield "report: takes the artifacts of its own run"


def artifacts_arrive(files):
    """Each that is uploaded by a workflow is taken by a job behind it, and each that is taken was uploaded."""
    for workflow, parsed in files.workflows():
        sent, taken = {}, {}
        for job, body in parsed["jobs"].items():
            for step in body["steps"]:
                given = step.get("with", {})
                if "upload-artifact" in step.get("uses", ""):
                    sent[re.sub(r"\$\{\{.*?\}\}", "x", given.get("name", "artifact"))] = job
                if "download-artifact" in step.get("uses", ""):
                    taken[given.get("name") or given.get("pattern")] = job
                    if "pattern" in given and not given.get("merge-multiple"):
                        yield f"{workflow}.{job}: {given['pattern']} comes in a folder for each"
        for name in sent:
            if not any(re.fullmatch(one.replace("*", ".*"), name) for one in taken):
                yield f"{workflow}: nobody takes the artifact {name}"
        for one in taken:
            if not any(re.fullmatch(one.replace("*", ".*"), name) for name in sent):
                yield f"{workflow}: nobody uploads {one}"
    for where, step in files.steps():
        given = step.get("with", {})
        if "upload-artifact" not in step.get("uses", ""):
            continue
        name = given.get("name", "")
        is_page = "-page-" in name
        if given.get("if-no-files-found") != ("ignore" if is_page else "error"):
            yield f"{where}: {does(step)} without a file is {'an error' if is_page else 'none'}"
        if "-attempt-" not in name and given.get("overwrite") is not True:
            yield f"{where}: a second attempt cannot upload {name}"
        if name == "released" and given.get("include-hidden-files") is not True:
            yield f"{where}: leaves out .SRCINFO, which the packages of Arch need"
        if "archive" not in given and not name:
            yield f"{where}: a page in an archive, which no browser opens"
        if given.get("archive", False) is not False:
            yield f"{where}: a page in an archive, which no browser opens"


METHODS = {"anchor": "anchor", "baseline": "save-baseline", "bench": "paired", "bisect": "bisect"}


def minutes(text_of):
    return int(text_of.removesuffix("m"))


def what_measures_is_given_what_it_is_asked_for(files):
    action = parsed_yaml(files.texts.get("actions/benchgate/action.yml") or ACTION.read_text())["inputs"]
    for workflow, parsed in files.workflows():
        dispatch = parsed["on"].get("workflow_dispatch") if isinstance(parsed["on"], dict) else None
        asked = (dispatch or {}).get("inputs", {})
        used = []
        for job, body in parsed["jobs"].items():
            for step in (step for step in body["steps"] if of_action(step, "benchgate")):
                given = {name: entry.get("default") for name, entry in action.items()} | step["with"]
                used.append(given["artifact"])
                where = f"{workflow}.{job}"
                if given["method"] != METHODS[workflow]:
                    yield f"{where}: the method is {given['method']}, not {METHODS[workflow]}"
                for name in (asked.keys() & action.keys()) - step["with"].keys():
                    yield f"{where}: who starts it by hand asks for {name} in vain"
                doctor = value(given["doctor"], {})
                if doctor != ("enforce" if is_own(body) else "report"):
                    yield f"{where}: a machine that is not set up is {doctor}"
                if is_own(body) and "pull_request" in parsed["on"] and given["bots"] != "refuse":
                    yield f"{where}: bots are {given['bots']} on a machine of one's own"
                if minutes(given["timeout"]) >= body["timeout-minutes"]:
                    yield f"{where}: is cut off before it has said what it measured"
                if "./gate/" in step["uses"] and given["working-directory"] in (".", "gate"):
                    yield f"{where}: what is measured is checked out over the gate"
                if job == "java" and given["suites"] != "java/*":
                    yield f"{where}: measures {given['suites'] or 'everything'}"
        for name in asked:
            if not re.search(rf"inputs\.{name}\b", str(parsed["jobs"])):
                yield f"{workflow}: who starts it by hand asks for {name} in vain"
        if len(set(used)) != len(used):
            yield f"{workflow}: two jobs upload {used}"
    for name, source in files.texts.items():
        inputs = parsed_yaml(source).get("inputs", {}) if name.startswith("actions/") else {}
        for one in ("forks", "bots"):
            if inputs.get(one, {}).get("default", "refuse") not in ("refuse", "auto"):
                yield f"{name}: without a word {one} are measured on any machine"
        for key in re.findall(r"restore-keys: (.*)", source) if "benchgate/" in name else ():
            if "outputs" not in key:
                yield f"{name}: {key} restores anything"
        caches = [s for s in groups(files).get(name, ()) if does(s) in ("restore registry", "restore bases")]
        for step in caches:
            if "restore-keys" not in step["with"]:
                yield f"{name}: {does(step)} finds nothing after the first change"


ACTION = ROOT / ".github/actions/benchgate/action.yml"


def what_reports_is_given_what_was_measured(files):
    for workflow, parsed in files.workflows():
        measured = [
            step["with"].get("artifact", "benchgate-result")
            for body in parsed["jobs"].values()
            for step in body["steps"]
            if of_action(step, "benchgate")
        ]
        for job, body in parsed["jobs"].items():
            for step in (step for step in body["steps"] if of_action(step, "report")):
                given, where = step["with"], f"{workflow}.{job}"
                part, artifact = given["part"], given.get("artifact", "benchgate-result")
                if part == "propose-baseline":
                    artifact = "benchgate-baseline"
                if part in ("render", "propose-baseline") and measured and artifact not in measured:
                    yield f"{where}: takes {artifact}, measured is {measured}"
                rendered = given.get("rendered")
                if part in ("post", "history") and rendered != "${{ needs.render.outputs.rendered }}":
                    yield f"{where}: {part} is not given what was rendered"
                if part in ("post", "history") and workflow == "report" and "concurrency" not in body:
                    yield f"{where}: two of a commit write at the same time"
                variables = {"author": "BENCHGATE_COMMENT_AUTHOR", "comment": "BENCHGATE_COMMENT"}
                for name, variable in variables.items() if part == "post" else ():
                    if workflow == "bisect" and name == "comment":
                        continue
                    if value(given.get(name, ""), {f"vars.{variable}": "SET"}) != "SET":
                        yield f"{where}: the variable {variable} is not asked for {name}"
