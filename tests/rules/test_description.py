import pytest

from skillcheck import api

LIMIT = 1024


def lint(root, description, *settings, extra=""):
    """The findings of the family in one skill, as place and message."""
    path = root / "skills/tidy-notes/SKILL.md"
    path.parent.mkdir(parents=True)
    path.write_text(f"---\nname: tidy-notes\ndescription: {description}\n{extra}---\n\nDo it.\n", "utf-8", newline="")
    config = api.configure(base=root, overrides=("select=['description']", *settings))
    found = api.lint(api.load((), config, root)).diagnostics
    return [(d.span.line, d.span.column, d.message) for d in found]


@pytest.mark.parametrize(
    "description",
    ["Use when " + "x" * (LIMIT - 9), "Use when " + "😀" * (LIMIT - 9), "|\n  Use when " + "x" * (LIMIT - 9) + "\n\n"],
    ids=["plain", "two UTF-16 units each", "newlines at the end"],
)
def test_as_many_characters_as_allowed_are_right(tmp_path, description):
    assert lint(tmp_path, description) == []


@pytest.mark.parametrize(
    ("description", "message"),
    [
        (
            "Use when " + "x" * (LIMIT - 8),
            "1,025 characters, 1 more than 1,024: 'x' (line 3, column 1038)",
        ),
        (
            ">-" + "\n  when words words words" * 50,
            "1,149 characters, 125 more than 1,024: 'ords words when words words wo…' (line 48, column 15)",
        ),
        (
            '"' + '\\"when\\" é ' * 120 + '"',
            """1,079 characters, 55 more than 1,024: 'é "when" é "when" é "when" é "…' (line 3, column 1266)""",
        ),
    ],
    ids=["plain", "folded", "escaped"],
)
def test_one_more_is_told_with_the_place_where_it_is_cut(tmp_path, description, message):
    assert lint(tmp_path, description) == [
        (3, 14, "description has " + message.replace("1,024: ", "1,024: it ends before "))
    ]


def test_the_limit_is_an_option(tmp_path):
    told = "description has 23 characters, 9 more than 14: it ends before 'pile up.' (line 3, column 28)"
    found = lint(tmp_path, "Use when notes pile up.", "rules.description-too-long.max-characters=14")
    assert [message for *_, message in found] == [told]


@pytest.mark.parametrize("field", ["when_to_use: notes pile up", "disable-model-invocation: true"])
def test_when_may_stand_elsewhere_or_be_of_no_use(tmp_path, field):
    assert lint(tmp_path, "Sorts notes.", extra=f"{field}\n") == []
