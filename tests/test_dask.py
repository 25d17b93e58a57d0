"""Runs on a Dask cluster of real processes: whatever dies, nothing is lost, and nothing finished is run twice."""

import json
import os
import signal
import socket
import socketserver
import subprocess
import sys
import threading
from contextlib import contextmanager
from pathlib import Path
from types import SimpleNamespace

import pytest
from catalogs import skillcheck
from clusters import cluster
from stubs import comes
from tasks import PACKAGES
from trials import an_eval, behavioral, calls_of, catalog, command, folders, outcomes, running_in

pytestmark = pytest.mark.slow
pytest.importorskip("distributed")
COUNT = 12
ALONE = ("--sandbox", "none")


def plain(report):
    """The trials without what differs from run to run."""
    return [{**trial, "seconds": 0, "reused": "", "notes": []} for trial in report["trials"]]


def slow_evals(count=COUNT, seconds=0.4):
    return [an_eval(n, f"slowly {seconds} e{n}") for n in range(1, count + 1)]


def started(root, calls, made, *words, env=None):
    """A run on a cluster, in the background."""
    agents = ("--harness", "command", "--agent-command", command(calls), "--format", "json")
    argv = (sys.executable, "-m", "skillcheck", "behavioral", *agents, "--executor", f"dask:{made.address}", *words)
    return subprocess.Popen(
        argv, cwd=root, env={**os.environ, **(env or {})}, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )


@contextmanager
def served(answer):
    """A server that gives everybody the same answer; its host and port."""
    with socketserver.ThreadingTCPServer(("127.0.0.1", 0), None) as server:
        server.finish_request = lambda request, _: (request.recv(9), request.sendall(answer))
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield "{}:{}".format(*server.server_address)
        server.shutdown()


def programs(folder, *left_out):
    """A folder with links to all programs on PATH but some."""
    folder.mkdir()
    places = [Path(place) for place in os.environ["PATH"].split(os.pathsep)]
    for program in (program for place in places if place.is_dir() for program in place.iterdir()):
        if program.name not in left_out and not (folder / program.name).is_symlink():
            (folder / program.name).symlink_to(program)
    return str(folder)


def test_what_a_killed_worker_did_not_finish_another_does(tmp_path):
    root, calls, temporary = folders(tmp_path / "a")
    catalog(root, *slow_evals())
    with cluster(tmp_path / "cluster", "alice", "bob", TMPDIR=str(temporary)) as made:
        run = started(root, calls, made, *ALONE)
        assert comes(lambda: len(outcomes(root)) >= COUNT // 2, 60)
        finished = {f"e{name[-2]}" for name in outcomes(root)}
        made.kill("alice")
        out, err = run.communicate(timeout=120)
        assert run.returncode == 0, err
        called, stored = calls_of(calls), len(outcomes(root))
        _, again, _ = behavioral(root, "--executor", f"dask:{made.address}", *ALONE, agent_words=[calls])
    assert stored == COUNT
    assert COUNT // 2 <= len(finished) < COUNT
    assert {name for name in called if called[name] == 1} >= finished
    assert len(called) == COUNT
    assert sum(called.values()) <= COUNT + 1  # the one that ran there
    assert all(trial["reused"] for trial in again["trials"])
    assert calls_of(calls) == called
    assert running_in(temporary) == set()
    whole, fresh, _ = folders(tmp_path / "b")
    _, here, _ = behavioral(catalog(whole, *slow_evals(seconds=0)), *ALONE, agent_words=[fresh])
    there = plain(json.loads(out))
    assert [{**trial, "key": ""} for trial in there] == [{**trial, "key": ""} for trial in plain(here)]


def test_results_are_those_of_this_machine_and_are_reused_here(tmp_path):
    root, calls, _ = folders(tmp_path / "a")
    catalog(root, an_eval(1, "well e1"), an_eval(2, "fail e2"), an_eval(3, "rate e3"))
    words = (*ALONE, "--retries", "0", "--trials", "2")
    with cluster(tmp_path / "cluster", "alice", "bob") as made:
        status, there, err = behavioral(
            root, "--executor", f"dask:{made.address}", *words, "--arms", "with,without", agent_words=[calls]
        )
        assert status == 3, err
    _, here, _ = behavioral(root, *words, "--arms", "with,without", agent_words=[calls])
    assert plain(there) == plain(here)
    assert [bool(trial["reused"]) for trial in here["trials"]] == [
        trial["status"] != "error" for trial in here["trials"]
    ]


def test_tasks_are_run_there_too(tmp_path):
    words = ("bench", PACKAGES / "v1.1", "--harness", "oracle", "--k", "2", "--validate", "--format", "json")
    with cluster(tmp_path / "cluster", "alice", "bob") as made:
        status, out, err = skillcheck(*map(str, words), "--executor", f"dask:{made.address}", cwd=tmp_path)
    assert status == 0, err
    there = json.loads(out)
    _, out, _ = skillcheck(*map(str, words), cwd=tmp_path)
    assert plain(there) == plain(json.loads(out))
    assert all(trial["reused"] for trial in json.loads(out)["trials"])
    assert (tmp_path / "evals/results" / there["metrics"]["run"] / "agentcompass/summary.md").is_file()


@pytest.mark.parametrize("lacking", ["git", "claude"])
def test_a_worker_that_lacks_something_is_named(lacking, tmp_path):
    root, calls, _ = folders(tmp_path / "a")
    catalog(root, an_eval(1, "well"), an_eval(2, "well"))
    words = ("--harness", "claude-code", "--grader", "none", *ALONE) if lacking == "claude" else ALONE
    with cluster(tmp_path / "cluster") as made:
        made.worker("carol", PATH=programs(tmp_path / "bin", lacking), ANTHROPIC_API_KEY="x" * 9)
        executor = ("--executor", f"dask:{made.address}")
        status, report, _ = behavioral(root, *executor, *words, agent_words=[calls])
        behavioral(root, *executor, *words, "--dry-run", "--format", "text=plan", agent_words=[calls])
    assert status == 3
    who = "claude-code" if lacking == "claude" else "a workspace"
    for trial in report["trials"]:
        assert trial["class"] == "harness-config"
        assert trial["message"].startswith("worker carol (tcp://127.0.0.1:")
        assert trial["message"].endswith(f"{who} needs the program {lacking!r}, which is not on PATH")
        assert f"warning: {trial['message']}; it is left out" in (root / "plan").read_text("utf-8")
    assert calls_of(calls) == {}


def test_a_trial_that_kills_all_its_workers_is_given_up(tmp_path):
    root, calls, _ = folders(tmp_path / "a")
    catalog(root, an_eval(1, "murder e1"), *slow_evals(3, 0)[1:])
    with cluster(tmp_path / "cluster") as made:
        made.worker("alice", nanny=True)
        made.worker("bob", nanny=True)
        run = started(root, calls, made, *ALONE)
        out, err = run.communicate(timeout=120)
    assert run.returncode == 3, err
    assert calls_of(calls) == {"e1": 3, "e2": 1, "e3": 1}
    lost, *others = json.loads(out)["trials"]
    assert [each["status"] for each in others] == ["passed", "passed"]
    assert (lost["status"], lost["class"]) == ("error", "workspace")
    assert lost["message"].startswith("the workers died that ran this trial, tcp://127.0.0.1:")


def test_a_new_process_at_the_port_of_a_dead_worker_is_handed_the_job(tmp_path):
    root, calls, _ = folders(tmp_path / "a")
    catalog(root, *slow_evals(6, 1))
    with cluster(tmp_path / "cluster") as made:
        made.worker("alice")
        port = made.port("alice")
        made.worker("bob")
        run = started(root, calls, made, *ALONE)
        assert comes(lambda: outcomes(root), 60)
        made.kill("alice")
        made.worker("carol", "--worker-port", port)
        out, err = run.communicate(timeout=120)
    assert run.returncode == 0, err
    assert json.loads(out)["metrics"]["passed"] == 6
    assert sum(calls_of(calls).values()) <= 7


def test_a_worker_without_room_is_left_out_where_others_have_some(tmp_path):
    root, calls, temporary = folders(tmp_path / "a")
    catalog(root, *slow_evals(6, 0.5))
    with cluster(tmp_path / "cluster", "alice") as made:
        made.worker("carol", TMPDIR=str(temporary))
        run = started(root, calls, made, *ALONE)
        assert comes(lambda: outcomes(root), 60)
        temporary.rename(tmp_path / "gone")  # at one stroke: carol writes there
        out, err = run.communicate(timeout=120)
    assert run.returncode == 0, err
    assert json.loads(out)["metrics"]["passed"] == 6
    assert "warning: worker carol (tcp://127.0.0.1:" in err
    assert err.rstrip().endswith("; it is left out")


def test_a_worker_that_has_no_room_for_the_run_is_named(tmp_path):
    root, calls, temporary = folders(tmp_path / "a")
    catalog(root, an_eval(1, "well"))
    with cluster(tmp_path / "cluster") as made:
        made.worker("carol", TMPDIR=str(temporary))
        words = ("--executor", f"dask:{made.address}", "--fresh", *ALONE)
        assert behavioral(root, *words, agent_words=[calls])[0] == 0
        temporary.rename(tmp_path / "gone")
        status, report, _ = behavioral(root, *words, agent_words=[calls])
    (trial,) = report["trials"]
    assert (status, trial["class"]) == (3, "harness-config")
    assert trial["message"].startswith(f"worker tcp://127.0.0.1:{made.port('carol')} can't take the run over: ")
    assert "No such file or directory" in trial["message"]


def test_a_run_whose_last_worker_is_gone_ends(tmp_path):
    root, calls, _ = folders(tmp_path / "a")
    catalog(root, *slow_evals())
    with cluster(tmp_path / "cluster", "alice") as made:
        run = started(root, calls, made, *ALONE)
        assert comes(lambda: outcomes(root), 60)
        made.kill("alice")
        out, err = run.communicate(timeout=60)
    assert (run.returncode, out) == (3, "")
    told = f"error: the Dask scheduler at {made.address} has no worker left; what had finished is kept: "
    assert err.splitlines()[-1].startswith(told)


def test_a_worker_that_lacks_something_is_left_out_where_others_do_not(tmp_path):
    root, calls, _ = folders(tmp_path / "a")
    catalog(root, *slow_evals(4, 0))
    with cluster(tmp_path / "cluster", "alice") as made:
        made.worker("carol", PATH=programs(tmp_path / "bin", "git"))
        executor = ("--executor", f"dask:{made.address}")
        status, report, err = behavioral(root, *executor, *ALONE, agent_words=[calls])
    assert (status, report["metrics"]["passed"]) == (0, 4)
    assert "warning: worker carol (tcp://127.0.0.1:" in err
    assert "a workspace needs the program 'git', which is not on PATH; it is left out" in err


def test_a_cluster_without_workers_is_told_in_one_line(tmp_path):
    root = catalog(tmp_path / "a", an_eval(1, "well"))
    with cluster(tmp_path / "cluster") as made:
        found = behavioral(root, "--executor", f"dask:{made.address}", *ALONE)
    assert found == (3, None, f"error: the Dask scheduler at {made.address} has no worker\n")


def test_without_its_scheduler_a_run_ends_and_goes_on_with_another(tmp_path):
    root, calls, _ = folders(tmp_path / "a")
    catalog(root, *slow_evals())
    with cluster(tmp_path / "one", "alice") as made:
        run = started(root, calls, made, *ALONE)
        assert comes(lambda: outcomes(root), 60)
        made.scheduler.kill()
        out, err = run.communicate(timeout=120)
        assert (run.returncode, out) == (3, "")
        told = (
            f"error: the Dask scheduler at {made.address} is gone; what had finished is kept: the same command goes on"
        )
        assert err.splitlines()[-1] == told
        assert "Traceback" not in err
        assert "distributed" not in err
    finished = {name[-2] for name in outcomes(root)}
    with cluster(tmp_path / "two", "alice") as made:
        _, report, _ = behavioral(root, "--executor", f"dask:{made.address}", *ALONE, agent_words=[calls])
    assert {trial["eval"] for trial in report["trials"] if trial["reused"]} == finished
    assert report["metrics"]["passed"] == COUNT


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGKILL])
def test_agents_end_with_the_run_that_they_are_part_of(number, tmp_path):
    root, calls, temporary = folders(tmp_path / "a")
    catalog(root, an_eval(1, "idle e1"), an_eval(2, "idle e2"))
    with cluster(tmp_path / "cluster", "alice", TMPDIR=str(temporary)) as made:
        run = started(root, calls, made, *ALONE)
        assert comes(lambda: calls_of(calls), 60)
        assert running_in(temporary) > made.pids
        run.send_signal(number)
        out, _ = run.communicate(timeout=60)
        assert comes(lambda: running_in(temporary) <= made.pids, 60)
    assert run.returncode == (130 if number == signal.SIGINT else -signal.SIGKILL)
    if out:
        assert {trial["class"] for trial in json.loads(out)["trials"]} == {"interrupted"}


@pytest.mark.parametrize(
    ("address", "status", "told"),
    [
        ("dask", 2, "executor 'dask' needs its scheduler's address, as in dask:tcp://host:8786"),
        ("dask:nonsense://x", 2, "'nonsense://x' is no address of a Dask scheduler: unknown address scheme 'nonsense'"),
        ("dask:somewhere", 2, "'somewhere' is no address of a Dask scheduler: missing port number"),
        ("dask:tcp://127.0.0.1:1", 3, "no Dask scheduler answers at 'tcp://127.0.0.1:1'"),
        ("dask:tls://127.0.0.1:1", 3, "no Dask scheduler answers at 'tls://127.0.0.1:1': "),
    ],
)
def test_an_address_where_nobody_answers_is_told_in_one_line(address, status, told, tmp_path):
    root = catalog(tmp_path, an_eval(1, "well"))
    found, report, err = behavioral(root, "--executor", address, *ALONE)
    assert (found, report) == (status, None)
    assert err.startswith(f"error: {told}")
    assert err.count("\n") == 1


def test_a_worker_that_hangs_keeps_no_run_from_ending(tmp_path):
    root, calls, _ = folders(tmp_path / "a")
    catalog(root, *slow_evals(4, 0.2))
    with cluster(tmp_path / "cluster", "alice", "bob") as made:
        run = started(root, calls, made, *ALONE)
        assert comes(lambda: outcomes(root), 60)
        made.kill("alice", signal.SIGSTOP)
        run.send_signal(signal.SIGINT)
        out, err = run.communicate(timeout=30)
    assert run.returncode == 130, err
    assert {trial["class"] for trial in json.loads(out)["trials"]} <= {"completed", "interrupted"}


def test_a_worker_is_no_scheduler(tmp_path):
    root = catalog(tmp_path / "a", an_eval(1, "well"))
    with cluster(tmp_path / "cluster", "alice") as made:
        address = f"tcp://127.0.0.1:{made.port('alice')}"
        found = behavioral(root, "--executor", f"dask:{address}", *ALONE)
    assert found == (2, None, f"error: {address!r} is the address of a Dask worker, not of a scheduler\n")


@pytest.mark.parametrize("is_stopped", [True, False])
def test_what_never_answers_is_not_waited_for(is_stopped, tmp_path):
    root, calls, _ = folders(tmp_path / "a")
    catalog(root, an_eval(1, "well"))
    with socket.create_server(("127.0.0.1", 0)) as silent:
        address = f"tcp://127.0.0.1:{silent.getsockname()[1]}"
        run = started(root, calls, SimpleNamespace(address=address), *ALONE)
        with silent.accept()[0]:
            if is_stopped:
                run.send_signal(signal.SIGINT)
            out, err = run.communicate(timeout=10 if is_stopped else 30)
    assert (run.returncode, out) == (130 if is_stopped else 3, "")
    assert is_stopped or err.splitlines()[-1].startswith(f"error: no Dask scheduler answers at {address!r}: ")


def test_what_is_another_server_is_told_in_one_line(tmp_path):
    root = catalog(tmp_path, an_eval(1, "well"))
    with served(b"HTTP/1.1 400 Bad Request\r\n\r\n" * 9) as address:
        status, report, err = behavioral(root, "--executor", f"dask:tcp://{address}", *ALONE)
    assert (status, report) == (3, None)
    assert err.startswith(f"error: no Dask scheduler answers at 'tcp://{address}': ")
    assert err.count("\n") == 1
