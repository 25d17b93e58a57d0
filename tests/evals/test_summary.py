"""What a run tells: counts, costs and tables, with what is unknown told as unknown."""

from skillcheck.evals.running.summary import metrics, notes, summary, tables, total_cost, trials, verdicts
from skillcheck.evals.store.record import Grading, Judged, Record
from skillcheck.evals.trace.trace import Usage

USAGE = Usage(10, 5, 200, 3000)


def record(eval_id="1", status="passed", how="completed", **more):
    given = {"cost_usd": 0.25, "usage": USAGE, "seconds": 1.5, "ended": how, **more}
    return Record("key", "jot", eval_id, 1, "claude-code", "native", asks_model=True, sandbox="none", status=status,
                  how=how, **given)  # fmt: skip


def judged(*verdicts, **more):
    found = (Judged(f"No. {n}", each == "held", "seen") for n, each in enumerate(verdicts, 1))
    return Grading(tuple(found), judge="api", **more)


def test_errors_never_enter_the_pass_rate():
    found = metrics([record(), record(status="failed"), record(status="error", how="infra-rate")])
    assert (found["pass_rate"], found["coverage"]) == (1 / 2, 2 / 3)
    assert found["by_class"] == {"completed": 2, "infra-rate": 1}


def test_without_a_graded_trial_there_is_no_pass_rate():
    assert metrics([])["pass_rate"] is metrics([])["coverage"] is None
    assert metrics([record(status="error", how="budget")])["pass_rate"] is None
    assert summary([record(status="error", how="budget")])[:2] == (
        "0 passed, 0 failed, 1 error: 1 budget",
        "pass rate n/a (0/0 of graded), coverage 0/1",
    )


def test_unknown_costs_stay_unknown():
    known, unknown = record(), record(cost_usd=None)
    assert metrics([known, unknown])["cost_usd"] is None
    assert "cost $0.25 and unknown for 1 of 2 trials" in summary([known, unknown])[2]
    assert "cost unknown" in summary([unknown])[2]
    assert tables([unknown])[0].rows[0][6] == "unknown"
    assert total_cost([]) == 0.0


def test_trials_that_never_began_have_no_cost_to_know():
    skipped = record(status="error", how="budget", cost_usd=None, usage=None, seconds=0.0)
    assert metrics([record(), skipped])["cost_usd"] == 0.25


def test_tokens_and_the_graders_share_have_lines_of_their_own():
    lines = summary([record(grading=judged("held", usage=Usage(7, 3), cost_usd=0.5))])
    assert lines[2:4] == (
        "agent: 10 tokens in, 5 out, 200 written to and 3,000 read from a cache, cost $0.25",
        "grader: 7 tokens in, 3 out, cost $0.50",
    )


def test_the_sum_is_told_beside_the_limit():
    assert summary([record(cost_usd=2.0)] * 3, 5.0)[-1] == (
        "spent: $6.00 of the $5.00 that --max-cost-usd allows; trials that ran when it was reached added $1.00"
    )
    assert summary([record(cost_usd=2.0)], 5.0)[-1] == "spent: $2.00 of the $5.00 that --max-cost-usd allows"
    assert summary([record()])[-1] == "spent: $0.25 as far as known; without --max-cost-usd there is no limit"


def test_what_was_reused_is_not_spent_again():
    assert summary([record(cost_usd=2.0, reused="before")], 5.0)[-1].startswith("spent: $0.00 of")


def test_evals_have_a_row_each():
    found = [record(grading=judged("held", "held")), record(status="failed", grading=judged("held", "broken")),
             record("2", status="error", how="infra-rate", usage=None)]  # fmt: skip
    (table,) = tables(found)
    assert table.rows == (
        ("jot", "1", "1 of 2", "3 of 4", "0", "6,430", "$0.50", "3.0"),
        ("jot", "2", "n/a", "n/a", "1", "", "$0.25", "1.5"),
    )
    assert tables([]) == ()


def test_what_failed_is_listed_with_its_evidence_and_errors_with_their_class():
    found = [record(status="failed", grading=judged("held", "broken")),
             record("2", status="error", how="infra-rate", message="429\nslow down")]  # fmt: skip
    (table,) = verdicts(found)
    assert table.rows == (
        ("jot", "1", "1", "No. 2", "seen"),
        ("jot", "2", "1", "infra-rate", "429 slow down"),
    )
    assert verdicts([record()]) == ()


def test_notes_name_their_trial():
    assert notes([record(notes=("one", "two")), record("2")]) == (
        "eval 1 of jot, trial 1: one",
        "eval 1 of jot, trial 1: two",
    )


def test_a_trial_for_machines_has_class_verdicts_usage_and_cost():
    (found,) = trials([record(status="failed", grading=judged("held", "broken"), notes=("a",))])
    assert (found["status"], found["class"], found["cost_usd"]) == ("failed", "completed", 0.25)
    assert found["expectations"][1] == {"text": "No. 2", "passed": False, "evidence": "seen"}
    assert found["usage"] == {"input": 10, "output": 5, "cache_write": 200, "cache_read": 3000}
    assert trials([record(usage=None)])[0]["usage"] is None
