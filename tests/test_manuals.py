"""A rule's manual is its test: Bad examples break that rule and no other, Good ones none, and safe fixes mend."""

import os
import shlex
import sys
from pathlib import Path

import pytest
from manual import examples, lay_out
from past import lay_out_runs

from skillcheck import api, behavior, benchmark, stored
from skillcheck.bench.choice import Choice
from skillcheck.evals.plan.settings import Settings
from skillcheck.rules import rules

RULES = tuple(rules().values())
GRADER = shlex.join((sys.executable, str(Path(__file__).parent / "agent/quoting_grader.py")))


def look(root, rule):
    """What the command that the rule belongs to finds below `root`."""
    if rule.family in api.TASKS:
        return look_at_tasks(root, validate=rule.name in {"task-failing-oracle", "task-free-reward"})
    if rule.family == "history":
        return look_back(api.load((), api.configure(base=root), root), lay_out_runs(root), rule)
    if rule.family in api.STORED:
        return stored.verify(api.configure(base=root), "latest", root)
    catalog = api.load((), api.configure(base=root), root)
    if rule.family in api.AGENTS:
        delivery = "native" if rule.name == "bypassed-skill" else "system-prompt"
        command = {"agent-command": "sh inbox/agent.sh"}
        settings = Settings("command", delivery=delivery, options=command, grader_command=GRADER, retries=0)
        return behavior.report([api.evaluate(api.plan(catalog, settings))])
    if rule.family in api.FOREIGN:
        sources = sorted((root / "source").iterdir())
        return api.take_in(sources, catalog.config, root, skill="tidy-notes", write=False)
    later = rule.family in api.LATER
    against = "HEAD" if (root / ".git").exists() else None
    return api.check(catalog, against=against) if later else api.lint(catalog)


def look_at_tasks(root, *, validate):
    settings = Settings("nop", delivery="native")
    with benchmark.planned([str(root / "tasks")], "", Choice(validate=validate), settings, os.environ) as plan:
        config = api.configure(base=root)
        return benchmark.report(benchmark.run(plan, config), config) if validate else benchmark.forecast(plan)


def look_back(catalog, runs, rule):
    """What is found in stored runs by the one command or the other."""
    if rule.name in {"unlike-runs", "dropped-skill"}:
        return stored.compare(catalog, runs)
    return stored.history(catalog, alert=True, least=50)


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.name)
def test_manual_has_a_summary_and_both_kinds_of_examples(rule):
    assert rule.summary
    assert examples(rule, "Bad")
    assert examples(rule, "Good")


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.name)
def test_bad_examples_break_this_rule_alone(rule, tmp_path):
    for index, files in enumerate(examples(rule, "Bad")):
        root = tmp_path / str(index)
        lay_out(files, root)
        report = look(root, rule)
        assert {d.rule for d in report.diagnostics} == {rule.name}, report.diagnostics
        if all(d.fix and d.fix.safe for d in report.diagnostics):
            api.fix(api.load((), api.configure(base=root), root))
            assert look(root, rule).diagnostics == ()


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.name)
def test_good_examples_break_nothing(rule, tmp_path):
    for index, files in enumerate(examples(rule, "Good")):
        root = tmp_path / str(index)
        lay_out(files, root)
        assert look(root, rule).diagnostics == ()
