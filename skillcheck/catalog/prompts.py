"""Prompts as people compare them, and as messages quote them."""

from __future__ import annotations

import re
import unicodedata

from skillcheck.diagnostic import clipped

_BETWEEN = re.compile(r"(?:[^\w+#]|_|(?<![^\W_]|[+#])[+#])+")
_SHOWN = 60
"""How much of a prompt messages quote, in code points."""


def normal(text: str) -> str:
    """The words of a prompt with single blanks between them: without case, punctuation and Unicode's variants.

    Signs at a word's end stay: C++ is neither C# nor C.
    """
    return _BETWEEN.sub(" ", unicodedata.normalize("NFKC", text).casefold()).strip()


def quoted(text: str) -> str:
    """A prompt as a message quotes it: on one line, and not all of a long one."""
    return repr(clipped(text, _SHOWN))
