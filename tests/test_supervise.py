import os
import signal
import sys
import threading
from pathlib import Path

import pytest
from stubs import agent, comes

from skillcheck import process
from skillcheck.errors import SkillcheckError
from skillcheck.process import Limits

pytestmark = pytest.mark.skipif(os.name != "posix", reason="process groups are POSIX")
SHORT = Limits(wall_s=30, idle_s=30, grace_s=0.3)


def see_all(lines):
    for _ in lines:
        pass
    return ""


def supervise(argv, folder, *, stdin=b"", limits=SHORT, watch=see_all, stop=None):
    return process.supervise(
        argv,
        cwd=folder,
        env=os.environ,
        stdin=stdin,
        stdout=folder / "stdout",
        stderr=folder / "stderr",
        limits=limits,
        watch=watch,
        stop=stop or threading.Event(),
    )


def python(code):
    return (sys.executable, "-c", code)


def sh(code):
    return ("/bin/sh", "-c", code)


def alive(pid):
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    stat = Path(f"/proc/{pid}/stat")
    return not stat.exists() or stat.read_text("ascii").rpartition(")")[2].split()[0] != "Z"


def gone(pid):
    return comes(lambda: not alive(pid))


def test_an_agent_that_behaves_is_left_alone(tmp_path):
    done = supervise(agent("behave.py"), tmp_path, stdin=b"fix it")
    assert (done.status, done.stopped, done.truncated) == (0, "", False)
    assert 0 < done.seconds < 30
    assert (tmp_path / "answer.txt").read_text("utf-8") == "fix it"
    assert (tmp_path / "stdout").read_bytes() == b'{"type": "result", "prompt": 6}\n'
    assert (tmp_path / "stderr").read_bytes() == b"done\n"


def test_a_status_is_a_result(tmp_path):
    assert supervise(sh("exit 7"), tmp_path).status == 7


def test_a_prompt_that_is_read_late_or_never_blocks_nothing(tmp_path):
    prompt = b"x" * 10_000_000
    assert supervise(sh("exit 0"), tmp_path, stdin=prompt).status == 0
    assert supervise(sh("sleep 0.1; exec 1>&-; wc -c >&2"), tmp_path, stdin=prompt).stopped == ""
    assert (tmp_path / "stderr").read_bytes().split() == [b"10000000"]


def test_bytes_are_kept_as_they_are(tmp_path):
    supervise(python("import os; os.write(1, b'\\xff\\0\\r\\n{'); os.write(2, b'\\xfe')"), tmp_path)
    assert (tmp_path / "stdout").read_bytes() == b"\xff\0\r\n{"
    assert (tmp_path / "stderr").read_bytes() == b"\xfe"


def test_the_environment_is_the_given_one(tmp_path):
    done = process.run(python("import os; print(sorted(os.environ))"), cwd=tmp_path, env={"ONLY": "1", "LC_ALL": "C"})
    assert done.stdout == b"['LC_ALL', 'ONLY']\n"


def test_lines_of_many_megabytes_reach_the_watch_whole(tmp_path):
    seen = []

    def watch(lines):
        seen.extend((line[:1], len(line), line[-1:]) for line in lines)
        return ""

    supervise(agent("long_lines.py"), tmp_path, watch=watch)
    assert seen == [(b"a", 5_000_001, b"\n"), (b"b", 5_000_001, b"\n"), (b"c", 5_000_000, b"c")]
    assert (tmp_path / "stdout").stat().st_size == 15_000_002


def test_a_watch_stops_the_process_while_it_runs(tmp_path):
    def watch(lines):
        return next(line for line in lines if line == b"2\n").decode().strip() + " is enough"

    done = supervise(sh("echo 1; echo 2; sleep 600"), tmp_path, watch=watch)
    assert done.stopped == "2 is enough"
    assert done.status == -signal.SIGTERM
    assert done.seconds < 5


def test_what_a_watch_finds_counts_even_if_the_process_has_ended(tmp_path):
    assert supervise(sh("echo x"), tmp_path, watch=lambda lines: str(len(list(lines)))).stopped == "1"


@pytest.mark.parametrize("watch", [lambda lines: next(lines) / 0, lambda _: ""], ids=["that raises", "that is bored"])
def test_a_watch_loses_no_output(watch, tmp_path):
    done = supervise(agent("long_lines.py"), tmp_path, watch=watch)
    assert (done.status, done.stopped) == (0, "")
    assert (tmp_path / "stdout").stat().st_size == 15_000_002


def test_a_flood_is_cut_at_its_cap_and_then_at_its_time(tmp_path):
    done = supervise(agent("flood.py"), tmp_path, limits=SHORT._replace(wall_s=0.5, output_bytes=10_001))
    assert (done.stopped, done.truncated) == ("wall", True)
    assert (tmp_path / "stdout").read_bytes() == (b"\xff\x00\xfe{" * 4096)[:10_001]


def test_each_output_has_its_cap(tmp_path):
    code = "printf %02000d 1; printf %02000d 2 >&2; exit 3"
    done = supervise(sh(code), tmp_path, limits=SHORT._replace(output_bytes=1999))
    assert (done.status, done.stopped, done.truncated) == (3, "", True)
    assert [(tmp_path / name).stat().st_size for name in ("stdout", "stderr")] == [1999, 1999]
    assert not supervise(sh(code), tmp_path, limits=SHORT._replace(output_bytes=2000)).truncated


def test_silence_ends_a_process(tmp_path):
    done = supervise(agent("hang.sh"), tmp_path, limits=SHORT._replace(idle_s=0.3))
    assert done.stopped == "idle"
    assert 0.3 < done.seconds < 5


def test_any_byte_on_stderr_breaks_the_silence(tmp_path):
    code = "for i in 1 2 3 4 5 6; do sleep 0.2; printf . >&2; done"
    assert supervise(sh(code), tmp_path, limits=SHORT._replace(idle_s=0.7)).stopped == ""


def test_time_is_up(tmp_path):
    code = "while :; do echo x; sleep 0.05; done"
    assert supervise(sh(code), tmp_path, limits=SHORT._replace(wall_s=0.8, idle_s=0.7)).stopped == "wall"


def test_a_process_is_stopped_from_another_thread(tmp_path):
    stop = threading.Event()
    threading.Timer(0.2, stop.set).start()
    assert supervise(agent("hang.sh"), tmp_path, stop=stop).stopped == "interrupted"


def test_a_process_may_say_goodbye(tmp_path):
    code = "trap 'echo bye; exit 7' TERM; echo ready; while :; do sleep 0.05; done"
    done = supervise(sh(code), tmp_path, limits=SHORT._replace(grace_s=5), watch=lambda lines: next(lines).decode())
    assert (done.status, done.stopped) == (7, "ready\n")
    assert (tmp_path / "stdout").read_bytes() == b"ready\nbye\n"


def test_a_process_that_ignores_the_request_is_killed(tmp_path):
    code = "trap '' TERM; echo ready; while :; do sleep 0.05; done"
    done = supervise(sh(code), tmp_path, watch=lambda lines: next(lines).decode())
    assert done.status == -signal.SIGKILL
    assert 0.3 < done.seconds < 5


def test_what_is_left_of_the_group_is_killed_after_a_good_end(tmp_path):
    assert supervise(sh("sleep 600 & echo $!"), tmp_path).status == 0
    assert gone(int((tmp_path / "stdout").read_text("ascii")))


def test_a_process_outside_the_group_that_holds_the_pipes_is_not_waited_for(tmp_path):
    code = "import subprocess; print(subprocess.Popen(['sleep', '600'], start_new_session=True).pid)"
    done = supervise(python(code), tmp_path)
    pid = int((tmp_path / "stdout").read_text("ascii"))
    assert alive(pid)
    os.kill(pid, signal.SIGKILL)
    assert (done.status, done.seconds < 5) == (0, True)


def test_a_flood_from_outside_the_group_is_not_waited_for(tmp_path):
    code = "import subprocess; subprocess.Popen(['yes'], start_new_session=True)"
    done = supervise(python(code), tmp_path, limits=SHORT._replace(output_bytes=100_000))
    assert (done.status, done.seconds < 5) == (0, True)


def test_a_process_that_closes_its_output_is_waited_for(tmp_path):
    assert supervise(sh("exec 1>&- 2>&-; sleep 0.2; exit 9"), tmp_path).status == 9


def test_an_interrupt_leaves_nothing_running(tmp_path):
    def watch(lines):
        next(lines)
        os.kill(os.getpid(), signal.SIGINT)
        return ""

    before = signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell's background jobs ignore it
    try:
        with pytest.raises(KeyboardInterrupt):
            supervise(sh("trap '' TERM; sleep 600 & echo $$ $!; wait"), tmp_path, watch=watch)
    finally:
        signal.signal(signal.SIGINT, before)
    assert all(gone(int(pid)) for pid in (tmp_path / "stdout").read_text("ascii").split())


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="a full disk is played by /dev/full")
def test_a_full_disk_ends_the_process(tmp_path):
    (tmp_path / "stdout").symlink_to("/dev/full")
    with pytest.raises(OSError, match="No space left"):
        supervise(sh("echo $$ >pid; echo x; sleep 600"), tmp_path)
    assert gone(int((tmp_path / "pid").read_text("ascii")))


@pytest.mark.parametrize("start", [supervise, lambda argv, folder: process.run(argv, cwd=folder)], ids=["sup", "run"])
@pytest.mark.parametrize(
    ("word", "message"),
    [
        ("x" * 10_000_000, "could not be started: Argument list too long"),
        ("a\0b", "could not be started: embedded null"),
    ],
    ids=["too long", "a zero byte"],
)
def test_what_can_not_be_started_is_told(word, message, start, tmp_path):
    with pytest.raises(SkillcheckError, match=f"^/bin/sh {message}"):
        start(("/bin/sh", word), tmp_path)


def test_a_program_that_is_not_there_is_told(tmp_path):
    with pytest.raises(FileNotFoundError):
        supervise(("no-such-program-anywhere",), tmp_path)
