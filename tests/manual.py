"""Read the examples of a rule's manual and lay them out as files."""

import inspect
import re
import subprocess

_SECTION = re.compile(r"^## (Bad|Good|Around)\b[^\n]*\n(.*?)(?=^## (?:Bad|Good|Around)\b|\Z)", re.MULTILINE | re.DOTALL)
_FENCE = re.compile(r"^````\w+ (\S+)(?: (\S+))?\n(.*?)^````$", re.MULTILINE | re.DOTALL)


def examples(rule, kind):
    """Each `## Bad…` or `## Good…` section of a rule's manual as (path, encoding, text) triples.

    Together with the files around them, which the family's manual may name, they are one catalog.
    """
    return [_around(rule, files) for files in _sections(rule.doc, kind)]


def _sections(doc, kind):
    return [
        [(path, encoding or "utf-8", text) for path, encoding, text in _FENCE.findall(section)]
        for heading, section in _SECTION.findall(inspect.cleandoc(doc))
        if heading == kind
    ]


def _around(rule, files):
    shown = {path for path, encoding, _ in files if encoding != "before"}
    around = [file for section in _sections(rule.family_doc, "Around") for file in section]
    return [file for file in around if file[0] not in shown] + files


def lay_out(files, root):
    """Write an example below `root`.

    The encoding `escaped` turns \\uXXXX and \\t into characters, `symlink` makes a link to what the text names, and
    `20000x` writes the last line 20,000 times. Files marked `before` are committed with git before the others are
    written.
    """
    earlier = [(path, "utf-8", text) for path, encoding, text in files if encoding == "before"]
    if earlier:
        lay_out(earlier, root)
        git = ("git", "-c", "user.name=x", "-c", "user.email=x@example.invalid")
        for words in (("init", "-q"), ("add", "--all"), ("commit", "-q", "-m", "before")):
            subprocess.run((*git, *words), cwd=root, check=True)
    for path, encoding, text in (file for file in files if file[1] != "before"):
        target = root / path
        target.parent.mkdir(parents=True, exist_ok=True)
        if encoding == "symlink":
            target.symlink_to(text.strip())
        elif encoding == "escaped":
            target.write_text(text.encode("latin-1", "backslashreplace").decode("unicode_escape"), "utf-8", newline="")
        elif encoding[:-1].isdigit():
            times = int(encoding.removesuffix("x")) - 1
            target.write_text(text + text.splitlines(keepends=True)[-1] * times, "utf-8", newline="")
        else:
            target.write_bytes(text.encode(encoding))
