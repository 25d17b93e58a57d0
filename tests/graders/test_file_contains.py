import pytest

from skillcheck.evals import pattern
from skillcheck.evals.workspace import workfiles

TEXT = "# Notes\n\n2026-08-19 Ask about the key.\r\nlast line"


@pytest.fixture
def contains(work, judge):
    (work / "notes.md").write_text(TEXT, "utf-8", newline="")
    return lambda **options: judge({"type": "file-contains", "path": "notes.md", **options})


@pytest.mark.parametrize(
    ("options", "passed", "reason"),
    [
        ({"text": "the key"}, True, "'notes.md' holds 'the key' in line 3"),
        ({"text": "The key"}, False, "'notes.md' holds no 'The key'"),
        ({"text": "Notes\n\n2"}, True, "'notes.md' holds 'Notes 2' in line 1"),
        ({"regex": r"^\d{4}-\d\d"}, True, "'notes.md' holds '2026-08' in line 3"),
        ({"regex": r"^Ask"}, False, "'notes.md' holds no '^Ask'"),
        ({"regex": r"(?i)LAST"}, True, "'notes.md' holds 'last' in line 4"),
        ({"regex": r"x*"}, True, "'notes.md' holds '' in line 1"),
        ({"text": "hunter2", "not": True}, True, "'notes.md' holds no 'hunter2'"),
        ({"text": "key", "not": True}, False, "'notes.md' holds 'key' in line 3"),
        ({"regex": "k.y", "not": True}, False, "'notes.md' holds 'key' in line 3"),
    ],
)
def test_a_text_or_a_regular_expression_is_found(options, passed, reason, contains):
    assert contains(**options) == (passed, reason)


@pytest.mark.parametrize("negated", [False, True])
def test_what_is_no_file_holds_nothing_and_is_not_opened(negated, judge, odd):
    for path, reason in {**odd, "gone": "there is no 'gone'", "f*": "there is no 'f*'"}.items():
        assert judge({"type": "file-contains", "path": path, "text": "hunter2", "not": negated}) == (False, reason)


def test_any_bytes_can_be_read(work, judge):
    (work / "odd").write_bytes(b"\xef\xbb\xbfstart\0\xff\xfe end\n")
    assert judge({"type": "file-contains", "path": "odd", "regex": "^start"})[0] is True
    assert judge({"type": "file-contains", "path": "odd", "text": "\ufffd end"})[0] is True
    (work / "empty").touch()
    assert judge({"type": "file-contains", "path": "empty", "regex": "^$"})[0] is True


def test_a_huge_file_is_read_to_a_limit_that_is_told(work, judge):
    with (work / "huge").open("wb") as file:
        file.write(b"start")
        file.truncate(1 << 40)
    told = f"; only the first {workfiles.READ_LIMIT:,} of its {1 << 40:,} bytes were read"
    wanted = {"type": "file-contains", "path": "huge", "text": "end"}
    assert judge({**wanted, "text": "start"}) == (True, "'huge' holds 'start' in line 1")
    assert judge(wanted) == (False, "'huge' holds no 'end'" + told)
    assert judge({**wanted, "not": True}) == (False, "'huge' holds no 'end'" + told)


def test_an_expression_that_takes_for_ever_is_stopped(work, judge, monkeypatch):
    monkeypatch.setattr(pattern, "TIMEOUT_S", 0.5)
    (work / "a").write_text("a" * 60 + "b", "utf-8")
    assert judge({"type": "file-contains", "path": "a", "regex": "(a+)+$"}) == (
        None,
        "looking for '(a+)+$' takes more than 0.5 seconds",
    )
