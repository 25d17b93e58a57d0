import pytest

from skillcheck.evals import pattern

CALLS = (
    ("Read", {"path": "a"}),
    ("Bash", {"command": 'git commit -m "x\ny"', "timeout": 5}),
    ("mcp__hub__list", {}),
    ("Bash", {"command": "ls", "env": {"A": "git"}}),
)


@pytest.mark.parametrize(
    ("options", "passed", "reason"),
    [
        ({"tool": "Read"}, True, 'calls of \'Read\': 1, wanted at least 1; the first has {"path": "a"}'),
        ({"tool": "Write"}, False, "calls of 'Write': 0, wanted at least 1"),
        ({"tool": "read"}, False, "calls of 'read': 0, wanted at least 1"),
        ({"tool": "mcp__*"}, True, "calls of 'mcp__*': 1, wanted at least 1; the first has {}"),
        ({"tool": "*", "min": 5}, False, None),
        ({"tool": "*", "min": 4, "max": 4}, True, None),
        ({"tool": "Bash", "max": 1}, False, None),
        ({"tool": "Write", "max": 1}, False, "calls of 'Write': 0, wanted 1"),
        ({"tool": "Write", "max": 0}, True, "calls of 'Write': 0, wanted 0"),
        ({"tool": "Bash", "max": 0}, False, None),
        ({"tool": "Bash", "input-regex": '^y"$', "max": 1}, True, None),
        ({"tool": "Bash", "input-regex": "git", "min": 2}, True, None),
        ({"tool": "Bash", "input-regex": "^5$"}, True, None),
        (
            {"tool": "Read", "input-regex": "b"},
            False,
            "calls of 'Read' with 'b' in the input: 0, wanted at least 1",
        ),
    ],
)
def test_calls_are_counted(options, passed, reason, judge):
    found = judge({"type": "tool-used", **options}, calls=CALLS)
    assert found == (passed, reason or found[1])


def test_an_expression_that_takes_for_ever_is_stopped(judge, monkeypatch):
    monkeypatch.setattr(pattern, "TIMEOUT_S", 0.5)
    calls = [("Bash", {"command": "a" * 60 + "b"})]
    passed, reason = judge({"type": "tool-used", "tool": "Bash", "input-regex": "(a+)+$"}, calls=calls)
    assert (passed, reason) == (None, "looking for '(a+)+$' takes more than 0.5 seconds")
