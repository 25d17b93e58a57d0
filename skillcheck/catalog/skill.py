"""The nouns that every check works on."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

from skillcheck.catalog import frontmatter
from skillcheck.catalog.markdown import Body
from skillcheck.span import BOM, START, Lines, Span

if TYPE_CHECKING:
    from pathlib import Path

    from skillcheck.catalog.fault import Fault
    from skillcheck.catalog.frontmatter import Frontmatter


@dataclass(frozen=True)
class Skill:
    """One SKILL.md. Parts are parsed when they are first asked for, since siblings are often read for their name alone.

    `path` is absolute; `shown` is what users read; `text` is without byte-order mark; `unreadable` tells why there is
    no text. `raw_text` restores the file.
    """

    path: Path
    shown: str
    text: str = field(default="", repr=False)
    bom: bool = False
    unreadable: Fault | None = None

    @cached_property
    def lines(self) -> Lines:
        """The file's lines."""
        return Lines.of(self.text)

    @cached_property
    def _parts(self) -> frontmatter.Split:
        return frontmatter.split(self.lines, bom=self.bom)

    @cached_property
    def faults(self) -> tuple[Fault, ...]:
        """What was found wrong while reading."""
        return (self.unreadable,) if self.unreadable else self._parts.faults

    @property
    def frontmatter(self) -> Frontmatter | None:
        """The frontmatter; None where a fault says why it can't be read."""
        return None if self.unreadable else self._parts.frontmatter

    @property
    def load_fault(self) -> Fault | None:
        """Why no agent can load the skill, as far as its file tells; None where one can."""
        return self.faults[-1] if self.frontmatter is None else None

    @cached_property
    def body(self) -> Body:
        """The Markdown below the frontmatter, or all of it where there is none."""
        return Body.parse(self.text, self._parts.body)

    @property
    def raw_text(self) -> str:
        """The text as it stands in the file."""
        return BOM + self.text if self.bom else self.text

    @property
    def folder(self) -> str:
        """Name of the directory that holds the skill."""
        return self.path.parent.name

    def field(self, *path: Any) -> Any:
        """A frontmatter value by path; None where it is absent."""
        value: Any = self.frontmatter.data if self.frontmatter else None
        for key in path:
            value = value.get(key) if isinstance(value, dict) else None
        return value

    def string(self, key: str) -> str:
        """A frontmatter field's text without the blanks around it; empty where it is absent or no string."""
        value = self.field(key)
        return value.strip() if isinstance(value, str) else ""

    @property
    def name(self) -> str:
        """The declared name, or the directory's where none is declared (as Claude Code does)."""
        return self.string("name") or self.folder

    @property
    def description(self) -> str:
        """The parsed description, blank where there is none."""
        return self.string("description")

    @property
    def is_hidden(self) -> bool:
        """Whether the skill is kept from the model, so that users alone invoke it."""
        return self.field("disable-model-invocation") is True

    def span(self, start: int, end: int) -> Span:
        """The span of two code-point offsets."""
        return self.lines.span(start, end)

    def value_span(self, *path: Any) -> Span:
        """Where a frontmatter value stands."""
        return self.frontmatter.value_span(*path) if self.frontmatter else START

    def spot(self, key: str, text: str) -> Span:
        """Where `text` stands inside the source of a frontmatter value; the whole value where it was folded."""
        whole = self.value_span(key)
        at = self.text.find(text, *self.lines.offsets(whole))
        return self.span(at, at + len(text)) if at >= 0 else whole
