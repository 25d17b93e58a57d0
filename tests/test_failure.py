import pytest

from skillcheck.evals.trace.failure import failed
from skillcheck.evals.trace.outcome import CLASSES


@pytest.mark.parametrize(
    ("status", "how"),
    [
        (400, "infra-protocol"),
        (401, "infra-auth"),
        (402, "infra-auth"),
        (403, "infra-auth"),
        (404, "harness-config"),
        (429, "infra-rate"),
        (499, "infra-protocol"),
        (500, "infra-server"),
        (529, "infra-server"),
        (None, "infra-protocol"),
    ],
)
def test_status_says_the_class(status, how):
    assert failed("broken", status) == (how, "broken")
    assert how in CLASSES


@pytest.mark.parametrize("status", [400, 413, 500, None])
@pytest.mark.parametrize(
    "message",
    [
        "context_length_exceeded: 300000 tokens",
        "This model's maximum context length is 128000 tokens",
        "prompt is too long: 210000 tokens > 200000 maximum",
        "The input token count exceeds the maximum number of tokens allowed",
        "ContextOverflowError: too much",
    ],
)
def test_overflow_is_told_by_its_text(message, status):
    assert failed(message, status).how == "context-limit"


@pytest.mark.parametrize(
    ("message", "status"),
    [
        ("Your credit balance is too low", 400),
        ("You exceeded your current quota: insufficient_quota", 429),
    ],
    ids=["credit", "quota"],
)
def test_empty_account_is_no_matter_of_waiting(message, status):
    assert failed(message, status).how == "infra-auth"
