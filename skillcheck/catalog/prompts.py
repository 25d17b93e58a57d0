"""Prompts as people compare them."""

from __future__ import annotations

import re
import unicodedata

_BETWEEN = re.compile(r"(?:[^\w+#]|_|(?<![^\W_]|[+#])[+#])+")
_LONGEST = 60


def normal(text: str) -> str:
    """The words of a prompt with single blanks between them: without case, punctuation and Unicode's variants.

    Signs at a word's end stay: C++ is neither C# nor C.
    """
    return _BETWEEN.sub(" ", unicodedata.normalize("NFKC", text).casefold()).strip()


def clipped(text: str) -> str:
    """A prompt as a message quotes it: on one line, and not all of a long one."""
    line = " ".join(text.split())
    return line if len(line) <= _LONGEST else line[:_LONGEST].rstrip() + " …"
