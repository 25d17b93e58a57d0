"""The rules on the catalog as a whole: each fault is one finding at its place."""

import pytest

from skillcheck import api
from skillcheck.catalog import commands
from skillcheck.rules import active, run
from skillcheck.span import Span

FAMILY = frozenset({"catalog"})
TEXT = "---\nname: {}\ndescription: Sorts notes by date. Use when a folder of notes has grown.\n---\n\n{}\n"


def look(root, files, *paths):
    for path, text in files.items():
        file = root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, "utf-8", newline="")
    config = api.configure(base=root)
    catalog = api.load([root / path for path in paths], config, root)
    return sorted(run(active(config, FAMILY), catalog), key=lambda d: d.order)


def places(found):
    return [(f"{d.path}:{d.span.line}:{d.span.column}", d.severity.label, d.rule) for d in found]


def skills(**bodies):
    return {f"skills/{name}/SKILL.md": TEXT.format(name, body) for name, body in bodies.items()}


# duplicate-name


def test_later_skill_of_a_name_is_named_with_the_first(tmp_path):
    files = {f"skills/{path}/SKILL.md": TEXT.format("x", path) for path in ("a/x", "b/x", "c/x")}
    found = look(tmp_path, files)
    assert places(found) == [
        ("skills/b/x/SKILL.md:2:7", "error", "duplicate-name"),
        ("skills/c/x/SKILL.md:2:7", "error", "duplicate-name"),
    ]
    assert [(r.path, r.span.line) for d in found for r in d.related] == [("skills/a/x/SKILL.md", 2)] * 2


def test_skill_without_a_name_goes_by_its_folder(tmp_path):
    nameless = "---\ndescription: Sorts notes.\n---\n\nSort.\n"
    found = look(tmp_path, {"skills/a/x/SKILL.md": nameless, "skills/b/x/SKILL.md": TEXT.format("x", "Sort.")})
    assert places(found) == [("skills/b/x/SKILL.md:2:7", "error", "duplicate-name")]


@pytest.mark.parametrize("named", ["skills/a/x", "skills/b/x"])
def test_duplicate_is_reported_at_the_skill_that_was_named(tmp_path, named):
    files = {f"skills/{path}/SKILL.md": TEXT.format("x", path) for path in ("a/x", "b/x")}
    assert places(look(tmp_path, files, named)) == [(f"{named}/SKILL.md:2:7", "error", "duplicate-name")]


@pytest.mark.parametrize(
    ("files", "count"),
    [
        pytest.param(["skills/x", ".claude/skills/x"], 0, id="mirror"),
        pytest.param(["skills/a/x", "skills/b/x"], 1, id="copy in one root"),
        pytest.param(["skills/x", ".claude/skills/a/x"], 1, id="copy elsewhere"),
        pytest.param(["plugins/p/skills/a/x", "plugins/q/skills/b/x"], 0, id="two plug-ins"),
        pytest.param(["plugins/p/skills/a/x", "plugins/p/skills/b/x"], 1, id="one plug-in"),
        pytest.param(["plugins/p/skills/a/x", "skills/b/x"], 1, id="plug-in and catalog"),
    ],
)
def test_copies_and_plugins(tmp_path, files, count):
    texts = {f"{path}/SKILL.md": TEXT.format("x", "Sort.") for path in files}
    texts |= {f"plugins/{name}/.claude-plugin/plugin.json": "{}" for name in "pq"}
    assert len([d for d in look(tmp_path, texts, ".") if d.rule == "duplicate-name"]) == count


def test_linked_copy_is_no_duplicate(tmp_path):
    (tmp_path / "skills").mkdir()
    (tmp_path / "skills/y").symlink_to("x")
    assert look(tmp_path, skills(x="Sort.")) == []


# listing-budget


def listing(root, sizes, budget, *paths, extra=""):
    files = {
        f"skills/{name}/SKILL.md": f"---\nname: {name}\ndescription: {'é' * size}\n{extra}---\n\nSort.\n"
        for name, size in sizes.items()
    }
    files[".skillcheck.toml"] = f"[rules.listing-budget]\nmax-characters = {budget}\n"
    return look(root, files, *paths)


def test_listing_over_the_budget_is_one_finding(tmp_path):
    (found,) = listing(tmp_path, {"a": 10, "b": 30, "c": 20, "d": 40, "e": 40}, 139)
    assert places([found]) == [("skills/d/SKILL.md:3:14", "warning", "listing-budget")]
    assert found.message == (
        "the descriptions have 140 characters, the budget is 139; the longest: d (40), e (40), b (30)"
    )
    assert [r.path for r in found.related] == ["skills/d/SKILL.md", "skills/e/SKILL.md", "skills/b/SKILL.md"]


def test_listing_within_the_budget_has_no_finding(tmp_path):
    assert listing(tmp_path, {"a": 10, "b": 30}, 40) == []


def test_unlisted_skills_cost_nothing(tmp_path):
    assert listing(tmp_path, {"a": 100}, 40, extra="disable-model-invocation: true\n") == []


def test_when_to_use_is_listed_too(tmp_path):
    (found,) = listing(tmp_path, {"a": 40}, 40, extra="when_to_use: x\n")
    assert "41 characters" in found.message


def test_listing_is_not_judged_by_single_skills(tmp_path):
    assert listing(tmp_path, {"a": 100, "b": 10}, 40, "skills/a") == []


# commands


def twins(root, claude=None, gemini=None, toml=None, settings=""):
    files = skills(a="Sort.") | {".skillcheck.toml": settings}
    for folder, ending, group in (
        (".claude/commands", ".md", claude), (".gemini/commands", ".toml", gemini), ("commands", ".toml", toml),
    ):  # fmt: skip
        files |= {f"{folder}/{stem}{ending}": text for stem, text in (group or {}).items()}
    return look(root, files)


def md(text="x"):
    return f"---\ndescription: {text}\n---\n\nDo.\n"


def tm(text="x"):
    return f'prompt = """\ndescription = "no"\n"""\ndescription = "{text}"\n'


@pytest.mark.parametrize(
    ("claude", "gemini", "toml", "found"),
    [
        pytest.param({"p": md()}, {"p": tm()}, {"p": tm()}, [], id="three"),
        pytest.param({"p": md(), "q": md()}, None, None, [], id="Markdown alone"),
        pytest.param(None, {"p": tm()}, {"q": tm()}, [], id="TOML alone"),
        pytest.param({"p": md()}, {"p": tm()}, None, [], id="two folders"),
        pytest.param({"plan": md()}, {"planning": tm()}, {"planning": tm()}, [], id="alias"),
        pytest.param({"plan": md()}, {"plan": tm()}, {"planning": tm()}, [], id="same name before the alias"),
        pytest.param({"planning": md()}, {"planning": tm()}, {"planning": tm()}, [], id="alias as a name"),
        pytest.param(
            {"plan": md(), "planning": md()},
            {"planning": tm()},
            None,
            [(".claude/commands/plan.md", "command 'plan' is missing in .gemini/commands")],
            id="alias that is taken",
        ),
        pytest.param(
            {"p": md(), "r": md()},
            {"p": tm()},
            {"p": tm()},
            [(".claude/commands/r.md", "command 'r' is missing in .gemini/commands, commands")],
            id="missing in all",
        ),
        pytest.param(
            {"p": md()},
            {"p": tm(), "r": tm()},
            {"p": tm(), "r": tm()},
            [(".gemini/commands/r.toml", "command 'r' is missing in .claude/commands")],
            id="missing in Markdown",
        ),
        pytest.param(
            {"p": md()},
            {"p": tm()},
            {"p": tm(), "r": tm()},
            [("commands/r.toml", "command 'r' is missing in .claude/commands, .gemini/commands")],
            id="in one alone",
        ),
        pytest.param({"constructor": md()}, {"constructor": tm()}, None, [], id="any name"),
    ],
)
def test_command_parity(tmp_path, claude, gemini, toml, found):
    left = twins(tmp_path, claude, gemini, toml)
    assert [(d.path, d.message) for d in left if d.rule == "command-parity"] == found
    assert {d.severity.label for d in left} <= {"error"}
    assert len(left) == len(found)


def test_aliases_are_settings(tmp_path):
    settings = '[rules.command-parity.aliases]\nsave = "keep"\n'
    assert twins(tmp_path, {"save": md()}, {"keep": tm()}, None, settings) == []


@pytest.mark.parametrize(
    ("text", "twin"),
    [
        pytest.param(md('Say "hi"'), 'description = "Say \\"hi\\""\n', id="escaped quotes"),
        pytest.param(md('Say "hi"'), "description = 'Say \"hi\"'\n", id="single quotes"),
        pytest.param(md("é \\\\ x"), 'description = "\\u00e9 \\\\\\\\ x"\n', id="other escapes"),
        pytest.param(
            "---\ndescription: >\n  Two\n  lines\n---\n", 'description = """Two \\\n  lines"""\n', id="folded"
        ),
        pytest.param("---\r\ndescription: x\r\n---\r\n", '\ufeffdescription = "x"\r\n', id="line ends and mark"),
        pytest.param('---\ndescription: ""\n---\n', 'description = ""\n', id="empty"),
    ],
)
def test_equal_descriptions(tmp_path, text, twin):
    assert twins(tmp_path, {"p": text}, {"p": twin}) == []


def test_drift_is_one_finding_at_the_odd_file(tmp_path):
    found = twins(tmp_path, {"p": md("x")}, {"p": tm("x")}, {"p": tm("y")})
    assert places(found) == [("commands/p.toml:4:15", "error", "command-description")]
    assert found[0].message == (
        "the descriptions of command 'p' differ: .claude/commands 'x', .gemini/commands 'x', commands 'y'"
    )
    assert [r.path for r in found[0].related] == [".claude/commands/p.md", ".gemini/commands/p.toml"]


@pytest.mark.parametrize(
    ("claude", "toml", "place", "reason"),
    [
        pytest.param("Do.\n", tm(), ".claude/commands/p.md:1:1", "no frontmatter", id="no frontmatter"),
        pytest.param("---\nx: y\n---\n", tm(), ".claude/commands/p.md:1:1", "no description", id="none"),
        pytest.param("---\ndescription:\n---\n", tm(), ".claude/commands/p.md", "empty", id="null"),
        pytest.param(md("[x]"), tm(), ".claude/commands/p.md:2:14", "of type list", id="list"),
        pytest.param(md("a: b"), tm(), ".claude/commands/p.md:2:15", "nested mapping", id="unquoted colon"),
        pytest.param(md(), 'prompt = "x"\n', "commands/p.toml:1:1", "no description", id="TOML without"),
        pytest.param(md(), "description = 5\n", "commands/p.toml:1:1", "of type int", id="number"),
        pytest.param(md(), '\n\ndescription = "x\n', "commands/p.toml:3:17", "not TOML", id="open string"),
        pytest.param(md(), "x = [\n", "commands/p.toml:2:1", "not TOML", id="end of the file"),
        pytest.param(md(), '[x]\ndescription = "x"\n', "commands/p.toml:1:1", "no description", id="in a table"),
        pytest.param(md(), "x = " + "[" * 9999, "commands/p.toml:", "not TOML", id="deep"),
    ],
)
def test_unreadable_description_is_one_finding(tmp_path, claude, toml, place, reason):
    (found,) = twins(tmp_path, {"p": claude}, None, {"p": toml})
    assert found.rule == "command-description"
    assert f"{found.path}:{found.span.line}:{found.span.column}".startswith(place)
    assert reason in found.message


@pytest.mark.parametrize(
    ("text", "span"),
    [
        pytest.param('description = "x"\n', Span(1, 15, 1, 18), id="plain"),
        pytest.param("  'description'='x' # why\n", Span(1, 17, 1, 20), id="quoted key"),
        pytest.param('p = """\ndescription = "no"\n"""\ndescription = "x"', Span(4, 15, 4, 18), id="after a string"),
        pytest.param('description = """\nx\n"""\np = "y"\n', Span(1, 15, 3, 4), id="many lines"),
    ],
)
def test_description_in_toml_is_placed(tmp_path, text, span):
    found = commands.parse(tmp_path / "p.toml", "p.toml", "commands", text)
    assert (found.description.strip(), found.span) == ("x", span)


# unknown-skill-reference


@pytest.mark.parametrize(
    "text",
    [
        "use the `zz-top` skill", "Follow the `zz-top`\nskill.", "`zz-top` skill", "`other` and `zz-top` skills",
        "`other`, `zz-top`, or `other` skills", "the **`zz-top`** skill", "skill `zz-top`", "see skills: `zz-top`",
        "`zz-top` agent skill", "The `zz-top` Skill", "> use the `zz-top` skill", "| the `zz-top` skill |",
    ],
)  # fmt: skip
def test_unknown_reference_is_found(tmp_path, text):
    found = look(tmp_path, skills(a=text, other="Sort."))
    (left,) = found
    assert (left.rule, left.severity.label, left.message) == (
        "unknown-skill-reference", "warning", "no skill 'zz-top' in this catalog"
    )  # fmt: skip
    line = 6 + text[: text.index("zz-top")].count("\n")
    assert (left.span.line, left.span.end_column - left.span.column) == (line, 6)


@pytest.mark.parametrize(
    "text",
    [
        "use `zz-top`", "the `zz-top` persona", "the `zz-top` agent", "`/zz-top` skill", "`mcp__x__y` skill",
        "create a `zz-top` skill", "Create the `zz-top` skill", "if the `zz-top` skill is available, use it",
        "when the `zz-top` skill isn't installed", "the `my-skill` skill", "the `<name>` skill", "skill `name`",
        "skill `scripts/`", "`zz-top` skill level", "`zz-top` skill-maker", "``the `zz-top` skill``",
        "```\nuse the `zz-top` skill\n```", "    use the `zz-top` skill", "<!-- the `zz-top` skill -->",
        "the `office:zz-top` skill", "the `other` skill", "the `office:other` skill", "the `SKILL.md` skill file",
        "the `a` skill", "[`zz-top`](https://example.com) skill", "the `zz_top` skill", "the `React` skill",
        "the `tidy` skill", "use the zz-top skill",
    ],
)  # fmt: skip
def test_other_mentions_are_left_alone(tmp_path, text):
    files = skills(a=text, other="Sort.") | {".claude/commands/tidy.md": md()}
    assert look(tmp_path, files) == []


def test_near_miss_has_a_suggestion_and_an_unsafe_fix(tmp_path):
    (found,) = look(tmp_path, skills(a="the `Merge-Note` skill", **{"merge-notes": "Sort."}))
    assert found.message == "no skill 'Merge-Note' in this catalog; did you mean 'merge-notes'"
    assert not found.fix.safe
    assert found.fix.edits[0].text == "merge-notes"


def test_own_plugin_is_looked_up(tmp_path):
    files = skills(a="the `mine:zz-top` skill, the `mine:a` skill, the `theirs:zz-top` skill")
    found = look(tmp_path, files | {".claude-plugin/plugin.json": '{"name": "mine"}'})
    assert [d.message for d in found] == ["no skill 'mine:zz-top' in this catalog"]


def test_descriptions_are_looked_at_too(tmp_path):
    text = "---\nname: a\ndescription: >\n  Sorts notes. For mail use the\n  `zz-top` skill.\n---\n\nSort.\n"
    assert places(look(tmp_path, {"skills/a/SKILL.md": text})) == [
        ("skills/a/SKILL.md:5:4", "warning", "unknown-skill-reference")
    ]


def test_external_skills_are_known(tmp_path):
    settings = {".skillcheck.toml": '[rules.unknown-skill-reference]\nexternal = ["zz-top", 5, ["x"]]\n'}
    assert look(tmp_path, skills(a="the `zz-top` skill") | settings) == []


def test_siblings_are_known_when_one_skill_is_named(tmp_path):
    assert look(tmp_path, skills(a="the `other` skill", other="Sort."), "skills/a/SKILL.md") == []


# what is found on the way


def test_faults_of_the_walk_belong_to_rules(tmp_path):
    files = skills(a="Sort.") | {"skills/a/x/SKILL.md": TEXT.format("x", "Sort."), "skills/notes/readme.txt": "x"}
    (tmp_path / "skills").mkdir()
    (tmp_path / "skills/gone").symlink_to("nowhere")
    assert places(look(tmp_path, files)) == [
        ("skills/a/x/SKILL.md:1:1", "warning", "nested-skill"),
        ("skills/gone:1:1", "error", "dangling-link"),
        ("skills/notes:1:1", "warning", "stray-directory"),
    ]
