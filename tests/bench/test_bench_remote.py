"""Tasks that another machine runs: the same keys and rewards, and what can't be run there is told."""

import os
import threading
from contextlib import closing

import pytest
from tasks import PACKAGES, TASK_MD, write

from skillcheck.bench import plan as plans
from skillcheck.bench.choice import Choice
from skillcheck.bench.load import load_sets
from skillcheck.bench.remote import sent
from skillcheck.evals.plan.settings import Settings
from skillcheck.evals.running.job import hold, name_of

PROGRAMS = {"oracle/solve.sh": "true\n", "verifier/test.sh": 'echo 1 > "$BENCHFLOW_REWARD_TEXT"\n'}


@pytest.fixture
def environ():
    return {"PATH": os.environ["PATH"]}


def planned(root, environ, **settings):
    loaded = load_sets({root: root.name})
    wanted = Settings("oracle", delivery="native", trials=2, retries=0, **settings)
    return plans.make("set", loaded, Choice(), wanted, environ, (root,))


@pytest.mark.parametrize("shard", [(1, 1), (2, 2)])
def test_keys_and_rewards_are_the_same_wherever_a_task_is_held(shard, environ):
    plan = planned(PACKAGES / "v1.1", environ, shard=shard, arms=("with", "distractor"))
    assert plan.specs
    with closing(hold(sent(plan), environ)) as held:
        assert held.offer.keys == tuple(spec.key for spec in plan.specs)
        assert held.offer.lacks == ()
        _, files = held.run(name_of(plan.specs[0]), threading.Event())
        assert b'"reward": 1.0' in files["outcome.json"]


def test_a_task_that_cannot_be_run_there_is_named(tmp_path, environ):
    needs = TASK_MD.replace("timeout_sec: 30", "timeout_sec: 30\n  env: {A: '${NAME_OF_HERE}'}")
    write(tmp_path / "counts", "1.1", {**PROGRAMS, "task.md": needs})
    plan = planned(tmp_path, {**environ, "NAME_OF_HERE": "x"})
    assert plan.specs
    with closing(hold(sent(plan), environ)) as held:
        (lack,) = held.offer.lacks
    told = "it takes NAME_OF_HERE from your environment, where that is not set"
    assert lack == f"counts/task.md: the task can't be run here: {told}"
