import pytest


@pytest.mark.parametrize(
    ("options", "passed", "reason"),
    [
        ({"run": "echo hi; echo no >&2"}, True, r"'echo hi; echo no >&2' ended with status 0; it printed 'hi\nno'"),
        ({"run": "true"}, True, "'true' ended with status 0; it printed nothing"),
        ({"run": "false"}, False, "'false' ended with status 1, not with 0; it printed nothing"),
        ({"run": "exit 3", "exit": 3}, True, "'exit 3' ended with status 3; it printed nothing"),
        ({"run": "true", "exit": 3}, False, "'true' ended with status 0, not with 3; it printed nothing"),
        ({"run": "kill -9 $$"}, False, "'kill -9 $$' was ended by signal 9, not with 0; it printed nothing"),
        ({"run": ["echo", "a b"], "stdout-contains": "a b"}, True, None),
        ({"run": "echo b >&2", "stdout-contains": "b"}, False, "'echo b >&2' printed no 'b'; it printed 'b'"),
        ({"run": "printf 'a\\n3 passed'", "stdout-regex": "^\\d passed$"}, True, None),
        (
            {"run": "false", "stdout-regex": "^x"},
            False,
            "'false' ended with status 1, not with 0 and printed nothing that '^x' matches; it printed nothing",
        ),
        ({"run": "printf '\\377'"}, True, "\"printf '\\\\377'\" ended with status 0; it printed '\ufffd'"),
        ({"run": ["./made"]}, False, "'./made' is not there, or may not be run"),
        ({"run": ["no-such-program"]}, None, "'no-such-program' is not installed"),
        ({"run": "sleep 30", "timeout": 0.2}, False, "'sleep 30': sh did not finish in 0.2 seconds"),
    ],
)
def test_a_command_is_judged_by_its_end_and_output(options, passed, reason, judge):
    found = judge({"type": "command", **options})
    assert found == (passed, reason or found[1])


def test_it_runs_in_the_workspace(work, judge):
    (work / "a.txt").touch()
    assert judge({"type": "command", "run": "ls", "stdout-contains": "a.txt"})[0] is True


def test_long_output_is_quoted_by_its_end(judge):
    passed, reason = judge({"type": "command", "run": "yes | head -c 3000000; echo last", "stdout-contains": "last"})
    assert passed is True
    assert len(reason) < 1000
    assert reason.endswith("last'")
