"""What raises an alarm: a planted fault does, of the right dimension, and noise doesn't."""

import random
from dataclasses import dataclass
from pathlib import Path

import pytest
from past import error, trial

from skillcheck.evals.store.store import Stored
from skillcheck.past.alarms import Agent, Batch, alarms, batches
from skillcheck.past.runs import Run

AGENT = Agent("claude-code", "", "native")
EVALS, RUNS, TRIALS = range(1, 7), 10, 5


@dataclass(frozen=True)
class Odds:
    """How a simulated agent does: an eval's verdicts hold with its own chance, and now and then the server fails."""

    rng: random.Random
    hard: dict

    @classmethod
    def drawn(cls, seed):
        rng = random.Random(seed)  # noqa: S311 - a simulation
        return cls(rng, {case: rng.choice((0.6, 0.8, 0.95, 1.0)) for case in EVALS})

    def trial(self, case, number, chance=None, **more):
        if self.rng.random() < 0.03:
            return error(case, number)
        chance = self.hard[case] if chance is None else chance
        verdicts = {"sorts": self.rng.random() < chance, "tells": self.rng.random() < 0.97}
        cost = self.rng.lognormvariate(0, 0.25)
        return trial(case, number, verdicts, cost_usd=cost, loaded=self.rng.random() < 0.95, **more)

    def run(self, name, **planted):
        """One run; `planted` gives the chances of evals that differ from the usual, by `e` and the eval's id."""
        records = [self.trial(case, number + 1, planted.get(f"e{case}")) for case in EVALS for number in range(TRIALS)]
        return Batch(name, {}, tuple(records))


def history(seed, **planted):
    odds = Odds.drawn(seed)
    return {AGENT: [*(odds.run(f"run-{n}") for n in range(1, RUNS)), odds.run("run-10", **planted)]}


def raised(past):
    return [alarm.dimension.name for alarm in alarms(past)]


def test_noise_alone_raises_no_alarm_in_200_histories():
    assert [seed for seed in range(200) if raised(history(seed))] == []


def test_a_planted_fall_of_one_eval_is_found_and_named():
    found = [raised(history(seed, e3=0.0)) for seed in range(50)]
    parts = {"pass rate of eval 3 of tidy-notes", "eval 3 of tidy-notes: 'sorts'"}
    assert sum(not parts.isdisjoint(names) for names in found) >= 25
    assert {name for names in found for name in names} <= {*parts, "pass rate of tidy-notes"}


def test_a_planted_fall_of_all_evals_is_found_in_the_skill():
    found = [raised(history(seed, **{f"e{case}": 0.3 for case in EVALS})) for seed in range(50)]
    assert sum("pass rate of tidy-notes" in names for names in found) >= 45


def stored(records):
    return tuple(Stored(Path(), record) for record in records)


def past(*runs):
    return {AGENT: [Batch(f"run-{n}", {}, tuple(records)) for n, records in enumerate(runs)]}


def steady(count=10, **more):
    return [trial(1, number, {"sorts": True}, **more) for number in range(count)]


@pytest.mark.parametrize(
    ("newest", "name"),
    [
        (steady(loaded=False), "share of trials that loaded tidy-notes"),
        (steady(cost_usd=0.7), "share of trials of tidy-notes that are not dear"),
        ([error(1, number) for number in range(10)], "share of trials of tidy-notes without an error"),
    ],
    ids=["loaded", "cost", "errors"],
)
def test_a_fall_of_another_dimension_is_found_alone(newest, name):
    assert raised(past(steady(), steady(), newest)) == [name]


@pytest.mark.parametrize(
    "newest",
    [
        steady(delivery="system-prompt", loaded=False),
        steady(cost_usd=0.6),
        steady(cost_usd=None),
        [error(1, number, "interrupted") for number in range(10)],
    ],
    ids=["text handed over", "a little dearer", "cost unknown", "interrupted"],
)
def test_what_tells_nothing_raises_no_alarm(newest):
    runs = [Run(Path(f"run-{n}"), {}, stored(records)) for n, records in enumerate((steady(), steady(), newest))]
    assert alarms(batches(runs)) == ()


def test_trials_of_another_eval_under_the_same_id_are_not_compared():
    changed = [record._replace(key=record.key[:32] + "another") for record in failing()]
    assert raised(past(steady(), steady(), failing())) != []
    assert raised(past(steady(), steady(), changed)) == []


def failing():
    return [trial(1, number, {"sorts": False}) for number in range(10)]


def test_a_hard_eval_that_is_drawn_more_often_is_no_fall():
    easy = [trial(1, number, {"sorts": True}) for number in range(20)]
    hard = [trial(2, number, {"sorts": False}) for number in range(20)]
    assert raised(past([*easy, *hard[:2]], [*easy[:2], *hard])) == []


def test_a_fall_of_all_skills_is_told_beside_theirs():
    skills = ("a", "b", "c")
    before = [trial(1, n, {"sorts": True}, skill=skill) for skill in skills for n in range(10)]
    after = [trial(1, n, {"sorts": n > 2}, skill=skill) for skill in skills for n in range(10)]
    assert raised(past(before, before, after)) == ["pass rate of all skills"]


def test_what_a_run_took_from_an_earlier_one_counts_once():
    first = failing()
    again = [record._replace(reused="run-0") for record in first]
    found = batches(Run(Path(name), {}, stored(records)) for name, records in (("run-0", first), ("run-1", again)))
    assert [batch.run for batch in found[AGENT]] == ["run-0"]
    alone = batches([Run(Path("run-1"), {}, stored(again)), Run(Path("run-2"), {}, stored(again))])
    assert [(batch.run, len(batch.records)) for batch in alone[AGENT]] == [("run-1", 10)]


def test_a_merged_run_counts_as_what_it_was_made_of():
    (one, two), parts = (failing(), failing()), {"merged": ["part-1", "part-2"]}
    late = [record._replace(reused="part-1") for record in one]
    later = [record._replace(reused="both") for record in two]
    runs = [("late", {}, late), ("both", parts, one + two), ("twice", parts, one + two), ("later", {}, later)]
    found = batches(Run(Path(name), about, stored(records)) for name, about, records in runs)
    assert [(batch.run, len(batch.records)) for batch in found[AGENT]] == [("late", 10), ("both", 10)]


def test_runs_are_told_apart_by_the_model_that_was_asked_for_and_not_by_the_one_that_answered():
    runs = [
        Run(Path(f"run-{n}"), {"model": asked}, stored(steady(model=told)))
        for n, (asked, told) in enumerate([("big", "big-1"), ("big", "big-2"), ("small", "small-1")])
    ]
    found = batches(runs)
    assert {agent.model: len(group) for agent, group in found.items()} == {"big": 2, "small": 1}


def test_one_run_alone_raises_nothing():
    assert raised(past(failing())) == []
