import os

import pytest

from skillcheck.evals.workspace import workfiles


@pytest.fixture
def notes(work):
    for name in ("a.md", "docs/b.md", "docs/deep/c.md", ".git/d.md", ".agents/skills/x/SKILL.md", "x[1].txt", "é.txt"):
        (work / name).parent.mkdir(parents=True, exist_ok=True)
        (work / name).write_text("x", "utf-8")
    return work


@pytest.mark.parametrize(
    ("path", "passed", "reason"),
    [
        ("a.md", True, "'a.md' is a file"),
        ("./docs//b.md", True, "'./docs//b.md' is a file"),
        ("é.txt", True, "'é.txt' is a file"),
        ("b.md", False, "there is no 'b.md'"),
        ("a.md/b", False, "there is no 'a.md/b'"),
        ("x" * 5000, False, f"there is no '{'x' * 80}…'"),
        ("*.md", True, "'a.md' is a file"),
        ("**/*.md", True, "'a.md' is a file, 'docs/b.md' is a file, 'docs/deep/c.md' is a file"),
        ("docs/*", True, "'docs/b.md' is a file"),
        ("d*", False, "'docs' is a folder"),
        (".agents/**", True, "'.agents/skills/x/SKILL.md' is a file"),
        (".git/*", False, "there is no '.git/*'"),
        (".git/d.md", True, "'.git/d.md' is a file"),
        ("x[1].txt", True, "'x[1].txt' is a file"),
        ("x[0-9].txt", False, "there is no 'x[0-9].txt'"),
    ],
)
@pytest.mark.usefixtures("notes")
def test_paths_and_globs(path, passed, reason, judge):
    assert judge({"type": "file-exists", "path": path}) == (passed, reason)


def test_what_is_no_file_does_not_count(judge, odd):
    for path, reason in odd.items():
        assert judge({"type": "file-exists", "path": path}) == (False, reason)
    passed, reason = judge({"type": "file-exists", "path": "*"})
    assert (passed, reason.endswith(" and 2 more")) == (False, True)


def test_a_link_inside_counts_as_its_target(work, judge):
    (work / "there").write_text("x", "utf-8")
    (work / "link").symlink_to(work / "there")
    assert judge({"type": "file-exists", "path": "link"}) == (True, "'link' is a file")
    assert judge({"type": "file-exists", "path": "l*"})[0] is True


def test_a_workspace_behind_a_link_is_a_workspace(tmp_path, work):
    (work / "a").write_text("x", "utf-8")
    (tmp_path / "alias").symlink_to(work)
    assert workfiles.look(tmp_path / "alias", "a") == workfiles.FILE


def test_names_of_any_bytes_are_shown(work, judge):
    try:
        os.close(os.open(os.fsencode(work) + b"/\xff\x1b.txt", os.O_CREAT))
    except OSError:
        pytest.skip("this file system takes UTF-8 alone")
    assert judge({"type": "file-exists", "path": "*.txt"}) == (
        True,
        r"'\udcff\x1b.txt' is a file",
    )


def test_a_deep_tree_is_walked(work, judge):
    here = work
    for _ in range(200):
        here /= "d"
    here.mkdir(parents=True)
    (here / "f.txt").write_text("x", "utf-8")
    assert judge({"type": "file-exists", "path": "**/**/**/d/**/*.txt"})[0] is True


@pytest.mark.parametrize(
    ("path", "glob", "fit"),
    [
        ("a", "**", True),
        ("a/b", "**", True),
        (".a", "**", False),
        ("a/.b", "a/**", False),
        ("a/.b", "a/**/.*", True),
        ("a", "a/**", False),
        ("a/b", "a/**", True),
        ("a", "**/a", True),
        ("x/y/a", "**/a", True),
        ("a/c", "a/**/c", True),
        ("a/b", "*", False),
        ("A", "a", False),
        ("a" * 200, "*a" * 40 + "b", False),
        ("ab", "a?", True),
        ("a/b", "a?b", False),
        ("a-1", "a-[0-9]", True),
    ],
)
def test_globs_are_read_as_a_shell_does(path, glob, fit):
    assert workfiles.fits(path, glob) is fit
