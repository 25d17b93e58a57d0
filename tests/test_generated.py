"""What stands in the README is what the product has. `python tests/test_generated.py` writes it anew."""

import re
from pathlib import Path

from skillcheck.rules import rules

README = Path(__file__).parent.parent / "README.md"
MARKS = re.compile(r"(<!-- rules -->\n).*?(<!-- /rules -->)", re.DOTALL)


def table():
    """The rules, family by family."""
    rows = sorted(rules().values(), key=lambda rule: (rule.family, rule.name))
    lines = (f"| {r.family} | `{r.name}` | {r.severity.label} | {r.summary} |" for r in rows)
    return "\n".join(("| family | rule | severity | what is wrong |", "|---|---|---|---|", *lines)) + "\n"


def generated(text):
    """The README with the table of today."""
    return MARKS.sub(lambda match: match[1] + table() + match[2], text)


def test_readme_lists_every_rule():
    text = README.read_text("utf-8")
    assert generated(text) == text


if __name__ == "__main__":
    README.write_text(generated(README.read_text("utf-8")), "utf-8")
