import json
import os
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest
from stubs import AGENTS, agent, comes, living

from skillcheck import process
from skillcheck.errors import SkillcheckError
from skillcheck.evals.workspace import sandbox
from skillcheck.evals.workspace.sandbox import Sandbox, choose
from skillcheck.process import Limits

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="what is left is counted in /proc")
AUTO = choose("auto")
bwrap = pytest.mark.skipif(AUTO.kind == "none", reason=f"bubblewrap is tested where it works: {AUTO.warning}")
KINDS = (pytest.param("bwrap", marks=bwrap), "none")
HERE = Path(__file__).parents[2]
PROGRAMS = (Path(sys.executable), Path(sys.prefix), Path(sys.base_prefix), AGENTS)


@pytest.fixture
def mark():
    """A mark of this test; what still has it afterwards is killed."""
    made = sandbox.new_mark()
    yield made
    sandbox.sweep(made)


@pytest.fixture
def work(tmp_path):
    folder = tmp_path / "run" / "work"
    folder.mkdir(parents=True)
    return folder


def supervise(kind, argv, work, mark, *, hidden=(), needed=PROGRAMS, **options):
    """Run an agent in a sandbox; its Exit and what it printed."""
    wrapped = Sandbox(kind, tuple(hidden)).wrap(argv, work=work, writable=(work,), needed=needed)
    out = work.parent / "stdout"
    done = process.supervise(
        wrapped,
        cwd=work,
        env={**os.environ, sandbox.MARK: mark},
        stdin=b"",
        stdout=out,
        stderr=work.parent / "stderr",
        limits=options.get("limits", Limits(wall_s=30, idle_s=30, grace_s=0.2)),
        watch=options.get("watch", lambda lines: "".join(line.decode("latin-1") for line in lines)[:0]),
        stop=options.get("stop", threading.Event()),
    )
    return done, out.read_bytes()


def set_soon():
    stop = threading.Event()
    threading.Timer(1, stop.set).start()
    return stop


ENDINGS = {
    "by itself": (("leave",), dict, ""),
    "wall": ((), lambda: {"limits": Limits(wall_s=1, grace_s=0.2)}, "wall"),
    "idle": ((), lambda: {"limits": Limits(idle_s=1, grace_s=0.2)}, "idle"),
    "watch": ((), lambda: {"watch": lambda lines: next(lines).decode().strip()}, "forked"),
    "stop": ((), lambda: {"stop": set_soon()}, "interrupted"),
}


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(("words", "options", "stopped"), ENDINGS.values(), ids=ENDINGS)
def test_nothing_is_left_of_an_agent_that_forks(words, options, stopped, kind, work, mark):
    done, out = supervise(kind, agent("fork.py", *words), work, mark, **options())
    assert (out, done.stopped) == (b"forked\n", stopped)
    left = living(mark)
    assert left == 0 if kind == "bwrap" else left >= 2  # those with a session of their own
    assert sandbox.sweep(mark) == left
    assert living(mark) == 0


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("stub", ["hang.sh", "flood.py"])
def test_nothing_is_left_of_an_agent_that_never_ends(stub, kind, work, mark):
    limits = Limits(wall_s=0.5, output_bytes=100_000, grace_s=0.2)
    done, _ = supervise(kind, agent(stub), work, mark, limits=limits)
    assert done.stopped == "wall"
    assert sandbox.sweep(mark) == 0
    assert living(mark) == 0


@pytest.mark.parametrize("kind", KINDS)
def test_an_agent_that_behaves_works_in_its_folder(kind, work, mark):
    done, out = supervise(kind, agent("behave.py"), work, mark)
    assert (done.status, out) == (0, b'{"type": "result", "prompt": 0}\n')
    assert (work / "answer.txt").exists()


@bwrap
def test_an_agent_writes_only_where_it_may(work, mark, tmp_path):
    for name in ("beside", "hidden"):
        (tmp_path / name).mkdir()
    folders = [work, work.parent, tmp_path / "beside", tmp_path / "hidden", HERE, "/", "/etc", "/tmp", "/dev/shm"]  # noqa: S108
    words = (",".join(map(str, folders)), "/")
    done, _ = supervise("bwrap", agent("outside.py", *words), work, mark, hidden=[tmp_path / "hidden"])
    assert done.status == 0
    assert [folder for folder in folders if Path(folder, "planted").exists()] == [work]


@bwrap
def test_an_agent_reads_what_it_needs_and_nothing_hidden(work, mark, tmp_path, monkeypatch):
    home, catalog = tmp_path / "home", tmp_path / "catalog"
    secret = [home / ".ssh/key", home / ".netrc", home / ".claude/token", home / "dotfiles/npmrc",
              catalog / "evals/case.json", catalog / "evals/fixtures/b/solution", catalog / "deep/secret",
              tmp_path / "hidden.txt"]  # fmt: skip
    seen = [home / ".claude/local/claude", home / ".claude/local/lib", home / "notes", catalog / "README.md",
            catalog / "evals/fixtures/a/start", Path("/etc/passwd")]  # fmt: skip
    for file in (*secret, *seen[:-1]):
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text("x", "utf-8")
    (home / ".npmrc").symlink_to("dotfiles/npmrc")
    (home / ".aws").symlink_to("nowhere")
    (catalog / "shallow").symlink_to("deep")
    monkeypatch.setenv("HOME", str(home))
    needed = (
        *PROGRAMS,
        home / "notes",
        catalog / "README.md",
        home / ".claude/local/claude",
        catalog / "evals/fixtures/a",
    )
    words = (",".join(map(str, [work])), ",".join(map(str, [*secret, home / ".npmrc", *seen])))
    hidden = (catalog / "evals", catalog / "shallow", tmp_path / "hidden.txt", tmp_path / "never there")
    done, out = supervise("bwrap", agent("outside.py", *words), work, mark, hidden=hidden, needed=needed)
    assert done.status == 0
    assert json.loads(out) == [[str(work)], [str(file) for file in seen]]


@bwrap
def test_the_scratch_folder_shows_only_what_is_needed(work, mark):
    scratch = Path(*work.resolve().parts[:2])
    if scratch not in map(Path, sandbox._SCRATCH):  # noqa: SLF001
        pytest.skip("pytest keeps its folders elsewhere")
    assert len(list(scratch.iterdir())) > 1
    _, out = supervise("bwrap", ("ls", str(scratch)), work, mark, needed=())
    assert out.decode().split() == [work.resolve().parts[2]]


@bwrap
def test_a_program_in_the_scratch_folder_runs_through_its_link(work, mark, tmp_path):
    program = tmp_path / "agent"
    program.write_text("#!/bin/sh\necho works\n", "utf-8")
    program.chmod(0o755)
    (tmp_path / "link").symlink_to(program)
    _, out = supervise("bwrap", (str(tmp_path / "link"),), work, mark, needed=(tmp_path / "link",))
    assert out == b"works\n"


@bwrap
def test_root_can_not_make_the_machine_writable_again(work, mark):
    done, _ = supervise(
        "bwrap", ("sh", "-c", "mount -o remount,rw,bind /; kill -0 $PPID; grep CapEff /proc/self/status"), work, mark
    )
    assert done.status == 0
    assert (work.parent / "stdout").read_text("ascii").split() == ["CapEff:", "0" * 16]


@bwrap
def test_an_agent_sees_no_process_of_ours(work, mark):
    _, out = supervise("bwrap", ("sh", "-c", "ls -d /proc/[0-9]* | wc -l"), work, mark)
    assert int(out) < 6


def test_without_a_sandbox_the_command_is_what_it_was(tmp_path):
    chosen = choose("none", hidden=[tmp_path])
    assert chosen.wrap(("agent", "x"), work=tmp_path, writable=(), needed=()) == ("agent", "x")
    assert chosen.warning == "agents run without a sandbox: they can read and write all that you can"


@bwrap
def test_bubblewrap_is_chosen_where_it_works(tmp_path):
    assert choose("auto", [tmp_path]) == choose("bwrap", [tmp_path]) == Sandbox("bwrap", (tmp_path,))


@pytest.fixture
def bare_path(tmp_path, monkeypatch):
    """A PATH with nothing on it."""
    caches = (sandbox._bwrap, sandbox._fault)  # noqa: SLF001
    monkeypatch.setenv("PATH", str(tmp_path))
    for cached in caches:
        cached.cache_clear()
    yield tmp_path
    for cached in caches:
        cached.cache_clear()


MISSING = "bwrap is not on PATH: on Linux, install the package bubblewrap"
BROKEN = "bwrap does not start here: no namespaces"


@pytest.mark.parametrize(("script", "fault"), [("", MISSING), ("echo no namespaces >&2; exit 1", BROKEN)])
def test_a_bubblewrap_that_does_not_work_is_told(script, fault, bare_path):
    if script:
        (bare_path / "bwrap").write_text(f"#!/bin/sh\n{script}\n", "utf-8")
        (bare_path / "bwrap").chmod(0o755)
    with pytest.raises(SkillcheckError) as caught:
        choose("bwrap")
    assert str(caught.value) == f"--sandbox bwrap can't be used: {fault}"
    warning = f"agents run without a sandbox: they can read and write all that you can ({fault})"
    assert choose("auto") == Sandbox("none", (), warning)


def sleeper(mark):
    env = {**os.environ, sandbox.MARK: mark}
    return subprocess.Popen(["sleep", "600"], env=env, start_new_session=True)


@pytest.fixture(params=["proc", "ps"])
def seen_through(request, monkeypatch):
    """Both ways to look at processes; `ps` is the one for macOS."""
    if request.param == "ps":
        monkeypatch.setattr(sandbox, "_HAS_PROC", False)


@pytest.mark.usefixtures("seen_through")
def test_a_sweep_takes_its_own_mark_only(mark):
    mine, longer, other = sleeper(mark), sleeper(mark + "0"), sleeper("other")
    try:
        assert comes(lambda: living(mark) == 1)
        assert sandbox.sweep(mark) == 1
        assert mine.wait(5) == -9
        assert (longer.poll(), other.poll()) == (None, None)
        assert sandbox.sweep(mark) == 0
    finally:
        for left in (longer, other):
            left.kill()
            left.wait()


def test_a_sweep_does_not_kill_the_sweeper(mark, tmp_path):
    code = f"from skillcheck.evals.workspace import sandbox; print(sandbox.sweep({mark!r}))"
    done = process.run((sys.executable, "-c", code), cwd=tmp_path, env={**os.environ, sandbox.MARK: mark})
    assert done.stdout == b"0\n"


OWNER = """
import os, subprocess, sys, time
from skillcheck.evals.workspace import sandbox
sandbox._HAS_PROC = {has_proc}
mark = sandbox.new_mark()
subprocess.Popen(["sleep", "600"], env={{**os.environ, sandbox.MARK: mark}}, start_new_session=True)
print(mark, flush=True)
time.sleep(600)
"""


@pytest.mark.usefixtures("seen_through")
def test_what_a_killed_skillcheck_left_is_swept_by_a_later_one():
    code = OWNER.format(has_proc=sandbox._HAS_PROC)  # noqa: SLF001
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True) as owner:
        mark = owner.stdout.readline().strip()
        assert not sandbox.is_abandoned(mark)
        sandbox.sweep_abandoned()
        assert living(mark) == 1
        owner.kill()
        assert comes(lambda: sandbox.is_abandoned(mark))  # though nobody has waited for it yet
    sandbox.sweep_abandoned()
    assert comes(lambda: living(mark) == 0)  # another run's sweep may have been first


@bwrap
def test_an_agent_in_bubblewrap_dies_with_a_killed_skillcheck(work, mark):
    code = f"""
import sys
from pathlib import Path
sys.path.append({str(HERE / "tests" / "evals")!r})
sys.path.append({str(HERE / "tests")!r})
import test_sandbox
test_sandbox.supervise("bwrap", test_sandbox.agent("fork.py"), Path({str(work)!r}), {mark!r})
"""
    with subprocess.Popen([sys.executable, "-c", code]) as owner:
        assert comes(lambda: (work.parent / "stdout").exists() and (work.parent / "stdout").read_bytes() == b"forked\n")
        assert living(mark) > 3
        owner.kill()
    assert comes(lambda: living(mark) == 0)


@pytest.mark.usefixtures("seen_through")
def test_only_a_mark_of_this_machine_tells_that_it_is_abandoned():
    namespace, pid, born, token = sandbox.new_mark().split("-")
    assert not sandbox.is_abandoned(f"{namespace}-{pid}-{born}-{token}")
    assert sandbox.is_abandoned(f"{namespace}-{pid}-1-{token}")
    assert sandbox.is_abandoned(f"{namespace}-4999999-{born}-{token}")
    for strange in ("", "x", f"1-{pid}-1-{token}", f"{namespace}-²-1-{token}", f"{namespace}-../1-1-{token}"):
        assert not sandbox.is_abandoned(strange)


def test_marks_differ():
    assert len({sandbox.new_mark() for _ in range(100)}) == 100


@pytest.mark.parametrize("kind", KINDS)
def test_an_agent_costs_little_beyond_itself(kind, work, mark):
    """A trial may cost 150 ms in all; this is its part, with room for a busy machine."""
    took = []
    for _ in range(7):
        began = time.monotonic()
        supervise(kind, ("true",), work, mark)
        sandbox.sweep(mark)
        took.append(time.monotonic() - began)
    assert min(took) < 0.05
