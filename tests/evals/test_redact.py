import base64
import json
from urllib.parse import quote

import pytest

from skillcheck.evals.store.redact import redactor

VALUE = 'p@ss"w\\ör/d+123'
REDACT = redactor(
    {"SOME_VAR": "named-value-1", "DB_PASSWORD": VALUE, "PATH": "/usr/bin:/bin", "TOKEN": "short"}, ["SOME_VAR"]
)


@pytest.mark.parametrize(
    "form",
    [
        VALUE,
        quote(VALUE, safe=""),
        json.dumps(VALUE)[1:-1],
        json.dumps(VALUE, ensure_ascii=False)[1:-1],
    ],
    ids=["plain", "url", "json", "json with letters"],
)
def test_every_way_to_write_a_value_is_redacted(form):
    assert REDACT(f"a {form} b".encode()) == b"a [redacted DB_PASSWORD] b"


@pytest.mark.parametrize("before", ["", "u", "us", "usr:"])
def test_base64_is_redacted_wherever_the_value_begins(before):
    encoded = base64.b64encode((before + VALUE + ":more").encode())
    assert b"[redacted DB_PASSWORD]" in REDACT(encoded)
    assert base64.b64encode(VALUE.encode())[8:16] not in REDACT(encoded)


def test_named_variables_are_redacted_and_others_are_not():
    assert REDACT(b"named-value-1 /usr/bin:/bin short") == b"[redacted SOME_VAR] /usr/bin:/bin short"


@pytest.mark.parametrize(
    "name", ["OPENAI_API_KEY", "GH_TOKEN", "npm_config__password", "AWS_SECRET_ACCESS_KEY", "APIKEY"]
)
def test_names_that_speak_of_credentials_count(name):
    assert redactor({name: "abcdefgh"})(b"abcdefgh") == f"[redacted {name}]".encode()


@pytest.mark.parametrize("name", ["MONKEYS", "KEYBOARD", "PATTERN", "TOKENIZERS_PARALLELISM", "COMPASS_DIR"])
def test_names_that_only_sound_like_it_do_not(name):
    assert redactor({name: "abcdefgh"})(b"abcdefgh") == b"abcdefgh"


@pytest.mark.parametrize(
    ("secret", "name"),
    [
        ("sk-ant-api03-" + "aB3_-" * 10, "anthropic-key"),
        ("sk-" + "aB3d" * 8, "api-key"),
        ("sk-proj-" + "aB3_-" * 8, "api-key"),
        ("ghp_" + "a1B2" * 9, "github-token"),
        ("github_pat_" + "a1B2_" * 10, "github-token"),
        ("AKIA" + "A1B2" * 4, "aws-key"),
        ("xoxb-" + "123456-abcdef", "slack-token"),
        ("AIza" + "a1B2_" * 7, "google-key"),
        (
            "-----BEGIN RSA PRIVATE KEY-----\nProc-Type: 4,X\nDEK-Info: A-1\n\nabc+/=\n-----END RSA PRIVATE KEY-----",
            "private-key",
        ),
    ],
    ids=lambda value: value if value.islower() and len(value) < 15 else "",
)
def test_the_shapes_of_known_tokens_are_redacted(secret, name):
    for text in (f"x{secret}.", json.dumps({"out": f"\n{secret}"})):
        redacted = REDACT(text.encode()).decode()
        assert f"[redacted {name}]" in redacted
        assert secret[-12:] not in redacted
    assert json.loads(redacted) == {"out": f"\n[redacted {name}]"}


def test_a_bearer_keeps_its_word():
    assert REDACT(b'{"h": "Authorization: Bearer abcdef0123456789=="}') == (
        b'{"h": "Authorization: Bearer [redacted bearer-token]"}'
    )


@pytest.mark.parametrize(
    "text", ["task-force-for-very-long-names-of-skills", "sk-1", "the bearer of news", "PRIVATE KEY", "AKIAlower"]
)
def test_ordinary_words_stay(text):
    assert REDACT(text.encode()) == text.encode()


def test_bytes_that_are_no_text_stay():
    assert REDACT(b"\xff\x00 named-value-1 \xfe") == b"\xff\x00 [redacted SOME_VAR] \xfe"


@pytest.mark.parametrize(
    "unit", [b"-----BEGIN PRIVATE KEY-----", b"sk-", b"earer " * 3, b"-----BEGIN PRIVATE KEY-----\n-"]
)
def test_hostile_repetition_costs_no_more_than_its_length(unit):
    assert len(REDACT(unit * (2_000_000 // len(unit)))) > 0
