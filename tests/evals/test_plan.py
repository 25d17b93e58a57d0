"""Which trials a run is made of, what keeps evals out of it, and what it would still need."""

import json
import os
from dataclasses import replace

import pytest
from catalogs import skill, write
from trials import CASES, an_eval, case_file, catalog

from skillcheck import api
from skillcheck.errors import UsageError
from skillcheck.evals.plan.settings import Settings

NOP = Settings("nop", sandbox="none")


def plan_of(root, settings=NOP, skills=(), environ=os.environ):
    return api.plan(api.choose(skills, api.configure(base=root), root), settings, environ)


def names(plan):
    return [(spec.skill.name, spec.case.id, spec.trial) for spec in plan.specs]


def two_skills(root):
    catalog(root, an_eval(1, "well"), an_eval("b", "well"))
    write(root, {"skills/bake/SKILL.md": skill("bake"), "evals/cases/bake.json": case_file(an_eval(1, "well"))})
    return root


def test_trials_come_by_skill_eval_and_number(tmp_path):
    plan = plan_of(two_skills(tmp_path), NOP._replace(trials=2))
    assert names(plan) == [(s, e, t) for s, e in (("bake", 1), ("jot", 1), ("jot", "b")) for t in (1, 2)]


def test_a_skill_and_an_eval_can_be_chosen(tmp_path):
    root = two_skills(tmp_path)
    assert names(plan_of(root, skills=("jot",))) == [("jot", 1, 1), ("jot", "b", 1)]
    assert names(plan_of(root, NOP._replace(evals=("1",)))) == [("bake", 1, 1), ("jot", 1, 1)]
    assert names(plan_of(root, NOP._replace(evals=("b",)), skills=("skills/jot",))) == [("jot", "b", 1)]


@pytest.mark.parametrize(
    ("settings", "skills", "message"),
    [
        (NOP._replace(harness="codx"), (), "unknown harness 'codx'; did you mean 'codex'"),
        (NOP._replace(judge="claud"), (), "unknown grader 'claud'; did you mean 'claude'"),
        (NOP._replace(evals=("7",)), (), "no eval '7' among the chosen skills; there are 1, sorting"),
        (NOP._replace(evals=("sortin",)), (), "no eval 'sortin' among the chosen skills; did you mean 'sorting'"),
        (NOP, ("jots",), "no skill 'jots' in this catalog; did you mean 'jot'"),
        (NOP, ("zzz",), "no skill 'zzz' in this catalog; there are bake, jot"),
        (NOP, ("bake",), "'bake' has no behavioral evals in evals/cases; see `skillcheck schema cases`"),
        (NOP._replace(harness="command"), (), "harness 'command' has no command: say which program to run with"),
    ],
)
def test_what_is_not_there_is_a_usage_error(settings, skills, message, tmp_path):
    catalog(tmp_path, an_eval(1, "well"), an_eval("sorting", "well"))
    write(tmp_path, {"skills/bake/SKILL.md": skill("bake")})
    with pytest.raises(UsageError, match="^" + message):
        plan_of(tmp_path, settings, skills)


@pytest.mark.parametrize(
    ("broken", "rule", "line"),
    [
        (an_eval(2, "well", files=["nope"]), "missing-fixture", 24),
        (an_eval(2, "well", files=["../cases"]), "escaping-fixture", 24),
        (an_eval(2, "well", files=["empty"]), "missing-fixture", 24),
        (an_eval(2, "well", checks=[{"type": "file-exist"}]), "invalid-check", 28),
        (an_eval(2, "well", trust_level="provisional"), "provisional-eval", 26),
        (an_eval(1, "well"), "repeated-eval-id", 20),
        ({"id": 2, "files": ["inbox"]}, "case-schema", 19),
    ],
    ids=lambda value: value if isinstance(value, str) else None,
)
def test_a_broken_eval_is_told_with_its_line_and_the_others_are_planned(broken, rule, line, tmp_path):
    catalog(tmp_path, an_eval(1, "well"), broken, an_eval(3, "well"))
    (tmp_path / "evals/fixtures/empty").mkdir()
    plan = plan_of(tmp_path)
    assert [(d.rule, d.path, d.span.line) for d in plan.broken] == [(rule, CASES, line)] * len(plan.broken)
    assert plan.broken
    assert names(plan) == [("jot", 1, 1), ("jot", 3, 1)]


def test_what_is_wrong_with_triggers_keeps_no_eval_back(tmp_path):
    catalog(tmp_path, an_eval(1, "well"))
    cases = {**json.loads((tmp_path / CASES).read_bytes()), "trigger": {"positive": 7}}
    plan = plan_of(write(tmp_path, {CASES: json.dumps(cases, indent=1)}))
    assert plan.broken == ()
    assert names(plan) == [("jot", 1, 1)]


def test_evals_that_the_run_is_not_for_are_left_out_with_the_reason(tmp_path):
    catalog(tmp_path, an_eval(1, "well"), an_eval(2, "well", expectations=["It is done"]))
    assert plan_of(tmp_path).left_out == (("jot", "2", "it has no checks, and there is no grader"),)
    told = "nothing to run: eval 1 of jot: it has no solution to run; eval 2 of jot: it has no checks, and there is no"
    with pytest.raises(UsageError, match=told):
        plan_of(tmp_path, NOP._replace(harness="oracle"))


def test_a_grader_is_only_missed_where_one_is_asked(tmp_path):
    settings = Settings("command", sandbox="none", judge="api", options={"agent-command": "true"})
    environ = {"PATH": os.environ["PATH"]}
    catalog(tmp_path, an_eval(1, "well"))
    assert plan_of(tmp_path, settings, environ=environ).missing == ()
    catalog(tmp_path, an_eval(1, "well"), an_eval(2, "well", expectations=["It is done"]))
    plan = plan_of(tmp_path, settings, environ=environ)
    assert plan.judged == 1
    assert plan.missing == ("the grader api needs ANTHROPIC_API_KEY in the environment",)


def test_another_version_than_the_tested_one_is_told(tmp_path):
    plan = plan_of(catalog(tmp_path, an_eval(1, "well")), NOP._replace(harness="claude-code"))
    other, tested = (
        replace(plan, machine=plan.machine._replace(version=v)) for v in ("9.9", f"{plan.harness.tested} x")
    )
    assert other.warnings[1:] == (
        f"claude tells the version '9.9'; claude-code was tested with {plan.harness.tested!r}",
    )
    assert tested.warnings == (plan.sandbox.warning,)


def test_of_two_skills_with_one_name_one_is_run_and_the_name_is_told(tmp_path):
    root = write(catalog(tmp_path, an_eval(1, "well")), {"skills/other/SKILL.md": skill("jot")})
    plan = plan_of(root)
    assert names(plan) == [("jot", 1, 1)]
    assert {d.rule for d in plan.broken} == {"duplicate-name"}


def cored(root):
    """Evals 0 to 9, of which 3 and 7 are core ones."""
    return catalog(root, *(an_eval(n, "well", core=n in {3, 7}) for n in range(10)))


def chosen(root, **settings):
    return [case for _, case, _ in names(plan_of(root, NOP._replace(**settings)))]


def test_core_evals_can_be_run_alone_or_with_others_drawn_by_seed(tmp_path):
    root = cored(tmp_path)
    assert chosen(root, core=True) == [3, 7]
    drawn = [chosen(root, core=True, sample=3, seed=seed) for seed in (1, 1, 2)]
    assert drawn[0] == drawn[1] != drawn[2]
    assert all(len(each) == 5 and each == sorted(each) and {3, 7} <= set(each) for each in drawn)
    assert len(chosen(root, sample=3)) == 3
    assert chosen(root, core=True, sample=99) == list(range(10))
    assert chosen(root, core=True, evals=("1", "3")) == [3]


def test_each_eval_is_drawn_by_some_seed_and_none_by_all(tmp_path):
    root = cored(tmp_path)
    drawn = [set(chosen(root, sample=3, seed=seed)) for seed in range(20)]
    assert set.union(*drawn) == set(range(10))
    assert set.intersection(*drawn) == set()


def test_core_alone_needs_a_core_eval(tmp_path):
    with pytest.raises(UsageError, match='no eval of the chosen skills is a core one: mark some with `"core": true`'):
        chosen(catalog(tmp_path, an_eval(1, "well")), core=True)


def test_evals_can_be_chosen_by_tag(tmp_path):
    tags = (["math"], ["math", "tool"], [], ["tool"])
    root = catalog(tmp_path, *(an_eval(n, "well", tags=own, core=n == 3) for n, own in enumerate(tags)))
    assert chosen(root, tags=("math",)) == [0, 1]
    assert chosen(root, tags=("math", "tool")) == [0, 1, 3]
    assert chosen(root, tags=("tool",), core=True) == [3]
    with pytest.raises(UsageError, match="no eval of the chosen skills has the tag 'tol'; did you mean 'tool'"):
        chosen(root, tags=("tol",))
    with pytest.raises(UsageError, match="no eval of the chosen skills has the tag 'x'; there are math, tool"):
        chosen(root, tags=("x",))


LABELS = {"core": True, "difficulty": 3, "category": "edge", "tags": ["math"]}
ASKED = {
    "acceptance": [{"text": "It is done", "evidence": "checks[0]"}],
    "constraints": ["Nothing else is touched"],
    "judge_explanation": True,
}


@pytest.mark.parametrize(("more", "is_kept"), [(LABELS, True), *(({name: ASKED[name]}, False) for name in ASKED)])
def test_an_eval_keeps_its_results_unless_something_else_is_asked(tmp_path, more, is_kept):
    before, after = (plan_of(catalog(tmp_path, an_eval(1, "well", **card))).specs[0].key for card in ({}, more))
    assert (before == after) == is_kept
