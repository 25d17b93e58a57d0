"""`python -m skillcheck.agent`."""

from __future__ import annotations

import argparse
import json
import os
import signal
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from skillcheck.errors import SkillcheckError, UsageError

if TYPE_CHECKING:
    from skillcheck.agent.stream import Record

_MODEL = "claude-sonnet-5-5"
_SYSTEM = """\
You are a coding agent. You work by yourself in the directory {work}: nobody answers questions, so decide and go on
until the task is done. The tool `bash` runs commands, `edit` views and changes files, and `Skill` loads the
instructions of a skill. When you are done, say in a few sentences what you did.

Skills, by name, with what each is for. Before you begin a task that one of them fits, load it and follow it:
{skills}
"""


def main() -> None:
    """Run the agent and exit: 0 done, 1 not done, 2 bad usage, 130 or 143 stopped."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))
    signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell's background jobs are started without one
    try:
        status = _run(_parser().parse_args())
    except KeyboardInterrupt:
        status = 128 + signal.SIGINT
    except SkillcheckError as error:
        sys.stderr.write(f"error: {error}\n")
        status = error.exit_status
    sys.exit(status)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        "python -m skillcheck.agent",
        usage=argparse.SUPPRESS,  # a fault is told in one line
        description="A small coding agent. It works in the current directory and writes events to stdout as JSON, one "
        "a line. ANTHROPIC_API_KEY must be set; ANTHROPIC_BASE_URL may name another server of the Messages API.",
    )
    add = parser.add_argument
    add("--prompt-file", type=Path, required=True, metavar="FILE", help="what to do")
    add("--model", default=_MODEL, metavar="NAME", help=f"[{_MODEL}]")
    add("--system-prompt-file", type=Path, metavar="FILE", help="comes at the end of the system prompt")
    add("--skills", type=Path, metavar="DIR", help="the folder that holds skills")
    add("--max-turns", type=_positive, default=50, metavar="N", help="requests to the model [50]")
    add("--max-tokens", type=_positive, default=16_000, metavar="N", help="tokens of one answer [16000]")
    add("--bash-timeout", type=_positive, default=120, metavar="S", help="seconds for one command [120]")
    add("--api-timeout", type=_positive, default=600, metavar="S", help="seconds for one request [600]")
    return parser


def _positive(text: str) -> int:
    if not text.isdecimal() or int(text) == 0:
        message = f"{text!r} is not a whole number above 0"
        raise argparse.ArgumentTypeError(message)
    return int(text)


def _run(options: argparse.Namespace) -> int:
    """Write all events; raises UsageError for what is missing, and SkillcheckError where stdout can't be written."""
    from skillcheck.agent import loop, stream  # noqa: PLC0415 - not for --help
    from skillcheck.agent.editor import editor  # noqa: PLC0415
    from skillcheck.agent.shell import shell  # noqa: PLC0415
    from skillcheck.agent.skills import listing, loader, offered  # noqa: PLC0415

    work = Path.cwd()
    skills = offered(work / options.skills) if options.skills else {}
    env = {name: value for name, value in os.environ.items() if not name.startswith("ANTHROPIC_")}
    tools = (shell(work, env, options.bash_timeout), editor(work), loader(skills))
    setup = loop.Setup(
        key=_key(),
        model=options.model,
        system=_SYSTEM.format(work=work, skills=listing(skills)) + _text(options.system_prompt_file),
        prompt=_text(options.prompt_file),
        max_turns=options.max_turns,
        max_tokens=options.max_tokens,
        timeout_s=options.api_timeout,
    )
    _write(stream.init(work, options.model, (tool.name for tool in tools), skills))
    for record in loop.converse(setup, tools):
        _write(record)
    return int(record["is_error"])


def _key() -> str:
    key = os.environ.get("ANTHROPIC_API_KEY", "")
    if not key:
        message = "ANTHROPIC_API_KEY is not set"
        raise UsageError(message)
    return key


def _text(path: Path | None) -> str:
    """What a file holds, empty where none is named; raises UsageError where it can't be read or is blank."""
    if path is None:
        return ""
    try:
        text = path.read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        message = f"{path} can't be read: {getattr(error, 'strerror', 'it is not UTF-8')}"
        raise UsageError(message) from error
    if not text.strip():
        message = f"{path} is blank"
        raise UsageError(message)
    return text


def _write(record: Record) -> None:
    """Write one event at once; raises SkillcheckError where that fails."""
    try:
        sys.stdout.write(json.dumps(record) + "\n")
        sys.stdout.flush()
    except OSError as error:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # Python flushes once more at the end
        message = f"stdout can't be written: {error.strerror}"
        raise SkillcheckError(message) from error


if __name__ == "__main__":
    main()
