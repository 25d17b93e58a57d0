"""Replacing a file at one stroke: what stays, what a kill leaves."""

import os
import signal
import subprocess
import sys

import pytest

from skillcheck.errors import UsageError
from skillcheck.replace import replace

KILLED = """
import os, signal, sys
from pathlib import Path
from skillcheck.replace import replace
def killed(*_):
    os.kill(os.getpid(), signal.SIGKILL)
Path.replace = killed  # the last moment before the stroke
replace(Path(sys.argv[1]), "new")
"""


def test_a_new_file_gets_its_folders_and_a_plain_mode(tmp_path):
    path = tmp_path / "evals" / "floor.json"
    replace(path, "é\n")
    assert path.read_bytes() == "é\n".encode()
    assert path.stat().st_mode & 0o777 == 0o644


def test_mode_and_link_stay(tmp_path):
    path, link = tmp_path / "run.md", tmp_path / "link.md"
    path.write_text("old")
    path.chmod(0o755)
    link.symlink_to(path)
    replace(link, "new")
    assert (link.is_symlink(), path.read_text(), path.stat().st_mode & 0o777) == (True, "new", 0o755)
    assert sorted(os.listdir(tmp_path)) == ["link.md", "run.md"]


@pytest.mark.skipif(sys.platform == "win32", reason="there is no SIGKILL")
def test_a_killed_run_leaves_the_old_text(tmp_path):
    path = tmp_path / "floor.json"
    path.write_text("old")
    done = subprocess.run([sys.executable, "-c", KILLED, path], check=False, timeout=60)
    assert (done.returncode, path.read_text()) == (-signal.SIGKILL, "old")


@pytest.mark.parametrize(("name", "said"), [(None, "{path}"), ("floor.json", "floor.json")])
def test_what_cannot_be_written_is_told(tmp_path, name, said):
    path = tmp_path / "folder"
    path.mkdir()
    with pytest.raises(UsageError) as caught:
        replace(path, "new", name)
    assert str(caught.value) == f"{said.format(path=path)} can't be written: Is a directory"
    assert os.listdir(tmp_path) == ["folder"]
