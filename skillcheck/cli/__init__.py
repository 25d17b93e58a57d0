"""The contract of a command, and the options that commands share. Every other file here is one command, COMMAND."""

from __future__ import annotations

import errno
import os
import re
import sys
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from skillcheck import __version__
from skillcheck.diagnostic import Severity
from skillcheck.errors import SkillcheckError, UsageError
from skillcheck.formats import named, printable
from skillcheck.registry import find, names
from skillcheck.suggest import unknown

if TYPE_CHECKING:
    from skillcheck.evals.running.results import Results
    from skillcheck.report import Report

INTERRUPTED = 130
F = TypeVar("F", bound=Callable[..., Any])
SEVERITIES = click.Choice([s.label for s in Severity if s != Severity.OFF])

paths_argument = click.argument("paths", nargs=-1, type=click.Path(readable=False, path_type=Path))


def _outputs(_context: click.Context, _parameter: click.Parameter, values: tuple[str, ...]) -> tuple[str, ...]:
    """Refuse an unknown format, and a file that can't be written, before any work is done."""
    for value in values:
        name, _, file = value.partition("=")
        named(name)
        if file:
            _check_writable(Path(file))
    return values


def _check_writable(path: Path) -> None:
    fault = (
        errno.ENOENT if not path.parent.exists()
        else errno.EISDIR if path.is_dir()
        else errno.EACCES if not os.access(path if path.exists() else path.parent, os.W_OK)
        else 0
    )  # fmt: skip
    if fault:
        message = f"{path} can't be written: {os.strerror(fault)}"
        raise UsageError(message)


format_option = click.option(
    "--format",
    "outputs",
    multiple=True,
    metavar="NAME[=FILE]",
    callback=_outputs,
    help="How to print: text, json, markdown, github, junit; with =FILE into a file. Repeatable.",
)
set_option = click.option(
    "--set", "overrides", multiple=True, metavar="KEY=VALUE", help="Override a setting, e.g. rules.body-too-long=error."
)
fail_on_option = click.option("--fail-on", type=SEVERITIES, help="Exit 1 from this severity on. [default: error]")
select_option = click.option("--select", multiple=True, metavar="RULES", help="Run only these rules or families.")
ignore_option = click.option("--ignore", multiple=True, metavar="RULES", help="Leave these rules or families out.")


def percent(_context: click.Context, _parameter: click.Parameter, value: str | None) -> float | None:
    """A number from 0 to 100 in plain decimal digits; anything else is a usage error."""
    if value is None:
        return None
    if not re.fullmatch(r"\d+(\.\d+)?", value) or float(value) > 100:  # noqa: PLR2004 - percent
        message = f"{value!r} is not a number from 0 to 100"
        raise click.BadParameter(message)
    return float(value)


min_rank1_option = click.option(
    "--min-rank1",
    metavar="PERCENT",
    callback=percent,
    help="Fail below this share of prompts that rank first, 0 to 100.",
)
against_option = click.option(
    "--against", metavar="REF", help="Fail if the ratchet file is lower than at this git revision."
)


def shared_options(command: F) -> F:
    """PATHS, --select, --ignore, --set, --fail-on and --format."""
    for option in (format_option, fail_on_option, set_option, ignore_option, select_option, paths_argument):
        command = option(command)
    return command


def overrides_of(options: dict[str, Any]) -> tuple[str, ...]:
    """The shared options as settings, laid over those of the file; `options` loses the ones that are read here."""
    overrides = list(options.pop("overrides"))
    for key, setting in (("select", "select"), ("ignore", "extend-ignore")):
        names = [name.strip() for value in options.pop(key, ()) for name in value.split(",") if name.strip()]
        if names:
            overrides.append(f"{setting}={names!r}")
    fail_on = options.pop("fail_on")
    if fail_on:
        overrides.append(f"fail-on={fail_on!r}")
    return tuple(overrides)


def emit(report: Report, outputs: Iterable[str]) -> None:
    """Write a report in every wanted format; where all go into files, the text is still printed."""
    targets = [name.partition("=")[::2] for name in outputs]
    if all(file for _, file in targets):
        targets.append(("text", ""))
    for name, file in targets:
        chosen = named(name)
        root = os.environ.get(chosen.root) if chosen.root else None
        shown = report.seen_from(root) if root else report
        if file:
            _write(Path(file), chosen.render(shown))
        else:
            say(chosen.render(shown, colour=_wants_colour()))


def gated(report: Report, fail_on: Severity, *, asked: bool) -> int:
    """The exit status of a report on stored runs: where something depends on it, what can't be read is no success."""
    is_blind = asked and report.metrics["unreadable"]
    return report.exit_status(fail_on) or (SkillcheckError.exit_status if is_blind else 0)


def conclude(results: Sequence[Results], outputs: Iterable[str], *, interrupted: bool) -> int:
    """Write what agents did, and return the exit status."""
    from skillcheck import behavior  # noqa: PLC0415 - most commands run no agent

    for warning in dict.fromkeys(warning for each in results for warning in each.warnings):
        click.echo(f"warning: {warning}", err=True)
    report = behavior.report(results)
    emit(report, outputs)
    return INTERRUPTED if interrupted else behavior.status(results, report)


def say(text: str) -> None:
    """Write to stdout. A reader that has left, as in `| head`, is no error: the exit status stays what it is.

    Raises SkillcheckError where stdout can't be written, as on a full disk.
    """
    try:
        click.echo(text, nl=False, color=True)
    except OSError as error:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        if not isinstance(error, BrokenPipeError):
            message = f"stdout can't be written: {error.strerror}"
            raise SkillcheckError(message) from error


def _write(path: Path, text: str) -> None:
    try:
        path.write_text(text, "utf-8", newline="\n")
    except OSError as error:
        message = f"{path} can't be written: {error.strerror}"
        raise UsageError(message) from error


def _wants_colour() -> bool:
    """Colour is for terminals, unless NO_COLOR is set (no-color.org)."""
    return sys.stdout is not None and sys.stdout.isatty() and not os.environ.get("NO_COLOR")


class Commands(click.Group):
    """The commands of this folder and of plug-ins, each loaded when it is named."""

    def list_commands(self, _context: click.Context) -> list[str]:
        """All names, in order."""
        return list(names(__name__))

    def get_command(self, _context: click.Context, name: str) -> click.Command | None:
        """The command of a name."""
        found = find(__name__, name, "COMMAND")
        return found if isinstance(found, click.Command) else None

    def resolve_command(
        self, context: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """The command that the first argument names. Raises UsageError for an unknown one."""
        try:
            return super().resolve_command(context, args)
        except click.UsageError:
            if args[0].startswith("-"):
                raise
            raise UsageError(unknown("command", args[0], self.list_commands(context))) from None


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(__version__, prog_name="skillcheck")
def main() -> None:
    """Test a catalog of agent skills.

    Exit status: 0 clean, 1 findings, 2 you must change something, 3 we could not do it, 130 interrupted.
    """


def run() -> int:
    """Run the command line; every error becomes one line on stderr and an exit status."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")
    try:
        return int(main.main(standalone_mode=False) or 0)
    except click.exceptions.Abort:
        return INTERRUPTED
    except click.ClickException as error:
        message = error.format_message()
        if "\n" in message:  # the help that a command without arguments prints
            error.show()
            return error.exit_code
        return _failed(message[:1].lower() + message[1:].removesuffix("."), error.exit_code)
    except SkillcheckError as error:
        return _failed(str(error), error.exit_status)
    except Exception as error:  # no traceback reaches a user
        if os.environ.get("SKILLCHECK_DEBUG"):
            raise
        hint = "this is a bug; SKILLCHECK_DEBUG=1 shows where it happened"
        return _failed(f"{type(error).__name__}: {error} ({hint})", 3)


def _failed(message: str, status: int) -> int:
    click.echo(f"error: {printable(message)}", err=True)
    return status
