"""Whether tasks are sound: the oracle gets a reward of 1, and who does nothing gets 0."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from skillcheck.bench import trial
from skillcheck.bench.plan import ORACLE, Spec
from skillcheck.diagnostic import Diagnostic, Severity
from skillcheck.evals import harness
from skillcheck.evals.plan.machine import look
from skillcheck.evals.running import runner
from skillcheck.evals.running.attempts import tried
from skillcheck.evals.running.runner import Steps
from skillcheck.span import START

if TYPE_CHECKING:
    import threading

    from skillcheck.bench.package import Package
    from skillcheck.bench.plan import Plan
    from skillcheck.evals.store.record import Record

_WANTED = {ORACLE: 1, "nop": 0}
_RULES = {ORACLE: "task-failing-oracle", "nop": "task-free-reward"}
_CONTROL = "without"


def validated(plan: Plan, stop: threading.Event) -> Plan:
    """The plan without the tasks that aren't sound, of which its findings tell. Nothing is stored."""
    unfit: dict[str, Diagnostic] = {}
    for name in _WANTED:
        packages = tuple(package for package in plan.packages if package.id not in unfit)
        for package, record in zip(packages, _records(plan, name, packages, stop), strict=True):
            fault = "" if stop.is_set() else _fault(name, record)
            if fault:
                unfit[package.id] = _finding(package, name, fault)
    return plan.without(unfit)


def _records(plan: Plan, name: str, packages: tuple[Package, ...], stop: threading.Event) -> tuple[Record, ...]:
    agent = harness.named(name)
    jobs = plan.settings.jobs or 1  # 0: as many as an executor has room for, and this is done here
    settings = plan.settings._replace(harness=name, arms=(_CONTROL,), max_cost_usd=None, jobs=jobs)
    crew = replace(plan, harness=agent, settings=settings, machine=look(agent, None, settings, plan.environ))
    specs = tuple(Spec(plan.name, package, 1, package.id, _CONTROL) for package in packages)
    steps = Steps[Spec](
        stored=lambda _: None,
        run=lambda spec: tried(crew, spec, lambda: trial.once(crew, spec, stop))[0],
        tell=lambda _: None,
    )
    return runner.run(crew, specs, steps, stop)


def _fault(name: str, record: Record) -> str:
    if record.verified is None or record.verified.reward is None:
        return f"{record.how}: {record.message}"
    reward = record.verified.reward
    return "" if reward == _WANTED[name] else f"the reward is {reward:g}"


def _finding(package: Package, name: str, fault: str) -> Diagnostic:
    program = package.oracle if name == ORACLE else package.verifier
    path = f"{package.shown}/{(program or package.folder).relative_to(package.folder).as_posix()}"
    told = {
        ORACLE: (f"the oracle does not solve the task: {fault}", "with the oracle's work the reward must be 1"),
        "nop": (f"nothing was done, and {fault}", "for an untouched work folder the reward must be 0"),
    }
    return Diagnostic(path, START, _RULES[name], Severity.ERROR, *told[name])
