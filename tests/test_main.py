"""The program as a process of its own: what only shows there."""

import json
import os
import signal
import subprocess
import sys
import time

import pytest
from catalogs import git, plugin, skill, skillcheck, write
from jsonschema import Draft202012Validator

from skillcheck import schemas

BAD, GOOD = "skills/bad/SKILL.md", "skills/good/SKILL.md"
SELECT = ("--select", "missing-description")
HEAVY = ("sklearn", "scipy", "numpy", "jsonschema_rs", "anthropic", "importlib.metadata", "skillcheck.behavior")
FINDING = b"skills/bad/SKILL.md:1:1: error: no description in the frontmatter [missing-description]"
posix = pytest.mark.skipif(os.name != "posix", reason="needs POSIX")


@pytest.fixture
def catalog(tmp_path):
    return write(tmp_path, {BAD: "---\nname: bad\n---\n\nText.\n", GOOD: skill("good")})


@pytest.mark.parametrize(
    ("words", "status"),
    [
        (("lint", "skills/good", *SELECT), 0),
        (("lint", *SELECT), 1),
        (("lint", "--select", "none"), 2),
        (("lint", "nowhere"), 2),
        (("--version",), 0),
    ],
    ids=["clean", "findings", "unknown rule", "no such path", "version"],
)
def test_the_exit_status_tells_what_happened(words, status, catalog):
    assert skillcheck(*words, cwd=catalog)[0] == status


def test_findings_are_on_stdout_and_errors_on_stderr(catalog):
    status, out, err = skillcheck("lint", *SELECT, cwd=catalog)
    assert (status, out.splitlines()[0], err) == (1, FINDING, b"")
    status, out, err = skillcheck("lint", "nowhere", cwd=catalog)
    assert (status, out, err) == (2, b"", b"error: nowhere: no such file or folder\n")


def test_what_we_could_not_do_is_status_three(catalog):
    status, out, err = skillcheck("route", "--against", "HEAD", cwd=catalog, env={"PATH": str(catalog)})
    assert (status, out, err) == (3, b"", b"error: git is not installed\n")


def test_a_bug_is_one_line_and_a_traceback_for_those_who_ask(catalog):
    site = plugin(catalog / "site", source="from skillcheck.rules import *\n" + RAISES)
    status, out, err = skillcheck("lint", cwd=catalog, env={"PYTHONPATH": str(site)})
    hint = b"(this is a bug; SKILLCHECK_DEBUG=1 shows where it happened)"
    assert (status, out, err) == (3, b"", b"error: ZeroDivisionError: division by zero " + hint + b"\n")
    env = {"PYTHONPATH": str(site), "SKILLCHECK_DEBUG": "1"}
    assert b"Traceback" in skillcheck("lint", cwd=catalog, env=env)[2]


RAISES = """
from skillcheck.diagnostic import Severity
RULE = SkillRule("house_rule", Severity.WARNING, "Fails.", lambda skill, context: [1 / 0])
"""
SLEEPS = """
import time
from pathlib import Path
from skillcheck.diagnostic import Severity
from skillcheck.rules import SkillRule


def check(skill, context):
    Path("ready").touch()
    time.sleep(60)
    return []


RULE = SkillRule("house_rule", Severity.WARNING, "Sleeps.", check)
"""
INTERRUPTIBLE = (
    "import signal; signal.signal(signal.SIGINT, signal.default_int_handler);"
    " from skillcheck.__main__ import main; main()"
)


@posix
def test_an_interrupt_is_status_130_without_a_traceback(catalog):
    site = plugin(catalog / "site", source=SLEEPS)
    argv = (sys.executable, "-c", INTERRUPTIBLE, "lint", "--select", "house-rule")
    env = {**os.environ, "PYTHONPATH": str(site)}
    pipe = subprocess.PIPE
    with subprocess.Popen(argv, cwd=catalog, env=env, stdout=pipe, stderr=pipe) as running:
        until = time.monotonic() + 20
        while not (catalog / "ready").exists() and time.monotonic() < until:
            time.sleep(0.01)
        running.send_signal(signal.SIGINT)
        out, err = running.communicate(timeout=20)
    assert (running.returncode, out, err.strip()) == (130, b"", b"")


def test_json_on_stdout_fits_its_schema(catalog):
    status, out, err = skillcheck("lint", *SELECT, "--format", "json", cwd=catalog)
    data = json.loads(out)
    Draft202012Validator(schemas.schema("report")).validate(data)
    assert (status, err, [d["path"] for d in data["diagnostics"]]) == (1, b"", [BAD])


def test_two_runs_print_the_same_bytes(catalog):
    words = ("lint", "--format", "json", "--format", "github")
    runs = [skillcheck(*words, cwd=catalog, env={"PYTHONHASHSEED": str(seed)}) for seed in (1, 2)]
    assert runs[0] == runs[1]
    assert runs[0][1]


@posix
@pytest.mark.parametrize("words", [("lint", *SELECT), ("lint", *SELECT, "--format", "json")], ids=["text", "json"])
def test_a_reader_that_leaves_is_no_error_and_changes_no_status(words, catalog):
    reading, writing = os.pipe()
    os.close(reading)
    argv = (sys.executable, "-m", "skillcheck", *words)
    done = subprocess.run(argv, cwd=catalog, stdout=writing, stderr=subprocess.PIPE, check=False)
    os.close(writing)
    assert (done.returncode, done.stderr) == (1, b"")


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs /dev/full")  # noqa: PTH110 - plain
def test_a_full_disk_is_told(catalog):
    with open("/dev/full", "wb") as full:  # noqa: PTH123 - a device
        argv = (sys.executable, "-m", "skillcheck", "lint")
        done = subprocess.run(argv, cwd=catalog, stdout=full, stderr=subprocess.PIPE, check=False)
    assert (done.returncode, done.stderr) == (3, b"error: stdout can't be written: No space left on device\n")


@posix
@pytest.mark.parametrize("closed", ["<&-", ">&-", "2>&-", ">&- 2>&-", "<&- >&- 2>&-"])
def test_closed_streams_are_no_error(closed, catalog):
    command = f'"$@" {closed}'
    argv = ("sh", "-c", command, "sh", sys.executable, "-m", "skillcheck", "lint", *SELECT)
    done = subprocess.run(argv, cwd=catalog, capture_output=True, check=False)
    assert (done.returncode, done.stderr) == (1, b"")


@pytest.mark.parametrize(
    "env",
    [
        {"LANG": "C", "LC_ALL": "C", "PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"},
        {"LC_ALL": "tr_TR.UTF-8"},
        {"HOME": "/nonexistent"},
        {"PATH": "/nonexistent"},
        {"COLUMNS": "1", "TERM": "dumb"},
    ],
    ids=["ascii", "Turkish", "no home", "no path", "narrow"],
)
def test_the_environment_changes_nothing(env, catalog):
    write(catalog, {"skills/é/SKILL.md": "---\nname: é\n---\n\nText.\n"})
    status, out, err = skillcheck("lint", *SELECT, cwd=catalog, env=env)
    assert (status, out.splitlines()[:1], err) == (1, [FINDING], b"")
    assert "skills/é/SKILL.md".encode() in out


def test_nothing_in_the_environment_is_needed(catalog):
    argv = (sys.executable, "-m", "skillcheck", "check", *SELECT)
    done = subprocess.run(argv, cwd=catalog, env={}, capture_output=True, check=False)
    assert (done.returncode, done.stderr) == (1, b"")


@posix
def test_a_working_directory_that_is_gone_is_told(catalog):
    (catalog / "gone").mkdir()
    command = 'cd gone && rmdir ../gone && "$@"'
    argv = ("sh", "-c", command, "sh", sys.executable, "-m", "skillcheck", "lint")
    done = subprocess.run(argv, cwd=catalog, capture_output=True, check=False)
    assert done.returncode == 2
    assert done.stderr.splitlines()[-1] == (b"error: the working directory can't be read: No such file or directory")


@pytest.mark.parametrize(
    "words", [("lint",), ("--help",), ("lint", "--help"), ("--version",), ("explain", "missing-description")]
)
def test_no_heavy_library_is_loaded(words, catalog):
    code = (
        "import sys\nfrom skillcheck.cli import run\ntry:\n    run()\nexcept SystemExit:\n    pass\n"
        f"print([name for name in {HEAVY!r} if name in sys.modules], file=sys.stderr)"
    )
    _, _, err = skillcheck(*words, cwd=catalog, code=code)
    assert err == b"[]\n"


def test_a_plugin_rule_is_run_and_explained(catalog):
    env = {"PYTHONPATH": str(plugin(catalog / "site"))}
    status, out, _ = skillcheck("lint", "--select", "house-rule", "--fail-on", "warning", cwd=catalog, env=env)
    assert (status, out.splitlines()[0]) == (
        1,
        b"skills/bad/SKILL.md:1:1: warning: a house rule is broken [house-rule]",
    )
    assert skillcheck("lint", "--select", "plugins", "--ignore", "house-rule", cwd=catalog, env=env)[0] == 0
    assert skillcheck("explain", "house-rule", cwd=catalog, env=env)[1].startswith(
        b"house-rule (warning, family plugins)"
    )
    assert b"house-rule " in skillcheck("explain", cwd=catalog, env=env)[1]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"source": "import nothing_here\n"},
         b"plug-in 'house-rule' of house-rules can't be loaded: ModuleNotFoundError: No module named 'nothing_here'"),
        ({"source": "RULE = 3\n"}, b"plug-in rule 3 is no rule, or its name is taken"),
    ],
    ids=["does not load", "is no rule"],
)  # fmt: skip
def test_a_broken_plugin_is_told(options, message, catalog):
    env = {"PYTHONPATH": str(plugin(catalog / "site", **options))}
    assert skillcheck("lint", cwd=catalog, env=env) == (2, b"", b"error: " + message + b"\n")


def test_a_plugin_format_can_be_chosen(catalog):
    source = (
        "from skillcheck.formats import Format\n"
        "FORMAT = Format('count', lambda report, *, colour=False: f'{len(report.diagnostics)}\\n')\n"
    )
    site = plugin(catalog / "site", group="skillcheck.formats", name="count", target="house_rule:FORMAT", source=source)
    assert skillcheck("lint", *SELECT, "--format", "count", cwd=catalog, env={"PYTHONPATH": str(site)}) == (
        1,
        b"1\n",
        b"",
    )


def test_a_worktree_and_a_submodule_are_catalogs_of_their_own(catalog):
    git(catalog, "init", "-q")
    git(catalog, "add", "--all")
    git(catalog, "commit", "-qm", "one")
    git(catalog, "worktree", "add", "-q", "../tree")
    git(catalog, "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", str(catalog), "skills/inner")
    for root in (catalog, catalog.parent / "tree", catalog / "skills/inner"):
        status, out, err = skillcheck("lint", *SELECT, cwd=root)
        assert (status, out.splitlines()[0], err) == (1, FINDING, b"")
