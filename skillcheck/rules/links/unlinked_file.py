"""A bundled file is mentioned by nothing.

An agent only sees what SKILL.md, or a file that it was led to, names. A file in `references/`, `scripts/` or `assets/`
that nothing names is dead weight, or its link was forgotten.

A mention is the path, the bare file name, a folder above it (`references/`), or for code its module (`import tables`,
`scripts.tables`), anywhere in SKILL.md, in the skill's other files as far as they are reached, or as a path in another
skill. Left alone are hidden files, licences, `__init__.py`, tests and what is installed or generated. Files that
nothing names and that share a folder are told together when they are more than five.

Source: agentskills.io/specification, "Optional directories".

## Bad
````md skills/tidy-notes/SKILL.md
---
name: tidy-notes
description: Sorts notes by date. Use when a folder of notes has grown.
---

Sort the notes by date.
````
````md skills/tidy-notes/references/dates.md
Dates are ISO dates.
````

## Good
````md skills/tidy-notes/SKILL.md
---
name: tidy-notes
description: Sorts notes by date. Use when a folder of notes has grown.
---

Run `scripts/sort.py`, then read references/guide.md.
````
````py skills/tidy-notes/scripts/sort.py
from dates import parse
````
````py skills/tidy-notes/scripts/dates.py
parse = str
````
````md skills/tidy-notes/references/guide.md
Newest first. Dates are explained in [dates](dates.md).
````
````md skills/tidy-notes/references/dates.md
Dates are ISO dates.
````
"""

from __future__ import annotations

import re
from collections import deque
from typing import TYPE_CHECKING

from skillcheck.catalog.discover import NEVER, is_skill_file
from skillcheck.diagnostic import Problem, Severity
from skillcheck.rules import CatalogRule, Context
from skillcheck.span import START

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from skillcheck.catalog.catalog import Catalog
    from skillcheck.catalog.files import Files
    from skillcheck.catalog.skill import Skill

_BUNDLED = ("assets/", "references/", "scripts/")
_UNNAMED = (
    r"(?i)(?:.*/)?(?:\..*|__init__\.py|__main__\.py|py\.typed|conftest\.py|test_[^/]*|[^/]*[._]test\.\w+|tests?/.*|__tests__/.*"
    r"|(?:LICEN[CS]E|NOTICE|COPYING|README|CHANGELOG|OFL)[^/]*|[^/]*\.(?:lock|pyc|map)|package(?:-lock)?\.json|requirements[^/]*\.txt"
    r"|pyproject\.toml|tsconfig[^/]*\.json|Makefile|Dockerfile)"
)
_CODE = r"(?i).*\.(?:py|js|mjs|cjs|ts|tsx|jsx|rb|sh|bash|ps1|r|jl|go|rs)"
_TEXT = r"(?i).*\.(?:md|mdx|markdown|txt|rst|html?|css|json|ya?ml|toml|xml|csv|ini|cfg|tex|ipynb)|(?:.*/)?[^./]+"
_IMPORT = re.compile(r"\b(?:import|from|require|source|use)\b|\s-m\s|\A\s*\.\s")
_SHARED = re.compile(r"/((?:assets|references|scripts)/[\w./-]*)")
_LAST_PART = re.compile(r"[\w.-]+\Z")
_MANY = 5
"""More files than these in one folder are one finding."""
_BUDGET = 500_000_000
"""Characters to look through for one skill, counted once for each file sought; beyond it nothing is told."""
_READING = 20
"""What reading a text costs beside looking through it, in looks."""


def check(context: Context) -> Iterator[tuple[str, Problem]]:
    """Follow mentions from each SKILL.md."""
    shared: dict[str, set[str]] | None = None
    for skill in context.catalog.reported_skills:
        if skill.unreadable:
            continue
        left = _unreached(skill, context.catalog.files)
        if left:
            shared = _named_by_others(context.catalog) if shared is None else shared
            named = " ".join(shared.get(skill.folder, ())).lower()
            yield from ((skill.shown, problem) for problem in _problems([f for f in left if not _mentions(named, f)]))


def _unreached(skill: Skill, files: Files) -> list[str]:
    """Bundled files that can't be reached from SKILL.md and the files that stand beside the bundled folders."""
    folder = skill.path.parent
    known = [f for f in files.tree(folder, lambda name: name in NEVER or is_skill_file(name)) if f != skill.path.name]
    left = [f for f in known if f.startswith(_BUNDLED) and not re.fullmatch(_UNNAMED, f)]
    sought = set(left)
    reached = deque(f for f in known if f not in sought)
    texts: list[str] = [skill.text.lower()]
    budget = _BUDGET
    while left and texts:
        text = texts.pop()
        budget -= len(text) * (len(left) + _READING)
        if budget < 0:
            return []
        named = {f for f in left if _mentions(text, f)}
        reached += [f for f in left if f in named]
        left = [f for f in left if f not in named]
        while left and reached and not texts:
            name = reached.popleft()
            if re.fullmatch(_CODE, name) or re.fullmatch(_TEXT, name):
                texts += [found.lower()] if (found := files.read(folder / name)) else []
    return left


def _mentions(text: str, file: str) -> bool:
    """Whether a text, in lower case, names a file, by name, module or folder."""
    folder, _, name = file.lower().rpartition("/")
    if _has(text, name):
        return True
    stem = name.rpartition(".")[0]
    if stem and re.fullmatch(_CODE, name) and _is_imported(text, stem):
        return True
    return any(_is_named_folder(text, part.rpartition("/")[2]) for part in _folders(folder))


def _words(text: str, word: str) -> Iterator[tuple[int, str, str]]:
    """Where `word` stands in a text by itself, with the characters before and behind it."""
    at = text.find(word)
    while at >= 0:
        before, behind = text[max(at - 1, 0) : at], text[at + len(word) : at + len(word) + 3]
        if not _in_word(before) and not _in_word(behind[:1]):
            yield at, before, behind
        at = text.find(word, at + 1)


def _has(text: str, name: str) -> bool:
    """Whether a file is named; `one.md.bak` names another."""
    return any(behind[:1] != "." or not _in_word(behind[1:2]) for _, _, behind in _words(text, name))


def _in_word(character: str) -> bool:
    return character.isalnum() or (character != "" and character in "_-")


def _is_imported(text: str, stem: str) -> bool:
    """Whether a module is named: behind a dot or slash, or on a line that imports."""
    for at, before, _ in _words(text, stem):
        line = text[text.rfind("\n", 0, at) + 1 : at]
        if (before != "" and before in "./") or _IMPORT.search(line):
            return True
    return False


def _is_named_folder(text: str, name: str) -> bool:
    """Whether a folder itself is named: a path ends with it or goes on with a wildcard, or it stands in quotes."""
    for _, before, behind in _words(text, name):
        if behind[:1] == "/" and not _in_word(behind[1:].lstrip(".")[:1]):
            return True
        if before and behind and (before in "\"'`/") and (behind[0] in "\"'`" or (before == "/" and behind[0] != "/")):
            return True
    return False


def _folders(folder: str) -> Iterator[str]:
    """A folder and those above it, by their path."""
    while folder:
        yield folder
        folder = folder.rpartition("/")[0]


def _named_by_others(catalog: Catalog) -> dict[str, set[str]]:
    """Paths into bundled folders by the folder of the skill that they go through, from all skills."""
    found: dict[str, set[str]] = {}
    for skill in catalog.skills:
        for match in _SHARED.finditer(skill.text):
            before = _LAST_PART.search(skill.text, max(match.start() - 100, 0), match.start())
            if before:
                found.setdefault(before[0], set()).add(match[1])
    return found


def _problems(left: Iterable[str]) -> Iterator[Problem]:
    groups: dict[str, list[str]] = {}
    for file in left:
        groups.setdefault(file.rpartition("/")[0], []).append(file)
    for folder, files in groups.items():
        hint = "name it where it is needed, or remove it"
        if len(files) > _MANY:
            yield Problem(
                START, f"{len(files)} files in {folder!r} are mentioned by nothing, the first is {files[0]!r}", hint
            )
        else:
            yield from (Problem(START, f"bundled file {file!r} is mentioned by nothing", hint) for file in files)


RULE = CatalogRule(__name__, Severity.INFO, __doc__, check)
