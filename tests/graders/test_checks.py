"""Checks as they are written, and a list of them as it is run."""

import json
import re
from pathlib import Path

import pytest
from catalogs import plugin, skill, skillcheck, write

from skillcheck.evals.grader import Evidence, Grade, grader_names, named
from skillcheck.evals.plan.checks import FIXTURE_PATH, Breach, problems, programs, run
from skillcheck.evals.trace.trace import Trace

OURS = (
    "command", "file-absent", "file-contains", "file-exists", "files-changed", "json-valid", "script", "skill-used",
    "tool-order", "tool-used",
)  # fmt: skip


def test_these_are_the_graders():
    assert grader_names() == OURS


@pytest.mark.parametrize("name", OURS)
def test_a_manual_shows_an_entry_without_problems(name):
    grader = named(name)
    (example,) = re.findall(r"^````json\n(.*?)^````$", grader.doc, re.MULTILINE | re.DOTALL)
    entry = json.loads(example)
    assert (grader.name, entry["type"]) == (name, name)
    assert problems(entry) == ()


@pytest.mark.parametrize("name", OURS)
def test_every_option_is_told_about_and_no_other_is_taken(name):
    options = named(name).options
    assert options["additionalProperties"] is False
    assert all(node["description"] for node in options["properties"].values())
    assert set(options.get("required", ())) <= set(options["properties"])
    assert all(f"`{key}`" in named(name).doc or f'"{key}"' in named(name).doc for key in options["properties"])


@pytest.mark.parametrize(
    ("check", "found"),
    [
        ({"type": "file-exist", "path": "a"},
         [(("type",), "no grader has this name; did you mean 'file-exists'", False)]),
        ({"type": ""}, [(("type",), f"no grader has this name; there are {', '.join(OURS)}", False)]),
        ({"type": "file-exists"}, [(("type",), "the option 'path' is missing", False)]),
        ({"type": "file-exists", "paths": "a"}, [(("paths",), "no option 'paths'; did you mean 'path'", True)]),
        ({"type": "file-exists", "path": "a", "x": 1}, [(("x",), "no option 'x'; there are path", True)]),
        ({"type": "file-exists", "path": 3}, [(("path",), 'path: 3 is not of type "string"', False)]),
        ({"type": "file-exists", "path": "/etc/passwd"},
         [(("path",), "path: '/etc/passwd' leaves the workspace: it is not relative", False)]),
        ({"type": "file-absent", "path": "a/../b"},
         [(("path",), "path: 'a/../b' leaves the workspace: it goes upward", False)]),
        ({"type": "file-absent", "path": ""},
         [(("path",), "path: '' leaves the workspace: it is the whole folder", False)]),
        ({"type": "file-absent", "path": "a\0"},
         [(("path",), "path: 'a\\x00' leaves the workspace: it has a NUL", False)]),
        ({"type": "file-contains", "path": "a"},
         [(("type",), "exactly one of the options 'text', 'regex' is needed", False)]),
        ({"type": "file-contains", "path": "a", "text": "a", "regex": "a"},
         [(("type",), "exactly one of the options 'text', 'regex' is needed", False)]),
        ({"type": "file-contains", "path": "a", "txt": "a"},
         [(("txt",), "no option 'txt'; did you mean 'text'", True)]),
        ({"type": "file-contains", "path": "a", "regex": "(a"},
         [(("regex",),
           "regex: '(a' is no regular expression: missing ), unterminated subpattern at position 0", False)]),
        ({"type": "file-contains", "path": "a", "regex": "a{99999999999}"},
         [(("regex",), "regex: 'a{99999999999}' is no regular expression: the repetition number is too large", False)]),
        ({"type": "files-changed", "only": ["a", "../b"]},
         [(("only", 1), "only[1]: '../b' leaves the workspace: it goes upward", False)]),
        ({"type": "command", "run": []}, [(("run",), "run: [] has less than 1 item", False)]),
        ({"type": "command", "run": "a", "timeout": 0},
         [(("timeout",), "timeout: 0 is less than or equal to the minimum of 0", False)]),
        ({"type": "command", "run": "a", "exit": 1.5}, [(("exit",), 'exit: 1.5 is not of type "integer"', False)]),
        ({"type": "command", "run": ["a\0"]},
         [(("run", 0), "run[0]: 'a\\x00' has a NUL, which no program can be given", False)]),
        ({"type": "script", "path": "../x"}, [(("path",), "path: '../x' leaves the fixtures: it goes upward", False)]),
        ({"type": "script", "path": "x", "threshold": 2},
         [(("threshold",), "threshold: 2 is greater than the maximum of 1", False)]),
        ({"type": "json-valid", "path": "a", "schema": {"properties": {"b": 3}}},
         [(("schema", "properties", "b"),
           'schema.properties.b: 3 is not of types "boolean", "object"', False)]),
        ({"type": "tool-order", "tools": ["a"]}, [(("tools",), 'tools: ["a"] has less than 2 items', False)]),
        ({"type": "tool-used", "tool": "a", "min": -1}, [(("min",), "min: -1 is less than the minimum of 0", False)]),
        ({"type": "skill-used"}, []),
    ],
)  # fmt: skip
def test_what_is_wrong_is_told_with_its_place(check, found):
    told = problems(check)
    assert told == tuple(Breach(path, message, key) for path, message, key in found)


@pytest.mark.parametrize("value", [None, [], {}, 3, True, float("inf"), "", "\0", ["x"], [None], {"a": []}])
@pytest.mark.parametrize("name", OURS)
def test_any_value_can_be_looked_at(name, value):
    for key in named(name).options["properties"]:
        problems({"type": name, key: value})


def test_programs_are_found_by_their_format():
    assert programs({"type": "script", "path": "x", "threshold": 1}) == ("path",)
    assert programs({"type": "file-exists", "path": "x"}) == ()
    assert named("script").options["properties"]["path"]["format"] == FIXTURE_PATH


def evidence(folder):
    return Evidence(folder, folder, {}, Trace(()), "a", lambda *_: 1 / 0)


def test_one_that_cannot_be_made_hides_none_of_the_others(tmp_path):
    (tmp_path / "a").touch()
    checks = [
        {"type": "nothing"},
        {"type": "file-exists", "path": "a"},
        {"type": "command", "run": "true"},
        {"type": "file-exists", "path": "../a"},
        {"type": "skill-used"},
    ]
    results = run(checks, evidence(tmp_path))
    assert [(result.type, result.grade and result.grade.passed) for result in results] == [
        ("nothing", None), ("file-exists", True), ("command", None), ("file-exists", None), ("skill-used", False),
    ]  # fmt: skip
    assert [result.problem for result in results[1:4]] == [
        "",
        "ZeroDivisionError: division by zero",
        "path: '../a' leaves the workspace: it goes upward",
    ]
    assert results[1].label == 'file-exists {"path": "a"}'


def test_a_trace_can_be_graded_without_a_workspace():
    gone = evidence(Path("nowhere"))
    checks = [{"type": "tool-used", "tool": "x", "max": 0}, {"type": "file-absent", "path": "x"}]
    assert [result.grade for result in run(checks, gone)] == [
        Grade(passed=True, reason="calls of 'x': 0, wanted 0", score=1.0),
        Grade(passed=False, reason="the workspace is gone"),
    ]


HOUSE = """
from skillcheck.evals.grader import Grade, Grader
GRADER = Grader("house", "Ours.", lambda options, evidence: Grade.of(True, options["x"]), "trace",
                {"type": "object", "properties": {"x": {"type": "string"}}})
"""


def test_a_plugin_is_a_grader(tmp_path):
    site = plugin(tmp_path, group="skillcheck.evals.grader", name="house", target="house_rule:GRADER", source=HOUSE)
    code = (
        "from skillcheck.evals.plan.checks import problems, run\n"
        "from skillcheck.evals.grader import Evidence\nfrom skillcheck.evals.trace.trace import Trace\n"
        "print(problems({'type': 'house', 'x': 3})[0].message)\n"
        "print(run([{'type': 'house', 'x': 'why'}], Evidence(None, None, {}, Trace(()), '', None))[0].grade)\n"
    )
    status, out, err = skillcheck(cwd=tmp_path, env={"PYTHONPATH": f"{site}:{Path(__file__).parents[2]}"}, code=code)
    assert (status, err) == (0, b"")
    assert out == b"x: 3 is not of type \"string\"\nGrade(passed=True, reason='why', score=1.0)\n"


def test_a_lint_loads_no_graders(tmp_path):
    write(tmp_path, {"skills/a/SKILL.md": skill("a")})
    code = (
        "import sys\nfrom skillcheck.cli import run\ntry:\n    run()\nexcept SystemExit:\n    pass\n"
        "print([name for name in sys.modules if name.startswith('skillcheck.evals')], file=sys.stderr)"
    )
    assert skillcheck("lint", cwd=tmp_path, code=code)[2] == b"[]\n"
