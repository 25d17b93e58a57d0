"""The order of trials, the budget and the end, with trials that only tell what they cost."""

import threading
import time
from types import SimpleNamespace

import pytest

from skillcheck.evals import harness
from skillcheck.evals.plan.settings import Settings
from skillcheck.evals.running.runner import Progress, Steps, run, unrun
from skillcheck.evals.store.record import Grading


def plan_of(count, **settings):
    """As much of a plan as the runner looks at."""
    specs = tuple(SimpleNamespace(key=str(n), trial=n, arm="with", names=("jot", "1")) for n in range(1, count + 1))
    sandbox = SimpleNamespace(kind="none")
    return SimpleNamespace(
        specs=specs, settings=Settings("nop", **settings), harness=harness.named("nop"), sandbox=sandbox
    )


def carried_out(plan, cost=2.0, stored=lambda _: None, stop=None, tell=lambda _: None, status="passed"):
    """The trials that were run, and the results; `cost` may be a function of the spec."""
    begun = []

    def trial(spec):
        begun.append(spec.trial)
        price = cost(spec) if callable(cost) else cost
        return unrun(plan, spec, "completed", "")._replace(status=status, cost_usd=price)

    return begun, run(plan, plan.specs, Steps(stored, trial, tell), stop or threading.Event())


def test_results_come_in_the_plans_order_whatever_ends_first():
    plan = plan_of(6, jobs=3)
    begun, records = carried_out(plan, cost=lambda spec: time.sleep(0.05 / spec.trial))
    assert sorted(begun) == [1, 2, 3, 4, 5, 6]
    assert [record.trial for record in records] == [1, 2, 3, 4, 5, 6]


def test_no_trial_begins_once_the_budget_is_spent():
    begun, records = carried_out(plan_of(5, max_cost_usd=5))
    assert begun == [1, 2, 3]
    assert [record.how for record in records] == ["completed"] * 3 + ["budget"] * 2
    assert records[4].message == "skipped: $6.00 of $5.00 are spent"
    assert records[4].status == "error"


def test_jobs_that_run_when_the_budget_is_spent_are_the_only_ones_over_it():
    together = threading.Barrier(2, timeout=5)

    def cost(spec):
        if spec.trial <= 4:
            together.wait()
        return 2.0

    begun, _ = carried_out(plan_of(8, max_cost_usd=5, jobs=2), cost)
    assert 3 <= len(begun) <= 4


def test_a_budget_of_nothing_begins_nothing():
    begun, records = carried_out(plan_of(2, max_cost_usd=0))
    assert begun == []
    assert {record.how for record in records} == {"budget"}


def test_what_graders_cost_counts_and_what_is_unknown_does_not():
    plan = plan_of(4, max_cost_usd=3)
    begun = []

    def trial(spec):
        begun.append(spec.trial)
        record = unrun(plan, spec, "completed", "")._replace(status="passed", cost_usd=None)
        return record._replace(grading=Grading(judge="api", cost_usd=2.0))

    run(plan, plan.specs, Steps(lambda _: None, trial, lambda _: None), threading.Event())
    assert begun == [1, 2]


def test_stored_results_are_not_run_again_and_cost_nothing():
    plan = plan_of(4, max_cost_usd=3)

    def stored(spec):
        if spec.trial <= 2:
            return unrun(plan, spec, "completed", "")._replace(status="passed", cost_usd=9.0, reused="before")
        return None

    begun, records = carried_out(plan, stored=stored)
    assert begun == [3, 4]
    assert [record.reused for record in records] == ["before", "before", "", ""]


def test_a_stop_begins_no_other_trial_and_keeps_what_had_finished():
    stop = threading.Event()
    begun, records = carried_out(plan_of(4), stop=stop, cost=lambda spec: spec.trial == 2 and stop.set())
    assert begun == [1, 2]
    assert [record.how for record in records] == ["completed"] * 2 + ["interrupted"] * 2


def test_a_keyboard_interrupt_is_a_stop():
    raised = []

    def tell(progress):
        if progress.done == 1 and not raised:
            raised.append(True)
            raise KeyboardInterrupt

    begun, records = carried_out(plan_of(3), tell=tell)
    assert len(begun) < 3
    assert records[0].how == "completed"
    assert records[2].how == "interrupted"


@pytest.mark.parametrize(
    ("status", "told"),
    [
        ("passed", Progress(2, passed=2, cost_usd=4.0)),
        ("failed", Progress(2, failed=2, cost_usd=4.0)),
        ("error", Progress(2, errors=2, cost_usd=4.0)),
    ],
)
def test_the_progress_ends_with_all_counts(status, told):
    heard = []
    carried_out(plan_of(2), status=status, tell=heard.append)
    assert heard[0] == Progress(2, running=1)
    assert heard[-1] == told
    assert told.done == 2
