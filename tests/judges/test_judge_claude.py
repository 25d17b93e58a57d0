import json

import pytest
from judges.conftest import answer

from skillcheck.evals.grading.rubric import grade, schema
from skillcheck.evals.judge import named
from skillcheck.evals.trace.trace import Usage

JUDGE = named("claude")
USAGE = {
    "input_tokens": 5,
    "output_tokens": 7,
    "cache_creation_input_tokens": 11,
    "cache_read_input_tokens": 13,
    "server_tool_use": {"web_search_requests": 0},
}
RESULT = {
    "type": "result",
    "subtype": "success",
    "is_error": False,
    "result": "I graded it.",
    "structured_output": json.loads(answer("pf")),
    "total_cost_usd": 0.02,
    "usage": USAGE,
    "modelUsage": {"claude-haiku-5-5": {}},
}
FAILED = {**RESULT, "is_error": True, "structured_output": None, "result": "API Error: 500"}


@pytest.fixture
def claude(program, tmp_path, question):
    """Ask a `claude` that prints this and ends so; also what it was started with."""

    def asked(printed, status=0, **changes):
        seen = "'argv': sys.argv[1:], 'env': dict(os.environ), 'cwd': os.getcwd(), 'files': os.listdir()"
        code = (
            f"told = {{'stdin': sys.stdin.read(), {seen}}}\n"
            "(state / 'seen').write_text(json.dumps(told))\n"
            f"print({printed!r})\nprint('last word', file=sys.stderr)\nsys.exit({status})"
        )
        program(code, "claude")
        environ = {**question.environ, "PATH": f"{tmp_path}:{question.environ['PATH']}", "HOME": "/home/of-the-user"}
        found = JUDGE.ask(question._replace(environ=environ, **changes))
        return found, json.loads((tmp_path / "seen").read_text("utf-8"))

    return asked


def test_the_structured_output_is_the_answer(claude):
    found, _ = claude(json.dumps(RESULT))
    assert json.loads(found.text) == RESULT["structured_output"]
    assert found[1:5] == ("claude-haiku-5-5", Usage(5, 7, 11, 13), 0.02, "")


def test_it_has_no_tools_no_servers_no_settings_and_an_empty_folder(claude):
    _, seen = claude(json.dumps(RESULT), schema=schema(2), model="some-model")
    argv = seen["argv"]
    assert argv[0] == "-p"
    for option, value in (
        ("--tools", ""),
        ("--setting-sources", ""),
        ("--output-format", "json"),
        ("--model", "some-model"),
    ):
        assert argv[argv.index(option) + 1] == value
    assert json.loads(argv[argv.index("--json-schema") + 1]) == schema(2)
    assert {"--strict-mcp-config", "--no-session-persistence"} <= set(argv)
    assert seen["files"] == []
    assert {"CLAUDE_CODE_DISABLE_CLAUDE_MDS", "CLAUDE_CODE_DISABLE_AUTO_MEMORY"} <= seen["env"].keys()


def test_the_prompt_comes_on_stdin_alone_and_home_stays_the_users(claude):
    _, seen = claude(json.dumps(RESULT), prompt="grade this " * 50_000)
    assert seen["stdin"] == "grade this " * 50_000
    assert "grade this" not in "".join(seen["argv"])
    assert seen["env"]["HOME"] == "/home/of-the-user"
    assert "--model" not in seen["argv"]


@pytest.mark.parametrize(
    ("printed", "status", "problem", "retry"),
    [
        (json.dumps(FAILED), 1, "claude failed: API Error: 500", True),
        (json.dumps({**FAILED, "api_error_status": 401}), 1, "claude failed: API Error: 500", False),
        (
            json.dumps({**FAILED, "result": None, "subtype": "error_max_turns"}),
            1,
            "claude failed: error_max_turns",
            True,
        ),
        (json.dumps({"is_error": True}), 1, "claude failed: an error without a reason", True),
        ("no json", 1, "claude ended with status 1 and no result: last word", True),
        ("[1]", 0, "claude ended with status 0 and no result: last word", True),
    ],
    ids=["error under success", "refused key", "subtype", "bare", "garbage", "another shape"],
)
def test_a_failure_is_a_problem(claude, printed, status, problem, retry):
    found, _ = claude(printed, status)
    assert (found.problem, found.retry) == (problem, retry)


@pytest.mark.parametrize("missing", ["usage", "total_cost_usd", "modelUsage"])
def test_what_it_does_not_tell_is_unknown(claude, missing):
    found, _ = claude(json.dumps({key: value for key, value in RESULT.items() if key != missing}))
    told = {"usage": found.usage, "total_cost_usd": found.cost_usd, "modelUsage": found.model or None}
    assert [key for key, value in told.items() if value is None] == [missing]
    assert found.problem == ""


def test_a_cost_that_is_no_number_is_unknown(claude):
    assert claude(json.dumps({**RESULT, "total_cost_usd": float("nan")}))[0].cost_usd is None


def test_text_without_structured_output_is_read_as_any_text(claude):
    found, _ = claude(json.dumps({**RESULT, "structured_output": None, "result": answer("pp")}))
    assert found.text == answer("pp")


def test_without_the_program_it_is_told_once(subject, question, tmp_path):
    grading = grade(subject, JUDGE, question._replace(environ={"PATH": str(tmp_path)}))
    assert grading.problem == "the grader's program 'claude' can't be started"
    assert len(grading.answers) == 1
