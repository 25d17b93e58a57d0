import json
import os
import resource
import signal
import subprocess
import sys
import threading
from datetime import UTC, datetime

import pytest

from skillcheck.errors import SkillcheckError
from skillcheck.evals.store.record import Grading, Judged, Record
from skillcheck.evals.store.redact import redactor
from skillcheck.evals.store.store import Kept, Store, about, folder_name, kept_in
from skillcheck.evals.store.upgrade import upgraded
from skillcheck.evals.trace import event_lines
from skillcheck.evals.trace.trace import (
    Denied,
    Ended,
    Malformed,
    Said,
    SkillLoaded,
    Spent,
    Started,
    ToolCall,
    ToolResult,
    Trace,
    Usage,
)

NOW = datetime(2026, 3, 4, 5, 6, 7, tzinfo=UTC)
TRACE = Trace.of(
    [
        Started("m", "1.2", ("tidy",)),
        Said("hello \u2028 \x85 there", "nested"),
        ToolCall("1", "Bash", {"command": "ls\nx", "n": [1, None]}),
        ToolResult("1", "out \udcff", is_error=True),
        SkillLoaded("tidy"),
        Denied("Bash", "no"),
        Spent(Usage(1, 2, 3, 4), 0.5),
        Malformed(2),
        Ended("completed", "done"),
    ]
)
GRADING = Grading(
    (Judged("It sorts", passed=True, evidence="seen"), Judged("It tells", passed=False, evidence="not seen")),
    (Judged("file-exists", passed=True, evidence="there"),),
    raw=("{}",), judge="api", model="j", usage=Usage(5, 6), cost_usd=0.1, seconds=2.0,
)  # fmt: skip
RECORD = Record(
    key="k1", skill="tidy", eval="7", trial=1, harness="nop", delivery="native", asks_model=False, sandbox="none",
    status="failed", how="completed", ended="completed", grading=GRADING, usage=Usage(1, 2, 3, 4), cost_usd=0.5,
    seconds=1.5, notes=("a note",),
)  # fmt: skip
KEPT = Kept(TRACE, b"raw \xff\n", "raw.txt", b"err", b"patch \xff", {"a\udcff": "A"}, "## main", "log")


def read(data):
    return Trace.of(event_lines.parse(data.splitlines()))


@pytest.fixture
def store(tmp_path):
    return Store(tmp_path / "results", redactor({"MY_TOKEN": "sesame-open"}))


def test_a_trace_survives_its_file():
    assert read(event_lines.lines(TRACE)) == TRACE
    assert read(event_lines.lines(Trace.of([]))) == Trace.of([])


@pytest.mark.parametrize("line", [b"{", b"[]", b'{"event": "Said"}', b'{"event": "Spent", "usage": 1}'])
def test_a_line_that_is_no_event_is_counted(line):
    found = read(b'{"event": "Said", "text": "x"}\n' + line + b"\n")
    assert (found.events, found.malformed) == ((Said("x"),), 1)


def test_a_trial_is_read_as_it_was_kept(store):
    run = store.begin(NOW, {"skillcheck": "1"})
    folder = store.keep(run, RECORD, KEPT)
    assert folder == run / "tidy/7/1"
    assert run.name.startswith("20260304T050607000000Z-")
    assert about(run) == {"schema_version": 2, "skillcheck": "1"}
    assert store.read(run) == (((folder, RECORD),), ())
    assert kept_in(folder) == KEPT
    assert sorted(os.listdir(folder)) == [
        "changed.json", "diff.patch", "grading.json", "outcome.json", "raw.txt", "stderr.txt", "timing.json",
        "trace.jsonl",
    ]  # fmt: skip


def test_others_read_the_grading_and_the_timing(store):
    folder = store.keep(store.begin(NOW, {}), RECORD, KEPT)
    grading = json.loads((folder / "grading.json").read_text("utf-8"))
    assert grading["summary"] == {"passed": 1, "failed": 1, "total": 2, "pass_rate": 0.5}
    assert grading["expectations"] == grading["assertion_results"]
    assert grading["expectations"][0] == {"text": "It sorts", "passed": True, "evidence": "seen"}
    timing = json.loads((folder / "timing.json").read_text("utf-8"))
    assert timing["total_tokens"] == 10
    assert timing["duration_ms"] == 3500
    assert timing["total_duration_seconds"] == 3.5


def test_secrets_are_stored_nowhere(store):
    secret = "sesame-" + "open"
    record = RECORD._replace(message=secret, notes=(secret,))
    kept = Kept(
        Trace.of([Said(secret)]), secret.encode(), "raw.jsonl", *[secret.encode()] * 2, {secret: "A"}, secret, secret
    )
    run = store.begin(NOW, {"command": secret})
    store.keep(run, record, kept)
    files = [path for path in run.rglob("*") if path.is_file()]
    assert len(files) == 9
    assert not [path for path in files if secret.encode() in path.read_bytes()]
    assert store.read(run)[0][0].record.message == "[redacted MY_TOKEN]"


def test_a_trial_is_never_overwritten(store):
    run = store.begin(NOW, {})
    store.keep(run, RECORD, KEPT)
    with pytest.raises(SkillcheckError, match="a trial is stored there already"):
        store.keep(run, RECORD._replace(message="second"), KEPT)
    assert [stored.record.message for stored in store.read(run)[0]] == [""]
    assert [name for name in os.listdir(run / "tidy/7") if name.startswith(".")] == []


def test_a_trial_is_copied_into_another_run_as_it_was_kept(store):
    old = store.keep(store.begin(NOW, {}), RECORD, KEPT)
    run = store.begin(NOW, {})
    store.copy(old, run, RECORD._replace(reused="before"))
    (found,), faults = store.read(run)
    assert (found.record, faults) == (RECORD._replace(reused="before"), ())
    assert kept_in(found.folder) == kept_in(old)
    with pytest.raises(SkillcheckError, match="a trial is stored there already"):
        store.copy(old, run, RECORD)
    assert [path.name for path in found.folder.parent.iterdir()] == ["1"]


def test_a_trial_is_graded_again_in_its_place(store):
    run = store.begin(NOW, {})
    folder = store.keep(run, RECORD, KEPT)
    store.regrade(folder, RECORD._replace(status="passed", grading=Grading()))
    assert store.read(run)[0][0].record.status == "passed"
    assert json.loads((folder / "grading.json").read_text("utf-8"))["summary"]["pass_rate"] is None
    assert kept_in(folder) == KEPT


def test_the_newest_verdict_of_a_key_is_found_and_no_error(store, tmp_path):
    old = store.begin(NOW, {})
    new = store.begin(NOW.replace(hour=6), {})
    store.keep(old, RECORD._replace(message="old"), KEPT)
    store.keep(new, RECORD._replace(message="new"), KEPT)
    store.keep(new, RECORD._replace(key="k2", trial=2, status="error", how="infra-rate"), KEPT)
    assert store.find("k1").record.message == "new"
    assert store.find("k2") is None
    assert store.runs() == (new, old)
    assert Store(tmp_path / "none", bytes).runs() == ()
    assert Store(tmp_path / "none", bytes).find("k1") is None


def test_a_file_that_can_not_be_read_is_named_and_the_rest_counts(store):
    run = store.begin(NOW, {})
    for trial in range(1, 6):
        store.keep(run, RECORD._replace(trial=trial), KEPT)
    broken = [run / f"tidy/7/{trial}/outcome.json" for trial in range(1, 5)]
    broken[0].write_text('{"schema_version": 99}', "utf-8")
    broken[1].write_text('{"schema_', "utf-8")
    broken[2].write_text('{"schema_version": 1}', "utf-8")
    broken[3].write_text("[]", "utf-8")
    (run / "tidy/7/6").mkdir()
    found, faults = store.read(run)
    assert [stored.record.trial for stored in found] == [5]
    assert faults == (
        f"{broken[0]} can't be read: its schema_version is 99; this version reads 1 to 2",
        f"{broken[1]} can't be read: it is no JSON",
        f"{broken[2]} can't be read: 'key' is missing",
        f"{broken[3]} can't be read: it is no JSON object",
    )


def test_an_outcome_from_before_there_were_arms_and_verifiers_is_one_of_the_usual_arm(store):
    run = store.begin(NOW, {"skillcheck": "0"})
    folder = store.keep(run, RECORD, KEPT)
    for path in (run / "run.json", folder / "changed.json", folder / "outcome.json"):
        data = {name: value for name, value in json.loads(path.read_bytes()).items() if name not in {"arm", "verified"}}
        for verdict in (*data.get("grading", {}).get("expectations", ()), *data.get("grading", {}).get("checks", ())):
            del verdict["process"], verdict["role"]
        path.write_text(json.dumps({**data, "schema_version": 1}), "utf-8")
    assert store.read(run) == (((folder, RECORD),), ())
    assert (about(run)["skillcheck"], kept_in(folder)) == ("0", KEPT)


@pytest.mark.parametrize("version", [None, 0, True, "1", 1.0, 3])
def test_a_version_that_never_was_is_named(version):
    with pytest.raises(ValueError, match=f"its schema_version is {json.dumps(version)}; this version reads 1 to 2"):
        upgraded("outcome.json", {"schema_version": version})


@pytest.mark.parametrize(("name", "text"), [("trace.jsonl", None), ("changed.json", "{}"), ("diff.patch", None)])
def test_what_is_kept_and_can_not_be_read_is_named(store, name, text):
    folder = store.keep(store.begin(NOW, {}), RECORD, KEPT)
    (folder / name).unlink()
    if text:
        (folder / name).write_text(text, "utf-8")
    with pytest.raises(SkillcheckError, match=f"{name} can't be read"):
        kept_in(folder)


def test_results_that_can_not_be_written_are_told_before_anything_runs(tmp_path):
    (tmp_path / "results").write_text("a file", "utf-8")
    with pytest.raises(SkillcheckError, match="results can't be written to"):
        Store(tmp_path / "results", bytes).begin(NOW, {})


def test_a_full_disk_is_told_at_the_trial_and_leaves_nothing(store):
    run = store.begin(NOW, {})
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1000, before[1]))
    try:
        with pytest.raises(SkillcheckError, match=r"results can't be written to .*: File too large"):
            store.keep(run, RECORD, KEPT._replace(raw=b"x" * 5000))
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
        signal.signal(signal.SIGXFSZ, signal.SIG_DFL)
    assert store.read(run) == ((), ())
    assert os.listdir(run / "tidy/7") == []


def test_trials_of_many_threads_and_runs_do_not_meet(store):
    runs = [store.begin(NOW, {}) for _ in range(4)]
    assert len(set(runs)) == 4
    jobs = [
        threading.Thread(target=store.keep, args=(run, RECORD._replace(trial=trial), KEPT))
        for run in runs
        for trial in range(1, 6)
    ]
    for job in jobs:
        job.start()
    for job in jobs:
        job.join()
    assert [[stored.record.trial for stored in store.read(run)[0]] for run in runs] == [[1, 2, 3, 4, 5]] * 4


def test_a_writer_that_is_killed_leaves_whole_trials_only(tmp_path):
    program = (
        "import sys; from pathlib import Path; sys.path.insert(0, sys.argv[2])\n"
        "from test_store import *\n"
        "store = Store(Path(sys.argv[1]), bytes); run = store.begin(NOW, {})\n"
        "print('begun', flush=True)\n"
        "for trial in range(1, 100000): store.keep(run, RECORD._replace(trial=trial), KEPT)\n"
    )
    here = os.path.dirname(__file__)  # noqa: PTH120 - a string for sys.path
    writer = subprocess.Popen([sys.executable, "-c", program, tmp_path, here], stdout=subprocess.PIPE)
    with writer:
        assert writer.stdout.readline() == b"begun\n"
        while not list(tmp_path.glob("*/tidy/7/3")):
            pass
        writer.kill()
    store = Store(tmp_path, bytes)
    found, faults = store.read(store.runs()[0])
    assert faults == ()
    assert len(found) >= 3
    assert all(kept_in(stored.folder) == KEPT for stored in found)


def test_names_on_disk_are_safe_and_differ():
    names = ["a", "A", "1", "a b", "a/b", "..", ".a", "ä", "x" * 100, "x" * 99 + "y", "a\udcff", ""]
    folders = [folder_name(name) for name in names]
    assert folders[0] == "a"
    assert folders[2] == "1"
    assert len({folder.casefold() for folder in folders}) == len(names)
    assert all(len(folder) <= 60 and folder.isascii() and not set(folder) & set("/ ") for folder in folders)
    assert not [folder for folder in folders if folder.startswith(".")]
