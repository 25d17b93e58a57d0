"""The fitness index of a catalog's stored runs, made in this process."""

import json

from skillcheck import api, stored


def of(index, name):
    return next(score for score in (*index["scores"], index["robustness"]) if score["name"] == name)


def reported(root, *names, **least):
    """The report on a catalog's stored runs."""
    return stored.fitness(names, api.configure(base=root), root, least)


def indexed(root, *names):
    """The index of the one skill, and what is told beside."""
    report = reported(root, *names)
    return report.records["fitness"][0], report.summary


def edited(root, change, name="outcome.json"):
    """Change a file of every stored trial by hand."""
    for path in (root / "evals/results").rglob(name):
        path.write_text(json.dumps(change(json.loads(path.read_bytes()))), "utf-8")


def runs(root):
    """The names of the stored runs, oldest first."""
    return sorted(path.name for path in (root / "evals/results").iterdir())
