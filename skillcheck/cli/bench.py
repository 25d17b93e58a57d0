"""`skillcheck bench`: benchmarks of tasks, as SkillsBench has them."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from skillcheck import api
from skillcheck.bench.choice import Choice
from skillcheck.bench.container import Caps
from skillcheck.cli import INTERRUPTED, emit, fail_on_option, format_option, overrides_of, set_option
from skillcheck.console import file
from skillcheck.console.agents import TRIALS, Finite, task_agent_options, task_settings
from skillcheck.console.progress import told

if TYPE_CHECKING:
    from collections.abc import Callable

_MULTIPLIER = Finite(min=0, max=1000, min_open=True)


def _ids(_context: click.Context, _parameter: click.Parameter, value: str) -> tuple[str, ...]:
    return tuple(filter(None, (name.strip() for name in value.split(","))))


_OPTIONS: tuple[Callable[[Any], Any], ...] = (
    click.option(
        "--config",
        type=click.Path(path_type=Path),
        is_eager=True,
        expose_value=False,
        callback=file.read,
        metavar="FILE",
        help="Options from a YAML file; the command line counts more.",
    ),
    click.option("--dataset-source-dir", default="", metavar="DIR", help="A data set; its tasks, skillsbench/tasks."),
    click.option("--dataset-zip-url", default="", metavar="URL", help="A data set that is fetched for this run."),
    click.option(
        "--data-version", "layout", type=click.Choice(["1.0", "1.1"]), help="Only tasks of this layout. [default: both]"
    ),
    click.option("--sample-ids", default="", metavar="IDS", callback=_ids, help="Only these tasks, with commas."),
    click.option("--k", "trials", type=TRIALS, default=1, show_default=True, help="How often to run each task."),
    click.option("--avgk", "averaged", is_flag=True, help="AgentCompass's score is the mean of the k, not the best."),
    click.option("--execute-timeout-multiplier", "execute_multiplier", type=_MULTIPLIER, default=1.0),
    click.option("--verifier-timeout-multiplier", "verifier_multiplier", type=_MULTIPLIER, default=1.0),
    click.option(
        "--pass-threshold",
        "threshold",
        type=Finite(0, 1),
        default=1.0,
        show_default=True,
        help="The reward that passes; 0 is any above it.",
    ),
    click.option("--validate", is_flag=True, help="Leave tasks out whose oracle doesn't get 1, or doing nothing 0."),
    click.option(
        "--environment",
        type=click.Choice(["local", "docker", "podman"]),
        default="local",
        show_default=True,
        help="Where tasks run; a container needs an image with the agent in it.",
    ),
    click.option("--image-template", default="", metavar="IMAGE", help="A task's image, {task} being its id."),
    click.option("--max-cpus", type=Finite(min=0, min_open=True), metavar="N", help="Cap of a container."),
    click.option("--max-memory-mb", type=click.IntRange(min=1), metavar="MB", help="Cap of a container."),
)


def _options(command: Any) -> Any:
    for option in reversed(_OPTIONS):
        command = option(command)
    return command


@click.command("bench")
@click.argument("tasks", nargs=-1)
@format_option
@fail_on_option
@set_option
@_options
@task_agent_options
@click.option("--dry-run", is_flag=True, help="List and check the tasks, and run nothing.")
@click.pass_context
def bench(
    context: click.Context, /, tasks: tuple[str, ...], outputs: tuple[str, ...], *, dry_run: bool, **options: Any
) -> None:
    """Run task packages with an agent, and let their verifiers judge the work.

    TASKS are folders of tasks in SkillsBench's layouts, or folders with such folders in them. With --arms each task is
    run with its skills and without. What came of it is kept in evals/results/.
    """
    from skillcheck import benchmark  # noqa: PLC0415 - the list of commands loads this file

    config = api.configure(overrides=overrides_of(options))
    given = (*tasks, *filter(None, (options.pop("dataset_source_dir"),)))
    caps = Caps(options.pop("max_cpus"), options.pop("max_memory_mb"))
    zip_url = options.pop("dataset_zip_url")
    picked = {name: options.pop(name) for name in Choice._fields if name in options}
    choice = Choice(ids=options.pop("sample_ids"), caps=caps, **picked)
    settings = task_settings(options)
    with benchmark.planned(given, zip_url, choice, settings, os.environ) as plan:
        if dry_run:
            emit(benchmark.forecast(plan), outputs)
            context.exit(benchmark.readiness(plan))
        for warning in plan.warnings:
            click.echo(f"warning: {warning}", err=True)
        with told() as (tell, stop):
            results = benchmark.run(plan, config, tell, stop)
        for warning in results.warnings:
            click.echo(f"warning: {warning}", err=True)
        report = benchmark.report(results, config)
    emit(report, outputs)
    context.exit(INTERRUPTED if stop.is_set() else benchmark.status(results, report, config))


COMMAND = bench
