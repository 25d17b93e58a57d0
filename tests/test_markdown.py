import pytest

from skillcheck.catalog.markdown import Body, github_slug


def headings(text, *, nested=False):
    return [(h.level, h.text) for h in Body.parse(text).headings if nested or not h.nested]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("# A\n## B ##\n   ### C #  \n", [(1, "A"), (2, "B"), (3, "C")]),
        ("A\n===\nB *b*\n---\n", [(1, "A"), (2, "B b")]),
        ("Red\nFlags\n---\n", [(2, "Red Flags")]),
        ("# A\r\n\r\nB\r\n---\r\n", [(1, "A"), (2, "B")]),
        ("# A\r\r## B\r", [(1, "A"), (2, "B")]),
        ("#A\n####### B\n\\# C\n    # D\n\t# E\n", []),
        ("```\n# A\n```\n# B\n", [(1, "B")]),
        ("~~~md\n# A\n```\n~~~\n# B\n", [(1, "B")]),
        ("````\n```\n# A\n````\n# B\n", [(1, "B")]),
        ("```\n# A\n    ```\n# B\n", []),
        ("``` js ``` inline\n# A\n", [(1, "A")]),
        ("<!--\n# A\n-->\n# B\n", [(1, "B")]),
        ("<div>\n# A\n</div>\n\n# B\n", [(1, "B")]),
        ("> # A\n\n- # B\n\n1. # C\n", []),
        ("- item\n\n  ## A\n", [(2, "A")]),
        ("# `code` & [link](x) ![alt](y) <b>bold</b>\n", [(1, "code & link alt bold")]),
        ("# 日本 👍\n", [(1, "日本 👍")]),
        ("| a |\n|---|\n# A\n", [(1, "A")]),
        ("#\n", [(1, "")]),
    ],
)
def test_headings_are_those_of_commonmark(text, found):
    assert headings(text) == found


def test_headings_in_containers_are_nested():
    assert headings("> # A\n\n- # B\n", nested=True) == [(1, "A"), (1, "B")]


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_offsets_count_code_points_of_the_whole_file(newline):
    front = "---\nname: ü👩‍💻\n---\n"
    text = (front + "Ünï 日本 👍 [l](a.md) ![i](b.png)\n\n## Häd\n\n<!-- cömment -->\n\n```sh\nü\n```\n").replace(
        "\n", newline
    )
    body = Body.parse(text, len(front.replace("\n", newline)))
    assert [text[link.start : link.end] for link in body.links] == ["[l](a.md)", "![i](b.png)"]
    assert [text[h.start : h.end].strip() for h in body.headings] == ["## Häd"]
    assert [text[c.start : c.end] for c in body.comments()] == ["<!-- cömment -->"]
    assert [text[c.start : c.end].split() for c in body.code] == [["```sh", "ü", "```"]]


@pytest.mark.parametrize(
    ("text", "links"),
    [
        ("[a](b.md) [c](<d e.md> 't')\n", [("b.md", ""), ("d e.md", "")]),
        ("[a](b_(c).md) [d](e&amp;f\\*.md)\n", [("b_(c).md", ""), ("e&f*.md", "")]),
        ("[a][b] [b] [b][]\n\n[b]: c.md\n", [("c.md", "b")] * 3),
        ("[a][b] [a][none]\n\n> [b]: c.md\n", [("c.md", "b")]),
        ("[![a](b.png)](c.md)\n", [("c.md", ""), ("b.png", "")]),
        ("# [a](b.md)\n", [("b.md", "")]),
        ("| a |\n|---|\n| [a](b.md) `[c](d)` |\n", [("b.md", "")]),
        ("- > 1. [a](b.md)\n", [("b.md", "")]),
        ("Text[^1]\n\n[^1]: [a](b.md)\n", [("b.md", "")]),
        ("`[a](b.md)` \\[c](d.md) <!-- [e](f.md) --> a[i] (x)\n", []),
        ("    [a](b.md)\n\n```\n[c](d.md)\n", []),
        ("<https://a.example> <b@c.example> https://d.example\n", []),
        ("[unused]: a.md\n", []),
        ("- [ ] [a](b.md)\n- [x] done\n", [("b.md", "")]),
    ],
)
def test_links_are_those_of_commonmark(text, links):
    assert [(link.target, link.label) for link in Body.parse(text).links] == links


@pytest.mark.parametrize(
    ("text", "closed"),
    [
        ("```\na\n```\n", [True]),
        ("```\n```", [True]),
        ("```\na\n````\n", [True]),
        ("```\r\na\r\n```\r\n", [True]),
        ("- x\n  ```\n  a\n  ```\n", [True]),
        ("> ```\n> a\n> ```\n", [True]),
        ("```sh", [False]),
        ("```sh\n", [False]),
        ("```\na\n\n", [False]),
        ("````\n```\n", [False]),
        ("```\n~~~\n", [False]),
        ("```\n    ```\n", [False]),
        ("```\n``` sh\n", [False]),
        ("> ```\n> a\n>\n\nb\n", [False]),
        ("- ```\n  a\n\nb\n", [False]),
        ("    a\n", [True]),
    ],
)
def test_a_fence_is_closed_by_its_like(text, closed):
    assert [block.closed for block in Body.parse(text).code] == closed


@pytest.mark.parametrize(
    ("text", "fence", "info"),
    [
        ("```sh\n```\n", "```", "sh"),
        ("~~~~ {.py} x\n~~~~\n", "~~~~", "{.py} x"),
        ("  ```\n  ```\n", "```", ""),
        ("\ta\n", "", ""),
    ],
)
def test_a_code_block_knows_its_fence(text, fence, info):
    block = Body.parse(text).code[0]
    assert (block.fence, block.info) == (fence, info)


@pytest.mark.parametrize(
    ("text", "comments"),
    [
        ("<!-- a --> x <!--b-->\n", [" a ", "b"]),
        ("x <!-- a --> y <!-- b\nc --> z\n", [" a ", " b\nc "]),
        ("<div>\n<!-- a -->\n<!-- b -->\n</div>\n", [" a ", " b "]),
        ("<!-- a\n\nb -->\n", [" a\n\nb "]),
        ("<!-- a\n", [" a\n"]),
        ("`<!-- a -->`\n\n    <!-- b -->\n\n```\n<!-- c -->\n```\n", []),
        ("- <!-- a -->\n\n> <!-- b -->\n", [" a ", " b "]),
    ],
)
def test_comments_are_html_outside_code(text, comments):
    assert [comment.text for comment in Body.parse(text).comments()] == comments


@pytest.mark.parametrize(
    ("title", "slug"),
    [
        ("Set up", "set-up"),
        ("What's new? (v2.0)", "whats-new-v20"),
        ("A & B", "a--b"),
        ("snake_case-kebab", "snake_case-kebab"),
        ("Ünïcode Straße", "ünïcode-straße"),
        ("日本語 テスト", "日本語-テスト"),
        ("🚀 Launch", "-launch"),
        ("x² + ½", "x--"),
        ("हिन्दी", "हिन्दी"),
        ("  trimmed  ", "trimmed"),
    ],
)
def test_slugs_are_githubs(title, slug):
    assert github_slug(title) == slug


@pytest.mark.parametrize(
    ("text", "anchors"),
    [
        ("# A\n# A\n# A 1\n# A\n", {"a", "a-1", "a-1-1", "a-2"}),
        ("# A <a name=x></a>\n", {"a", "x"}),
        ("<a id='one'></a><div class=q id=\"two\">\n", {"one", "two"}),
        ("<h2 align=center>Big <b>Title</b></h2>\n", {"big-title"}),
        ("<!-- <a id='one'></a> -->\n\n`<a id='two'>`\n", set()),
        ("# A {#own}\n", {"a-own", "own"}),
        ("> # Quoted\n", {"quoted"}),
    ],
)
def test_anchors_are_slugs_and_ids(text, anchors):
    assert Body.parse(text).anchors() == anchors


def test_uncommented_keeps_all_but_comments():
    text = "# A\n<!-- b -->\n`<!-- c -->`\n"
    assert Body.parse(text).uncommented() == "# A\n          \n`<!-- c -->`\n"
