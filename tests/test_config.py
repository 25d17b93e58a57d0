from pathlib import Path

import pytest
from catalogs import write

from skillcheck import config
from skillcheck.config import Config, load, locate, matches
from skillcheck.diagnostic import Severity
from skillcheck.errors import UsageError

OURS, PROJECT = ".skillcheck.toml", "pyproject.toml"


def test_defaults_count_without_settings(tmp_path):
    found = load(tmp_path)
    assert found == Config(tmp_path)
    assert (found.paths, found.cases, found.ratchet) == (("skills",), "evals/cases", "evals/ratchet.json")
    assert (found.top_k, found.fail_on) == (3, Severity.ERROR)


@pytest.mark.parametrize(
    ("files", "start", "root", "source"),
    [
        ({OURS: ""}, ".", ".", OURS),
        ({PROJECT: "[tool.skillcheck]\n"}, ".", ".", PROJECT),
        ({OURS: "", PROJECT: "[tool.skillcheck]\n"}, ".", ".", OURS),
        ({OURS: "", "a/b/x": ""}, "a/b", ".", OURS),
        ({OURS: "", "a/.skillcheck.toml": "", "a/b/x": ""}, "a/b", "a", OURS),
        ({PROJECT: "[tool.other]\nabout = 'skillcheck'\n", "a/x": ""}, "a", "a", None),
        ({PROJECT: "tool = 'skillcheck'\n"}, ".", ".", None),
        ({OURS: "", "a/.git/x": "", "a/b/x": ""}, "a/b", "a", None),
        ({OURS: "", "a/.git": "gitdir: elsewhere\n", "a/b/x": ""}, "a/b", "a", None),
        ({"a/skills/x": "", "a/b/c/x": ""}, "a/b/c", "a", None),
        ({"a/evals/cases/x": "", "a/b/c/x": ""}, "a/b/c", "a", None),
        ({"a/skills/b/skills/x": ""}, "a/skills/b/skills", "a/skills/b", None),
        ({"skills/x": "", "a/.git/x": "", "a/b/x": ""}, "a/b", "a", None),
    ],
    ids=[
        "own file", "pyproject", "own file before pyproject", "upward", "nearest", "pyproject of others",
        "pyproject without tables", "no further than the repository", "no further than a worktree", "folder of skills",
        "folder of cases", "nearest folder of skills", "skills outside of the repository",
    ],
)  # fmt: skip
def test_settings_are_those_of_the_nearest_folder_in_the_repository(files, start, root, source, tmp_path):
    write(tmp_path, files)
    expected = tmp_path / root
    assert locate(tmp_path / start) == (expected, expected / source if source else None)


def test_every_setting_is_read(tmp_path):
    text = """
    paths = ["one", "two"]
    exclude = ["two/old/**"]
    cases = "cases"
    ratchet = "floor.json"
    top-k = 5
    fail-on = "warning"
    select = ["naming"]
    ignore = ["name-length"]
    accepted-collisions = [{ skills = ["a", "b"], reason = "twins" }]
    per-file-ignores = { "one/**" = ["links"] }
    rules = { broken-link = "info", body-too-long = { severity = "off", lines = 3 } }
    """
    found = load(write(tmp_path, {OURS: text}))
    assert found == Config(
        tmp_path, tmp_path / OURS, ("one", "two"), ("two/old/**",), "cases", "floor.json", 5, Severity.WARNING,
        ("naming",), ("name-length",), (frozenset({"a", "b"}),), {"one/**": ("links",)},
        {"broken-link": {"severity": "info"}, "body-too-long": {"severity": "off", "lines": 3}},
    )  # fmt: skip
    assert found.severity("broken-link", Severity.ERROR) == Severity.INFO
    assert found.severity("other", Severity.ERROR) == Severity.ERROR
    assert found.option("body-too-long", "lines", 500) == 3
    assert found.option("body-too-long", "words", 500) == 500
    assert found.accepts("b", "a")
    assert not found.accepts("a", "c")


def test_a_preset_lies_under_the_settings(tmp_path):
    found = load(write(tmp_path, {OURS: 'preset = "agent-skills"\nrules.required-section.severity = "info"\n'}))
    assert found.rules["required-section"] == {
        **config.PRESETS["agent-skills"]["rules"]["required-section"],
        "severity": "info",
    }


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("pahts = []", "unknown key 'pahts'; did you mean 'paths'"),
        ("colour = 1", "unknown key 'colour'"),
        ("top_k = 2", "unknown key 'top_k'; did you mean 'top-k'"),
        ("accepted-collisions = [{ skils = [] }]", "unknown key 'accepted-collisions.0.skils'; did you mean 'skills'"),
        ('paths = "skills"', 'paths: "skills" is not of type "array"'),
        ("paths = []", "paths: [] has less than 1 item"),
        ("top-k = 0", "top-k: 0 is less than the minimum of 1"),
        ('fail-on = "never"', 'fail-on: "never" is not one of "info", "warning" or "error"'),
        ('preset = "agent-skill"', "unknown preset 'agent-skill'; did you mean 'agent-skills'"),
        ('preset = "x"', "unknown preset 'x'"),
        ('cases = "a\\u0000b"', 'cases: "a\\u0000b" does not match "^[^\\u0000]*$"'),
        ('rules.x.severity = "bad"', 'rules.x.severity: "bad" is not one of "off", "info", "warning" or "error"'),
    ],
    ids=[
        "near miss", "unknown", "underscore", "inner near miss", "no list", "empty list", "too small", "no choice",
        "near preset", "unknown preset", "character that no path holds", "severity",
    ],
)  # fmt: skip
def test_wrong_settings_are_told_in_one_line(text, message, tmp_path):
    with pytest.raises(UsageError) as error:
        load(write(tmp_path, {OURS: text}))
    assert str(error.value) == f"{OURS}: {message}"


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        (OURS, "a = ", f"{OURS}: can't be read: Invalid value"),
        (OURS, b"# \xff\n", f"{OURS}: can't be read: 'utf-8' codec can't decode byte 0xff"),
        (PROJECT, "[tool.skillcheck", f"{PROJECT}: can't be read: Expected ']'"),
        (OURS, "a = " + "[" * 10_000, f"{OURS}: can't be read: values are nested too deep"),
    ],
    ids=["no value", "no UTF-8", "broken pyproject", "10,000 levels deep"],
)
def test_files_that_cannot_be_read_are_told(name, content, message, tmp_path):
    with pytest.raises(UsageError) as error:
        load(write(tmp_path, {name: content}))
    assert str(error.value).startswith(message)
    assert len(str(error.value)) < 200


@pytest.mark.parametrize(
    ("override", "attribute", "value"),
    [
        ("top-k=5", "top_k", 5),
        ("fail-on=info", "fail_on", Severity.INFO),
        ("cases=other/cases", "cases", "other/cases"),
        ("paths=['a', 'b']", "paths", ("a", "b")),
        ("rules.broken-link=off", "rules", {"broken-link": {"severity": "off"}}),
        ("rules.broken-link.severity=off", "rules", {"broken-link": {"severity": "off"}}),
        ("rules.x.limit = 3", "rules", {"x": {"limit": 3}}),
    ],
    ids=["number", "word", "path", "list", "severity", "severity in full", "option with blanks"],
)
def test_overrides_are_settings(override, attribute, value, tmp_path):
    assert getattr(load(tmp_path, [override]), attribute) == value


def test_overrides_lie_over_the_file_and_leave_the_rest(tmp_path):
    write(tmp_path, {OURS: 'top-k = 2\nrules.x = { severity = "info", limit = 3 }\n'})
    found = load(tmp_path, ["top-k=4", "top-k=5", "rules.x.limit=9"])
    assert (found.top_k, found.rules) == (5, {"x": {"severity": "info", "limit": 9}})


@pytest.mark.parametrize(
    ("override", "message"),
    [
        ("top-k", "--set takes KEY=VALUE, not 'top-k'"),
        ("=3", "--set takes KEY=VALUE, not '=3'"),
        ("a b=3", "--set 'a b=3' is not TOML"),
        ('a="', "--set 'a=\"' is not TOML"),
        ("topk=3", "--set: unknown key 'topk'; did you mean 'top-k'"),
        ("top-k=nan", '--set: top-k: null is not of type "integer"'),
        ("top-k=two", '--set: top-k: "two" is not of type "integer"'),
    ],
    ids=["no value", "no key", "two words", "open quote", "near miss", "no number", "word"],
)
def test_wrong_overrides_are_told_in_one_line(override, message, tmp_path):
    with pytest.raises(UsageError) as error:
        load(tmp_path, [override])
    assert str(error.value) == message


def test_the_repository_is_the_nearest_folder_with_git(tmp_path):
    write(tmp_path, {"a/.git/x": "", "a/b/c/x": ""})
    assert config.repository(tmp_path / "a/b/c") == tmp_path / "a"
    assert config.repository(Path(tmp_path.root)) is None


@pytest.mark.parametrize(
    ("pattern", "path", "fits"),
    [
        ("a", "a", True),
        ("a", "a/b/c", True),
        ("a", "ab", False),
        ("a/", "a/b", True),
        ("/a", "a", True),
        ("a/*", "a/b", True),
        ("a/*", "a", False),
        ("a/*.md", "a/b/c.md", False),
        ("a/**", "a/b/c.md", True),
        ("**/c.md", "a/b/c.md", True),
        ("**/c.md", "c.md", True),
        ("a/**/c", "a/c", True),
        ("a/**/c", "a/b/b/c", True),
        ("?", "ab", False),
        ("a.b", "axb", False),
        ("[ab]", "a", False),
        ("[ab]", "[ab]", True),
        ("*", "a\nb", True),
    ],
)
def test_globs_match_folders(pattern, path, fits):
    assert matches(pattern, path) is fits


def test_a_pattern_of_many_stars_takes_no_time():
    assert not matches("**/" * 12 + "x", "/".join("a" * 30))
