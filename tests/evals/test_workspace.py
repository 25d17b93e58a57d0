import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest
from catalogs import skill, write

from skillcheck.errors import SkillcheckError, UsageError
from skillcheck.evals.workspace import state
from skillcheck.evals.workspace.sandbox import is_abandoned, new_mark
from skillcheck.evals.workspace.workspace import Staging, made, rebuild, remove_abandoned

MARK = "a-1-2-test"
PATCH = """\
diff --git a/app/main.py b/app/main.py
--- a/app/main.py
+++ b/app/main.py
@@ -1 +1,2 @@
 print()
+print(1)
"""


@pytest.fixture(autouse=True)
def places(tmp_path, monkeypatch):
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(temporary))
    write(tmp_path, {"fixtures/app/main.py": "print()\n", "skills/tidy/SKILL.md": skill("tidy")})
    write(tmp_path, {"skills/tidy/scripts/run.sh": "#!/bin/sh\n", "skills/tidy/references/a.md": "a\n"})
    (tmp_path / "skills/tidy/scripts/run.sh").chmod(0o755)
    return tmp_path


@pytest.fixture
def fixtures(places):
    return places / "fixtures"


@pytest.fixture
def staging(places):
    return Staging(places / "skills/tidy", ".agents/skills/tidy")


def git(work, *args):
    env = {"PATH": os.environ["PATH"], "HOME": "/nonexistent", "GIT_CONFIG_NOSYSTEM": "1"}
    return subprocess.run(["git", *args], cwd=work, env=env, capture_output=True, text=True, check=True).stdout


def left(places):
    return list((places / "temporary").iterdir())


def files_of(work):
    return {
        os.path.relpath(os.path.join(folder, name), os.fsencode(work)): os.path.join(folder, name)  # noqa: PTH118
        for folder, _, names in os.walk(os.fsencode(work))
        for name in names
        if b".git" not in folder.split(b"/")
    }


def test_the_layout_names_no_skill(fixtures, staging, places):
    with made(["app"], fixtures, mark=MARK, skills=[staging]) as space:
        assert sorted(p.name for p in space.root.iterdir()) == ["handed", "home", "work"]
        assert (space.home / "tmp").is_dir()
        assert space.root.name.startswith("skillcheck-a-1-2-test-")
        assert "tidy" not in str(space.work)
    assert left(places) == []


def test_a_kept_workspace_stays(fixtures, places):
    with made(["app"], fixtures, mark=MARK, keep=True) as space:
        pass
    assert left(places) == [space.root]


def test_the_baseline_is_the_same_everywhere(fixtures, staging, monkeypatch):
    heads = []
    for extra in ({}, {"GIT_DIR": "/nonexistent/.git", "GIT_AUTHOR_DATE": "not a date", "EMAIL": ""}):
        for name, value in extra.items():
            monkeypatch.setenv(name, value)
        with made(["app"], fixtures, mark=MARK, skills=[staging]) as space:
            heads.append(space.baseline)
            assert git(space.work, "log", "--format=%an|%ae|%s|%G?") == (
                "Workspace|workspace@example.invalid|fixture baseline|N\n"
            )
            assert git(space.work, "branch", "--show-current") == "main\n"
            assert git(space.work, "status", "--porcelain") == ""
            assert git(space.work, "ls-files") == "app/main.py\n"
    assert len(set(heads)) == 1


def test_the_users_settings_do_not_count(fixtures, places, monkeypatch):
    write(places, {"hooks/pre-commit": "#!/bin/sh\ntouch ../../hooked\nexit 1\n", "ignore": "*.py\n"})
    (places / "hooks/pre-commit").chmod(0o755)
    settings = f"[core]\nhooksPath={places}/hooks\nexcludesFile={places}/ignore\nautocrlf=true\n"
    write(places, {"hostile": settings + "[commit]\ngpgsign=true\n[user]\nuseConfigOnly=true\n"})
    write(places, {"home/.gitconfig": settings, "home/.config/git/ignore": "*.py\n"})
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(places / "hostile"))
    monkeypatch.setenv("HOME", str(places / "home"))
    with made(["app"], fixtures, mark=MARK) as space:
        assert git(space.work, "ls-files") == "app/main.py\n"
        (space.work / "out.txt").write_text("ready\n")
        assert space.snapshot().changed == {"out.txt": "A"}
        git(space.work, "add", "-A")
        git(space.work, "commit", "-qm", "work")
        assert git(space.work, "rev-list", "--count", "HEAD") == "2\n"


def test_the_whole_skill_is_staged_and_hidden_from_git(fixtures, staging, places):
    write(places, {"skills/tidy/evals/evals.json": "{}", "skills/tidy/scripts/__pycache__/x.pyc": b"x"})
    (places / "skills/tidy/references/link.md").symlink_to("a.md")
    (places / "skills/tidy/references/out.md").symlink_to("../../../secret.md")
    with made(["app"], fixtures, mark=MARK, skills=[staging]) as space:
        found = sorted(
            p.relative_to(space.skill_dirs[0]).as_posix() for p in space.skill_dirs[0].rglob("*") if not p.is_dir()
        )
        assert found == ["SKILL.md", "references/a.md", "references/link.md", "scripts/run.sh"]
        assert os.access(space.skill_dirs[0] / "scripts/run.sh", os.X_OK)
        assert space.notes == ("'references/out.md' was not staged: it is a link to '../../../secret.md'",)
        git(space.work, "add", "-A")
        assert git(space.work, "status", "--porcelain") == ""


@pytest.mark.parametrize("name", ["a b", "a*", "[a]", "a\\b", "#a"])
def test_odd_skill_names_are_hidden_from_git_too(fixtures, staging, name):
    with made(["app"], fixtures, mark=MARK, skills=[staging._replace(at=f"skills/{name}")]) as space:
        assert git(space.work, "status", "--porcelain") == ""
        assert "??" not in space.snapshot().status


def test_a_dialogue_begins_with_an_empty_repository(fixtures):
    with made([], fixtures, mark=MARK) as space:
        assert git(space.work, "rev-list", "--count", "HEAD") == "1\n"
        assert space.snapshot()[:3] == ("", b"", {})


def test_the_patch_is_applied_and_not_committed(fixtures):
    write(fixtures, {"app/.eval/working-tree.patch": PATCH})
    with made(["app"], fixtures, mark=MARK) as space:
        assert git(space.work, "status", "--porcelain") == " M app/main.py\n"
        assert space.snapshot().changed == {}


def test_a_patch_that_does_not_apply_is_told(fixtures, places):
    write(fixtures, {"app/.eval/working-tree.patch": PATCH.replace(" print()", " other()")})
    with pytest.raises(UsageError) as error, made(["app"], fixtures, mark=MARK):
        pass
    assert str(error.value).startswith("app/.eval/working-tree.patch does not apply to the fixture: git apply: error:")
    assert left(places) == []


def test_without_git_there_is_one_message(fixtures, places, monkeypatch):
    monkeypatch.setenv("PATH", str(places))
    with pytest.raises(SkillcheckError, match="git can't be started"), made(["app"], fixtures, mark=MARK):
        pass
    assert left(places) == []


def test_no_room_for_temporary_files_is_told(fixtures, monkeypatch):
    monkeypatch.setattr(tempfile, "tempdir", "/nonexistent")
    with pytest.raises(SkillcheckError, match="no temporary folder can be made"), made([], fixtures, mark=MARK):
        pass


@pytest.mark.parametrize("at", ["../x", "/x", "", ".git/hooks"])
def test_a_skill_is_staged_nowhere_else(fixtures, staging, at):
    with (
        pytest.raises(UsageError, match="no path inside the workspace"),
        made([], fixtures, mark=MARK, skills=[staging._replace(at=at)]),
    ):
        pass


def test_a_skill_that_is_gone_is_told(fixtures, staging):
    shutil.rmtree(staging.source)
    with pytest.raises(UsageError, match="'tidy' is gone"), made([], fixtures, mark=MARK, skills=[staging]):
        pass


@pytest.mark.parametrize(
    ("edit", "expected"),
    [
        (Path.exists, False),
        (lambda folder: write(folder, {"scripts/__pycache__/x.pyc": b"x"}), False),
        (lambda folder: write(folder, {"SKILL.md": "x"}), True),
        (lambda folder: write(folder, {"new.md": "x"}), True),
        (lambda folder: (folder / "scripts/run.sh").chmod(0o644), True),
        (lambda folder: (folder / "SKILL.md").unlink(), True),
        (shutil.rmtree, True),
        (lambda folder: (folder.rename(folder.with_name("x")), folder.symlink_to("x")), True),
    ],
    ids=["untouched", "bytecode", "changed", "added", "mode", "removed", "all removed", "made a link"],
)
def test_an_edited_skill_is_noticed(fixtures, staging, edit, expected):
    with made(["app"], fixtures, mark=MARK, skills=[staging]) as space:
        edit(space.skill_dirs[0])
        assert space.edited() is expected


def test_what_the_agent_did_is_seen_whether_it_commits_or_not(fixtures, staging):
    write(fixtures, {"app/.gitignore": "*.log\n", "app/old.log": "old\n"})
    with made(["app"], fixtures, mark=MARK, skills=[staging]) as space:
        assert space.snapshot().changed == {}
        write(space.work, {"app/main.py": "print(2)\n", "app/new.log": "n\n"})
        git(space.work, "checkout", "-qb", "topic")
        git(space.work, "commit", "-qam", "Change main")
        git(space.work, "checkout", "-q", "main")
        git(space.work, "checkout", "-q", "topic", "--", "app/main.py")
        seen = space.snapshot()
    assert seen.changed == {"app/main.py": "M", "app/new.log": "A"}
    assert "+print(2)" in seen.diff
    assert seen.status == "## main\nM  app/main.py\n"
    assert "Change main" in seen.log
    assert "M\tapp/main.py" in seen.log
    assert "fixture baseline" not in seen.log


def test_rigged_settings_start_nothing(fixtures, places):
    rig = places / "rig.sh"
    write(places, {"rig.sh": f"#!/bin/sh\ntouch {places}/rigged\ncat\n"})
    rig.chmod(0o755)
    with made(["app"], fixtures, mark=MARK) as space:
        write(space.work, {"app/.gitattributes": "* filter=rig diff=rig\n", "app/main.py": "print(3)\n"})
        for key in ("core.fsmonitor", "filter.rig.clean", "filter.rig.smudge", "diff.rig.textconv", "diff.external"):
            git(space.work, "config", key, str(rig))
        write(space.work, {".git/hooks/post-index-change": rig.read_text(), ".git/info/attributes": "* filter=rig\n"})
        (space.work / ".git/hooks/post-index-change").chmod(0o755)
        seen = space.snapshot()
    assert not (places / "rigged").exists()
    assert seen.changed == {"app/.gitattributes": "A", "app/main.py": "M"}
    assert "+print(3)" in seen.diff
    assert " M app/main.py" in seen.status


def test_attributes_hide_nothing_and_change_no_bytes(fixtures):
    with made(["app"], fixtures, mark=MARK) as space:
        write(space.work, {".gitattributes": "* -diff text eol=lf ident\n", "app/main.py": b"print()\r\n$Id$\r\n"})
        seen = space.snapshot()
    assert "+print()" in seen.diff
    with rebuild(["app"], fixtures, seen.patch, mark=MARK) as space:
        assert (space.work / "app/main.py").read_bytes() == b"print()\r\n$Id$\r\n"


def deleted(work):
    shutil.rmtree(work)


def replaced_by_file(work):
    shutil.rmtree(work)
    work.write_text("x")


def replaced_by_link(work):
    shutil.rmtree(work)
    work.symlink_to(work.parents[2] / "fixtures")


@pytest.mark.parametrize(
    ("act", "note"),
    [
        (deleted, "the workspace is gone"),
        (replaced_by_file, "the workspace is no folder any more"),
        (replaced_by_link, "the workspace is no folder any more"),
    ],
)
def test_a_workspace_that_is_gone_has_lost_its_files(fixtures, places, act, note):
    with made(["app"], fixtures, mark=MARK) as space:
        act(space.work)
        seen = space.snapshot()
    assert seen.changed == {"app/main.py": "D"}
    assert seen.notes == (note,)
    assert (seen.status, seen.log) == ("", "")
    assert (fixtures / "app/main.py").exists()
    assert left(places) == []


def test_a_root_that_the_agent_replaced_by_a_link_is_removed_alone(fixtures, places):
    with made(["app"], fixtures, mark=MARK) as space:
        shutil.rmtree(space.root)
        space.root.symlink_to(fixtures)
    assert left(places) == []
    assert (fixtures / "app/main.py").exists()


def nested(work):
    git(work, "init", "-q", "inner")
    write(work, {"inner/a.txt": "a\n"})
    git(work, "init", "-q", "full")
    write(work, {"full/b.txt": "b\n"})
    git(work / "full", "add", "-A")
    git(work / "full", "-c", "user.name=x", "-c", "user.email=x@example.invalid", "commit", "-qm", "x")


def odd_names(work):
    for name in (b"new\nline", b"\xff\xfe", b'quote"d\\', b" blank ", b"-rf", b"a\tb", "ä".encode(), b"git~1"):
        Path(os.fsdecode(os.path.join(os.fsencode(work), name))).write_bytes(name)  # noqa: PTH118 - bytes


def other_kinds(work):
    (work / "app/main.py").unlink()
    (work / "app/main.py").mkdir()
    (work / "app/main.py/inner").write_bytes(b"\0\1\2" * 100)
    (work / "link").symlink_to("/etc/hostname")
    (work / "run").write_text("no newline at the end")
    (work / "run").chmod(0o755)
    (work / "empty").touch()


def thousand(work):
    write(work, {f"many/{n // 100}/{n}.txt": f"{n}\n" for n in range(1000)})


@pytest.mark.parametrize("act", [nested, odd_names, other_kinds, thousand])
def test_the_patch_makes_the_start_into_the_end(fixtures, staging, act):
    with made(["app"], fixtures, mark=MARK, skills=[staging]) as space:
        act(space.work)
        seen = space.snapshot()
        shutil.rmtree(space.skill_dirs[0].parents[1])
        end = state.read(space.work)
    assert seen.notes == ()
    assert seen.changed
    with rebuild(["app"], fixtures, seen.patch, mark=MARK) as space:
        assert state.read(space.work).entries == end.entries


def test_pipes_are_noted_and_never_opened(fixtures):
    with made(["app"], fixtures, mark=MARK) as space:
        os.mkfifo(space.work / "pipe")
        (space.work / ".git/HEAD").unlink()
        os.mkfifo(space.work / ".git/HEAD")
        seen = space.snapshot()
    assert seen.changed == {"pipe": "A"}
    assert seen.notes == ("'pipe' is not in the patch: it is a pipe",)
    assert "+left out: it is a pipe" in seen.diff


def test_big_files_are_noted_by_their_hash(fixtures, monkeypatch):
    monkeypatch.setattr(state, "MAX_FILE_BYTES", 1000)
    write(fixtures, {"app/same.bin": b"s" * 2000, "app/big.bin": b"b" * 2000})
    with made(["app"], fixtures, mark=MARK) as space:
        (space.work / "app/big.bin").write_bytes(b"c" * 2001)
        seen = space.snapshot()
    assert seen.changed == {"app/big.bin": "M"}
    assert "+left out: it has 2001 bytes, sha256" in seen.diff
    with rebuild(["app"], fixtures, seen.patch, mark=MARK) as space:
        assert (space.work / "app/big.bin").read_text().startswith("left out: it has 2001 bytes")
        assert (space.work / "app/same.bin").read_bytes() == b"s" * 2000


def test_floods_of_files_and_bytes_are_cut_with_a_note(fixtures, monkeypatch):
    monkeypatch.setattr(state, "MAX_NEW_FILES", 10)
    monkeypatch.setattr(state, "MAX_NEW_BYTES", 100)
    write(fixtures, {f"app/{n}.txt": "kept" * 100 for n in range(20)})
    with made(["app"], fixtures, mark=MARK) as space:
        write(space.work, {f"a{n:02}": "x" * 60 for n in range(15)})
        seen = space.snapshot()
    assert len(seen.changed) == 10
    assert set(seen.changed.values()) == {"A"}
    assert seen.notes[0] == "5 files more than 10 new ones were left out"
    assert seen.notes[1] == "'a01' is not in the patch: the files before it fill 100 bytes"


def test_graders_see_a_cut_diff(fixtures):
    with made(["app"], fixtures, mark=MARK) as space:
        write(space.work, {"long.txt": "line\n" * 20_000, "z.bin": b"\0" * 10})
        seen = space.snapshot()
    assert len(seen.diff) < 40_000
    assert "more bytes of this file were left out]" in seen.diff
    assert seen.diff.endswith("[a binary file]")
    assert len(seen.patch) > 100_000


def test_a_diff_in_many_files_ends_with_how_many_more(fixtures):
    with made(["app"], fixtures, mark=MARK) as space:
        write(space.work, {f"{n:02}.txt": "line\n" * 5000 for n in range(20)})
        seen = space.snapshot()
    assert len(seen.diff) <= state.MAX_SHOWN_BYTES + 100
    assert seen.diff.endswith("more files were left out]")


def test_read_only_folders_and_deep_ones_are_removed(fixtures, places):
    with made(["app"], fixtures, mark=MARK) as space:
        write(space.work, {"locked/inner/x": "x"})
        (space.work / "locked/inner").chmod(0o000)
        (space.work / "locked").chmod(0o500)
        write(space.home, {"go/mod/x": "x"})
        (space.home / "go/mod").chmod(0o555)
        deep = "import os\nfor _ in range(2100): os.mkdir('d'); os.chdir('d')"
        subprocess.run([sys.executable, "-c", deep], cwd=space.work, check=True)
        seen = space.snapshot()
    assert seen.changed
    assert left(places) == []


def test_the_workspace_is_removed_when_the_run_fails(fixtures, places):
    with pytest.raises(KeyboardInterrupt), made(["app"], fixtures, mark=MARK):
        raise KeyboardInterrupt
    assert left(places) == []


def test_a_patch_that_no_longer_fits_is_told(fixtures, places):
    with made(["app"], fixtures, mark=MARK) as space:
        write(space.work, {"app/main.py": "print(2)\n"})
        patch = space.snapshot().patch
    write(fixtures, {"app/main.py": "other\n"})
    with (
        pytest.raises(SkillcheckError, match="git apply: error: patch failed"),
        rebuild(["app"], fixtures, patch, mark=MARK),
    ):
        pass
    assert left(places) == []


def test_a_workspace_of_a_living_run_is_not_abandoned(fixtures):
    with made([], fixtures, mark=new_mark()) as space:
        assert remove_abandoned(is_abandoned) == 0
        assert space.work.is_dir()


def test_abandoned_workspaces_are_removed_and_no_others(fixtures, places):
    names = ("skillcheck-dead-1-abc", "skillcheck-live-1-abc", "skillcheck-x", "other-dead-1-abc")
    for name in names:
        (places / "temporary" / name).mkdir()
    (places / "temporary/skillcheck-dead-1-link").symlink_to(fixtures)
    assert remove_abandoned(lambda mark: mark == "dead-1") == 1
    assert sorted(p.name for p in left(places)) == sorted([*names[1:], "skillcheck-dead-1-link"])
    assert (fixtures / "app").exists()
