"""The rules on case files: each fault is one finding at its place."""

import json

import pytest

from skillcheck import api
from skillcheck.rules import active, run

SKILL = "---\nname: {}\ndescription: Sorts {} by date. Use when a folder of them has grown.\n{}---\n\nSort.\n"
ID, FILE = "'id'", "'file'"
FAMILY = frozenset({"cases"})
EVAL = {"id": 1, "kind": "dialogue", "prompt": "p", "expected_output": "o", "expectations": ["x"]}
EXECUTION = {**EVAL, "kind": "execution"}


def case(name="a", positives=(), negatives=(), evals=(EVAL,), **more):
    """A case file with one value a line, so that lines tell the values apart."""
    return {
        "skill_name": name,
        "trigger": {
            "positive": [{"prompt": p} if isinstance(p, str) else p for p in positives or ("p1", "p2", "p3")],
            "negative": [{"prompt": n} if isinstance(n, str) else n for n in negatives or ("n1", "n2")],
        },
        "evals": list(evals),
        **more,
    }


def lay_out(root, skills="ab", files=None, extra="", settings=""):
    for name in skills:
        folder = root / "skills" / name
        folder.mkdir(parents=True)
        (folder / "SKILL.md").write_text(SKILL.format(name, name, extra), "utf-8")
    (root / "evals/cases").mkdir(parents=True)
    for name, data in (files or {}).items():
        text = data if isinstance(data, str) else json.dumps(data, indent=1)
        (root / "evals/cases" / name).write_text(text, "utf-8")
    (root / ".skillcheck.toml").write_text(settings, "utf-8")


def look(root, *paths):
    config = api.configure(base=root)
    catalog = api.load([root / path for path in paths], config, root)
    found = sorted(run(active(config, FAMILY), catalog), key=lambda d: d.order)
    return [(f"{d.path}:{d.span.line}:{d.span.column}", d.severity.label, d.rule) for d in found], found


def only(root, data, **more):
    """What is found in a.json."""
    lay_out(root, files={"a.json": data, "b.json": case("b", ("b1", "b2", "b3"), ("c1", "c2"))}, **more)
    return [(place.removeprefix("evals/cases/a.json:"), *rest) for place, *rest in look(root)[0]]


def line_of(data, text, nth=0):
    lines = [n for n, line in enumerate(json.dumps(data, indent=1).splitlines(), 1) if text in line.replace('"', "'")]
    return lines[nth]


def test_good_files_have_no_findings(tmp_path):
    assert only(tmp_path, case()) == []


def test_catalog_without_cases_is_left_in_peace(tmp_path):
    lay_out(tmp_path)
    (tmp_path / "evals/cases").rmdir()
    assert look(tmp_path)[0] == []


def test_missing_orphan_and_misnamed_files(tmp_path):
    lay_out(tmp_path, "abcd", {
        "a.json": case("x"), "b.json": "{", "ghost.json": case("ghost"),
        "sea.json": case("c", ("c1", "c2", "c3"), ("c4", "c5")),
        "notes.txt": "none",
    })  # fmt: skip
    assert look(tmp_path)[0] == [
        ("evals/cases/a.json:2:16", "error", "case-name-mismatch"),
        ("evals/cases/b.json:1:2", "error", "invalid-json"),
        ("evals/cases/ghost.json:2:16", "error", "orphan-cases"),
        ("evals/cases/sea.json:2:16", "error", "case-name-mismatch"),
        ("skills/d/SKILL.md:2:7", "error", "missing-cases"),
    ]


def test_nothing_else_is_said_of_an_orphan(tmp_path):
    owned = {"prompt": "n", "owner": "nobody"}
    faults = case("ghost", ("x", "x"), (owned,), evals=[EXECUTION, {**EXECUTION, "files": ["../gone"]}])
    assert only(tmp_path, case()) == []
    (tmp_path / "evals/cases/ghost.json").write_text(json.dumps(faults), "utf-8")
    assert [rule for _, _, rule in look(tmp_path)[0]] == ["orphan-cases"]


def test_file_of_a_misnamed_skill_is_found_by_its_folder(tmp_path):
    lay_out(tmp_path, "a", {"a.json": case()})
    (tmp_path / "skills/a/SKILL.md").write_text(SKILL.format("other", "it", ""), "utf-8")
    assert look(tmp_path)[0] == []


def test_only_files_of_named_skills_are_reported(tmp_path):
    short = case(evals=())
    lay_out(tmp_path, "ab", {"a.json": short, "b.json": {**short, "skill_name": "b"}, "ghost.json": case("ghost")})
    rules = [(place.split(":")[0], rule) for place, _, rule in look(tmp_path, "skills/b")[0]]
    assert rules == [*[("evals/cases/b.json", "shared-prompt")] * 3, ("evals/cases/b.json", "insufficient-cases")]


@pytest.mark.parametrize(
    ("data", "settings", "found"),
    [
        pytest.param(case(evals=()), "", [("24:2", "0 of 1 evals")], id="evals"),
        pytest.param(case(evals=()), "[rules.insufficient-cases]\nevals = 0\n", [], id="none asked for"),
        pytest.param(case(positives=("x",)), "", [("4:3", "1 of 3 positives")], id="positives"),
        pytest.param(case(positives=(5, 5, 5)), "", [], id="declared ones count"),
        pytest.param(
            {"skill_name": "a"}, "", [("2:16", "0 of 3 positives, 0 of 2 negatives, 0 of 1 evals")], id="nothing"
        ),
        pytest.param({"skill_name": "a", "trigger": [], "evals": [EVAL]}, "", [], id="what can't be counted"),
        pytest.param({"skill_name": "a", "triggers": {}, "evals": [EVAL]}, "", [], id="under a mistyped key"),
        pytest.param("null", "", [], id="no file at all"),
    ],
)
def test_insufficient_cases(tmp_path, data, settings, found):
    lay_out(tmp_path, "a", {"a.json": data}, settings=settings)
    short = [d for d in look(tmp_path)[1] if d.rule == "insufficient-cases"]
    assert [(f"{d.span.line}:{d.span.column}", d.message) for d in short] == [
        (place, f"too few cases: {text}") for place, text in found
    ]


def test_skill_that_only_users_call_needs_no_prompts(tmp_path):
    lay_out(tmp_path, "a", {"a.json": {"skill_name": "a", "evals": [EVAL]}}, "disable-model-invocation: true\n")
    assert look(tmp_path)[0] == []


def test_owners(tmp_path):
    data = case(
        negatives=[{"prompt": "n1", "owner": "../b"}, {"prompt": "n2", "owner": "a"}, {"prompt": "x", "owner": "b"}]
    )
    assert only(tmp_path, data) == [
        (f"{line_of(data, '../b')}:14", "error", "unknown-owner"),
        (f"{line_of(data, 'owner', 1)}:14", "error", "self-owner"),
    ]


@pytest.mark.parametrize(("top_k", "found"), [(999, ["excessive-top-k"]), (4, ["excessive-top-k"]), (3, []), (1, [])])
def test_top_k_beyond_the_catalog(tmp_path, top_k, found):
    data = case(positives=("p1", "p2", {"prompt": "p3", "top_k": top_k}))
    assert [rule for _, _, rule in only(tmp_path, data)] == found


def test_repeated_prompts(tmp_path):
    data = case("a", ("Sort it!", "sort  IT", "…", "?!", "p"), ("sort-it", "n"))
    assert only(tmp_path, data) == [
        (f"{line_of(data, 'sort  IT')}:15", "warning", "repeated-prompt"),
        (f"{line_of(data, 'sort-it')}:15", "warning", "repeated-prompt"),
    ]


def test_shared_prompt_is_one_finding_with_both_files(tmp_path):
    lay_out(tmp_path, "abc", {f"{n}.json": case(n, (f"{n}1", f"{n}2", "Sort, it"), (f"{n}3", f"{n}4")) for n in "abc"})
    (found,) = look(tmp_path)[1]
    assert (found.path, found.rule, found.span.line) == ("evals/cases/c.json", "shared-prompt", 12)
    assert found.message == "the prompt 'Sort, it' is positive for 'a', 'b', 'c'"
    assert [(r.path, r.span.line) for r in found.related] == [("evals/cases/a.json", 12), ("evals/cases/b.json", 12)]


def test_leaked_prompt(tmp_path):
    data = case(positives=("Use when a folder of them has grown!", "Sorts a by date", "folder of them"))
    assert only(tmp_path, data) == [("6:15", "info", "leaked-prompt")]


@pytest.mark.parametrize(
    ("files", "found"),
    [
        pytest.param(["box"], None, id="folder"),
        pytest.param(["box/a.txt", "box/../box/./a.txt", "..name"], None, id="files"),
        pytest.param([], "eval-without-fixture", id="none"),
        pytest.param(["gone"], "missing-fixture", id="missing"),
        pytest.param(["Box"], "missing-fixture", id="other case"),
        pytest.param(["empty"], "missing-fixture", id="empty folder"),
        pytest.param(["dangling"], "missing-fixture", id="dangling link"),
        pytest.param(["box/a.txt/b"], "missing-fixture", id="below a file"),
        pytest.param(["a\0b"], "missing-fixture", id="NUL"),
        pytest.param(["x/" * 5000], "missing-fixture", id="long"),
        *(
            pytest.param([path], "escaping-fixture", id=path)
            for path in (
                "/etc", "..", "../cases/a.json", "box/../../cases", ".", "./", "box/..", "C:/x", "c:x", "C:\\x",
                "box\\a.txt", "\\\\server\\x", "~/x", "out", "in/self", "deep",
            )
        ),
    ],
)  # fmt: skip
def test_fixtures(tmp_path, files, found):
    home = tmp_path / "evals/fixtures"
    for folder in ("box", "empty", "in", "deep/er"):
        (home / folder).mkdir(parents=True)
    for file in ("box/a.txt", "..name", "in/x"):
        (home / file).write_text("x", "utf-8")
    for link, target in {
        "dangling": "gone",
        "out": "../..",
        "in/self": "/",
        "deep/er/l": "../../../cases",
        "in/y": "x",
    }.items():
        (home / link).symlink_to(target)
    data = case(evals=[{**EXECUTION, "files": files}])
    place = f"{line_of(data, 'files')}:13" if not files else f"{line_of(data, 'files') + 1}:5"
    assert only(tmp_path, data) == ([(place, "error", found)] if found else [])


def test_fixtures_stand_beside_the_cases(tmp_path):
    lay_out(tmp_path, "a", settings='cases = "tests/cases"\n')
    for folder in ("tests/cases", "tests/fixtures/box/skills/z"):
        (tmp_path / folder).mkdir(parents=True)
    (tmp_path / "tests/fixtures/box/skills/z/SKILL.md").write_text("x", "utf-8")
    data = case(evals=[{**EXECUTION, "files": ["box"]}])
    (tmp_path / "tests/cases/a.json").write_text(json.dumps(data), "utf-8")
    assert look(tmp_path)[0] == []


def test_trust_level_and_kind(tmp_path):
    (tmp_path / "evals/fixtures/box").mkdir(parents=True)
    (tmp_path / "evals/fixtures/box/a").write_text("x", "utf-8")
    evals = [
        {**EVAL, "trust_level": "provisional"},
        {**EXECUTION, "id": 2, "trust_level": "provisional", "files": ["box"]},
        {**EXECUTION, "id": "2", "trust_level": "trusted", "files": ["box"]},
        {**EXECUTION, "id": 3},
        {**EXECUTION, "id": 4, "file": ["box"]},
    ]
    data = case(evals=evals)
    assert only(tmp_path, data) == [
        (f"{line_of(data, 'provisional', 1)}:19", "error", "provisional-eval"),
        (f"{line_of(data, ID, 2)}:10", "error", "repeated-eval-id"),
        (f"{line_of(data, ID, 3)}:10", "error", "eval-without-fixture"),
        (f"{line_of(data, FILE)}:4", "error", "misspelled-key"),
    ]


@pytest.mark.parametrize(
    ("entry", "column", "message"),
    [
        ({"type": "file-exist"}, 14, "check 'file-exist': no grader has this name; did you mean 'file-exists'"),
        ({"type": "file-exists"}, 14, "check 'file-exists': the option 'path' is missing"),
        ({"type": "file-exists", "pth": "a"}, 29, "check 'file-exists': no option 'pth'; did you mean 'path'"),
        ({"type": "file-exists", "path": 3}, 37, "check 'file-exists': path: 3 is not of type \"string\""),
        ({"type": "files-changed", "only": ["a", "/b"]}, 45,
         "check 'files-changed': only[1]: '/b' leaves the workspace: it is not relative"),
        ({"type": "script", "path": "../x"}, 32, "check 'script': path: '../x' leaves the fixtures: it goes upward"),
        ({"type": "script", "path": "gone"}, 32, "path 'gone' does not exist"),
        ({"type": "script", "path": "Solve"}, 32, "path 'Solve' does not exist; the true name is 'solve'"),
        ({"type": "script", "path": "out"}, 32, "path 'out' leaves the fixtures: it is a link that leads outside"),
        ({"type": "script", "path": "plain"}, 32, "path 'plain' is no file that may be run"),
        ({"type": "script", "path": "box"}, 32, "path 'box' is no file that may be run"),
        ({"type": "script", "path": "solve"}, None, None),
    ],
)  # fmt: skip
def test_a_check_that_cannot_be_made_is_told_at_its_place(tmp_path, entry, column, message):
    programs(tmp_path)
    data = json.dumps(case(evals=[{**EVAL, "checks": ["HERE"]}]), indent=1).replace('"HERE"', json.dumps(entry))
    lay_out(tmp_path, "a", {"a.json": data})
    line = next(number for number, text in enumerate(data.splitlines(), 1) if json.dumps(entry) in text)
    found = [(d.rule, d.span.line, d.span.column, d.message) for d in look(tmp_path)[1]]
    assert found == ([("invalid-check", line, column, message)] if message else [])


@pytest.mark.parametrize(
    ("path", "message"),
    [
        ("solve", None),
        ("gone", "solution 'gone' does not exist"),
        ("/bin/sh", "solution '/bin/sh' leaves the fixtures: it is not relative"),
        ("out", "solution 'out' leaves the fixtures: it is a link that leads outside"),
        ("plain", "solution 'plain' is no file that may be run"),
    ],
)
def test_a_solution_is_a_program_below_the_fixtures(tmp_path, path, message):
    programs(tmp_path)
    data = case(evals=[{**EVAL, "solution": path}])
    lay_out(tmp_path, "a", {"a.json": data})
    found = [(d.rule, d.span.line, d.span.column, d.message) for d in look(tmp_path)[1]]
    assert found == ([("invalid-check", line_of(data, "solution"), 16, message)] if message else [])


def programs(root):
    home = root / "evals/fixtures"
    (home / "box").mkdir(parents=True)
    for name in ("solve", "plain"):
        (home / name).write_text("#!/bin/sh\n", "utf-8")
    (home / "solve").chmod(0o755)
    (home / "out").symlink_to("/bin/sh")


@pytest.mark.parametrize("kind", ["directory", "dangling link", "UTF-16", "NUL"])
def test_file_that_can_not_be_read_is_one_finding_elsewhere(tmp_path, kind):
    lay_out(tmp_path, "ab", {"b.json": case("b")})
    file = tmp_path / "evals/cases/a.json"
    if kind == "directory":
        file.mkdir()
    elif kind == "dangling link":
        file.symlink_to("gone")
    else:
        file.write_bytes("{}".encode("utf-16") if kind == "UTF-16" else b'{"a\0": 1}')
    config = api.configure(base=tmp_path)
    catalog = api.load((), config, tmp_path)
    (found,) = run(active(config, frozenset({"cases", "frontmatter"})), catalog)
    assert (found.path, found.rule) == (
        "evals/cases/a.json", "not-utf8" if kind in {"UTF-16", "NUL"} else "unreadable-file"
    )  # fmt: skip


@pytest.mark.parametrize(
    ("evidence", "message"),
    [
        ("expectations[0]", None),
        ("rubric", None),
        (
            "expectations[1]",
            "evidence 'expectations[1]' of eval 1 is not there: of expectations there are 1, counted from 0",
        ),
        ("checks[0]", "evidence 'checks[0]' of eval 1 is not there: of checks there are 0, counted from 0"),
        ("checks[-1]", "evidence 'checks[-1]' of eval 1 is neither an entry nor the rubric"),
        ("", "evidence '' of eval 1 is neither an entry nor the rubric"),
    ],
)
def test_evidence_is_an_entry_or_the_rubric(tmp_path, evidence, message):
    data = case(evals=[{**EVAL, "acceptance": [{"text": "t", "evidence": evidence}]}])
    lay_out(tmp_path, "a", {"a.json": data})
    found = [(d.rule, d.span.line, d.span.column, d.message) for d in look(tmp_path)[1]]
    assert found == ([("dangling-evidence", line_of(data, "'evidence'"), 18, message)] if message else [])


@pytest.mark.parametrize(
    ("categories", "message"),
    [
        (("basic", "advanced", "edge", "edge", "edge"), None),
        (("basic", "advanced", "edge"), "3 evals, which should be 5 to 8"),
        (("basic", "advanced", "advanced", "basic", "basic"), "none is edge"),
        (("basic",) * 9, "9 evals, which should be 5 to 8; none is advanced or edge"),
    ],
)
def test_cards_cover_the_categories(tmp_path, categories, message):
    data = case(evals=[{**EVAL, "id": number, "category": name} for number, name in enumerate(categories)])
    settings = "[rules]\nthin-cards = 'info'\n"
    lay_out(tmp_path, "a", {"a.json": data}, settings=settings)
    found = [(d.rule, d.span.line, d.message) for d in look(tmp_path)[1]]
    assert found == (
        [("thin-cards", line_of(data, "'evals'"), f"cards cover too little: {message}")] if message else []
    )


def test_cards_are_off_by_default(tmp_path):
    assert only(tmp_path, case()) == []


@pytest.mark.parametrize(
    ("key", "value", "message"),
    [
        ("difficulty", 6, "evals[0].difficulty: 6 is greater than the maximum of 5"),
        ("category", "hard", 'evals[0].category: "hard" is not one of "basic", "advanced" or "edge"'),
        ("constraints", [" "], 'evals[0].constraints[0]: " " is blank'),
        ("acceptance", [{"text": "t"}], 'evals[0].acceptance[0]: "evidence" is a required property'),
        ("checks", [{"type": "file-exists", "path": "x", "constraint": "yes"}], 'evals[0].checks[0].constraint: "yes"'),
    ],
)
def test_a_bad_card_is_told_at_its_place(tmp_path, key, value, message):
    lay_out(tmp_path, "a", {"a.json": case(evals=[{**EVAL, key: value}])})
    ((found),) = look(tmp_path)[1]
    assert (found.rule, found.message.startswith(message)) == ("case-schema", True), found.message


@pytest.mark.parametrize(
    ("card", "column", "message"),
    [
        ({"difficulty": 0}, 18, "evals[0].difficulty: 0 is less than the minimum of 1"),
        ({"difficulty": 6}, 18, "evals[0].difficulty: 6 is greater than the maximum of 5"),
        ({"difficulty": 2.5}, 18, 'evals[0].difficulty: 2.5 is not of type "integer"'),
        ({"difficulty": "3"}, 18, 'evals[0].difficulty: "3" is not of type "integer"'),
        ({"category": "hard"}, 16, 'evals[0].category: "hard" is not one of "basic", "advanced" or "edge"'),
        ({"tags": [3]}, 5, 'evals[0].tags[0]: 3 is not of type "string"'),
        ({"constraints": [" "]}, 5, 'evals[0].constraints[0]: " " is blank'),
        ({"constraints": "none"}, 19, 'evals[0].constraints: "none" is not of type "array"'),
        ({"acceptance": [{"text": "t"}]}, 5, 'evals[0].acceptance[0]: "evidence" is a required property'),
        ({"judge_explanation": 1}, 25, 'evals[0].judge_explanation: 1 is not of type "boolean"'),
    ],
    ids=lambda value: next(iter(value)) if isinstance(value, dict) else None,
)
def test_a_card_that_is_wrong_is_told_in_its_place_and_takes_no_other_eval_along(tmp_path, card, column, message):
    data = case(evals=[{**EVAL, **card}, {**EVAL, "id": 2, "difficulty": 5.0}])
    lay_out(tmp_path, "a", {"a.json": data})
    assert [(d.rule, d.span.column, d.message) for d in look(tmp_path)[1]] == [("case-schema", column, message)]
    (file,) = api.load((), api.configure(base=tmp_path), tmp_path).case_files
    assert [(each.id, each.card.difficulty) for each in file.evals] == [(2, 5)]


def test_empty_lists_are_an_empty_card(tmp_path):
    assert only(tmp_path, case(evals=[{**EVAL, "acceptance": [], "constraints": [], "tags": []}])) == []


@pytest.mark.parametrize(
    ("card", "kind"),
    [
        ({"constraints": ["No tag", "no tag."]}, "constraint"),
        ({"expectations": ["No tag", "no tag."]}, "expectation"),
        (
            {"acceptance": [{"text": "No tag", "evidence": "rubric"}, {"text": "no tag.", "evidence": "rubric"}]},
            "acceptance item",
        ),
        ({"constraints": ["No tag"], "expectations": ["No tag"]}, ""),
        ({"constraints": ["!", "?"]}, ""),
    ],
    ids=["constraints", "expectations", "acceptance", "of two kinds", "without words"],
)
def test_a_statement_stands_once_in_its_list(tmp_path, card, kind):
    data = case(evals=[{**EVAL, **card}])
    lay_out(tmp_path, "a", {"a.json": data})
    found = [(d.rule, d.span.line, d.message) for d in look(tmp_path)[1]]
    told = f"the {kind} stands twice in eval 1: 'no tag.'"
    assert found == ([("repeated-statement", line_of(data, "'no tag.'"), told)] if kind else [])
