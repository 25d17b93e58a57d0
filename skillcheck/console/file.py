"""A file of options, as --config takes it: its keys are those of the command line, which counts more."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from skillcheck.errors import UsageError
from skillcheck.located import ParseError
from skillcheck.located import yaml as located_yaml
from skillcheck.span import BOM, Lines
from skillcheck.suggest import did_you_mean

if TYPE_CHECKING:
    from pathlib import Path

    from skillcheck.located import Located


def read(context: click.Context, _parameter: click.Parameter, file: Path | None) -> None:
    """Make what a file of YAML says the defaults of a command's options.

    Raises UsageError for a file that can't be read, and for a key that is no option or stands twice.
    """
    if file is None:
        return
    located = _parsed(file)
    known = {name: parameter for parameter in context.command.params for name in _names(parameter)}
    given: dict[str, Any] = {}
    for key, value in located.value.items():
        parameter = known.get(str(key).replace("_", "-"))
        line = located.key_span(key).line
        if parameter is None:
            hint = did_you_mean(str(key), known, f"; there are {', '.join(sorted(known))}")
            message = f"{file}:{line}: unknown key {str(key)!r}{hint}"
            raise UsageError(message)
        if parameter.name in given or any(path == (key,) for path, *_ in located.duplicates):
            message = f"{file}:{line}: {str(key)!r} stands twice"
            raise UsageError(message)
        given[parameter.name or ""] = _value(parameter, value, f"{file}:{line}: {key}")
    context.default_map = given


def _names(parameter: click.Parameter) -> list[str]:
    """What a file may call an option; not --config itself, nor what only prints."""
    if parameter.is_eager:
        return []
    if isinstance(parameter, click.Argument):
        return [parameter.name or ""]
    return [name.removeprefix("--") for name in parameter.opts if name.startswith("--")]


def _parsed(file: Path) -> Located:
    try:
        text = file.read_bytes().decode("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        message = f"{file} can't be read: {error.strerror if isinstance(error, OSError) else 'it is not UTF-8'}"
        raise UsageError(message) from error
    lines = Lines.of(text.removeprefix(BOM))
    try:
        located = located_yaml.parse(lines, 0, len(lines.text))
    except ParseError as error:
        line = lines.span(error.offset, error.offset).line
        message = f"{file}:{line}: not YAML: {error.message}"
        raise UsageError(message) from error
    if not isinstance(located.value, dict):
        message = f"{file}: it must hold options by name, as `k: 3`"
        raise UsageError(message)
    return located


def _value(parameter: click.Parameter, value: Any, where: str) -> Any:
    """A value as the option takes it, checked now, while it is known where it stands."""
    several = parameter.multiple if isinstance(parameter, click.Option) else parameter.nargs != 1
    if isinstance(value, list):
        items = [str(item) for item in value]
        found: Any = items if several else ",".join(items)
    else:
        found = [str(value)] if several else value
    if value is None or isinstance(value, dict):
        message = f"{where} takes a value or a list, not {value!r}"
        raise UsageError(message)
    return found
