"""`skillcheck import` as users run it: bad sources, what is there already, files that lead astray, big suites."""

import json
import time

import pytest
from catalogs import here, plugin, skill, skillcheck, write

EVALS = "source/evals/evals.json"


def suite(*evals, **head):
    return json.dumps({"skill_name": "tidy-notes", **head, "evals": evals})


def an_eval(ident, prompt="Sort the notes.", **more):
    return {"id": ident, "prompt": prompt, "expected_output": "Sorted.", "expectations": ["By date"], **more}


def run(root, *words, **options):
    """Import; returns the status, the findings as (place, rule) and the report."""
    ran = skillcheck if options else here
    status, out, err = ran("import", *words, "--format", "json", cwd=root, **options)
    assert not err, err
    report = json.loads(out)
    found = [(f"{d['path']}:{d['line']}:{d['column']}", d["rule"]) for d in report["diagnostics"]]
    return status, found, report


def evals(root, name="tidy-notes"):
    return json.loads((root / f"evals/cases/{name}.json").read_bytes())["evals"]


def test_the_rest_of_a_half_valid_file_is_imported(tmp_path):
    text = (
        '{"skill_name": "tidy-notes", "evals": [\n'
        ' {"id": 1, "prompt": 7, "expectations": ["x"]},\n'
        ' {"id": 2, "expectations": ["x"]},\n'
        ' "sort",\n'
        ' {"id": 4, "prompt": "Sort.", "expectations": ["By date", 7]},\n'
        ' {"id": -1, "prompt": "Sort them.", "expectations": ["By date"]}\n'
        "]}"
    )
    write(tmp_path, {EVALS: text})
    status, found, _ = run(tmp_path, EVALS)
    assert status == 1
    assert found == [
        (f"{EVALS}:2:22", "invalid-entry"),
        (f"{EVALS}:3:2", "invalid-entry"),
        (f"{EVALS}:4:2", "invalid-entry"),
        (f"{EVALS}:5:59", "invalid-entry"),
        (f"{EVALS}:6:3", "restated-value"),
    ]
    assert [each["id"] for each in evals(tmp_path)] == [4, "-1"]


def test_an_id_that_stands_twice_is_told_and_the_first_stays(tmp_path):
    write(tmp_path, {EVALS: suite(an_eval(1), an_eval("1", "Again."), an_eval(2, "Once more."))})
    status, found, _ = run(tmp_path, EVALS)
    assert (status, [rule for _, rule in found]) == (0, ["repeated-entry"])
    assert [(each["id"], each["prompt"]) for each in evals(tmp_path)] == [(1, "Sort the notes."), (2, "Once more.")]


def test_what_a_case_file_has_stays_as_it_is(tmp_path):
    mine = {
        "skill_name": "tidy-notes",
        "note": "kept",
        "trigger": {"positive": [{"prompt": "sort my notes", "top_k": 1}]},
        "evals": [an_eval(1, "Mine.")],
    }
    write(
        tmp_path,
        {
            "evals/cases/tidy-notes.json": json.dumps(mine),
            EVALS: suite(an_eval(1), an_eval(2)),
            "source/t.json": json.dumps([{"query": "Sort my notes!", "should_trigger": True}]),
        },
    )
    status, found, _ = run(tmp_path, "source", "--skill", "tidy-notes")
    assert (status, [rule for _, rule in found]) == (0, ["repeated-entry", "repeated-entry"])
    kept = json.loads((tmp_path / "evals/cases/tidy-notes.json").read_bytes())
    assert kept == {**mine, "evals": [*mine["evals"], an_eval(2) | {"kind": "dialogue"}]}


def test_importing_again_changes_nothing(tmp_path):
    unnamed = {"prompt": "No id.", "expectations": ["x"]}
    write(tmp_path, {EVALS: suite(an_eval(1, files=["evals/files/a.md"]), unnamed), "source/evals/files/a.md": "A.\n"})
    run(tmp_path, EVALS)
    before = {path: path.read_bytes() for path in (tmp_path / "evals").rglob("*") if path.is_file()}
    status, found, _ = run(tmp_path, EVALS)
    assert (status, [rule for _, rule in found]) == (0, ["repeated-entry", "repeated-entry"])
    assert {path: path.read_bytes() for path in (tmp_path / "evals").rglob("*") if path.is_file()} == before


@pytest.mark.parametrize(
    "text", ["{", "[]", '{"evals": {}}', '{"evals": [], "evals": []}', '{"trigger": {"positive": 1}}']
)
def test_a_broken_case_file_is_left_alone(tmp_path, text):
    write(tmp_path, {"evals/cases/tidy-notes.json": text, EVALS: suite(an_eval(1), an_eval(2))})
    status, found, _ = run(tmp_path, EVALS)
    assert (status, [rule for _, rule in found]) == (1, ["invalid-entry"])
    assert (tmp_path / "evals/cases/tidy-notes.json").read_text() == text


@pytest.mark.parametrize(
    "path", ["../../../secret.txt", "/etc/passwd", "evals/files/link", "evals/files/folder", "C:\\x"]
)
def test_files_that_lead_outside_are_refused_and_the_rest_imported(tmp_path, path):
    write(
        tmp_path,
        {
            "secret.txt": "secret",
            EVALS: suite(an_eval(1, files=[path, "evals/files/a.md"]), an_eval(2)),
            "source/evals/files/a.md": "A.\n",
            "source/evals/files/folder/b.md": "B.\n",
        },
    )
    (tmp_path / "source/evals/files/link").symlink_to(tmp_path / "secret.txt")
    (tmp_path / "source/evals/files/folder/link").symlink_to(tmp_path / "secret.txt")
    status, found, _ = run(tmp_path, EVALS)
    assert (status, [rule for _, rule in found]) == (1, ["escaping-file"])
    first, second = evals(tmp_path)
    assert (first["files"], first["trust_level"]) == (["evals/files/a.md"], "provisional")
    assert "trust_level" not in second
    assert not [p for p in (tmp_path / "evals").rglob("*") if p.is_file() and p.read_bytes() == b"secret"]


def test_a_missing_file_keeps_its_place_and_check_says_so(tmp_path):
    write(
        tmp_path,
        {EVALS: suite(an_eval(1, files=["evals/files/a.md"])), "skills/tidy-notes/SKILL.md": skill("tidy-notes")},
    )
    status, found, _ = run(tmp_path, EVALS)
    assert (status, [rule for _, rule in found]) == (0, ["missing-file"])
    status, out, _ = here("check", "--format", "json", cwd=tmp_path)
    rules = {d["rule"] for d in json.loads(out)["diagnostics"]}
    assert {"missing-fixture", "provisional-eval", "insufficient-cases"} <= rules


def test_another_file_of_the_same_place_gets_its_own(tmp_path):
    for name, text in (("a", "A.\n"), ("b", "B.\n"), ("c", "A.\n")):
        one = json.dumps({"skill_name": name, "evals": [an_eval(1, files=["evals/files/x.md"])]})
        write(tmp_path, {f"{name}/evals/evals.json": one, f"{name}/evals/files/x.md": text})
    status, found, _ = run(tmp_path, "a", "b", "c")
    assert (status, [rule for _, rule in found]) == (0, ["restated-value"])
    assert [evals(tmp_path, name)[0]["files"] for name in "abc"] == [
        ["evals/files/x.md"], ["b/evals/files/x.md"], ["evals/files/x.md"],
    ]  # fmt: skip
    assert (tmp_path / "evals/fixtures/b/evals/files/x.md").read_text() == "B.\n"


def test_an_eval_without_an_id_takes_none_that_another_has(tmp_path):
    unnamed = {"prompt": "Sort.", "expected_output": "", "expectations": ["By date"]}
    write(
        tmp_path,
        {EVALS: suite(unnamed, an_eval(1), {**unnamed, "id": None, "prompt": "Sort all."}, an_eval("3", "Again."))},
    )
    assert run(tmp_path, EVALS)[:2] == (0, [])
    assert {each["id"]: each["prompt"] for each in evals(tmp_path)} == {
        2: "Sort.", 1: "Sort the notes.", 4: "Sort all.", "3": "Again.",
    }  # fmt: skip


def test_a_regular_expression_keeps_its_backslashes(tmp_path):
    scorers = [{"type": "regex", "pattern": r"tidy\s+'notes'"}]
    write(tmp_path, {EVALS: suite({"id": 1, "prompt": "Sort.", "scorers": scorers})})
    run(tmp_path, EVALS)
    (expectation,) = evals(tmp_path)[0]["expectations"]
    assert r"""the regular expression "tidy\s+'notes'" matches""" in expectation


def test_keys_that_stand_twice_are_told_at_the_second(tmp_path):
    text = "skill_name: tidy-notes\nevals:\n- id: 1\n  prompt: Sort.\n  prompt: Sort them.\n  expectations: [x]\n"
    write(tmp_path, {"source/a.yaml": text})
    status, found, _ = run(tmp_path, "source")
    assert (status, found) == (0, [("source/a.yaml:5:3", "dropped-value")])
    assert evals(tmp_path)[0]["prompt"] == "Sort them."


@pytest.mark.parametrize(
    ("text", "place"),
    [(b'{"evals": [}', "1:12"), (b"\xff\xfe{", "1:1"), (b'{"evals": ["\xff"]}', "1:13"), (b"", "1:1")],
    ids=["no JSON", "UTF-16", "no UTF-8", "empty"],
)
def test_sources_that_cannot_be_read_are_told_and_the_others_imported(tmp_path, text, place):
    write(tmp_path, {"source/a.json": text, "source/b.json": suite(an_eval(1))})
    status, found, _ = run(tmp_path, "source")
    assert (status, found) == (1, [(f"source/a.json:{place}", "unreadable-source")])
    assert len(evals(tmp_path)) == 1


def test_yaml_under_the_name_of_json_is_read_as_what_it_is(tmp_path):
    write(tmp_path, {EVALS: "skill_name: tidy-notes\nevals:\n- {id: 1, prompt: Sort., expectations: [x]}\n"})
    assert run(tmp_path, EVALS)[:2] == (0, [])
    assert len(evals(tmp_path)) == 1


def test_a_file_of_another_format_than_the_named_one_is_told(tmp_path):
    write(tmp_path, {"source/a.yaml": "prompts: [Sort.]\n"})
    status, found, report = run(tmp_path, "source/a.yaml", "--format-of", "skill-creator")
    assert (status, found[-1]) == (1, ("source/a.yaml:1:1", "unknown-format"))
    assert report["metrics"]["evals"] == 0


@pytest.mark.parametrize("name", ["a\0.md", "é" * 130])
def test_a_file_whose_name_none_can_have_is_told_and_the_rest_imported(name, tmp_path):
    write(tmp_path, {EVALS: suite(an_eval(1, files=[f"evals/files/{name}"]), an_eval(2, "Again."))})
    status, found, _ = run(tmp_path, EVALS)
    assert (status, [rule for _, rule in found]) == (0, ["missing-file"])
    assert [each["id"] for each in evals(tmp_path)] == [1, 2]


def test_a_catalog_that_is_not_there_is_told(tmp_path):
    write(tmp_path, {EVALS: suite(an_eval(1))})
    status, _, err = here("import", EVALS, "--into", "none", cwd=tmp_path)
    assert (status, b"'--into': Directory 'none' does not exist" in err) == (2, True)
    assert not (tmp_path / "evals").exists()


def test_a_case_file_is_known_for_what_it_is(tmp_path):
    write(tmp_path, {"source/a.json": json.dumps({"skill_name": "a", "trigger": {}, "evals": []})})
    _, _, report = run(tmp_path, "source/a.json")
    (told,) = report["diagnostics"]
    assert told["message"] == "this is a case file already, and needs no importer"
    assert told["help"] == "copy it to evals/cases/, and what its `files` name to evals/fixtures/"


def test_an_unknown_shape_is_an_error_where_it_is_named_and_counted_in_a_folder(tmp_path):
    write(tmp_path, {"source/a.json": "{}", "source/b.json": suite(an_eval(1))})
    assert run(tmp_path, "source/a.json")[:2] == (1, [("source/a.json:1:1", "unknown-format")])
    status, found, report = run(tmp_path, "source")
    assert (status, found) == (0, [])
    assert report["metrics"]["evals"] == 1


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("gone.json",), "gone.json: no such file or folder"),
        (("empty",), "no evals of a known format in or below empty"),
        (("a.json", "--format-of", "wasa"), "unknown format 'wasa'; did you mean 'waza'"),
    ],
    ids=["gone", "nothing", "format"],
)
def test_what_cannot_work_is_said_at_once(tmp_path, words, message):
    write(tmp_path, {"a.json": suite(an_eval(1)), "empty/x.txt": ""})
    status, out, err = here("import", *words, cwd=tmp_path)
    assert (status, out) == (2, b"")
    assert err.decode() == f"error: {message}\n"


@pytest.mark.parametrize("name", ["../x", "a/b", "..", "", "a" * 251])
def test_a_skill_that_is_no_file_name_is_refused(tmp_path, name):
    write(tmp_path, {EVALS: suite(an_eval(1), skill_name=name)})
    status, found, _ = run(tmp_path, EVALS)
    assert (status, [rule for _, rule in found]) == (1, ["invalid-entry"])
    assert not (tmp_path / "evals").exists()


def test_a_dry_run_writes_nothing(tmp_path):
    write(tmp_path, {EVALS: suite(an_eval(1, files=["evals/files/a.md"])), "source/evals/files/a.md": "A.\n"})
    status, _, report = run(tmp_path, EVALS, "--dry-run")
    assert (status, report["metrics"]) == (0, {"evals": 1, "prompts": 0, "fixtures": 1})
    assert not (tmp_path / "evals").exists()


def test_a_catalog_elsewhere_can_be_named(tmp_path):
    write(tmp_path, {EVALS: suite(an_eval(1)), "catalog/skills/a/SKILL.md": skill("a")})
    assert run(tmp_path, EVALS, "--into", "catalog")[0] == 0
    assert len(evals(tmp_path / "catalog")) == 1


def test_what_was_imported_passes_check(tmp_path):
    triggers = [{"query": f"sort old notes {word}", "should_trigger": True} for word in ("now", "by date", "again")]
    triggers += [{"query": f"bake a {what}", "should_trigger": False} for what in ("cake", "pie")]
    write(
        tmp_path,
        {
            "skills/tidy-notes/SKILL.md": skill("tidy-notes"),
            "skills/tidy-notes/evals/evals.json": suite(an_eval(1, files=["evals/files/a.md"])),
            "skills/tidy-notes/evals/triggers.json": json.dumps(triggers),
            "skills/tidy-notes/evals/files/a.md": "A.\n",
        },
    )
    status, found, _ = run(tmp_path, "skills/tidy-notes")
    assert (status, found) == (0, [])
    status, out, _ = here("check", "--ignore", "vacuous-negative", cwd=tmp_path)
    assert status == 0, out.decode()


def test_ten_thousand_evals_are_imported_fast(tmp_path):
    write(tmp_path, {EVALS: suite(*(an_eval(n, f"Task {n}.", category="x") for n in range(10_000)))})
    begun = time.monotonic()
    status, found, report = run(tmp_path, EVALS)
    assert time.monotonic() - begun < 3 * 3  # 3 s by itself; the suite's machine is busy
    assert (status, [rule for _, rule in found]) == (0, ["dropped-value"])
    assert report["metrics"]["evals"] == 10_000


IMPORTER = """
from skillcheck.exchange.importer import Importer, Task


def read(document):
    root = document.root
    yield Task(root, 1, root.text("ask"), "", ("It is done",), skill="tidy-notes")


IMPORTER = Importer("house-rule", "House.", lambda document: "ask" in document.root.keys, read)
"""


def test_a_plug_in_brings_a_format(tmp_path):
    write(tmp_path, {"a.yaml": "ask: Sort.\n"})
    group = "skillcheck.exchange.importer"
    site = plugin(tmp_path / "site", group=group, target="house_rule:IMPORTER", source=IMPORTER)
    code = f"import sys; sys.path.insert(0, {str(site)!r}); from skillcheck.__main__ import main; main()"
    assert run(tmp_path, "a.yaml", code=code)[0] == 0
    assert evals(tmp_path)[0]["prompt"] == "Sort."


def test_settings_that_select_other_rules_hide_no_loss(tmp_path):
    write(tmp_path, {".skillcheck.toml": 'select = ["links"]\n', EVALS: suite(an_eval(1, category="x"))})
    assert [rule for _, rule in run(tmp_path, EVALS)[1]] == ["dropped-value"]
