"""A code fence is never closed, so that the rest of the file is code.

Headings, links and instructions below it are lost to whoever reads Markdown. A fence is closed by at least as many of
the same marks, alone on a line, indented by at most three spaces, in the same list item or quotation.

A fence that the end of its list item or quotation closes hides nothing, and is told only where the closing fence
stands outside, and so opens a block of its own.

Source: spec.commonmark.org, 4.5 "Fenced code blocks".

## Bad
````md skills/tidy-notes/SKILL.md
---
name: tidy-notes
description: Sorts notes by date. Use when a folder of notes has grown.
---

Sort the notes by date:

```sh
ls -t

Then make a list.
````

## Bad: closed outside its list item
````md skills/tidy-notes/SKILL.md
---
name: tidy-notes
description: Sorts notes by date. Use when a folder of notes has grown.
---

1. Sort the notes by date:
   ```sh
   ls -t
```

Then make a list.
````

## Good
````md skills/tidy-notes/SKILL.md
---
name: tidy-notes
description: Sorts notes by date. Use when a folder of notes has grown.
---

1. Sort the notes by date:

   ~~~sh
   ls -t
   ```
   ~~~

Then make a list.
````
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from skillcheck.diagnostic import Problem, Severity
from skillcheck.rules import Context, SkillRule

if TYPE_CHECKING:
    from collections.abc import Iterator

    from skillcheck.catalog.markdown import CodeBlock
    from skillcheck.catalog.skill import Skill


def check(skill: Skill, _context: Context) -> Iterator[Problem]:
    """Report the fence that runs to the end of the file, or the one that lost its closing fence to the outside."""
    end = len(skill.text.rstrip())
    blamed: CodeBlock | None = None
    for block, following in zip(skill.body.code, (*skill.body.code[1:], None), strict=False):
        if block.closed or block is blamed:
            continue
        span = skill.span(block.start, block.start + len(block.fence))
        if following and _should_close(skill, following, block):
            blamed = following
            line = skill.span(following.start, following.end).line
            message = f"code fence {block.fence!r} is not closed: the fence in line {line} stands outside its container"
            yield Problem(
                span, message, "write the closing fence like the opening one: inside the same list item or quotation"
            )
        elif block.end >= end:
            message = f"code fence {block.fence!r} is never closed: the rest of the file is code"
            yield Problem(span, message, f"add a line {block.fence}")


def _should_close(skill: Skill, following: CodeBlock, block: CodeBlock) -> bool:
    """Whether a block is opened by what looks like the closing fence of the one before: a bare fence by itself."""
    line, column = skill.lines.position(following.start)
    bare = following.fence.startswith(block.fence) and not following.info
    return bare and not skill.lines.line(line)[: column - 1].strip()


RULE = SkillRule(__name__, Severity.WARNING, __doc__, check)
