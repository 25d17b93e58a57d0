import unicodedata

import pytest

from skillcheck.catalog.files import READ_LIMIT, Files


@pytest.fixture
def files(tmp_path):
    for name in ("a/Guide.md", "a/b/c.py", "a/.hidden/d.md", "a/e.txt", "inner/SKILL.md", "inner/f.md"):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(name, "utf-8")
    return Files(tmp_path)


@pytest.mark.parametrize("name", ["a/Guide.md", "a", "", "a/b/../Guide.md", "a/b/"])
def test_exact_names_exist(files, name):
    found = files.look(files.boundary / name)
    assert (found.exists, found.actual, found.outside) == (True, None, False)


def test_other_case_is_told_with_the_true_name(files):
    assert files.look(files.boundary / "A/guide.md").actual == files.boundary / "a/Guide.md"


@pytest.mark.parametrize("name", ["a/none.md", "none/Guide.md", "a/Guide.md/x"])
def test_absent_names_do_not_exist(files, name):
    assert not files.look(files.boundary / name).exists


def test_nothing_beyond_the_boundary_is_looked_at(files):
    found = files.look(files.boundary / "a/../../etc")
    assert (found.exists, found.outside) == (False, True)


def test_composed_and_decomposed_names_are_the_same(files):
    (files.boundary / unicodedata.normalize("NFD", "é.md")).touch()
    assert files.look(files.boundary / unicodedata.normalize("NFC", "é.md")).actual is None


def test_tree_lists_files_in_order_without_hidden_folders(files):
    assert files.tree(files.boundary / "a", lambda _name: False) == ("Guide.md", "e.txt", "b/c.py")


def test_tree_ends_at_folders_that_hold_a_name(files):
    assert files.tree(files.boundary, lambda name: name == "SKILL.md") == ("a/Guide.md", "a/e.txt", "a/b/c.py")


def test_tree_does_not_follow_links_in_circles(files):
    (files.boundary / "a/loop").symlink_to(files.boundary)
    assert files.tree(files.boundary / "a", lambda _name: False) == ("Guide.md", "e.txt", "b/c.py")


def test_tree_is_bounded(files):
    assert len(files.tree(files.boundary, lambda _name: False, limit=2)) == 2


def test_read_gives_text_without_mark_or_nothing(files):
    (files.boundary / "mark.md").write_bytes(b"\xef\xbb\xbfx")
    (files.boundary / "binary").write_bytes(b"\xff\x00")
    (files.boundary / "large").write_bytes(b"x" * (READ_LIMIT + 1))
    assert [files.read(files.boundary / name) for name in ("mark.md", "binary", "large", "none")] == [
        "x",
        None,
        None,
        None,
    ]
