"""The ledger only grows."""

import json
from datetime import date

import pytest
from catalogs import cases, skill, write
from past import SKILL, keep, trial

from skillcheck import api, stored
from skillcheck.errors import UsageError

DAY = date(2026, 3, 4)
TEXTS = {"tried": "A shorter\n## description", "conclusion": "Kept."}


@pytest.fixture
def root(tmp_path):
    text = skill(SKILL, "Sorts notes by date. Use when a folder of notes has grown.")
    return write(
        tmp_path, {f"skills/{SKILL}/SKILL.md": text, f"evals/cases/{SKILL}.json": cases(SKILL, ("sort notes", "zzz"))}
    )


def add(root, **more):
    catalog = api.choose((), api.configure(base=root), root)
    return stored.add_to_ledger(catalog, **{"skills": (SKILL,), "today": DAY, **TEXTS, **more})


def test_a_new_ledger_has_a_heading_and_the_entry(root):
    trials = [[trial(1, n, {"sorts": n <= held}) for n in range(1, 5)] for held in (1, 4)]
    before, after = (keep(root, day, each) for day, each in enumerate(trials, 1))
    path = add(root, rank1_before=(25.0,), before=before, after="latest")
    assert path == root / "evals/skill-impact.md"
    heading, _, entry = path.read_text("utf-8").partition("\n## ")
    assert heading.startswith("# Skill impact\n")
    assert entry == (
        f"2026-03-04: {SKILL}\n\nTried: A shorter ## description\n\n"
        "| skill | rank-1 before | rank-1 after | pass rate before | pass rate after |\n"
        "| --- | --- | --- | --- | --- |\n"
        f"| {SKILL} | 25.0 % | 50.0 % | 1 of 4 (25.0%) | 4 of 4 (100.0%) |\n\n"
        f"Runs: before `{before}` (claude-code m-1), after `{after}` (claude-code m-1)\n\nConclusion: Kept.\n"
    )


@pytest.mark.parametrize("old", ["# Mine\r\n\r\nMy text.\r\n", "no newline", "\ufeff# \u00e4\n"])
def test_what_is_written_stays(old, root):
    write(root, {"evals/skill-impact.md": old})
    add(root)
    once = (root / "evals/skill-impact.md").read_bytes()
    add(root, conclusion="Taken back.")
    assert once.startswith(old.encode())
    assert (root / "evals/skill-impact.md").read_bytes().startswith(once)
    assert once.count(b"\n\n## 2026-03-04") == 1
    assert b"not measured" in once


@pytest.mark.parametrize(
    ("more", "message"),
    [
        ({"skills": ("tidy-note",)}, f"no skill 'tidy-note' in this catalog; did you mean {SKILL!r}"),
        ({"tried": " \n"}, "--tried is blank: an entry says what was tried"),
        ({"conclusion": ""}, "--conclusion is blank"),
        ({"rank1_before": (1.0, 2.0)}, "--rank1-before is given 2 times for 1 skills: give one for each"),
        ({"before": "nope"}, "no stored run 'nope'"),
    ],
)
def test_what_is_wrong_is_told_and_nothing_is_written(more, message, root):
    with pytest.raises(UsageError, match=message):
        add(root, **more)
    assert not (root / "evals/skill-impact.md").exists()


def test_a_run_without_the_skill_is_refused(root):
    run = keep(root, 1, [trial(1, 1, {"sorts": True}, skill="other")])
    with pytest.raises(UsageError, match=f"run {run} has no graded trial of {SKILL!r}"):
        add(root, before=run)


def test_a_ledger_that_is_no_text_is_left_alone(root):
    write(root, {"evals/skill-impact.md": b"\xff"})
    with pytest.raises(UsageError, match=r"skill-impact.md can't be read: it is not UTF-8"):
        add(root)
    assert (root / "evals/skill-impact.md").read_bytes() == b"\xff"


def test_the_command_adds_for_today(root, run):
    status, out, err = run("ledger", "add", "--skill", SKILL, "--tried", "x", "--conclusion", "y", "--rank1-before", 80)
    assert (status, out, err) == (0, "", f"added to {root}/evals/skill-impact.md\n")
    assert f": {SKILL}\n" in (root / "evals/skill-impact.md").read_text("utf-8")
    assert run("ledger", "add", "--skill", SKILL)[0] == 2
    assert json.loads((root / f"evals/cases/{SKILL}.json").read_bytes())["skill_name"] == SKILL
