import pytest

CALLS = [(name, {}) for name in ("Read", "Bash", "Edit", "Read", "mcp__x")]


@pytest.mark.parametrize(
    ("tools", "passed", "reason"),
    [
        (["Read", "Edit"], True, "called in this order: 'Read' (call 1), 'Edit' (call 3)"),
        (["Read", "Read", "mcp__*"], True, None),
        (["*", "*", "*", "*", "*"], True, None),
        (
            ["Edit", "Bash"],
            False,
            "no call of 'Bash' after 'Edit' (call 3); the calls: 'Read', 'Bash', 'Edit', 'Read', 'mcp__x'",
        ),
        (["Edit", "Edit"], False, None),
        (["Write", "Read"], False, "no call of 'Write'; the calls: 'Read', 'Bash', 'Edit', 'Read', 'mcp__x'"),
    ],
)
def test_tools_are_called_in_order(tools, passed, reason, judge):
    found = judge({"type": "tool-order", "tools": tools}, calls=CALLS)
    assert found == (passed, reason or found[1])


def test_without_calls_there_is_no_order(judge):
    assert judge({"type": "tool-order", "tools": ["Read", "Edit"]}) == (False, "no call of 'Read'; the calls: none")
