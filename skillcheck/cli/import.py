"""`skillcheck import`: others' eval files as case files of ours."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from skillcheck import api
from skillcheck.cli import emit, fail_on_option, format_option, overrides_of, set_option


@click.command("import")
@click.argument("sources", nargs=-1, required=True, type=click.Path(readable=False, path_type=Path))
@click.option("--skill", metavar="NAME", help="The skill that all of it is for, whatever the sources say.")
@click.option("--format-of", "form", metavar="NAME", help="The format of the sources, which else goes by their shape.")
@click.option(
    "--into",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    metavar="DIR",
    help="The catalog; else that of this folder.",
)
@click.option("--dry-run", is_flag=True, help="Write nothing.")
@format_option
@fail_on_option
@set_option
@click.pass_context
def import_(
    context: click.Context,
    /,
    sources: tuple[Path, ...],
    outputs: tuple[str, ...],
    *,
    skill: str | None,
    form: str | None,
    into: Path | None,
    dry_run: bool,
    **options: Any,
) -> None:
    """Import SOURCES, files or folders of other tools' evals, into evals/cases/ and evals/fixtures/.

    \b
    benchflow           cases with a question, and NVIDIA's flat list of the same
    caliper             .eval.yaml
    claude-plugin-eval  prompt.md with graders/
    promptfoo           prompts and tests
    skill-creator       evals.json of skill-creator and agentskills.io
    skill-up            suites and cases
    skillgrade          eval.yaml with instructions
    trigger-set         prompts with should_trigger
    waza                suites, tasks and trigger tests

    A format is told by shape, not by name. What can't be carried over is told with its place. What stands in a case
    file already stays: evals of a new id and new prompts are added. Files keep the paths that prompts speak of.

    An eval without files becomes a dialogue, which begins in an empty workspace. One whose files can't be had is
    marked as provisional, and not run until you give it fixtures.
    """  # noqa: D301 - \b is click's
    config = api.configure((into,) if into else (), overrides=overrides_of(options))
    report = api.take_in(sources, config, skill=skill, form=form, write=not dry_run)
    emit(report, outputs)
    context.exit(report.exit_status(config.fail_on))


COMMAND = import_
