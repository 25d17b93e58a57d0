"""What stands in the README is what the product has. `python tests/test_generated.py` writes it anew."""

import re
from pathlib import Path

from skillcheck.evals import harness
from skillcheck.evals.trace.outcome import CLASSES, Then
from skillcheck.registry import names
from skillcheck.rules import rules

README = Path(__file__).parent.parent / "README.md"
MARKS = re.compile(r"(<!-- (\w+) -->\n).*?(<!-- /\2 -->)", re.DOTALL)
FOLLOWS = {Then.GRADE: "graded", Then.RETRY: "tried again, then an error", Then.STOP: "an error"}


def table(columns, rows):
    """A table of Markdown."""
    lines = (columns, tuple("---" for _ in columns), *rows)
    return "".join(f"| {' | '.join(line)} |\n" for line in lines).replace("| --- ", "|---").replace("--- |", "---|")


def rule_table():
    """The rules, family by family."""
    found = sorted(rules().values(), key=lambda rule: (rule.family, rule.name))
    rows = ((r.family, f"`{r.name}`", r.severity.label, r.summary) for r in found)
    return table(("family", "rule", "severity", "what is wrong"), rows)


def harness_table():
    """The agents."""
    found = map(harness.named, names("skillcheck.evals.harness"))
    rows = (
        (f"`{h.name}`", f"`{h.program}`" if h.program else "", h.tested, ", ".join(f"`{key}`" for key in h.keys))
        for h in found
    )
    return table(("--harness", "program", "tested with", "one of these keys"), rows)


def class_table():
    """What can become of a trial."""
    rows = ((f"`{c.name}`", c.meaning, FOLLOWS[c.then]) for c in CLASSES.values())
    return table(("class", "what happened", "what follows"), rows)


TABLES = {"rules": rule_table, "harnesses": harness_table, "classes": class_table}


def generated(text):
    """The README with the tables of today."""
    return MARKS.sub(lambda match: match[1] + TABLES[match[2]]() + match[3], text)


def test_readme_lists_what_there_is():
    text = README.read_text("utf-8")
    assert generated(text) == text


if __name__ == "__main__":
    README.write_text(generated(README.read_text("utf-8")), "utf-8")
