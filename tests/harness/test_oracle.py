"""The eval's own solution."""

import re

import pytest
from harness.runs import run, task

from skillcheck.errors import UsageError
from skillcheck.evals.harness import named


@pytest.mark.parametrize(("mode", "first"), [(0o644, "#!/bin/false"), (0o755, "#!/bin/sh")], ids=["sh", "executable"])
def test_solution_runs_in_the_workspace(tmp_path, mode, first):
    solution = tmp_path / "the solution.sh"
    solution.write_text(f"{first}\necho solved > out.txt; echo done\n", "utf-8")
    solution.chmod(mode)
    done, trace = run("oracle", tmp_path, options={"solution": str(solution)})
    assert (done.returncode, done.stderr) == (0, b"")
    assert (tmp_path / "work/out.txt").read_text("utf-8") == "solved\n"
    assert trace.said == ("done",)


def test_status_of_the_solution_is_its_own(tmp_path):
    (tmp_path / "s.sh").write_text("echo no such tool >&2; exit 7\n", "utf-8")
    done, _ = run("oracle", tmp_path, options={"solution": str(tmp_path / "s.sh")})
    assert (done.returncode, done.stderr) == (7, b"no such tool\n")


def test_eval_without_a_solution_has_no_oracle():
    message = "harness 'oracle' has nothing to run: the eval names no `solution`"
    with pytest.raises(UsageError, match=f"^{re.escape(message)}$"):
        named("oracle").command(task())
