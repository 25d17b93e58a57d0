import pytest

from skillcheck import api

FRONT = "---\nname: a\ndescription: Sorts notes. Use when notes have grown.\n---\n"
FILES = {
    "skills/a/references/guide.md": "# Set up\n\n# Set up\n\n<a id='own'></a>\n\n## ⚙️ Été\n",
    "skills/a/references/how to.md": "",
    "skills/a/references/a_(b).md": "",
    "skills/a/references/[id].md": "",
    "skills/a/references/50%.md": "",
    "skills/a/assets/Été.svg": "",
    "skills/a/scripts/run.py": "",
    "skills/a/LICENSE": "",
    "skills/b/SKILL.md": FRONT.replace("name: a", "name: b") + "# Overview\n",
    "plugin/.claude-plugin/plugin.json": "",
    "shared.md": "# Shared\n",
}


def write(root, files):
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode())


def look(root, body, *, family="links", files=FILES, skill="skills/a", paths=()):
    """The findings of all rules of links but unlinked-file, for a body that begins in line 5."""
    (root / ".git").mkdir(exist_ok=True)
    write(root, {**files, f"{skill}/SKILL.md": FRONT + body})
    config = api.configure(base=root, overrides=(f'select=["{family}"]', "ignore=['unlinked-file']"))
    return api.lint(api.load(paths, config, root)).diagnostics


def brief(found):
    return [(d.rule, d.severity.label, d.span.line, d.span.column) for d in found]


@pytest.mark.parametrize(
    "body",
    [
        "[x](references/guide.md) [x](./references/guide.md) [x](references/../references/guide.md)",
        "[x](references/how%20to.md) [x](<references/how to.md>) [x](references/a_(b).md)",
        "[x](references/a_%28b%29.md 't')",
        "[x](references/) [x](references) [x](.) [x](..) [x](../b/) [x](../b/SKILL.md#overview)",
        "[x](../../shared.md?raw=1#shared)",
        "[x][y] [y] [y][]\n\n[y]: references/guide.md 'title'\n[Unused]: nowhere.md",
        "![x](assets/%C3%89t%C3%A9.svg) ![x](assets/Été.svg)",
        "[x](references/[id].md) [x](references/50%.md) [x](references/50%25.md) [x](LICENSE)",
        "[x](scripts/run.py:12) [x](scripts/run.py#L3-L9) [x](scripts/run.py#anything)",
        "[x](https://a.example/none.md) [x](HTTP://a.example) [x](mailto:a@b.example)",
        "[x](//a.example/x) [x](/docs/none.md)",
        "[x](ftp://a.example/x) [x](tel:1) [x](vscode:extension/x) [x](data:text/plain,x)",
        "[x](chrome://inspect) <https://a.example>",
        "`[x](none.md)` <!-- [x](none.md) --> \\[x](none.md) `a[i](x)` a[i] (x)",
        "```\n[x](none.md)\n```\n\n~~~md\n[x](none.md)\n~~~\n\n    [x](none.md)\n\n<!--\n[x](none.md)\n-->",
        "[x](${CLAUDE_SKILL_DIR}/references/guide.md#own) [x](<${CLAUDE_SKILL_DIR}/references/how to.md>)",
        "[x](#) [x]() [x](#top) [x](#Top) [x](#:~:text=x) [x](?plain=1)",
        "[x](#a-b) [x](#user-content-a-b) [x](#%C3%A9t%C3%A9) [x](#été)\n\n## A b\n\n## Été",
        "[x](#c) [x](#d)\n\n<a id='c'></a> <span name=d>",
        "[x](references/guide.md#set-up-1) [x](references/guide.md#own)",
        "[x](references/guide.md#-été) [x](references/guide.md#️-été)",
        "[x](SKILL.md#a)\n\n# a",
        "[x](references/guide.md)\r\n\r\n# a\r\n\r\n[x](#a)\r\n",
        "Footnote[^1].\n\n[^1]: [x](references/guide.md)",
    ],
)
def test_good_links_are_fine(tmp_path, body):
    assert brief(look(tmp_path, body)) == []


@pytest.mark.parametrize(
    ("body", "finding"),
    [
        ("[x](references/missing.md)", ("broken-link", "error", 5, 1)),
        ("é 👍 [x](missing.md#x)", ("broken-link", "error", 5, 5)),
        ("- a\n  > [x](<my missing.md>)", ("broken-link", "error", 6, 5)),
        ("x\n\n| a |\n|---|\n| [x](none.md) |", ("broken-link", "error", 9, 3)),
        ("# [x](none.md)", ("broken-link", "error", 5, 3)),
        ("a [x][y]\n\n[y]: none.md", ("broken-link", "error", 5, 3)),
        ("a ![x](none.png)", ("broken-link", "error", 5, 3)),
        ("[![x](https://a.example/b.svg)](none.md)", ("broken-link", "error", 5, 1)),
        ("[![x](none.png)](references/)", ("broken-link", "error", 5, 2)),
        ("[x](references/how%2520to.md)", ("broken-link", "error", 5, 1)),
        ("[x](references\\guide.md)", ("broken-link", "error", 5, 1)),
        ("[x](www.site.example)", ("broken-link", "error", 5, 1)),
        ("[x](../c/SKILL.md)", ("broken-link", "error", 5, 1)),
        ("[x](${CLAUDE_SKILL_DIR}/none.md)", ("broken-link", "error", 5, 1)),
        ("[x](scripts/run.py/x)", ("broken-link", "error", 5, 1)),
        ("[x](references/Guide.md)", ("link-case-mismatch", "error", 5, 1)),
        ("[x](../B/SKILL.md)", ("link-case-mismatch", "error", 5, 1)),
        ("![x](assets/été.svg)", ("link-case-mismatch", "error", 5, 1)),
        ("[x](License)", ("link-case-mismatch", "error", 5, 1)),
        ("[x](../../../out.md)", ("link-outside-repository", "error", 5, 1)),
        ("![x](../../../../etc/x.png)", ("link-outside-repository", "error", 5, 1)),
        ("[x][y]\n\n[y]: <../../../out.md>", ("link-outside-repository", "error", 5, 1)),
        ("[x]({baseDir}/references/guide.md)", ("templated-link", "warning", 5, 1)),
        ("[x]({{base}}/guide.md)", ("templated-link", "warning", 5, 1)),
        ("[x](references/<name>.md)", ("templated-link", "warning", 5, 1)),
        ("[x](<name>)", ("templated-link", "warning", 5, 1)),
        ("[x]($HOME/notes.md)", ("templated-link", "warning", 5, 1)),
        ("[x](${ROOT}/notes.md)", ("templated-link", "warning", 5, 1)),
        ("[x](${CLAUDE_PLUGIN_ROOT}/notes.md)", ("templated-link", "warning", 5, 1)),
        ("[x](references/*.md)", ("templated-link", "warning", 5, 1)),
        ("[x](~/notes.md)", ("templated-link", "warning", 5, 1)),
        ("[x](path/to/file.md)", ("templated-link", "warning", 5, 1)),
        ("[x](webUrl)", ("templated-link", "warning", 5, 1)),
        ("[x](../../../../{x}/y.md)", ("templated-link", "warning", 5, 1)),
        ("[x](references/guide.md#{part})", ("templated-link", "warning", 5, 1)),
        ("[x](#nope)", ("broken-anchor", "warning", 5, 1)),
        ("[x](#Big)\n\n# Big", ("broken-anchor", "warning", 5, 1)),
        ("[x](#a)\n\n```\n# a\n```", ("broken-anchor", "warning", 5, 1)),
        ("[x](#a-1)\n\n# a", ("broken-anchor", "warning", 5, 1)),
        ("[x](references/guide.md#set-up-2)", ("broken-anchor", "warning", 5, 1)),
        ("[x](../b/SKILL.md#a)\n\n# a", ("broken-anchor", "warning", 5, 1)),
        ("[x](<references/how to.md#a>)", ("broken-anchor", "warning", 5, 1)),
    ],
)
def test_bad_links_are_told_once(tmp_path, body, finding):
    assert brief(look(tmp_path, body)) == [finding]


@pytest.mark.parametrize(
    ("body", "hint"),
    [
        ("[x](references/giude.md)", "did you mean 'references/guide.md'"),
        ("[x](guide.md)", "did you mean 'references/guide.md'"),
        ("[x](scripts/run)", "did you mean 'scripts/run.py'"),
        ("[x](references\\guide.md)", "did you mean 'references/guide.md'"),
        ("[x](www.site.example)", "a URL needs its scheme: 'https://www.site.example'"),
        ("[x](a@b.example)", "an address needs its scheme: 'mailto:a@b.example'"),
        ("[x](quite/another.txt)", "paths are relative to the skill's folder"),
        ("[x](#set-upp)\n\n# Set up", "did you mean '#set-up'"),
    ],
)
def test_what_was_perhaps_meant_is_named(tmp_path, body, hint):
    assert [d.help for d in look(tmp_path, body)] == [hint]


@pytest.mark.parametrize(
    ("body", "mended"),
    [
        ("[guide.md](References/Guide.md#own 'Guide.md')", "[guide.md](references/guide.md#own 'Guide.md')"),
        ("[x](<./References/How To.md>)", "[x](<./references/how%20to.md>)"),
        ("[x](../B/skill.md)", "[x](../b/SKILL.md)"),
        ("`[y]: Shared.md` [x][y]\n\n[Y]: ../../Shared.md", "`[y]: Shared.md` [x][y]\n\n[Y]: ../../shared.md"),
        ("![x](scripts/RUN.py)\r\n", "![x](scripts/run.py)\r\n"),
        ("[![x](assets/Été.svg)](references/Guide.md)", "[![x](assets/Été.svg)](references/guide.md)"),
    ],
)
def test_case_is_mended_where_it_stands(tmp_path, body, mended):
    look(tmp_path, body)
    config = api.configure(base=tmp_path, overrides=("select=['link-case-mismatch']",))
    api.fix(api.load((), config, tmp_path))
    assert (tmp_path / "skills/a/SKILL.md").read_bytes().decode() == FRONT + mended


def test_plugin_root_is_the_folder_of_the_plugin(tmp_path):
    body = "[x](${CLAUDE_PLUGIN_ROOT}/shared.md) [x](${CLAUDE_PLUGIN_ROOT}/none.md)"
    files = {"shared.md": "", ".claude-plugin/plugin.json": ""}
    assert brief(look(tmp_path, body, files=files)) == [("broken-link", "error", 5, 38)]


def test_a_skill_by_itself_may_name_its_neighbours(tmp_path):
    write(tmp_path, {"b/SKILL.md": FRONT, "a/SKILL.md": FRONT + "[x](../b/SKILL.md) [x](../../c.md)"})
    config = api.configure((tmp_path / "a",), tmp_path, overrides=('select=["links"]',))
    found = api.lint(api.load((tmp_path / "a",), config, tmp_path)).diagnostics
    assert brief(found) == [("link-outside-repository", "error", 5, 20)]


def test_a_linked_skill_may_name_the_neighbours_of_its_real_folder(tmp_path):
    write(tmp_path, {"real/a/SKILL.md": FRONT + "[x](../shared.md)", "real/shared.md": "", ".git/x": ""})
    (tmp_path / "skills").mkdir()
    (tmp_path / "skills/a").symlink_to(tmp_path / "real/a")
    config = api.configure(base=tmp_path, overrides=('select=["links"]',))
    assert api.lint(api.load((), config, tmp_path)).diagnostics == ()


BUNDLE = {
    "references/one.md": "see two.md",
    "references/two.md": "",
    "references/deep/three.md": "",
    "scripts/main.py": "from lib import tool\n",
    "scripts/lib/tool.py": "",
    "scripts/lib/__init__.py": "",
    "scripts/test_main.py": "",
    "assets/logo.png": "",
    "assets/fonts/a.ttf": "",
    "assets/fonts/LICENSE.txt": "",
    "assets/.keep": "",
    "evals/case.json": "",
    "notes.md": "",
    ".hidden/x.md": "",
}


ALL = [name for name in BUNDLE if name.endswith((".md", "main.py", "tool.py", ".png", ".ttf")) and name[0] in "ars"]
UNTOLD = "scripts/test_main.py"


@pytest.mark.parametrize(
    ("body", "left"),
    [
        ("x", ALL),
        ("one.md.bak xone.md one.mdx logo.pngs domain.py", ALL),
        ("[x](references/one.md) main.py `references/deep/` logo.png and assets/fonts/*.ttf", []),
        ("Read everything in references/. python -m scripts.main", ["assets/logo.png", "assets/fonts/a.ttf"]),
        ("```\ncat references/one.md\n```\nThe `scripts` and 'assets' folders, three.md.", []),
        ("ONE.MD scripts/ assets/ deep/three.md", []),
    ],
)
def test_files_that_nothing_mentions_are_told(tmp_path, body, left):
    write(tmp_path, {f"skills/a/{name}": text for name, text in BUNDLE.items()})
    write(tmp_path, {"skills/a/SKILL.md": FRONT + body})
    config = api.configure(base=tmp_path, overrides=("select=['unlinked-file']",))
    found = api.lint(api.load((), config, tmp_path)).diagnostics
    assert {d.severity.label for d in found} <= {"info"}
    assert sorted(d.message for d in found) == sorted(
        f"bundled file {name!r} is mentioned by nothing" for name in left if name != UNTOLD
    )


def test_unmentioned_files_of_one_folder_are_told_together(tmp_path):
    write(tmp_path, {"skills/a/SKILL.md": FRONT + "x", **{f"skills/a/assets/{n}.png": "" for n in range(9)}})
    config = api.configure(base=tmp_path, overrides=("select=['unlinked-file']",))
    found = api.lint(api.load((), config, tmp_path)).diagnostics
    assert [d.message for d in found] == ["9 files in 'assets' are mentioned by nothing, the first is 'assets/0.png'"]


def test_a_path_in_another_skill_is_a_mention(tmp_path):
    write(
        tmp_path, {"skills/a/SKILL.md": FRONT + "x", "skills/a/references/one.md": "", "skills/a/references/two.md": ""}
    )
    write(tmp_path, {"skills/b/SKILL.md": FRONT + "[x](../a/references/one.md) two.md"})
    config = api.configure(base=tmp_path, overrides=("select=['unlinked-file']",))
    found = api.lint(api.load((), config, tmp_path)).diagnostics
    assert [d.message for d in found] == ["bundled file 'references/two.md' is mentioned by nothing"]
