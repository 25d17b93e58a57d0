from pathlib import Path

import pytest
import yaml

from skillcheck import api
from skillcheck.rules.frontmatter import allowed_tools_form

FAMILIES = "select=['frontmatter', 'naming', 'description']"
NAME, DESCRIPTION = "name: tidy-notes\n", "description: Sorts notes. Use when notes pile up.\n"
RIGHT = f"---\n{NAME}{DESCRIPTION}---\n\nDo it.\n"
NO_FENCE = "1:1 error missing-frontmatter: no frontmatter: the first line must be ---"
NOT_CLOSED = "1:1 error missing-frontmatter: frontmatter is not closed: no later line is only ---"
BOM = "1:1 warning byte-order-mark: the file begins with a byte-order mark"
TABLES = [
    pytest.param(section["template"], case, id=f"{name}-{section['about']}-{case['is']}")
    for name in ("frontmatter", "naming", "description")
    for section in yaml.safe_load(Path(__file__).with_name(f"{name}.yaml").read_text("utf-8"))
    for case in section["cases"]
]


def lint(root, data, folder="tidy-notes", *settings):
    """A catalog of one skill, and its findings as `line:column severity rule: message`."""
    path = root / "skills" / folder / "SKILL.md"
    path.parent.mkdir(parents=True)
    path.write_bytes(data)
    catalog = api.load((), api.configure(base=root, overrides=(FAMILIES, *settings)), root)
    found = api.lint(catalog).diagnostics
    return catalog, [f"{d.span.line}:{d.span.column} {d.severity.label} {d.rule}: {d.message}" for d in found]


@pytest.mark.parametrize(("template", "case"), TABLES)
def test_tables_hold(tmp_path, template, case):
    before = template.replace("{}", case["is"])
    catalog, found = lint(tmp_path, f"---\n{before}\n---\n\nDo it.\n".encode(), case.get("folder", "tidy-notes"))
    assert found == case.get("told", [])
    api.fix(catalog)
    assert catalog.skills[0].path.read_bytes().decode() == f"---\n{case.get('mended', before)}\n---\n\nDo it.\n"


@pytest.mark.parametrize(
    ("data", "told"),
    [
        pytest.param(RIGHT.encode(), [], id="right"),
        pytest.param(RIGHT.replace("\n", "\r\n").encode(), [], id="crlf"),
        pytest.param(RIGHT.replace("\n", "\r").encode(), [], id="cr"),
        pytest.param(RIGHT.replace("---", "--- \t").encode(), [], id="blanks after fences"),
        pytest.param(f"---\n{NAME}{DESCRIPTION}---".encode(), [], id="no newline at the end"),
        pytest.param(RIGHT.encode("utf-8-sig"), [BOM], id="byte-order mark"),
        pytest.param(
            RIGHT.replace("tidy-notes", "Tidy").encode("utf-8-sig"),
            [BOM, "2:7 error name-format: name 'Tidy' must be lower case"],
            id="byte-order mark before another fault",
        ),
        pytest.param(
            f"\n{RIGHT}".encode("utf-8-sig"),
            [BOM, "1:1 error content-before-frontmatter: blank lines stand before the frontmatter"],
            id="byte-order mark before a blank line",
        ),
        pytest.param(
            f"<!-- c -->\n{RIGHT}".encode(),
            ["1:1 error content-before-frontmatter: a comment stands before the frontmatter"],
            id="comment before",
        ),
        pytest.param(f"# Title\n{RIGHT}".encode(), [NO_FENCE], id="title before"),
        pytest.param(RIGHT.replace("---", "----").encode(), [f"{NO_FENCE}, '----' is not it"], id="four dashes"),
        pytest.param(b"", [NO_FENCE], id="empty"),
        pytest.param(b"\n\n", [NO_FENCE], id="blank"),
        pytest.param(b"---", [NOT_CLOSED], id="one fence"),
        pytest.param(f"---\n{NAME}{DESCRIPTION}----\n".encode(), [NOT_CLOSED], id="four dashes below"),
        pytest.param(f"---\n{NAME}{DESCRIPTION}...\n".encode(), [NOT_CLOSED], id="dots below"),
        pytest.param(
            b"---\n---\n", ["2:1 error invalid-yaml: frontmatter is empty, not a mapping"], id="nothing between fences"
        ),
        pytest.param(
            RIGHT.encode("utf-16"),
            ["1:1 error not-utf8: the file has a UTF-16 little-endian byte-order mark; it must be UTF-8"],
            id="utf-16",
        ),
        pytest.param(
            RIGHT.encode("utf-16-le"),
            ["1:2 error not-utf8: the file is not UTF-8 text: a NUL character here"],
            id="utf-16 without mark",
        ),
        pytest.param(
            RIGHT.replace("pile", "笔记").encode("gbk"),
            ["3:42 error not-utf8: the file is not UTF-8: byte 0xB1 here"],
            id="gbk",
        ),
    ],
)
def test_files_are_told(tmp_path, data, told):
    assert lint(tmp_path, data)[1] == told


def test_a_name_is_added_with_the_line_ends_of_the_file(tmp_path):
    catalog, _ = lint(tmp_path, f"---\n{DESCRIPTION}---\n\nDo it.\n".replace("\n", "\r\n").encode())
    api.fix(catalog)
    assert catalog.skills[0].path.read_bytes() == RIGHT.replace("\n", "\r\n").encode()


def test_known_fields_can_be_added(tmp_path):
    data = f"---\n{NAME}{DESCRIPTION}tags: x\n---\n\nDo it.\n".encode()
    assert lint(tmp_path, data, "tidy-notes", "rules.unknown-field.known=['tags']")[1] == []


@pytest.mark.parametrize(
    ("value", "tools"),
    [
        ("Read Grep Bash(git add *)", ("Read", "Grep", "Bash(git add *)")),
        ("Read, Grep,Bash(git log:*),", ("Read", "Grep", "Bash(git log:*)")),
        (["Read", "Bash(git log --format=%h,%s)"], ("Read", "Bash(git log --format=%h,%s)")),
        (["Read, Grep", 7], ("Read", "Grep")),
        ("Bash(git add", ("Bash(git add",)),
        ("", ()),
    ],
)
def test_tools_are_split(value, tools):
    assert allowed_tools_form.tools(value) == tools


@pytest.mark.parametrize("end", ["----\n\n# Tidy\n", "\n# Tidy\n"], ids=["near miss", "blank line"])
def test_a_body_is_found_where_the_frontmatter_is_never_closed(tmp_path, end):
    catalog, _ = lint(tmp_path, f"---\n{NAME}{DESCRIPTION}{end}".encode())
    (skill,) = catalog.skills
    assert skill.text[skill.body.start :].strip() == "# Tidy"
