import os
import socket

import pytest
from catalogs import write

from skillcheck.errors import UsageError
from skillcheck.evals.workspace import fixture


@pytest.fixture
def home(tmp_path):
    write(tmp_path, {"secret.txt": "s", "fixtures/app/main.py": "print()\n", "fixtures/other/x.txt": "x"})
    return tmp_path / "fixtures"


def copied(home, *files):
    work = home.parent / "work"
    work.mkdir()
    return work, fixture.copy(files, home, work)


def test_entries_keep_their_paths(home):
    work, patches = copied(home, "app", "other/x.txt")
    assert sorted(p.relative_to(work).as_posix() for p in work.rglob("*") if p.is_file()) == [
        "app/main.py",
        "other/x.txt",
    ]
    assert patches == ()


def test_entries_may_overlap(home):
    work, _ = copied(home, "app/main.py", "app", "app")
    assert (work / "app/main.py").read_text() == "print()\n"


def test_modes_are_those_of_git(home):
    (home / "app/main.py").chmod(0o400)
    write(home, {"app/run.sh": "#!/bin/sh\n"}).joinpath("app/run.sh").chmod(0o711)
    work, _ = copied(home, "app")
    assert oct((work / "app/main.py").stat().st_mode & 0o777) == "0o644"
    assert oct((work / "app/run.sh").stat().st_mode & 0o777) == "0o755"


def test_setup_is_read_and_left_out(home):
    write(home, {"app/.eval/working-tree.patch": "p", "app/.eval/solution.sh": "s", "app/sub/.eval/x": "x"})
    write(home, {"app/.git/config": "[core]\n"})
    work, patches = copied(home, "app", "app/")
    assert [(p.name, p.data) for p in patches] == [("app/.eval/working-tree.patch", b"p")]
    assert not [p for p in work.rglob("*") if p.name in {".eval", ".git"}]


def test_a_lone_file_brings_no_setup(home):
    write(home, {"app/.eval/working-tree.patch": "p"})
    assert copied(home, "app/main.py")[1] == ()


@pytest.mark.parametrize(
    ("path", "message"),
    [
        ("/etc", "fixture '/etc' leaves the fixtures: it is not relative"),
        ("../secret.txt", "fixture '../secret.txt' leaves the fixtures: it goes upward"),
        ("app/../../secret.txt", "fixture 'app/../../secret.txt' leaves the fixtures: it goes upward"),
        (".", "fixture '.' leaves the fixtures: it is the whole folder"),
        ("gone", "fixture 'gone' does not exist"),
        ("App", "fixture 'App' does not exist; the true name is 'app'"),
        ("empty", "fixture 'empty' is an empty folder"),
        ("app/.eval/x", "fixture 'app/.eval/x' is for the setup alone and never reaches a workspace"),
        ("out", "fixture 'out' leaves the fixtures: the link 'out' leads outside"),
        ("deep", "fixture 'deep' leaves the fixtures: the link 'deep/link' leads outside"),
        ("side", "fixture 'side' can't be copied: 'link': it is a link to '../other/x.txt'"),
        ("pipe", "fixture 'pipe' can't be copied: 'p': it is a pipe"),
        ("plug", "fixture 'plug' can't be copied: 's': it is a socket"),
    ],
)
def test_what_can_not_be_copied_is_told(home, monkeypatch, path, message):
    write(home, {"app/.eval/x": "x"})
    for name in ("empty", "deep", "side", "pipe", "plug"):
        (home / name).mkdir()
    (home / "out").symlink_to("../secret.txt")
    (home / "deep/link").symlink_to("/etc/hostname")
    (home / "side/link").symlink_to("../other/x.txt")
    os.mkfifo(home / "pipe/p")
    monkeypatch.chdir(home / "plug")
    with socket.socket(socket.AF_UNIX) as plug:
        plug.bind("s")
    assert list(fixture.check([path], home)) == [message]
    with pytest.raises(UsageError) as error:
        copied(home, "other", path)
    assert str(error.value) == message
    assert list((home.parent / "work").iterdir()) == []


def test_links_inside_stay_links(home):
    (home / "app/link").symlink_to("main.py")
    (home / "app/dangling").symlink_to("gone.py")
    (home / "app/loop").symlink_to("loop")
    assert list(fixture.check(["app"], home)) == []
    work, _ = copied(home, "app")
    assert [os.readlink(work / "app" / name) for name in ("link", "dangling", "loop")] == [  # noqa: PTH115 - as it is
        "main.py",
        "gone.py",
        "loop",
    ]


def test_a_link_that_leaves_the_fixture_and_comes_back_by_a_long_way_is_refused(home):
    (home / "app/link").symlink_to("../../fixtures/app/main.py")
    assert list(fixture.check(["app"], home)) == [
        "fixture 'app' can't be copied: 'link': it is a link to '../../fixtures/app/main.py'"
    ]
