"""Commands and their options, in this process; see test_main for what needs one of its own."""

import json
import re

import pytest
from catalogs import cases, git, skill, write
from click.testing import CliRunner
from jsonschema import Draft202012Validator

from skillcheck import schemas
from skillcheck.cli import main
from skillcheck.formats import named

BAD, GOOD = "skills/bad/SKILL.md", "skills/good/SKILL.md"
SELECT = ("--select", "missing-description")
ROUTING = {
    "skills/sort/SKILL.md": skill("sort", "Sorts notes into folders. Use when notes have piled up."),
    "skills/bake/SKILL.md": skill("bake", "Bakes bread from flour. Use when somebody is hungry."),
    "evals/cases/sort.json": cases("sort", ["sort my notes", "notes piled up"], [("bake some bread", "bake")]),
    "evals/cases/bake.json": cases("bake", ["bake bread", "bread from flour"], ["sort notes"]),
}


@pytest.fixture
def catalog(tmp_path):
    return write(tmp_path, {BAD: "---\nname: bad\n---\n\nText.\n", GOOD: skill("good")})


def paths(out):
    return [line.partition(":")[0] for line in out.splitlines() if line.endswith("[missing-description]")]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("lnt",), "unknown command 'lnt'; did you mean 'lint'"),
        (("frobnicate",), "unknown command 'frobnicate': choose from behavioral, bench, check, compare"),
        (("lint", "--fromat", "json"), "no such option"),  # click words the rest, and not always alike
        (("lint", "--format", "jsno"), "unknown format 'jsno'; did you mean 'json'"),
        (("lint", "--format", "jsno=x.json"), "unknown format 'jsno'; did you mean 'json'"),
        (("lint", "--select", "missing-descripton"), "unknown rule 'missing-descripton'; did you mean 'missing-descr"),
        (("lint", "--ignore", "zzz"), "unknown rule 'zzz'; see `skillcheck explain`"),
        (("lint", "--set", "rules.missing-descripton=off"), "unknown rule 'missing-descripton'; did you mean"),
        (("lint", "--set", "pahts=['a']"), "--set: unknown key 'pahts'; did you mean 'paths'"),
        (("lint", "--fail-on", "never"), "invalid value for '--fail-on': 'never' is not one of 'info', 'warning'"),
        (("lint", "none"), "none: no such file or folder"),
        (("lint", "skills/none/SKILL.md"), "skills/none/SKILL.md: no such file or folder"),
        (("lint", BAD + "/x"), f"{BAD}/x: no such file or folder"),
        (("lint", "x" * 300), f"{'x' * 300}: can't be read: File name too long"),
        (("lint", "link"), "link: the link points nowhere"),
        (("lint", "loop"), "loop: can't be read: Too many levels of symbolic links"),
        (("lint", "notes.txt"), "notes.txt: neither a SKILL.md nor a file of a skill"),
        (("lint", "empty"), "no skills found: no SKILL.md in or below 'empty'"),
        (("route", "--min-rank1", "101"), "invalid value for '--min-rank1': '101' is not a number from 0 to 100"),
        (("route", "--min-rank1", "nan"), "invalid value for '--min-rank1': 'nan' is not a number from 0 to 100"),
        (("route", "--min-rank1", "-1"), "invalid value for '--min-rank1': '-1' is not a number from 0 to 100"),
        (("check", "--min-rank1", "1e2"), "invalid value for '--min-rank1': '1e2' is not a number from 0 to 100"),
        (("explain", "missing-descriptions"), "unknown rule 'missing-descriptions'; did you mean 'missing-descr"),
        (("schema", "zzz"), "invalid value for '["),
        (("lint", "\x1b[31mred"), "\\x1b[31mred: no such file or folder"),
    ],
    ids=[
        "near command", "unknown command", "near option", "near format", "near format into a file", "near rule",
        "unknown rule", "near rule in a setting", "near key", "severity", "no path", "no skill file", "below a file",
        "long name", "dangling link", "link loop", "other file", "no skills", "over 100", "not a number", "negative",
        "exponent", "near rule to explain", "unknown schema", "escape sequence",
    ],
)  # fmt: skip
def test_a_wrong_call_is_one_line_and_status_two(words, message, catalog, run):
    write(catalog, {"notes.txt": "x", "empty/x": ""})
    (catalog / "link").symlink_to("nowhere")
    (catalog / "loop").symlink_to("loop")
    status, out, err = run(*words)
    assert (status, out) == (2, "")
    assert err.startswith(f"error: {message}")
    assert err.count("\n") == 1
    assert not {"\x1b"} & set(err)


def test_no_command_prints_the_help(run):
    status, out, err = run()
    assert status in {0, 2}
    assert "Usage: " in out + err
    assert "  lint " in out + err


@pytest.mark.parametrize(
    "name", ["behavioral", "check", "explain", "grade", "lint", "merge", "results", "route", "schema"]
)
def test_every_command_has_help(name):
    done = CliRunner().invoke(main, [name, "--help"])
    assert (done.exit_code, done.output.splitlines()[0][:6]) == (0, "Usage:")


def test_no_skills_found_says_where_it_was_looked(tmp_path, run):
    status, out, err = run("lint")
    hint = "name a folder, or set paths in [tool.skillcheck] of pyproject.toml"
    assert (status, out) == (2, "")
    assert err == f"error: no skills found: no SKILL.md in or below 'skills'; {hint}\n"
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ((), [BAD]),
        (("skills",), [BAD]),
        (("skills/",), [BAD]),
        ((".",), [BAD]),
        (("skills/bad",), [BAD]),
        ((BAD,), [BAD]),
        (("skills/bad/notes.md",), [BAD]),
        (("skills/bad/scripts/run.py",), [BAD]),
        (("skills/good/../bad",), [BAD]),
        (("skills/good",), []),
        ((GOOD, BAD, BAD), [BAD]),
    ],
    ids=[
        "default", "folder", "slash", "here", "skill folder", "skill file", "file of a skill", "script of a skill",
        "dots", "other skill", "several",
    ],
)  # fmt: skip
def test_only_what_is_named_is_reported(words, expected, catalog, run):
    write(catalog, {"skills/bad/notes.md": "x", "skills/bad/scripts/run.py": ""})
    status, out, err = run("lint", *SELECT, *words)
    assert (status, paths(out), err) == (1 if expected else 0, expected, "")


def test_paths_may_be_absolute_or_links(catalog, run):
    assert paths(run("lint", *SELECT, str(catalog / "skills"))[1]) == [BAD]
    (catalog / "link").symlink_to("skills")
    assert len(paths(run("lint", *SELECT, "link")[1])) == 1


def test_paths_are_shown_from_where_the_user_stands(catalog, run, monkeypatch):
    above = run("lint", *SELECT)[1]
    monkeypatch.chdir(catalog / "skills/good")
    assert run("lint", *SELECT)[1].replace("../bad/", "skills/bad/") == above
    monkeypatch.chdir(catalog.parent)
    assert run("lint", *SELECT, catalog.name)[1].replace(f"{catalog.name}/", "") == above


@pytest.mark.parametrize(
    ("name", "text"),
    [
        (".skillcheck.toml", "paths = ['tools']\nselect = ['missing-description']\n"),
        ("pyproject.toml", "[tool.skillcheck]\npaths = ['tools']\nselect = ['missing-description']\n"),
    ],
    ids=["own file", "pyproject"],
)
def test_settings_are_found(name, text, catalog, run):
    write(catalog, {name: text, "tools/deep/er/SKILL.md": "---\nname: er\n---\n\nText.\n"})
    status, out, _ = run("lint")
    assert (status, paths(out)) == (1, ["tools/deep/er/SKILL.md"])


def test_settings_of_a_repository_around_this_one_do_not_leak(tmp_path, run):
    write(tmp_path, {
        ".skillcheck.toml": "select = ['missing-name']\npaths = ['none']\n",
        "vendor/inner/.git/HEAD": "",
        f"vendor/inner/{BAD}": "---\nname: bad\n---\n\nText.\n",
    })  # fmt: skip
    assert "missing-description" in run("lint", "vendor/inner")[1]


@pytest.mark.usefixtures("catalog")
def test_exclude_leaves_folders_out(run):
    assert run("lint", *SELECT, "--set", "exclude=['skills/b*']")[0] == 0


@pytest.mark.parametrize(
    ("words", "status"),
    [
        ((), 1),
        (("--set", "rules.missing-description=warning"), 0),
        (("--set", "rules.missing-description=warning", "--fail-on", "warning"), 1),
        (("--set", "rules.missing-description=info", "--fail-on", "warning"), 0),
        (("--set", "rules.missing-description=off"), 0),
        (("--ignore", "missing-description"), 0),
        (("--set", "fail-on=info", "--set", "rules.missing-description=info"), 1),
        (("--set", "per-file-ignores={'skills/bad/**' = ['missing-description']}"), 0),
        (("--set", "per-file-ignores={'skills/bad' = ['frontmatter']}"), 0),
        (("--set", "per-file-ignores={'skills/good' = ['frontmatter']}"), 1),
    ],
    ids=[
        "default", "warning", "fail on warning", "info below warning", "off", "ignored", "fail on info",
        "ignored by path", "family ignored by path", "other path",
    ],
)  # fmt: skip
@pytest.mark.usefixtures("catalog")
def test_severities_and_choices_make_the_status(words, status, run):
    assert run("lint", *SELECT, *words)[0] == status


@pytest.mark.usefixtures("catalog")
def test_select_takes_lists_and_families(run):
    assert run("lint", "--select", "missing-name,missing-description")[0] == 1
    assert run("lint", "--select", "missing-name", "--select", " frontmatter ")[0] == 1
    assert run("lint", "--select", "missing-name")[0] == 0


def test_formats_go_into_files_and_text_to_the_terminal(catalog, run):
    status, out, err = run("lint", *SELECT, "--format", "json=report.json", "--format", "github=report.txt")
    assert (status, err) == (1, "")
    assert out.startswith(BAD)
    data = json.loads((catalog / "report.json").read_text("utf-8"))
    Draft202012Validator(schemas.schema("report")).validate(data)
    assert [d["rule"] for d in data["diagnostics"]] == ["missing-description"]
    assert (catalog / "report.txt").read_text("utf-8").startswith(f"::error file={BAD},line=1,")


def test_annotations_are_relative_to_the_workspace(catalog, run, monkeypatch):
    monkeypatch.setenv("GITHUB_WORKSPACE", str(catalog.parent))
    assert run("lint", *SELECT, "--format", "github")[1].startswith(f"::error file={catalog.name}/{BAD},line=1,")
    assert run("lint", *SELECT)[1].startswith(BAD)


@pytest.mark.usefixtures("catalog")
def test_one_format_on_stdout_is_all_that_is_printed(run):
    out = run("lint", *SELECT, "--format", "json", "--format", "github=report.txt")[1]
    assert json.loads(out)["summary"]["error"] == 1


@pytest.mark.usefixtures("catalog")
def test_a_file_that_cannot_be_written_is_told(run):
    status, _, err = run("lint", *SELECT, "--format", "json=none/report.json")
    assert (status, err) == (2, "error: none/report.json can't be written: No such file or directory\n")
    status, out, err = run("lint", *SELECT, "--format", "json=.")
    assert (status, out, err) == (2, "", "error: . can't be written: Is a directory\n")


@pytest.mark.parametrize(
    ("terminal", "no_color", "coloured"),
    [(True, None, True), (True, "", True), (True, "1", False), (False, None, False)],
    ids=["terminal", "empty NO_COLOR", "NO_COLOR", "pipe"],
)
@pytest.mark.usefixtures("catalog")
def test_colour_is_for_terminals_that_want_it(terminal, no_color, coloured, run, monkeypatch):
    monkeypatch.setattr("sys.stdout.isatty", lambda: terminal, raising=False)
    if no_color is not None:
        monkeypatch.setenv("NO_COLOR", no_color)
    assert ("\x1b[31m" in run("lint", *SELECT)[1]) is coloured


def test_fix_writes_and_diff_does_not(catalog, run):
    broken = "\ufeff" + skill("good")
    write(catalog, {GOOD: broken})
    status, out, err = run("lint", "--select", "byte-order-mark", "--diff")
    assert (status, err) == (1, "")
    assert out.splitlines()[:2] == [f"--- {GOOD}", f"+++ {GOOD}"]
    assert (catalog / GOOD).read_text("utf-8") == broken
    assert run("lint", "--select", "byte-order-mark", "--fix")[0] == 0
    assert (catalog / GOOD).read_text("utf-8") == skill("good")
    assert run("lint", "--select", "byte-order-mark", "--diff")[:2] == (0, "")


def test_route_measures_and_fits_its_schema(tmp_path, run):
    write(tmp_path, ROUTING)
    status, out, err = run("route", "--select", "routing", "--min-rank1", "100", "--format", "json")
    assert (status, err) == (0, "")
    data = json.loads(out)
    Draft202012Validator(schemas.schema("report")).validate(data)
    assert (data["metrics"]["rank1"], data["metrics"]["rank1_percent"]) == (4, 100.0)
    assert [(p["kind"], p["skill"], p["rank"]) for p in data["prompts"] if p["kind"] == "positive"] == [
        ("positive", "bake", 1), ("positive", "bake", 1), ("positive", "sort", 1), ("positive", "sort", 1),
    ]  # fmt: skip
    known = schemas.schema("report")["$defs"]
    assert set(data["prompts"][0]) == set(known["prompt"]["properties"])
    assert set(data["metrics"]) == {"skills", "rank1", *known["metrics"]["dependentRequired"]["rank1"]}


def test_check_is_lint_and_route_in_one(tmp_path, run):
    write(tmp_path, {**ROUTING, BAD: "---\nname: bad\n---\n\nText.\n"})
    data = json.loads(run("check", "--format", "json")[1])
    Draft202012Validator(schemas.schema("report")).validate(data)
    assert data["metrics"]["skills"] == 3
    assert "missing-description" in {d["rule"] for d in data["diagnostics"]}


def test_the_ratchet_is_raised_and_kept(tmp_path, run):
    write(tmp_path, ROUTING)
    select = ("--select", "routing")
    assert run("route", *select, "--raise-ratchet")[2] == "evals/ratchet.json: raised\n"
    assert run("route", *select, "--raise-ratchet")[2] == "evals/ratchet.json: as high as it can be\n"
    floor = json.loads((tmp_path / "evals/ratchet.json").read_text("utf-8"))
    assert floor == {"schema_version": 1, "catalog": 100.0, "skills": {"bake": 100.0, "sort": 100.0}}
    git(tmp_path, "init", "-q")
    git(tmp_path, "add", "--all")
    git(tmp_path, "commit", "-qm", "one")
    assert run("route", *select, "--against", "HEAD")[0] == 0
    write(tmp_path, {"evals/cases/sort.json": cases("sort", ["bake bread"], ["bake bread"])})
    assert "[below-floor]" in run("route", *select)[1]


def test_the_ratchet_is_raised_for_a_whole_catalog_only(tmp_path, run):
    write(tmp_path, ROUTING)
    status, _, err = run("route", "--raise-ratchet", "skills/sort")
    assert (status, err) == (2, "error: the ratchet is not raised: it belongs to the whole catalog: name no PATHS\n")
    assert not (tmp_path / "evals/ratchet.json").exists()


@pytest.mark.parametrize("content", ["null", "[]", "3", '{"schema_version": 1, "catalog": "x"}', "{", b"\xff"])
def test_a_wrong_ratchet_file_is_one_line(content, tmp_path, run):
    write(tmp_path, {**ROUTING, "evals/ratchet.json": content})
    status, out, err = run("route")
    assert (status, out, err.count("\n")) == (2, "", 1)
    assert err.startswith("error: evals/ratchet.json")


def test_explain_lists_and_prints_manuals(run):
    status, out, _ = run("explain")
    assert status == 0
    assert re.search(r"^missing-description +error +\S", out, re.MULTILINE)
    assert out.splitlines() == sorted(out.splitlines())
    status, out, _ = run("explain", "missing-description")
    assert out.startswith("missing-description (error, family frontmatter)\n\n")
    assert "## Bad" in out


def test_schema_lists_and_prints(run):
    assert run("schema")[1].split() == list(schemas.names())
    assert run("schema", "report")[1] == schemas.text("report")


def test_formats_in_the_help_are_all_there_are():
    text = CliRunner().invoke(main, ["lint", "--help"]).output
    for name in ("text", "json", "github"):
        assert named(name).name == name
        assert name in text
