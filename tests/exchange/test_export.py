"""`skillcheck export --to skill-creator`: what was stored, as skill-creator's script and viewer read it.

The script isn't ours to keep here, so `aggregated` works its documented numbers out anew from the exported files.
"""

import json
import math
from datetime import UTC, datetime

import pytest
from catalogs import here, write

from skillcheck.evals.store.record import Grading, Judged, Record
from skillcheck.evals.store.store import Kept, Store
from skillcheck.evals.trace.trace import Said, ToolCall, ToolResult, Trace, Usage

SKILL = "tidy-notes"


def a_record(case, trial, arm, held, *, tokens=100, status=None, **more):
    """A trial of an eval with one check and two expectations, of which so many hold."""
    verdicts = [Judged(text, number < held, "seen") for number, text in enumerate(("a", "b", "c"))]
    grading = Grading(tuple(verdicts[1:]), tuple(verdicts[:1]), seconds=0.5, model="judge")
    failed = status == "error"
    return Record(
        key=f"{case}{trial}{arm}", skill=more.get("skill", SKILL), eval=case, trial=trial, harness="command",
        delivery="native", asks_model=True, sandbox="none", status=status or ("passed" if held == 3 else "failed"),
        how="infra-rate" if failed else "completed", ended="infra-rate" if failed else "completed",
        grading=Grading() if failed else grading, model="some-model", usage=Usage(tokens, 10) if tokens else None,
        seconds=more.get("seconds", 2.0), started=f"2026-08-20T10:00:0{trial}+00:00", arm=arm,
    )  # fmt: skip


TRIALS = [
    a_record(case, trial, arm, held, seconds=1.0 + trial, tokens=90 + 7 * trial)
    for case, arm, helds in (
        ("1", "with", (3, 2)), ("1", "without", (1, 0)), ("2", "with", (3, 3)), ("2", "without", (2, 3)),
        ("10", "with", (1, 3)), ("10", "without", (0, 1)),
    )
    for trial, held in enumerate(helds, 1)
]  # fmt: skip
TRACE = Trace.of(
    (
        Said("First."),
        ToolCall("1", "Bash", {"command": "ls"}),
        ToolResult("1", "no", is_error=True),
        ToolCall("2", "Read", {"path": "x"}),
        Said("Done, </script> and all."),
    )
)


def stored(root, *records):
    """A catalog with one stored run of these trials; returns the run's name."""
    cases = {"skill_name": SKILL, "evals": [{"id": 1, "prompt": "Sort.", "expected_output": "", "expectations": ["b"]}]}
    write(root, {"skills/x/SKILL.md": "x", f"evals/cases/{SKILL}.json": json.dumps(cases)})
    store = Store(root / "evals/results", lambda data: data)
    run = store.begin(datetime(2026, 8, 20, tzinfo=UTC), {})
    for record in records:
        store.keep(run, record, Kept(TRACE, patch=b"a patch\n"))
    return run.name


def export(root, *words):
    status, out, err = here("export", *words, cwd=root)
    assert status == 0, err
    return out.decode()


def load(path):
    return json.loads(path.read_bytes())


def figures(values):
    mean = sum(values) / len(values)
    spread = math.sqrt(sum((v - mean) ** 2 for v in values) / (len(values) - 1)) if len(values) > 1 else 0.0
    return {
        "mean": round(mean, 4),
        "stddev": round(spread, 4),
        "min": round(min(values), 4),
        "max": round(max(values), 4),
    }


def aggregated(folder):
    """What skill-creator's aggregation makes of a workspace: runs found by folder, numbers pooled over all evals."""
    results = {}
    for place in sorted(folder.glob("eval-*")):
        ident = load(place / "eval_metadata.json")["eval_id"]
        for run in sorted(place.glob("*/run-*")):
            if not (run / "grading.json").exists():
                continue
            grading, timing = load(run / "grading.json"), load(run / "timing.json")
            summary, metrics = grading["summary"], grading["execution_metrics"]
            assert "timing" not in grading  # else the script doesn't read tokens from timing.json
            results.setdefault(run.parent.name, []).append(
                {
                    "eval_id": ident,
                    "run_number": int(run.name.removeprefix("run-")),
                    "result": {
                        **{key: summary[key] for key in ("pass_rate", "passed", "failed", "total")},
                        "time_seconds": timing["total_duration_seconds"],
                        "tokens": timing["total_tokens"] or metrics["output_chars"],
                        "tool_calls": metrics["total_tool_calls"],
                        "errors": metrics["errors_encountered"],
                    },
                    "expectations": grading["expectations"],
                }
            )
    measures = ("pass_rate", "time_seconds", "tokens")
    summary = {
        name: {measure: figures([run["result"][measure] for run in runs]) for measure in measures}
        for name, runs in results.items()
    }
    one, other = list(summary.values())[:2]
    delta = [one[measure]["mean"] - other[measure]["mean"] for measure in measures]
    forms = ("{:+.2f}", "{:+.1f}", "{:+.0f}")
    summary["delta"] = {m: form.format(d) for m, form, d in zip(measures, forms, delta, strict=True)}
    return results, summary


@pytest.fixture(scope="module")
def exported(tmp_path_factory):
    root = tmp_path_factory.mktemp("catalog")
    stored(root, *TRIALS)
    export(root, "latest", "out", "--to", "skill-creator")
    return root / "out" / SKILL


def test_the_numbers_are_those_of_the_aggregation(exported):
    results, summary = aggregated(exported)
    benchmark = load(exported / "benchmark.json")
    assert benchmark["run_summary"] == summary
    assert list(summary) == ["with_skill", "without_skill", "delta"]
    order = lambda run: (str(run["eval_id"]), run["run_number"])  # noqa: E731 - the script goes by folders' names
    for name, runs in results.items():
        ours = [run for run in benchmark["runs"] if run["configuration"] == name]
        assert sorted(({key: run[key] for key in runs[0]} for run in ours), key=order) == sorted(runs, key=order)


def test_a_difference_worked_out_by_hand(exported):
    summary = load(exported / "benchmark.json")["run_summary"]
    assert summary["with_skill"]["pass_rate"] == {"mean": 0.8333, "stddev": 0.2789, "min": 0.3333, "max": 1.0}
    assert summary["delta"] == {"pass_rate": "+0.44", "time_seconds": "+0.0", "tokens": "+0"}


def test_the_layout_is_that_of_a_workspace(exported):
    run = exported / "eval-1/with_skill/run-2"
    assert {path.name for path in run.iterdir()} == {
        "eval_metadata.json", "grading.json", "timing.json", "transcript.md", "outputs",
    }  # fmt: skip
    assert load(run / "eval_metadata.json") == {
        "eval_id": 1, "eval_name": "1", "prompt": "Sort.", "assertions": ["a", "b", "c"],
    }  # fmt: skip
    grading = load(run / "grading.json")
    assert grading["expectations"] == grading["assertion_results"]
    assert [set(each) for each in grading["expectations"]] == [{"text", "passed", "evidence"}] * 3
    assert grading["summary"] == {"passed": 2, "failed": 1, "total": 3, "pass_rate": 2 / 3}
    assert grading["execution_metrics"]["tool_calls"] == {"Bash": 1, "Read": 1}
    assert grading["execution_metrics"]["errors_encountered"] == 1
    assert (run / "outputs/answer.md").read_text() == "Done, </script> and all.\n"
    assert (run / "outputs/diff.txt").read_text() == "a patch\n"
    assert load(run / "timing.json")["total_tokens"] == 90 + 14 + 10


def test_the_head_says_what_ran(exported):
    head = load(exported / "benchmark.json")["metadata"]
    assert head == {
        "skill_name": SKILL, "skill_path": "", "executor_model": "some-model", "analyzer_model": "judge",
        "timestamp": "2026-08-20T10:00:01Z", "evals_run": [1, 2, 10], "runs_per_configuration": 2,
    }  # fmt: skip


def test_our_statistics_stand_apart(exported):
    (found,) = load(exported / "benchmark.json")["statistics"]
    assert found["against"] == "without"
    assert found["effect"]["delta"] == pytest.approx(0.5)


def test_trials_that_ended_in_errors_count_nowhere(tmp_path):
    stored(tmp_path, *TRIALS, a_record("2", 3, "with", 0, status="error"))
    export(tmp_path, "latest", "out", "--to", "skill-creator")
    folder = tmp_path / "out" / SKILL
    lost = folder / "eval-2/with_skill/run-3"
    assert (lost / "timing.json").exists()
    assert not (lost / "grading.json").exists()
    benchmark = load(folder / "benchmark.json")
    assert benchmark["run_summary"] == aggregated(folder)[1]
    assert benchmark["run_summary"]["with_skill"]["pass_rate"]["mean"] == 0.8333
    assert benchmark["notes"] == ["1 of 13 trials ended in errors and count nowhere"]


def test_ids_are_texts_where_one_is(tmp_path):
    stored(tmp_path, a_record("1", 1, "with", 3), a_record("Oldest first", 1, "with", 3))
    export(tmp_path, "latest", "out", "--to", "skill-creator")
    benchmark = load(tmp_path / "out" / SKILL / "benchmark.json")
    assert benchmark["metadata"]["evals_run"] == ["1", "Oldest first"]
    assert sorted(benchmark["metadata"]["evals_run"])  # what the script does with them
    assert "delta" not in benchmark["run_summary"]  # one arm differs from nothing
    assert benchmark["statistics"] == []


def test_each_skill_has_its_own_workspace(tmp_path):
    stored(tmp_path, a_record("1", 1, "with", 3), a_record("1", 1, "with", 3, skill="weekly-mail"))
    export(tmp_path, "latest", "out", "--to", "skill-creator")
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == [SKILL, "weekly-mail"]


def test_a_trial_without_tokens_counts_what_was_said(tmp_path):
    stored(tmp_path, a_record("1", 1, "with", 3, tokens=0), a_record("1", 1, "without", 3))
    export(tmp_path, "latest", "out", "--to", "skill-creator")
    benchmark = load(tmp_path / "out" / SKILL / "benchmark.json")
    assert benchmark["run_summary"] == aggregated(tmp_path / "out" / SKILL)[1]
    assert benchmark["run_summary"]["with_skill"]["tokens"]["mean"] == len("Done, </script> and all.")


def test_a_trial_that_cannot_be_read_is_told_and_the_rest_exported(tmp_path):
    run = stored(tmp_path, *TRIALS[:2])
    (tmp_path / f"evals/results/{run}/{SKILL}/1/1/diff.patch").unlink()
    assert "diff.patch can't be read" in export(tmp_path, run, "out", "--to", "skill-creator")
    assert load(tmp_path / "out" / SKILL / "benchmark.json")["run_summary"]["with_skill"]["pass_rate"]["max"] == 1.0


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("latest", "full", "--to", "skill-creator"), "is not an empty folder"),
        (("latest", "out", "--to", "skill-creater"), "unknown exporter 'skill-creater'; did you mean 'skill-creator'"),
        (("2019", "out", "--to", "skill-creator"), "no stored run '2019'"),
    ],
    ids=["folder", "format", "run"],
)
def test_what_cannot_work_is_said_at_once(tmp_path, words, message):
    stored(tmp_path, TRIALS[0])
    write(tmp_path, {"full/x": "mine"})
    status, _, err = here("export", *words, cwd=tmp_path)
    assert status == 2
    assert message in err.decode()
    assert not (tmp_path / "out").exists()
