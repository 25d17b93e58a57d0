"""The options that say which agent is run, how, and who grades it."""

from __future__ import annotations

import math
import os
import re
import shlex
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeVar

import click

from skillcheck.evals import executor as executors
from skillcheck.evals.plan.settings import Settings
from skillcheck.evals.workspace.arm import ARMS, TREATED, named

F = TypeVar("F", bound=Callable[..., Any])
OVERRIDE = "SKILLCHECK_AGENT_COMMAND"
"""The variable that names another command line for an agent whose output is still read as its own."""
_DEFAULT = Settings()
_LONGEST_S = 7 * 24 * 3600
TRIALS = click.IntRange(1, 1000)
"""How often one task may be run."""
_READERS = {"--agent-command": "command", "--trace": "replay"}
"""The harnesses that read an option which is theirs alone."""


class Finite(click.FloatRange):
    """A number in a range; "nan" is none, though no comparison says so."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """The number. Raises BadParameter for what is none, or out of range."""
        found = super().convert(value, param, ctx)
        if math.isnan(found):
            self.fail(f"{value!r} is not a number", param, ctx)
        return found


def _duration(default: float, name: str, text: str) -> Callable[[F], F]:
    kind = Finite(min=0, max=_LONGEST_S, min_open=True)
    return click.option(name, type=kind, default=default, show_default=True, metavar="SECONDS", help=text)


def _names(_context: click.Context, _parameter: click.Parameter, value: tuple[str, ...]) -> tuple[str, ...]:
    for name in value:
        if not re.fullmatch(r"[A-Za-z_][A-Za-z0-9_]*", name):
            message = f"{name!r} is no variable's name"
            raise click.BadParameter(message)
    return value


def _shard(_context: click.Context, _parameter: click.Parameter, value: str) -> tuple[int, int]:
    found = re.fullmatch(r"([0-9]{1,9})/([0-9]{1,9})", value)
    part, parts = (int(found[1]), int(found[2])) if found else (0, 0)
    if not 1 <= part <= parts:
        message = f"{value!r} is no part; give the part from 1 and how many there are, as 2/4"
        raise click.BadParameter(message)
    return part, parts


def _odd(_context: click.Context, _parameter: click.Parameter, value: int) -> int:
    if value % 2 == 0:
        message = f"{value} votes can be a tie; give an odd number"
        raise click.BadParameter(message)
    return value


def _listed(_context: click.Context, _parameter: click.Parameter, value: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(name.strip() for name in value.split(",")))


def _executor(_context: click.Context, _parameter: click.Parameter, value: str) -> str:
    return value if not value or executors.named(value) else ""


def _arms(context: click.Context, parameter: click.Parameter, value: str) -> tuple[str, ...]:
    names = _listed(context, parameter, value)
    if TREATED not in names:
        message = f"{value!r} lacks {TREATED!r}, with which the others are compared"
        raise click.BadParameter(message)
    return tuple(named(name).name for name in names)


_AGENTS = click.option(
    "--harness",
    "--agent",
    "harnesses",
    default=_DEFAULT.harness,
    show_default=True,
    metavar="NAMES",
    callback=_listed,
    help="The agent to run, or several to compare.",
)
_ONE_AGENT = click.option(
    "--harness", "--agent", default=_DEFAULT.harness, show_default=True, metavar="NAME", help="The agent to run."
)
_AGENT = (
    click.option("--model", default="", metavar="ID", help="The agent's model. [default: its own choice]"),
    click.option("--agent-command", default="", metavar="COMMAND", help="For --harness command: the program to run."),
    click.option("--trace", default="", metavar="FILE", help="For --harness replay: a stored stream."),
    click.option(
        "--env", multiple=True, callback=_names, metavar="NAME", help="Hand a variable on to the agent. Repeatable."
    ),
    click.option("--sandbox", type=click.Choice(["auto", "bwrap", "none"]), default="auto", show_default=True),
    _duration(_DEFAULT.idle_s, "--idle-timeout", "How long an agent may be silent."),
)
_EVALS = (
    click.option(
        "--delivery",
        type=click.Choice(["native", "system-prompt"]),
        help="Whether the agent must find the skill, or gets its text too. [default: system-prompt; of arms native]",
    ),
    _duration(_DEFAULT.timeout_s, "--timeout", "How long an agent may work."),
    click.option("--timeouts-fail", is_flag=True, help="Count a timeout as failed, not as an error."),
    click.option("--eval", "evals", multiple=True, metavar="ID", help="Run only this eval. Repeatable."),
    click.option("--tag", "tags", multiple=True, metavar="TAG", help="Run only evals with this tag. Repeatable."),
    click.option("--core", is_flag=True, help="Run the evals that are marked `core`."),
    click.option(
        "--sample", type=click.IntRange(min=1), metavar="N", help="Run N evals drawn at random, beside those of --core."
    ),
    click.option("--seed", type=int, default=0, show_default=True, help="What --sample draws by."),
    click.option("--trials", type=TRIALS, default=1, show_default=True, help="How often to run each."),
)
_GRADER = (
    click.option(
        "--grader",
        default="",
        metavar="NAME",
        help="Who judges expectations: api, claude, command or none. [default: what can be used here]",
    ),
    click.option("--grader-model", default="", metavar="ID", help="The grader's model."),
    click.option("--grader-command", default="", metavar="COMMAND", help="A program: prompt on stdin, JSON on stdout."),
    click.option("--grader-votes", type=click.IntRange(min=1), callback=_odd, default=1, help="Majority of this many."),
    _duration(_DEFAULT.grader_timeout_s, "--grader-timeout", "How long a grader's answer may take."),
)
_RUN = (
    click.option(
        "--shard",
        default="1/1",
        metavar="I/N",
        callback=_shard,
        help="Run every N-th eval or task, from the I-th on; `skillcheck merge` puts the N runs together.",
    ),
    click.option(
        "--executor",
        default="",
        metavar="NAME[:ADDRESS]",
        callback=_executor,
        help="Where to run: here, or dask:ADDRESS, a cluster by its scheduler's address.",
    ),
    click.option(
        "--arms",
        default=TREATED,
        show_default=True,
        metavar="NAMES",
        callback=_arms,
        help=f"Compare: {TREATED}, and some of {', '.join(name for name in ARMS if name != TREATED)}.",
    ),
    click.option(
        "--jobs",
        "--task-concurrency",
        type=click.IntRange(min=1),
        help="How many at a time. [default: 1; on a cluster as many as it has threads]",
    ),
    click.option(
        "--retries", type=click.IntRange(min=0), default=1, show_default=True, help="Of what may pass by itself."
    ),
    click.option("--max-cost-usd", type=Finite(0, 1e9), metavar="USD", help="Begin no trial once this is spent."),
    click.option("--keep", is_flag=True, help="Keep the workspaces."),
    click.option("--fresh", is_flag=True, help="Run what has a stored result again."),
)


def grader_options(command: F) -> F:
    """--grader and what belongs to it."""
    return _applied(_GRADER, command)


def agent_options(command: F) -> F:
    """All options of a run of evals."""
    return _applied((_AGENTS, *_AGENT, *_EVALS, *_GRADER, *_RUN), command)


def task_agent_options(command: F) -> F:
    """Those that count for tasks too, which bring times and a verifier of their own."""
    return _applied((_ONE_AGENT, *_AGENT, *_RUN), command)


def _applied(options: tuple[Callable[[Any], Any], ...], command: F) -> F:
    for option in reversed(options):
        command = option(command)
    return command


def settings_by_harness(options: dict[str, Any]) -> tuple[Settings, ...]:
    """The options of `agent_options` as settings, one for each agent."""
    given = dict(options)
    harnesses = given.pop("harnesses")
    settings = settings_of(given)
    _require(harnesses, settings.options)
    return tuple(settings._replace(harness=name) for name in harnesses)


def task_settings(options: dict[str, Any]) -> Settings:
    """The options of `task_agent_options` as settings: an agent must find a task's skills by itself."""
    settings = settings_of({**options, "delivery": "native"})
    _require((settings.harness,), settings.options)
    return settings


def settings_of(options: dict[str, Any]) -> Settings:
    """The options of `agent_options`, `task_agent_options` or `grader_options` as settings, whatever the agent."""
    given = dict(options)
    for name in ("timeout", "idle_timeout", "grader_timeout"):
        if name in given:
            given[name.replace("idle_timeout", "idle") + "_s"] = given.pop(name)
    programs = {name: _resolved(given.pop(name, "")) for name in ("agent_command", "grader_command")}
    trace = given.pop("trace", "")
    given["delivery"] = _delivery(given)
    if "jobs" in given:
        given["jobs"] = given["jobs"] or (0 if given.get("executor") else 1)
    own = {
        "agent-command": programs["agent_command"],
        "override": _resolved(os.environ.get(OVERRIDE, "")),
        "trace": str(Path(trace).absolute()) if trace else "",
    }
    if "grader" in given:
        given |= {"judge": given.pop("grader"), "votes": given.pop("grader_votes")}
    given["options"] = own
    return Settings(grader_command=programs["grader_command"], **given)


def _delivery(given: dict[str, Any]) -> str:
    """How the skill is given; between arms nothing but its presence may differ. Raises UsageError for another wish."""
    is_compared, wish = len(given.get("arms", ())) > 1, given.get("delivery")
    if is_compared and wish == "system-prompt":
        message = "arms are compared with --delivery native: a system prompt would be another difference between them"
        raise click.UsageError(message)
    return wish or ("native" if is_compared else _DEFAULT.delivery)


def _require(harnesses: Sequence[str], options: Mapping[str, str]) -> None:
    """Raises UsageError for an option that none of the chosen harnesses reads."""
    for option, reader in _READERS.items():
        if options[option.removeprefix("--")] and reader not in harnesses:
            message = f"{option} is for --harness {reader}, not for {', '.join(harnesses)}"
            raise click.UsageError(message)


def _resolved(command: str) -> str:
    """A command whose program, where it is named by a relative path, is found from any folder.

    Raises UsageError where the words can't be told apart.
    """
    try:
        words = shlex.split(command)
    except ValueError as error:
        message = f"{command!r} is no command: {str(error).lower()}"
        raise click.BadParameter(message) from error
    return shlex.join(str(Path(word).absolute()) if _is_relative_file(word) else word for word in words)


def _is_relative_file(word: str) -> bool:
    return os.sep in word and not Path(word).is_absolute() and os.path.isfile(word)  # noqa: PTH113 - a word need not be a path
