import os
import shutil
import sys
import time
from pathlib import Path

import pytest

from skillcheck.agent.editor import editor
from skillcheck.agent.shell import shell
from skillcheck.agent.skills import listing, loader, offered
from skillcheck.agent.tools import MAX_RESULT, answer, shortened

pytestmark = pytest.mark.skipif(os.name != "posix", reason="behavioral evals are POSIX")


@pytest.fixture
def work(tmp_path):
    place = tmp_path / "work"
    place.mkdir()
    return place


@pytest.fixture
def tools(work, tmp_path, monkeypatch):
    (tmp_path / "home").mkdir()
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    return (shell(work, os.environ, 20), editor(work), loader({}))


def called(tools, name, given):
    result = answer({"id": "x", "name": name, "input": given}, tools)
    assert result["tool_use_id"] == "x"
    return result["content"], result["is_error"]


def bash(tools, command, **more):
    return called(tools, "bash", {"command": command, **more})


def edit(tools, command, path, **more):
    return called(tools, "edit", {"command": command, "path": path, **more})


def test_bash_tells_exit_code_and_both_streams(tools):
    assert bash(tools, "echo out; echo err >&2") == ("exit code 0\nstdout:\nout\n\nstderr:\nerr\n", False)


def test_a_failed_command_is_an_error_result(tools):
    assert bash(tools, "exit 3") == ("exit code 3", True)


def test_bash_starts_in_the_working_directory_every_time(tools, work):
    bash(tools, "cd /; X=1")
    assert bash(tools, "pwd; echo [$X]")[0] == f"exit code 0\nstdout:\n{work}\n[]\n"


def test_bash_has_nothing_on_stdin(tools):
    assert bash(tools, "cat") == ("exit code 0", False)


def test_invalid_bytes_are_replaced(tools):
    assert bash(tools, r"printf '\xff\xfeok'")[0] == "exit code 0\nstdout:\n\ufffd\ufffdok"


def test_long_output_loses_its_middle(tools):
    content, is_error = bash(tools, "seq 1 100000; echo end >&2")
    assert not is_error
    assert len(content) <= MAX_RESULT
    assert content.startswith("exit code 0\nstdout:\n1\n2\n")
    assert "characters cut ...]" in content
    assert content.endswith("99999\n100000\n\nstderr:\nend\n")


def test_shortened_text_says_how_much_is_missing():
    assert shortened("a" * 10, 10) == "a" * 10
    assert shortened("abcdefghijk", 4) == "ab\n[... 7 characters cut ...]\njk"


def test_a_slow_command_is_killed_with_its_children(tools, work):
    began = time.monotonic()
    content, is_error = bash(tools, "sleep 60 & echo $! > pid; wait", timeout=0.5)
    assert time.monotonic() - began < 10
    assert is_error
    assert content.endswith("bash did not finish in 0.5 seconds")
    pid = int((work / "pid").read_text("ascii"))
    with pytest.raises(ProcessLookupError):  # noqa: PT012 - it may take a moment
        for _ in range(100):
            os.kill(pid, 0)
            stat = Path(f"/proc/{pid}/stat")
            if stat.exists() and stat.read_text("ascii").rpartition(")")[2].split()[0] == "Z":
                raise ProcessLookupError
            time.sleep(0.02)


def test_no_command_gets_more_time_than_is_allowed(work):
    tools = (shell(work, os.environ, 0.2),)
    assert "did not finish in 0.2 seconds" in bash(tools, "sleep 60", timeout=30)[0]


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({}, "bad input for bash: 'command' is missing"),
        ("ls", "bad input for bash: it must be an object"),
        (None, "bad input for bash: it must be an object"),
        ({"command": 1}, "bad input for bash: 'command' must be of type string"),
        ({"command": "ls", "timeout": "1"}, "bad input for bash: 'timeout' must be of type number"),
        ({"command": "ls", "timeout": True}, "bad input for bash: 'timeout' must be of type number"),
        ({"command": "ls", "timeout": 0}, "a timeout of 0 seconds leaves no time to run"),
        ({"command": "ls\0"}, "{bash} could not be started: embedded null byte"),
        ({"command": "x" * 3_000_000}, "{bash} could not be started: Argument list too long"),
    ],
    ids=("nothing", "text", "null", "number", "text-timeout", "true-timeout", "no-time", "nul", "too-long"),
)
def test_a_bad_call_of_bash_is_told(tools, given, message):
    assert called(tools, "bash", given) == (message.format(bash=shutil.which("bash")), True)


def test_a_deleted_workspace_is_told(tools, work):
    bash(tools, f"rm -r {work}")
    assert bash(tools, "ls") == (f"{work}: No such file or directory", True)


def test_an_unknown_tool_is_told(tools):
    assert called(tools, "Bash", {}) == ("unknown tool 'Bash'; there are bash, edit, Skill", True)


def test_view_numbers_lines(tools, work):
    (work / "a.txt").write_bytes(b"one\ntwo\x0bstill two\nthree")
    assert edit(tools, "view", "a.txt") == ("1\tone\n2\ttwo\x0bstill two\n3\tthree", False)


def test_view_lists_a_directory(tools, work):
    (work / "folder").mkdir()
    (work / "a.txt").touch()
    assert edit(tools, "view", ".") == ("a.txt\nfolder/", False)
    assert edit(tools, "view", "folder") == (f"{work}/folder is empty", False)


def test_view_of_an_empty_file_says_so(tools, work):
    (work / "a.txt").touch()
    assert edit(tools, "view", "a.txt") == (f"{work}/a.txt is empty", False)


def test_create_makes_folders_and_overwrites(tools, work):
    assert edit(tools, "create", "new/a.txt", text="one\r\n") == (f"{work}/new/a.txt was written", False)
    assert (work / "new/a.txt").read_bytes() == b"one\r\n"
    edit(tools, "create", str(work / "new/a.txt"), text="")
    assert (work / "new/a.txt").read_bytes() == b""


def test_a_file_below_home_may_be_written(tools, tmp_path):
    assert edit(tools, "create", "~/notes.txt", text="x")[1] is False
    assert (tmp_path / "home/notes.txt").read_text("utf-8") == "x"


def test_replace_keeps_mode_and_line_breaks(tools, work):
    file = work / "a.sh"
    file.write_bytes(b"one\r\ntwo\r\n")
    file.chmod(0o755)
    assert edit(tools, "str_replace", "a.sh", old="two", new="2") == (f"{file} was changed", False)
    assert file.read_bytes() == b"one\r\n2\r\n"
    assert file.stat().st_mode & 0o777 == 0o755


def test_replace_without_new_text_deletes(tools, work):
    (work / "a.txt").write_text("one two", "utf-8")
    edit(tools, "str_replace", "a.txt", old=" two")
    assert (work / "a.txt").read_text("utf-8") == "one"


@pytest.mark.parametrize(
    ("before", "line", "text", "after"),
    [
        ("one\ntwo\n", 0, "new\n", "new\none\ntwo\n"),
        ("one\ntwo\n", 1, "new", "one\nnew\ntwo\n"),
        ("one\ntwo", 2, "new", "one\ntwo\nnew"),
        ("", 0, "new", "new"),
        ("one\n", 1, "", "one\n"),
    ],
    ids=("top", "between", "end", "empty-file", "nothing"),
)
def test_insert_keeps_lines_apart(tools, work, before, line, text, after):
    (work / "a.txt").write_text(before, "utf-8")
    assert edit(tools, "insert", "a.txt", line=line, text=text)[1] is False
    assert (work / "a.txt").read_text("utf-8") == after


BAD_EDITS = {
    "view-absent": (("view", "absent"), "{work}/absent: No such file or directory"),
    "view-binary": (("view", "binary"), "{work}/binary is not UTF-8 text; use bash for it"),
    "view-nul": (("view", "nul"), "{work}/nul is not UTF-8 text; use bash for it"),
    "view-pipe": (("view", "pipe"), "{work}/pipe is no regular file"),
    "absolute": (("view", "/etc/passwd"), "'/etc/passwd' is outside {work} and the home directory; stay inside"),
    "above": (("view", "../other"), "'../other' is outside {work} and the home directory; stay inside"),
    "linked": (("view", "out/passwd"), "'out/passwd' is outside {work} and the home directory; stay inside"),
    "create-folder": (("create", "folder", "text", ""), "{work}/folder is a directory"),
    "create-pipe": (("create", "pipe", "text", ""), "{work}/pipe is no regular file"),
    "create-in-file": (("create", "twice/a", "text", ""), "{work}/twice: File exists"),
    "create-without-text": (("create", "a"), "create needs 'text'"),
    "surrogate": (
        ("create", "a", "text", "\ud800"),
        "{work}/a: the text holds half a surrogate pair, which UTF-8 can't express",
    ),
    "replace-in-folder": (("str_replace", "folder", "old", "x"), "{work}/folder is a directory"),
    "replace-nothing": (("str_replace", "twice"), "str_replace needs 'old'"),
    "replace-absent": (
        ("str_replace", "twice", "old", "b"),
        "'old' stands 0 times in {work}/twice, not once; view the file for its exact text",
    ),
    "replace-twice": (
        ("str_replace", "twice", "old", "a"),
        "'old' stands 2 times in {work}/twice, not once; give more of the lines around it",
    ),
    "insert-nowhere": (("insert", "twice", "text", "x"), "insert needs 'line'"),
    "insert-below": (("insert", "twice", "text", "x", "line", 3), "{work}/twice has no line 3; the last one is 2"),
    "insert-above": (("insert", "twice", "text", "x", "line", -1), "{work}/twice has no line -1; the last one is 2"),
    "unknown": (
        ("move", "twice"),
        "bad input for edit: 'command' is 'move'; it must be one of view, create, str_replace, insert",
    ),
}


@pytest.mark.parametrize(("given", "message"), BAD_EDITS.values(), ids=BAD_EDITS)
def test_a_bad_edit_is_told_and_changes_nothing(tools, work, given, message):
    (work / "twice").write_text("a\na\n", "utf-8")
    (work / "binary").write_bytes(b"\xff\xfe")
    (work / "nul").write_bytes(b"a\0b")
    (work / "folder").mkdir()
    (work / "out").symlink_to("/etc")
    os.mkfifo(work / "pipe")
    command, path, *rest = given
    more = dict(zip(rest[::2], rest[1::2], strict=True))
    assert edit(tools, command, path, **more) == (message.format(work=work), True)
    assert (work / "twice").read_text("utf-8") == "a\na\n"


@pytest.mark.parametrize("path", ["a\0b", "loop", "~nobody-of-that-name/x"], ids=("nul", "loop", "user"))
def test_what_is_no_path_is_told(tools, work, path):
    (work / "loop").symlink_to("loop")
    content, is_error = edit(tools, "view", path)
    assert is_error
    assert content


@pytest.mark.skipif(sys.platform != "linux" or os.geteuid() == 0, reason="root may write everywhere")
def test_a_read_only_file_is_told(tools, work):
    (work / "a").touch(mode=0o444)
    assert edit(tools, "create", "a", text="x") == (f"{work}/a: Permission denied", True)


def skill(folder, name, front, body="Do this."):
    place = folder / name
    place.mkdir(parents=True)
    (place / "SKILL.md").write_text(f"---\n{front}\n---\n\n{body}\n", "utf-8")


def test_skills_are_listed_by_name_on_one_line_each(tmp_path):
    skill(tmp_path, "b", "name: b\ndescription: >\n  Use when\n  needed.")
    skill(tmp_path, "a", "name: a\ndescription: First.")
    skill(tmp_path, "hidden", "name: hidden\ndescription: x\ndisable-model-invocation: true")
    (tmp_path / "no-skill").mkdir()
    (tmp_path / "note.txt").touch()
    (tmp_path / "broken").mkdir()
    (tmp_path / "broken/SKILL.md").write_bytes(b"\xff\xfe")
    assert listing(offered(tmp_path)) == "- a: First.\n- b: Use when needed."


def test_a_missing_folder_offers_nothing(tmp_path):
    assert offered(tmp_path / "absent") == {}


def test_a_loaded_skill_is_its_body_and_its_place(tmp_path):
    skill(tmp_path, "a", "name: a\ndescription: First.", "# A\n\nRead `ref.md`.")
    tools = (loader(offered(tmp_path)),)
    text = f"Base directory for this skill: {tmp_path}/a\n\n# A\n\nRead `ref.md`."
    assert called(tools, "Skill", {"skill": "a"}) == (text, False)
    assert called(tools, "Skill", {"skill": "b"}) == ("unknown skill 'b'; known are: a", True)


def test_without_skills_none_is_known(tools):
    assert called(tools, "Skill", {"skill": "b"}) == ("unknown skill 'b'; known are: none", True)
