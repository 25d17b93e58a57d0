"""`skillcheck compare` on stored runs, as users run it."""

import json

import pytest
from catalogs import skill, write
from jsonschema import Draft202012Validator
from past import SKILL, error, keep, read, trial

from skillcheck import schemas
from skillcheck.evals.trace.trace import Started, ToolCall, Trace, Usage
from skillcheck.evals.workspace import digest
from skillcheck.past.arrival import named


@pytest.fixture
def root(tmp_path):
    cases = json.dumps({"skill_name": SKILL, "evals": []})
    body = "# Steps\n\nFollow [the style](style.md), then [the order](docs/order.md).\n"
    files = {f"skills/{SKILL}/SKILL.md": skill(SKILL, body=body), f"evals/cases/{SKILL}.json": cases}
    write(tmp_path, {f"skills/{SKILL}/{name}": "x\n" for name in ("style.md", "docs/order.md", "LICENSE")})
    return write(tmp_path, files)


def about(root, **more):
    return {"skills": {SKILL: digest.of_tree(root / "skills" / SKILL)}, "cases": {SKILL: "c" * 64}, **more}


def trials(fails=(), evals=range(1, 9), count=4, **more):
    return [
        trial(case, n, {"sorts": case not in fails, "tells": True}, **more)
        for case in evals
        for n in range(1, count + 1)
    ]


@pytest.fixture
def compare(run):
    return lambda *words: run("compare", *words)


def test_what_differed_is_told_first_and_what_came_of_it_with_its_noise(root, compare):
    base = keep(root, 1, trials(), about(root), read("style.md"))
    codex = {"harness": "codex", "model": "g-1", "usage": Usage(200, 40), "seconds": 1.0, "cost_usd": 0.25}
    other = keep(root, 2, trials(range(1, 8), **codex), about(root, harness_version="9"), read("style.md"))
    status, out, err = compare(base, other)
    assert (status, err) == (0, "")
    lines = [" ".join(line.split()) for line in out.splitlines()]
    assert lines[0] == "What differed"
    assert "agent claude-code codex" in lines
    assert "version told 2.1 9" in lines
    assert not [line for line in lines if line.startswith(("delivery", "case"))]
    assert f"{SKILL}: codex g-1 against claude-code m-1" in lines
    assert "1 passed 4 of 4 0 of 4 -1.00 within noise" in lines
    assert "8 tells 4 of 4 4 of 4 +0.00 within noise" in lines
    assert f"{SKILL}: {other} against {base}: worse, -0.875 (-1.17 to -0.58): p = 0.0156, at most 0.05" in lines
    assert "tokens x 2.00, seconds x 0.50, US dollars x 0.50" in lines


def test_single_evals_differ_where_trials_are_many_enough(root, compare):
    base = keep(root, 1, trials(evals=(1, 2), count=12), about(root))
    other = keep(root, 2, trials((1,), evals=(1, 2), count=12), about(root))
    status, out, _ = compare(base, other, "--format", "json")
    report = json.loads(out)
    Draft202012Validator(json.loads(schemas.text("report"))).validate(report)
    (found,) = report["comparisons"]
    assert status == 0
    assert [(line["eval"], line["text"]) for line in found["lines"] if line["p"]] == [("1", ""), ("1", "sorts")]
    assert found["skills"][0]["verdict"]["word"] == "insufficient"
    few = [keep(root, day, trials(fails, evals=(1,), count=2), about(root)) for day, fails in ((3, ()), (4, (1,)))]
    assert "within noise: too few trials to tell" in compare(*few)[1]


def test_the_same_results_are_within_noise(root, compare):
    runs = [keep(root, day, trials((2,)), about(root)) for day in (1, 2, 3)]
    status, out, _ = compare(*runs)
    assert status == 0
    assert out.count(": within noise, +0.000: the arms differ on 0 tasks") == 2
    assert "differs" not in out


@pytest.mark.parametrize(
    ("other", "why"),
    [
        ({"delivery": "system-prompt"}, "the skill was given by native and by system-prompt"),
        ({"key": "k" * 32 + "another"}, f"the task, a fixture or the grading differs in eval 1 of {SKILL}"),
    ],
    ids=["delivery", "case"],
)
def test_runs_that_did_different_things_are_not_compared_unless_asked_for(other, why, root, compare):
    base = keep(root, 1, trials(evals=(1,)), about(root))
    run = keep(root, 2, trials(evals=(1,), **other), about(root))
    status, out, _ = compare(base, run)
    assert status == 1
    assert f"evals/results/{run}/run.json:1:1: error: not compared with {base}: {why} [unlike-runs]" in out
    assert "against" not in out
    status, out, _ = compare(base, run, "--anyway")
    assert status == 0
    assert f"{SKILL}: {run} against {base}: within noise" in out


def test_what_a_framework_drops_is_told(root, compare):
    unlisted = Trace.of([Started("m", "1", ("other",))])
    runs = [
        keep(root, 1, trials(evals=(1,)), about(root), read("style.md", "docs/order.md")),
        keep(root, 2, trials(evals=(1,), harness="codex"), about(root), read("style.md")),
        keep(root, 3, trials(evals=(1,), harness="pi", loaded=False), about(root), Trace.of([])),
        keep(root, 4, [error(1, n, "harness-config", harness="qwen") for n in (1, 2)], about(root), unlisted),
    ]
    status, out, _ = compare(*runs)
    told = [line.partition(" warning: ")[2].partition(" [")[0] for line in out.splitlines() if "dropped-skill" in line]
    assert status == 0
    assert told == [
        f"codex: docs/order.md of {SKILL!r} was not read in any of 4 trials",
        f"pi: {SKILL!r} was not loaded in any of 4 trials",
        f"pi: docs/order.md of {SKILL!r} was not read in any of 4 trials",
        f"pi: style.md of {SKILL!r} was not read in any of 4 trials",
        f"qwen: {SKILL!r} was not listed in any of 2 trials",
        f"qwen: docs/order.md of {SKILL!r} was not read in any of 2 trials",
        f"qwen: style.md of {SKILL!r} was not read in any of 2 trials",
    ]
    assert f"{runs[0]} read it" in out
    assert "LICENSE" not in out


def test_files_are_not_looked_for_once_the_skill_has_changed(root, compare):
    told = about(root)
    runs = [keep(root, day, trials(evals=(1,)), told, read(*names)) for day, names in ((1, ("style.md",)), (2, ()))]
    write(root, {f"skills/{SKILL}/style.md": "y\n"})
    out = compare(*runs)[1]
    assert out.count("can't be told: the skill has changed since") == 2
    assert "dropped-skill" not in out


@pytest.mark.parametrize(
    ("given", "found"),
    [
        ({"file_path": "/w/skills/x/docs/order.md"}, {"docs/order.md"}),
        ({"command": "cd docs && cat order.md style.md"}, {"docs/order.md", "style.md"}),
        ({"edits": [{"path": "style.md"}]}, {"style.md"}),
        ({"command": "cat my-style.md style.md.bak restyle.md"}, {"style.md"}),
        ({"command": "cat my-style.md style.mdx"}, set()),
        ({}, set()),
    ],
)
def test_a_file_is_read_where_a_call_names_it(given, found):
    assert named(Trace.of([ToolCall("1", "x", given)]), ("style.md", "docs/order.md")) == found


def test_what_can_not_be_compared_is_a_usage_error(root, compare):
    base = keep(root, 1, trials(evals=(1,)), about(root))
    other = keep(root, 2, trials(evals=(2,)), about(root))
    empty = keep(root, 3, [], about(root))
    for words, message in (
        ((base,), f"two different runs or more are compared, not {base!r}"),
        ((base, base), f"two different runs or more are compared, not {base!r} and {base!r}"),
        ((base, other), f"runs {base} and {other} have no eval in common"),
        ((base, empty), f"run {empty} has no trials"),
        ((base, "nope"), "no stored run 'nope'"),
        ((), "missing argument 'RUNS...'"),
    ):
        status, out, err = compare(*words)
        assert (status, out) == (2, "")
        assert err.startswith(f"error: {message}")
