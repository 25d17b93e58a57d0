"""How far a run is, on stderr: a bar where that is a terminal, a line for each change elsewhere."""

from __future__ import annotations

import signal
import sys
import threading
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import click

from skillcheck.errors import SkillcheckError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from skillcheck.evals.running.runner import Progress


_ENDING = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


@contextmanager
def told() -> Iterator[tuple[Callable[[Progress], None], threading.Event]]:
    """Whom a run tells how far it is, and the event that ends it, which Ctrl-C, SIGTERM and a closed terminal set.

    What can't be done any more by then is an interruption.
    """
    stop = threading.Event()
    before = {number: signal.signal(number, lambda *_: stop.set()) for number in _ENDING}
    teller = _Bar() if sys.stderr is not None and sys.stderr.isatty() else _Lines()
    try:
        yield teller.tell, stop
    except SkillcheckError:
        if stop.is_set():
            raise click.Abort from None
        raise
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
        teller.close()


class _Lines:
    """For logs: one line whenever a trial ends."""

    def __init__(self) -> None:
        self.done = 0
        self.began = time.monotonic()

    def tell(self, progress: Progress) -> None:
        """Say what has ended since."""
        if progress.done > self.done:
            self.done = progress.done
            click.echo(f"{progress.done}/{progress.total}: {_counts(progress, self.began)}", err=True)

    def close(self) -> None:
        """Nothing is left open."""


class _Bar:
    """For terminals: click's bar, whose text is told anew every time."""

    def __init__(self) -> None:
        self.bar: Any = None
        self.began = time.monotonic()

    def tell(self, progress: Progress) -> None:
        """Draw."""
        if self.bar is None:
            self.bar = click.progressbar(
                length=progress.total, label="trials", file=sys.stderr, show_eta=False, show_pos=True,
                item_show_func=lambda item: item,
            )  # fmt: skip
        text = f"{progress.running} running, {_counts(progress, self.began)}"
        self.bar.update(progress.done - self.bar.pos, text)

    def close(self) -> None:
        """Leave the last state standing."""
        if self.bar is not None:
            self.bar.render_finish()


def _counts(progress: Progress, began: float) -> str:
    minutes, seconds = divmod(int(time.monotonic() - began), 60)
    errors = f"{progress.errors} error{'' if progress.errors == 1 else 's'}"
    counts = f"{progress.passed} passed, {progress.failed} failed, {errors}"
    return f"{counts}, ${progress.cost_usd:.2f}, {minutes}:{seconds:02}"
