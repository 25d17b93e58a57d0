import pytest

from skillcheck import api
from skillcheck.errors import UsageError

FRONT = "---\nname: a\ndescription: Sorts notes. Use when notes have grown.\n---\n"
PRESET = "rules.required-section.sections=['## Overview', ['Checks', '## Verification']]"


def look(root, body, rule, *overrides, front=FRONT):
    """Line, column, severity and message of one rule's findings in a body; the body begins in line 5."""
    path = root / "skills/a/SKILL.md"
    path.parent.mkdir(parents=True)
    path.write_bytes((front + body).encode())
    config = api.configure(base=root, overrides=(f'select=["{rule}"]', *overrides))
    found = api.lint(api.load((), config, root)).diagnostics
    return [(d.span.line, d.span.column, d.severity.label, d.message) for d in found]


@pytest.mark.parametrize(
    "body",
    [
        "## Overview\nx\n## Checks\nx\n",
        "## Overview ##\nx\n### Checks ###\nx\n",
        "   ##   Overview  \nx\n## Verification\nx\n",
        "Overview\n---\nx\n\nChecks\n===\nx\n",
        "## **Overview**\r\nx\r\n## `Checks`\r\nx\r\n",
        "- x\n\n  ## Overview\nx\n## Checks\nx\n",
        "```\nx\n```\n## Overview\n<!-- x -->\n## Checks\n",
    ],
)
def test_required_sections_are_there(tmp_path, body):
    assert look(tmp_path, body, "required-section", PRESET) == []


@pytest.mark.parametrize(
    "body",
    [
        "x\n",
        "### Overview\n#### Verification\n",
        "# overview\n# checks\n",
        "```md\n## Overview\n## Checks\n```\n",
        "~~~\n## Overview\n```\n## Checks\n~~~\n",
        "````\n```\n## Overview\n```\n## Checks\n````\n",
        "```\n## Overview\n## Checks\n",
        "<!--\n## Overview\n## Checks\n-->\n",
        "x\n\n    ## Overview\n\n    ## Checks\n",
        "> ## Overview\n\n- ## Checks\n",
        "##Overview\n\\## Checks\n",
        "## Overview of it\n## Checks:\n",
        "",
    ],
)
def test_required_sections_are_missing(tmp_path, body):
    missing = [(1, 1, "error", f"required section {name!r} is missing") for name in ("## Overview", "Checks")]
    assert sorted(look(tmp_path, body, "required-section", PRESET)) == sorted(missing)


def test_no_section_is_required_of_itself(tmp_path):
    assert look(tmp_path, "x\n", "required-section") == []


def test_exempt_skills_need_no_section(tmp_path):
    assert look(tmp_path, "x\n", "required-section", PRESET, 'rules.required-section.exempt=["a"]') == []


@pytest.mark.parametrize("front", ["", "---\nname: a\n"])
def test_sections_are_left_to_others_without_frontmatter(tmp_path, front):
    assert look(tmp_path, "x\n", "required-section", PRESET, front=front) == []


def test_preset_asks_for_five_sections(tmp_path):
    assert len(look(tmp_path, "x\n", "required-section", "preset=agent-skills")) == 5


@pytest.mark.parametrize("entry", ["1", "''", "'## '", "[1]"])
def test_sections_must_be_headings(tmp_path, entry):
    with pytest.raises(UsageError, match=r"required-section\.sections"):
        look(tmp_path, "x\n", "required-section", f"rules.required-section.sections=[{entry}]")


@pytest.mark.parametrize(
    ("body", "places"),
    [
        ("# A\nx\n", []),
        ("# A\n## B\nx\n", []),
        ("# A\n## B\n", [(6, 1)]),
        ("# A\n\n# B\nx\n", [(5, 1)]),
        ("## A\n# B\nx\n", [(5, 1)]),
        ("# A\n<!-- x -->\n\n---\n\n# B\nx\n", [(5, 1)]),
        ("# A\n<!-- x --> y\n# B\n<b>x</b>\n", []),
        ("# A\n- x\n# B\n* * *\n", [(7, 1)]),
        ("# A\n```\n```\n# B\n![x](y)\n", []),
        ("# A\n> # B\n", []),
        ("A\n===\n\n  B\n---\nx\n# C\n", [(11, 1)]),
        ("x\n", []),
    ],
)
def test_empty_sections_have_nothing_below(tmp_path, body, places):
    assert [(*spot[:2], spot[2]) for spot in look(tmp_path, body, "empty-section")] == [(*p, "info") for p in places]


def test_empty_sections_are_left_alone_without_frontmatter(tmp_path):
    assert look(tmp_path, "x\n", "empty-section", front="# Title\n" + FRONT) == []


@pytest.mark.parametrize(
    ("body", "empty"),
    [
        ("", True),
        ("\n \n", True),
        ("<!-- x -->\n\n<!-- y\n-->\n", True),
        ("x", False),
        ("# A\n", False),
        ("<!-- x --> y\n", False),
    ],
)
def test_empty_bodies_are_told(tmp_path, body, empty):
    assert look(tmp_path, body, "empty-body") == [(5, 1, "warning", "the body is empty")] * empty


@pytest.mark.parametrize("front", ["", "---\nname: a\n"])
def test_empty_bodies_are_left_to_others_without_frontmatter(tmp_path, front):
    assert look(tmp_path, "", "empty-body", front=front) == []


@pytest.mark.parametrize(
    "body",
    [
        "```\nx\n```\n",
        "````md\n```bash\nls\n```\n````\n\n~~~python\nprint(1)\n~~~\n",
        "1. x\n   ```sh\n   ls\n   ```\n\n- y\n\n  ~~~\n  z\n  ~~~\n",
        "> ```\n> x\n> ```\n",
        "> ```\n> x\n\nafter\n",
        "- ```\n  x\n\nafter\n\n```sh\ny\n```\n",
        "- ```\n  x\n- ```\n  y\n  ```\n",
        "``` inline ``` code\n",
        "    ```\n    x\n",
        "<!--\n```\n-->\n",
        "```\n``` x\n```\n",
    ],
)
def test_closed_fences_are_fine(tmp_path, body):
    assert look(tmp_path, body, "unclosed-fence") == []


@pytest.mark.parametrize(
    ("body", "place"),
    [
        ("x\n\n```sh\ny\n", (7, 1)),
        ("```", (5, 1)),
        ("  ~~~~\n~~~\n", (5, 3)),
        ("````md\n```\n# x\n```\n", (5, 1)),
        ("```\r\nx\r\n    ```\r\n", (5, 1)),
        ("```\nx\n```\n\n```\ny\n", (9, 1)),
        ("- x\n  ```\n  y", (6, 3)),
        ("- x\n  ```\n  y\n```\nz\n", (6, 3)),
        ("1. x\n   ```sh\n   y\n```\nz\n```sh\n```\n", (6, 4)),
        ("> ```\n> x\n```\ny\n", (5, 3)),
    ],
)
def test_an_open_fence_is_told_once_where_it_opens(tmp_path, body, place):
    assert [found[:3] for found in look(tmp_path, body, "unclosed-fence")] == [(*place, "warning")]


@pytest.mark.parametrize(
    ("body", "count"),
    [
        ("x\n" * 500, None),
        ("\n" + "x\n" * 500 + "\n\n", None),
        ("x\n" * 499 + "x", None),
        ("x\n" * 501, 501),
        ("\nx\n\n" * 300, 898),
    ],
)
def test_long_bodies_are_told_at_the_first_line_too_many(tmp_path, body, count):
    found = look(tmp_path, body, "body-too-long")
    line = 505 + body.startswith("\n")
    assert found == ([(line, 1, "warning", f"the body has {count} lines, more than 500")] if count else [])


def test_the_limit_of_lines_is_an_option(tmp_path):
    assert len(look(tmp_path, "x\nx\nx\n", "body-too-long", "rules.body-too-long.max-lines=2")) == 1
