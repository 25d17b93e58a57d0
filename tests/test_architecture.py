"""The floors: a module imports only from floors below its own, and a few names only in one place."""

import ast
from pathlib import Path

import pytest

import skillcheck

ROOT = Path(skillcheck.__file__).parent
FLOORS = (
    {"errors", "span", "suggest"},
    {"diagnostic"},
    {"report", "process", "replace", "registry", "located", "schemas"},
    {"config"},
    {"catalog", "formats"},
    {"router"},
    {"agent", "evals", "routing", "ratchet_file"},
    {"bench", "exchange"},
    {"rules", "figures", "studies"},
    {"suppress", "mend"},
    {"experiment"},
    {"behavior", "benchmark"},
    {"importing", "past"},
    {"fitness"},
    {"api"},
    {"stored"},
    {"__init__"},
    {"console"},
    {"cli"},
    {"__main__"},
)
WITHIN_EVALS = (
    {"trace"},
    {"workspace"},
    {"store"},
    {"grader", "harness", "judge", "pattern"},
    {"plan"},
    {"grading"},
    {"executor", "running"},
)
FLOOR = {name: floor for floor, names in enumerate(FLOORS) for name in names}
FLOOR_IN_EVALS = {name: floor for floor, names in enumerate(WITHIN_EVALS) for name in names}
ONLY_IN = {
    "subprocess": {"process.py"},
    "sklearn": {"router/tfidf.py", "studies/agreement.py"},
    "scipy": {
        "router/tfidf.py",
        "studies/exact.py",
        "studies/intervals.py",
        "studies/paired.py",
        "studies/passk.py",
        "studies/planning.py",
        "studies/several.py",
    },
    "numpy": {
        "studies/exact.py",
        "studies/intervals.py",
        "studies/paired.py",
        "studies/planning.py",
        "studies/several.py",
    },
    "jsonschema_rs": {"schemas/__init__.py"},
    "pyromark": {"catalog/markdown.py"},
    "yaml": {"located/yaml.py"},
    "anthropic": {"agent/loop.py", "evals/judge/api.py"},
    "distributed": {"evals/executor/dask.py", "evals/running/worker.py"},
}
HEAVY = {
    "anthropic",
    "distributed",
    "sklearn",
    "scipy",
    "numpy",
    "jsonschema_rs",
    "importlib.metadata",
    "skillcheck.studies",
}
NUMERIC = "studies"
"""The room of arithmetic imports numpy and scipy at the top of its modules; it is heavy itself to all others."""
NO_NAMES = {"utils", "util", "helpers", "common", "base", "misc"}
MAX_LINES = 400
MAX_FUNCTION_LINES = 60
FILES = sorted(ROOT.rglob("*.py"))


def room(path, depth=0):
    """The room that a module is in, or is; on the next depth the room within that, empty for none."""
    return "".join(path.relative_to(ROOT).parts[depth : depth + 1]).removesuffix(".py")


def imports(tree):
    """Every imported module as a dotted name, and whether the import stands at the top of its module."""
    top = set(ast.walk(ast.Module([n for n in tree.body if isinstance(n, ast.Import | ast.ImportFrom)], [])))
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from ((alias.name, node in top) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "a relative import"
            yield from ((f"{node.module}.{alias.name}", node in top) for alias in node.names)


def stands_above(path, name):
    """Which room of ours a module must not import from, as it does by this name; None where it may."""
    package, *there = name.split(".")
    here, inner = room(path), room(path, 1)
    if package != "skillcheck" or name == "skillcheck.__version__":
        return None
    if there[0] == here == "evals":
        return there[1] if FLOOR_IN_EVALS[there[1]] > FLOOR_IN_EVALS[inner] else None
    above = there[0] if there[0] in FLOOR else "__init__"
    return above if above != here and FLOOR[above] >= FLOOR[here] else None


def violations(path, source):
    """What a module breaks; `source` is its text."""
    here, tree = room(path), ast.parse(source)
    for name, at_top in imports(tree):
        package = name.partition(".")[0]
        above = stands_above(path, name)
        if above:
            yield f"{here} imports {above}, which stands no lower"
        if package in ONLY_IN and path.relative_to(ROOT).as_posix() not in ONLY_IN[package]:
            yield f"{package} belongs in {ONLY_IN[package]}"
        if package == "click" and here not in {"cli", "console", "__main__"}:
            yield "click belongs in cli/ and console/"
        if at_top and here != NUMERIC and any(name == heavy or name.startswith(heavy + ".") for heavy in HEAVY):
            yield f"{name} is imported by everybody who imports this module"
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "print":
            yield f"line {node.lineno}: print"
        if isinstance(node, ast.FunctionDef) and node.end_lineno - node.lineno + 1 > MAX_FUNCTION_LINES:
            yield f"line {node.lineno}: {node.name} is longer than {MAX_FUNCTION_LINES} lines"


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_module_keeps_to_its_floor(path):
    source = path.read_text("utf-8")
    assert list(violations(path, source)) == []
    assert len(source.splitlines()) <= MAX_LINES
    assert path.stem not in NO_NAMES


def test_every_room_has_a_floor():
    assert {room(path) for path in FILES} <= set(FLOOR)


@pytest.mark.parametrize(
    ("file", "source"),
    [
        ("catalog/skill.py", "from skillcheck.rules import rules"),
        ("rules/body/empty_body.py", "def check():\n    from skillcheck.api import lint"),
        ("router/tokens.py", "import subprocess"),
        ("router/tfidf.py", "import sklearn"),
        ("past/runs.py", "from skillcheck.studies.study import study"),
        ("rules/links/broken_link.py", "import click"),
        ("api.py", "print('x')"),
        ("evals/store/store.py", "from skillcheck.evals.plan import plan"),
    ],
    ids=[
        "upward",
        "upward inside a function",
        "process",
        "heavy at the top",
        "numeric at the top",
        "click",
        "print",
        "upward within evals",
    ],
)
def test_a_planted_violation_is_found(file, source):
    assert list(violations(ROOT / file, source))
