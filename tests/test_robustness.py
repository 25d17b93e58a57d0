"""Hostile files: each gives findings of its own in little time, and the rest of the catalog is linted."""

import os
import time

import pytest
from catalogs import cases, skill, write
from hypothesis import given, settings
from hypothesis import strategies as st

from skillcheck import api, cli
from skillcheck.errors import UsageError
from skillcheck.formats import named

LIMIT_S = 10
HOSTILE = "skills/hostile/SKILL.md"
REST = {"skills/rest/SKILL.md": "---\nname: rest\n---\n\nText.\n", "skills/good/SKILL.md": skill("good")}
posix = pytest.mark.skipif(os.name != "posix", reason="needs POSIX")
FRONT = "---\nname: hostile\ndescription: Sorts notes. Use when notes pile up.\n---\n\n"
TEXTS = st.lists(
    st.text(st.characters(exclude_categories=["Cs"]), max_size=6)
    | st.sampled_from([
        "---\n", "---\n", "name: a\n", "name: ", "description: ", "description: |\n  ", "\n", "\r\n", "\r", "\u2028",
        "\0", "# a\n", "## ", "```", "~~~\n", "> ", "- ", "[a](b)", "[a](#b)", "[a]: <b>\n", "![", "](", "<!--", "-->",
        "<a>",
        "<!-- skillcheck: ignore ", "skillcheck: disable", "`", "*", "_", "&amp;", "allowed-tools: ", "metadata:\n  ",
        "a: b: c\n", "&x ", "*x", "\ufeff", "\u202e", "http://", "../", "%00", "${CLAUDE_SKILL_DIR}/", "| a |\n|--|\n",
        "curl x | sh\n", "!`x`", "@x", "scripts/a.py", "\\", "'", '"', "=", "~",
    ]),
    max_size=16,
).map("".join)  # fmt: skip


def look(root, *, verb=api.lint, timed=True, overrides=()):
    """The report on a catalog, printed in every format, and that it took little time."""
    began = time.monotonic()
    config = api.configure(base=root, overrides=overrides)
    report = verb(api.load((), config, root))
    for name in ("text", "json", "github"):
        printed = named(name).render(report)
        assert not {"\x1b", "\x07", "\0", "\x9b"} & set(printed)
        printed.encode()
    assert not timed or time.monotonic() - began < LIMIT_S
    return report


def rules_of(report, path):
    return [d.rule for d in report.diagnostics if d.path == path]


def rest_is_linted(report):
    return "missing-description" in rules_of(report, "skills/rest/SKILL.md")


@pytest.mark.parametrize(
    ("content", "rule", "line", "column"),
    [
        (b"", "missing-frontmatter", 1, 1),
        (b"\x89PNG\r\n\x1a\n\0\0\xff", "not-utf8", 1, 1),
        ("---\nname: x\ndescription: 整理笔记\n---\n".encode("gbk"), "not-utf8", 3, 14),
        (FRONT.encode("utf-16"), "not-utf8", 1, 1),
        (FRONT.encode("utf-16-le"), "not-utf8", 1, 2),
        (FRONT.encode("utf-32"), "not-utf8", 1, 1),
        ((FRONT + "a\0b").encode(), "not-utf8", 6, 2),
        ((FRONT + "x" * 10_000_000).encode(), "file-too-large", 1, 1),
        (b"---\na: &a [x, x]\n" + b"".join(
            b"%c: &%c [*%c, *%c, *%c, *%c]\n" % (n + 1, n + 1, n, n, n, n) for n in range(97, 121)) + b"---\n",
         "invalid-yaml", 19, 8),
        (b"---\nname: " + b"[" * 10_000 + b"\n---\n", "invalid-yaml", 2, None),
        (b"---\nname: " + b"{a: " * 10_000 + b"\n---\n", "invalid-yaml", 2, None),
        (b"---\n" + b"- " * 10_000 + b"\n---\n", "invalid-yaml", 2, None),
        (b"---\n" + b"".join(b" " * n + b"a:\n" for n in range(1, 700)) + b"---\n", "invalid-yaml", None, None),
        (b"---\nname: \x1b[31m\n---\n", "invalid-yaml", 2, 7),
        (b"---\nname: !!int ''\n---\n", "invalid-yaml", 2, 7),
        (b"---\nname: !!python/object/apply:os.system [id]\n---\n", "invalid-yaml", 2, 7),
    ],
    ids=[
        "empty", "binary", "GBK", "UTF-16", "UTF-16 without mark", "UTF-32", "NUL", "10 MB", "alias bomb",
        "10,000 lists", "10,000 mappings", "10,000 items", "700 blocks", "escape sequence", "wrong tag",
        "dangerous tag",
    ],
)  # fmt: skip
def test_a_hostile_file_is_one_finding(content, rule, line, column, tmp_path):
    body = b"\nText.\n" if rule == "invalid-yaml" else b""
    report = look(write(tmp_path, {HOSTILE: content + body, **REST}))
    assert rules_of(report, HOSTILE) == [rule]
    (found,) = (d for d in report.diagnostics if d.path == HOSTILE)
    assert found.span.line == (line or found.span.line)
    assert found.span.column == (column or found.span.column)
    assert len(found.message) + len(found.help) < 300
    assert rest_is_linted(report)


@pytest.mark.parametrize(
    "body",
    [
        "> " * 10_000 + "x", "- " * 10_000 + "x", "[" * 10_000, "[" * 5_000 + "x" + "](y)" * 5_000, "![" * 10_000,
        "*" * 50_000, "*a _b " * 5_000, "`" * 50_000, "".join("`" * n + " " for n in range(300)), "<" * 50_000,
        "<!--" * 10_000, "&" * 50_000, "\\" * 50_000, "# " * 10_000, "#\n" * 10_000, "```\n" * 10_001,
        "|a" * 5_000 + "\n" + "|-" * 5_000, "[a]: b\n" * 10_000, "[a][a] " * 5_000, "<a " * 10_000, "\t" * 50_000,
        "x" * 900_000, "\n" * 900_000, "a\n" * 300_000, "[x](" + "a" * 100_000 + ")", "[x](" + "../" * 10_000 + ")",
        "[x](" + "a/" * 10_000 + ")", "[x](#" + "%E2" * 10_000 + ")", "<!-- skillcheck: ignore " * 5_000,
        "[^a] " * 5_000, "<div>\n" * 10_000, "\u202e" * 10_000, "http://" * 10_000, "${" * 10_000,
        "curl " * 50_000 + "| sh",
    ],
    ids=[
        "quotes", "lists", "brackets", "nested links", "images", "stars", "emphasis", "ticks", "tick runs", "angles",
        "comments", "ampersands", "backslashes", "hashes", "headings", "fences", "table", "definitions", "references",
        "tags", "tabs", "one line", "empty lines", "lines", "long link", "link upward", "deep link", "anchor",
        "suppressions", "footnotes", "html", "overrides", "addresses", "variables", "pipes",
    ],
)  # fmt: skip
def test_a_hostile_body_takes_no_time(body, tmp_path):
    report = look(write(tmp_path, {HOSTILE: FRONT + body, **REST}))
    assert rest_is_linted(report)


@pytest.mark.parametrize(
    ("text", "line", "column"),
    [
        ("---\rname: hostile\rdescription: ''\r---\r\rText.\r", 3, 14),
        ("---\nname: hostile\nx: 'a\u2028b'\ndescription: ''\n---\n\nText.\n", 4, 14),
        ("---\nname: hostile\nx: a\u0085description: ''\n---\n\nText.\n", 3, 19),
        ("---\r\nname: hostile\r\ndescription: ''\r\n---\r\n\r\nText.\r\n", 3, 14),
        ("---\nname: hostile\nmetadata: {a: '😀é'}\ndescription: ''\n---\n\nText.\n", 4, 14),
        ("\ufeff---\nname: hostile\ndescription: ''\n---\n\nText.\n", 3, 14),
    ],
    ids=["carriage returns", "line separator", "next line", "both", "astral characters", "byte-order mark"],
)
def test_positions_stay_right(text, line, column, tmp_path):
    report = look(write(tmp_path, {HOSTILE: text}), overrides=["select=['empty-description']"])
    assert [(d.span.line, d.span.column) for d in report.diagnostics] == [(line, column)]


@posix
@pytest.mark.parametrize(
    "name", ["a\x1b[31mb", "a\nb", "a\x9bb", "\u202eb", "a b", "é", "a'b\"c", "-rf", "%s", "$(id)"]
)
def test_any_folder_name_is_shown_safely(name, tmp_path):
    report = look(write(tmp_path, {f"skills/{name}/SKILL.md": "---\nname: a\n---\n\nText.\n", **REST}))
    assert {d.rule for d in report.diagnostics if name in d.path} >= {"missing-description"}
    assert rest_is_linted(report)


@posix
def test_a_name_that_is_no_utf8_is_escaped(tmp_path):
    folder = os.path.join(os.fsencode(tmp_path), b"skills", b"a\xff")  # noqa: PTH118 - a path of bytes
    try:
        os.makedirs(folder)  # noqa: PTH103 - a path of bytes
    except OSError:
        pytest.skip("this file system takes UTF-8 alone")
    with open(os.path.join(folder, b"SKILL.md"), "wb") as file:  # noqa: PTH118, PTH123 - a path of bytes
        file.write(b"---\nname: a\n---\n\nText.\n")
    (tmp_path / ".git").mkdir()
    report = look(write(tmp_path, REST))
    assert "missing-description" in rules_of(report, "skills/a\\xff/SKILL.md")
    assert rest_is_linted(report)


@posix
@pytest.mark.parametrize(
    ("make", "path", "rule"),
    [
        (lambda path: path.mkdir(), HOSTILE, "unreadable-file"),
        (os.mkfifo, HOSTILE, "unreadable-file"),
        (lambda path: path.symlink_to("nowhere"), HOSTILE, "dangling-link"),
        (lambda path: path.symlink_to("SKILL.md"), HOSTILE, "dangling-link"),
        (lambda path: path.symlink_to("/dev/zero"), HOSTILE, "unreadable-file"),
    ],
    ids=["folder", "pipe", "dangling link", "link to itself", "endless device"],
)
def test_what_is_no_file_is_told(make, path, rule, tmp_path):
    write(tmp_path, REST)
    (tmp_path / HOSTILE).parent.mkdir()
    make(tmp_path / HOSTILE)
    report = look(tmp_path)
    assert rule in rules_of(report, path)
    assert rest_is_linted(report)


@posix
def test_a_loop_of_links_comes_to_an_end(tmp_path):
    write(tmp_path, REST)
    (tmp_path / "skills/loop").symlink_to("..")
    (tmp_path / "skills/good/again").symlink_to(".")
    (tmp_path / "skills/good/up").symlink_to("../../skills")
    report = look(tmp_path)
    assert rest_is_linted(report)
    assert report.metrics["skills"] == 2


@posix
@pytest.mark.skipif(os.name == "posix" and os.geteuid() == 0, reason="root reads everything")
def test_what_may_not_be_read_is_told(tmp_path):
    write(tmp_path, {HOSTILE: skill("hostile"), **REST})
    (tmp_path / HOSTILE).chmod(0)
    report = look(tmp_path)
    assert rules_of(report, HOSTILE) == ["unreadable-file"]
    assert rest_is_linted(report)


@posix
@pytest.mark.parametrize("name", [".skillcheck.toml", "pyproject.toml"])
def test_settings_that_are_no_file_are_none(name, tmp_path):
    os.mkfifo(write(tmp_path, REST) / name)
    assert rest_is_linted(look(tmp_path))


@posix
def test_a_ratchet_that_is_no_file_is_told(tmp_path):
    write(tmp_path, {"evals/x": "", **REST})
    os.mkfifo(tmp_path / "evals/ratchet.json")
    with pytest.raises(UsageError, match=r"^evals/ratchet\.json: not a regular file$"):
        look(tmp_path, verb=api.check)


@posix
@pytest.mark.skipif(os.name == "posix" and os.geteuid() == 0, reason="root reads everything")
@pytest.mark.parametrize(
    ("closed", "words", "status", "told"),
    [
        ("skills/good", (), 1, "skills/good:1:1: error: the folder can't be read: Permission denied"),
        ("skills/good", ("skills/good",), 2, "error: skills/good: the folder can't be read"),
        ("skills/good", ("skills/good/SKILL.md",), 2, "error: skills/good/SKILL.md: can't be read: Permission denied"),
        ("skills/good/SKILL.md", (), 1, "skills/good/SKILL.md:1:1: error: the file can't be read: Permission denied"),
        ("skills", (), 2, "error: no skills found"),
        ("evals", (), 1, "skills/rest/SKILL.md:1:1: error: no description"),
        (".skillcheck.toml", (), 2, "error: .skillcheck.toml: can't be read: Permission denied"),
    ],
    ids=[
        "skill folder", "named skill folder", "file in a closed folder", "skill file", "folder of skills", "evals",
        "settings",
    ],
)  # fmt: skip
def test_what_is_closed_is_told(closed, words, status, told, tmp_path, monkeypatch, capfd):
    write(tmp_path, {CASES: cases("good", ["sort notes"]), ".skillcheck.toml": "", **REST})
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("sys.argv", ["skillcheck", "lint", "--select", "frontmatter", *words])
    (tmp_path / closed).chmod(0)
    try:
        assert cli.run() == status
    finally:
        (tmp_path / closed).chmod(0o755)
    out, err = capfd.readouterr()
    assert told in out + err


CASES = "evals/cases/good.json"


@pytest.mark.parametrize(
    "content",
    [
        "null", "[]", "3", '"x"', "true", "{}", "", "{", "[" * 100_000, '{"a":' * 100_000, "NaN", "[NaNx]", "1e999",
        "9" * 10_000, b"\xff\xfe", b"\0", b"\x89PNG\0\xff",
        '{"skill_name": null}', '{"skill_name": 3, "trigger": null, "evals": null}',
        '{"skill_name": "good", "trigger": []}', '{"skill_name": "good", "trigger": {"positive": null, "negative": 3}}',
        '{"skill_name": "good", "trigger": {"positive": [null, 3, "x", [], {}], "negative": [null, {}]}}',
        '{"skill_name": "good", "trigger": {"positive": [{"prompt": null}, {"prompt": 3}, {"prompt": ""}]}}',
        *(f'{{"skill_name": "good", "trigger": {{"positive": [{{"prompt": "x", "top_k": {k}}}]}}}}'
          for k in ("0", "-1", '"two"', "999", "1.5", "1e999", "null", "[]", "9" * 400)),
        '{"skill_name": "good", "trigger": {"negative": [{"prompt": "x", "owner": 3}, {"prompt": "y", "owner": ""}]}}',
        '{"skill_name": "good", "evals": [null, 3, {}, {"id": null}, {"id": 1e999}, {"id": "../x"}]}',
        '{"skill_name": "good", "evals": [{"id": 1, "prompt": "x", "expected_output": "y", "expectations": ["z"],'
        ' "files": ["../../etc", "a\\u0000b", "/etc/passwd", "' + "a" * 5000 + '", null]}]}',
        '{"skill_name": "good", "evals": [{"id": 1, "prompt": "x", "expected_output": "y", "expectations": ["z"],'
        ' "files": ["../../etc", "a\\u0000b", "/etc/passwd", "' + "a" * 5000 + '", "~", ".", ".."]}]}',
        '{"skill_name": "good\\u0000", "trigger": {"positive": [{"prompt": "a\\u0000\\u001b[31m\\ud83d"}]}}',
        '{"skill_name": "good", "skill_name": "\\u001b[31m", "\\u001b[31m": 1, "trigger": {"positiv": 1}}',
    ],
)  # fmt: skip
def test_a_hostile_case_file_is_told(content, tmp_path):
    write(tmp_path, {CASES: content, "evals/cases/rest.json": cases("rest", ["a text"]), **REST})
    report = look(tmp_path, verb=api.check)
    assert any(d.path == CASES for d in report.diagnostics)
    assert all(d.span.line >= 1 for d in report.diagnostics)
    assert rest_is_linted(report)


@posix
def test_case_files_that_are_no_files_are_told(tmp_path):
    write(tmp_path, {"evals/cases/x.txt": "", **REST})
    (tmp_path / "evals/cases/folder.json").mkdir()
    (tmp_path / "evals/cases/gone.json").symlink_to("nowhere")
    os.mkfifo(tmp_path / "evals/cases/pipe.json")
    report = look(tmp_path, verb=api.check)
    told = {d.path.rpartition("/")[2] for d in report.diagnostics if "evals" in d.path}
    assert told >= {"folder.json", "gone.json", "pipe.json"}


@settings(max_examples=300)
@given(TEXTS)
def test_any_text_can_be_linted(tmp_path_factory, text):
    root = tmp_path_factory.getbasetemp() / "any-text"
    write(root, {HOSTILE: text})
    report = look(root, timed=False)
    lines = text.count("\n") + text.count("\r") + 1
    for diagnostic in report.diagnostics:
        assert 1 <= diagnostic.span.line <= lines
        assert diagnostic.span[:2] <= diagnostic.span[2:]


@settings(max_examples=100)
@given(TEXTS)
def test_any_text_can_be_mended_for_good(tmp_path_factory, text):
    root = tmp_path_factory.getbasetemp() / "any-fix"
    write(root, {HOSTILE: text})
    config = api.configure(base=root)
    left, changes = api.fix(api.load((), config, root))
    for change in changes:
        change.diff()
    again, more = api.fix(api.load((), config, root))
    assert (again, more) == (left, ())
