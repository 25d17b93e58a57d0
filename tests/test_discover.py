"""Skills are found by walking folders: what counts, what is left out, what is odd."""

import os
import subprocess
import time

import pytest

from skillcheck import api
from skillcheck.catalog.discover import discover
from skillcheck.errors import UsageError

TEXT = "---\nname: {}\ndescription: Sorts notes by date. Use when a folder of notes has grown.\n---\n\nSort them.\n"


def make(root, *paths):
    for path in paths:
        file = root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(TEXT.format(file.parent.name) if file.name.lower() == "skill.md" else "text\n", "utf-8")


def look(root, *starts, git=None):
    found = discover(
        [root / start for start in starts or ("skills",)], roots=[root / "skills"], git=root if git else None
    )
    files = [path.relative_to(root).as_posix() for path in found.files]
    return files, sorted((fault.rule, path.relative_to(root).as_posix()) for path, fault in found.faults)


def git(root, *arguments):
    subprocess.run(("git", "-c", "user.name=x", "-c", "user.email=x@example.invalid", *arguments), cwd=root, check=True)


@pytest.mark.parametrize(
    ("paths", "files", "faults"),
    [
        pytest.param(["skills/a/SKILL.md"], ["skills/a/SKILL.md"], [], id="flat"),
        pytest.param(["skills/g/h/a/SKILL.md"], ["skills/g/h/a/SKILL.md"], [], id="groups"),
        pytest.param(["skills/.curated/a/SKILL.md"], ["skills/.curated/a/SKILL.md"], [], id="hidden group"),
        pytest.param(["skills/a/skill.md"], ["skills/a/skill.md"], [], id="lower case"),
        pytest.param(["skills/a/SKILL.md", "skills/a/skill.md"], ["skills/a/SKILL.md"], [], id="both cases"),
        pytest.param(
            ["skills/a/SKILL.md", "skills/a/x/SKILL.md"],
            ["skills/a/SKILL.md"],
            [("nested-skill", "skills/a/x/SKILL.md")],
            id="nested",
        ),
        pytest.param(
            ["skills/SKILL.md", "skills/a/SKILL.md"], ["skills/SKILL.md", "skills/a/SKILL.md"], [], id="beside skills"
        ),
        pytest.param(
            ["skills/a/SKILL.md", "skills/notes/deep/readme.txt"],
            ["skills/a/SKILL.md"],
            [("stray-directory", "skills/notes")],
            id="stray, topmost only",
        ),
        pytest.param(
            ["skills/g/a/SKILL.md", "skills/g/b/readme.txt"],
            ["skills/g/a/SKILL.md"],
            [("stray-directory", "skills/g/b")],
            id="stray in a group",
        ),
        pytest.param(
            ["skills/a/SKILL.md", "skills/a/x/y.txt", "skills/_z/y.txt", "skills/.z/y.txt", "skills/shared/y.txt"],
            ["skills/a/SKILL.md"],
            [],
            id="not stray",
        ),
        pytest.param(
            ["skills/a/SKILL.md", *(f"skills/{n}/x/SKILL.md" for n in ("node_modules", ".git", "vendor", "build"))],
            ["skills/a/SKILL.md"],
            [],
            id="other people's folders",
        ),
        pytest.param(
            ["skills/build/SKILL.md", "skills/worktrees/SKILL.md"],
            ["skills/build/SKILL.md", "skills/worktrees/SKILL.md"],
            [],
            id="skills with names of such folders",
        ),
    ],
)
def test_folders_are_walked(tmp_path, paths, files, faults):
    make(tmp_path, *paths)
    assert look(tmp_path) == (files, faults)


@pytest.mark.parametrize(
    ("links", "files", "faults"),
    [
        pytest.param({"skills/b": "a"}, ["skills/a/SKILL.md"], [], id="beside its target"),
        pytest.param({"skills/0": "a"}, ["skills/a/SKILL.md"], [], id="before its target"),
        pytest.param({"skills/x": "../other"}, ["skills/a/SKILL.md", "skills/x/c/SKILL.md"], [], id="outside"),
        pytest.param(
            {"skills/x": "../other", "skills/y": "../other/c"},
            ["skills/a/SKILL.md", "skills/x/c/SKILL.md"],
            [],
            id="twice",
        ),
        pytest.param({"skills/x": ".."}, ["skills/a/SKILL.md", "skills/x/other/c/SKILL.md"], [], id="loop upward"),
        pytest.param({"skills/a/self": "."}, ["skills/a/SKILL.md"], [], id="loop to itself"),
        pytest.param({"skills/x": "gone"}, ["skills/a/SKILL.md"], [("dangling-link", "skills/x")], id="dangling"),
        pytest.param({"skills/x": "x"}, ["skills/a/SKILL.md"], [("dangling-link", "skills/x")], id="link to itself"),
        pytest.param(
            {"skills/x/SKILL.md": "gone"},
            ["skills/a/SKILL.md"],
            [("dangling-link", "skills/x/SKILL.md")],
            id="dangling file: one finding",
        ),
        pytest.param(
            {"skills/x/SKILL.md": "../a/SKILL.md"}, ["skills/a/SKILL.md", "skills/x/SKILL.md"], [], id="linked file"
        ),
    ],
)
def test_links_are_followed_once(tmp_path, links, files, faults):
    make(tmp_path, "skills/a/SKILL.md", "other/c/SKILL.md")
    for path, target in links.items():
        (tmp_path / path).parent.mkdir(exist_ok=True)
        (tmp_path / path).symlink_to(target)
    assert look(tmp_path) == (files, faults)


def test_link_to_itself_is_said_to_be_one(tmp_path):
    make(tmp_path, "skills/a/SKILL.md")
    (tmp_path / "skills/x").symlink_to("x")
    ((_, fault),) = discover([tmp_path / "skills"], roots=[]).faults
    assert fault.problem.message == "the link to 'x' leads back to itself"


@pytest.mark.skipif(os.name != "posix" or os.geteuid() == 0, reason="root reads everything")
def test_unreadable_folder_is_one_finding(tmp_path):
    make(tmp_path, "skills/a/SKILL.md", "skills/b/SKILL.md")
    (tmp_path / "skills/b").chmod(0)
    try:
        assert look(tmp_path) == (["skills/a/SKILL.md"], [("unreadable-file", "skills/b")])
    finally:
        (tmp_path / "skills/b").chmod(0o755)


def test_listing_that_fails_is_one_finding(tmp_path, monkeypatch):
    make(tmp_path, "skills/a/SKILL.md", "skills/b/SKILL.md")
    real = os.scandir

    def scandir(path):
        if path == tmp_path / "skills/b":
            raise PermissionError(13, "Permission denied")
        return real(path)

    monkeypatch.setattr(os, "scandir", scandir)
    assert look(tmp_path) == (["skills/a/SKILL.md"], [("unreadable-file", "skills/b")])


def test_ignored_folders_are_left_out_unless_tracked(tmp_path):
    make(tmp_path, "skills/a/SKILL.md", "skills/kept/SKILL.md", "skills/scratch/SKILL.md", "skills/new/SKILL.md")
    make(tmp_path, "skills/junk/readme.txt", "skills/a/inner/SKILL.md")
    git(tmp_path, "init", "-q")
    git(tmp_path, "add", "skills/a/SKILL.md", "skills/kept")
    (tmp_path / ".gitignore").write_text("scratch/\nkept/\njunk/\ninner/\n", "utf-8")
    files = ["skills/a/SKILL.md", "skills/kept/SKILL.md", "skills/new/SKILL.md"]
    assert look(tmp_path, git=True) == (files, [])


def test_ignored_links_and_repositories_inside_are_left_out(tmp_path):
    make(tmp_path, "skills/a/SKILL.md", "other/c/SKILL.md", "skills/sub/b/SKILL.md", "skills/sub2/d/SKILL.md")
    (tmp_path / "skills/x").symlink_to("../other")
    (tmp_path / "skills/y").symlink_to("../other/c")
    for place in (tmp_path, tmp_path / "skills/sub", tmp_path / "skills/sub2"):
        git(place, "init", "-q")
    (tmp_path / ".gitignore").write_text("/skills/x\n/skills/sub2\n", "utf-8")
    assert look(tmp_path, git=True) == (["skills/a/SKILL.md", "skills/sub/b/SKILL.md"], [])


def test_worktrees_are_left_out(tmp_path):
    make(tmp_path, "skills/a/SKILL.md", ".claude/skills/b/SKILL.md")
    git(tmp_path, "init", "-q")
    git(tmp_path, "add", "-A")
    git(tmp_path, "commit", "-qm", "base")
    git(tmp_path, "worktree", "add", "-q", ".claude/worktrees/one")
    git(tmp_path, "worktree", "add", "-q", "elsewhere/two")
    files, faults = look(tmp_path, "skills", ".", git=True)
    assert files == [".claude/skills/b/SKILL.md", "skills/a/SKILL.md"]
    assert faults == []


def test_start_outside_of_the_repository_is_walked(tmp_path):
    make(tmp_path, "repo/skills/a/SKILL.md", "else/b/SKILL.md")
    git(tmp_path / "repo", "init", "-q")
    found = discover([tmp_path / "repo/skills", tmp_path / "else"], roots=[], git=tmp_path / "repo")
    assert [path.parent.name for path in found.files] == ["b", "a"]


def test_ten_thousand_folders_take_little_time(tmp_path):
    for group in range(100):
        for name in range(100):
            (tmp_path / f"skills/g{group}/s{name}").mkdir(parents=True)
    make(tmp_path, "skills/a/SKILL.md")
    began = time.perf_counter()
    found = discover([tmp_path / "skills"], roots=[tmp_path / "skills"])
    assert time.perf_counter() - began < 5
    assert len(found.faults) == 100


def shown(root, *paths):
    config = api.configure((), root)
    catalog = api.load([root / path for path in paths], config, root)
    return sorted(catalog.selected), [d.rule for d in api.lint(catalog).diagnostics if d.severity.label == "error"]


def test_catalog_named_through_a_link_is_found_and_counts_once(tmp_path):
    make(tmp_path, "skills/a/SKILL.md")
    (tmp_path / ".opencode").mkdir()
    (tmp_path / ".opencode/skills").symlink_to("../skills")
    assert shown(tmp_path) == (["skills/a/SKILL.md"], [])
    assert shown(tmp_path, ".") == (["skills/a/SKILL.md"], [])
    assert shown(tmp_path, ".opencode/skills") == (["skills/a/SKILL.md"], [])
    assert shown(tmp_path, ".opencode/skills/a/SKILL.md") == ([".opencode/skills/a/SKILL.md"], [])
    assert shown(tmp_path, "skills/a", "skills/a/SKILL.md") == (["skills/a/SKILL.md"], [])


def test_linked_root_is_found_by_both_names(tmp_path):
    make(tmp_path, "packages/skills/a/SKILL.md")
    (tmp_path / "skills").symlink_to("packages/skills")
    assert shown(tmp_path) == (["skills/a/SKILL.md"], [])
    assert shown(tmp_path, "packages/skills") == (["skills/a/SKILL.md"], [])


def test_excluded_folders_have_no_findings(tmp_path):
    make(tmp_path, "skills/a/SKILL.md", "skills/old/x/readme.txt")
    (tmp_path / ".skillcheck.toml").write_text('exclude = ["skills/old"]\n', "utf-8")
    assert api.lint(api.load((), None, tmp_path)).diagnostics == ()


def test_no_skill_is_a_usage_error(tmp_path):
    (tmp_path / "skills/notes").mkdir(parents=True)
    with pytest.raises(UsageError, match="no skills found"):
        api.load((), None, tmp_path)
