import os
import sys
import threading

import pytest
from tasks import PACKAGES, TASK_MD, good

from skillcheck import process
from skillcheck.bench import local, reward
from skillcheck.bench.load import load_all
from skillcheck.bench.local import Room
from skillcheck.bench.reward import Reward
from skillcheck.errors import UsageError
from skillcheck.evals.workspace.sandbox import Sandbox, choose
from skillcheck.process import Limits

AUTO = choose("auto")
bwrap = pytest.mark.skipif(AUTO.kind == "none", reason=f"bubblewrap is tested where it works: {AUTO.warning}")
posix = pytest.mark.skipif(sys.platform == "win32", reason="verifiers are shell scripts")
BOTH = [pytest.param("bwrap", marks=bwrap), "none"]
OURS = {package.id: package for home in ("v1.0", "v1.1") for package in load_all(PACKAGES / home).packages}
PLAIN = "FROM ubuntu:24.04\nWORKDIR /root\n"


def run(package, program, room, kind):
    """Run an oracle or a verifier in a room; how it ended."""
    return process.supervise(
        local.command(package, program, room, Sandbox(kind)),
        cwd=room.work,
        env={"PATH": os.environ["PATH"], **local.variables(package, room, {})},
        stdin=b"",
        stdout=room.logs / "stdout",
        stderr=room.logs / "stderr",
        limits=Limits(wall_s=package.settings.verifier_timeout_s),
        watch=lambda lines: "".join("" for _ in lines),
        stop=threading.Event(),
    )


def judged(package, root, kind, work=None):
    """The reward for what `work` does in a task's work folder."""
    root.mkdir()
    room = Room.made(root)
    local.stage(package, room.work)
    if work:
        work(room)
    return reward.read(room.rewards, run(package, package.verifier, room, kind))


def solved(package, kind):
    def work(room):
        assert run(package, package.oracle, room, kind).status == 0, (room.logs / "stderr").read_text()

    return work


@posix
@pytest.mark.parametrize("kind", BOTH)
@pytest.mark.parametrize("name", sorted(OURS))
def test_the_oracle_gets_everything_and_nobody_nothing(tmp_path, name, kind):
    package = OURS[name]
    if local.obstacle(package, kind):
        assert (package.layout, kind) == ("1.0", "none")
        return
    assert judged(package, tmp_path / "oracle", kind, solved(package, kind)) == Reward(1)
    assert judged(package, tmp_path / "nop", kind) == Reward(0)


@posix
@bwrap
@pytest.mark.parametrize(
    ("name", "file", "text", "value"),
    [
        ("lockout-report", "locked.csv", "account,locked_at\nines,2026-03-02T08:10:00\nmona,\n", 0.3333),
        ("lockout-report", "locked.csv", "account,locked_at\nines,2026-03-02T08:10:00\nkarl,\n", 0),
        ("release-notes", "NOTES.md", "# 3.0.0\n\n## New\n\n- print in two columns\n", 0.5),
    ],
)
def test_a_part_of_the_work_gets_a_part_of_the_reward(tmp_path, name, file, text, value):
    assert judged(OURS[name], tmp_path / "run", "bwrap", lambda room: (room.work / file).write_text(text)) == Reward(
        value
    )


@posix
@bwrap
@pytest.mark.parametrize(
    ("script", "how"),
    [
        ("exit 3", "verifier-crash"),
        ("true", "verifier-output"),
        ("echo NaN > /logs/verifier/reward.txt", "verifier-output"),
        ("echo 1 > /logs/verifier/reward.txt; rm /logs/verifier/reward.txt", "verifier-output"),
        ("echo 1 > /logs/verifier/reward.txt; kill -9 $$", "verifier-crash"),
        ("echo 1 > /logs/verifier/reward.txt; sleep 60", "verifier-timeout"),
    ],
)
def test_a_bad_verifier_gives_no_reward(tmp_path, script, how):
    files = {"task.md": TASK_MD.replace("timeout_sec: 30", "timeout_sec: 1"), "verifier/test.sh": script}
    assert judged(good(tmp_path / "stars", "1.1", files), tmp_path / "run", "bwrap").how == how


@posix
@bwrap
def test_what_a_verifier_leaves_running_ends_with_it(tmp_path):
    script = "(sleep 3; echo 1 > /logs/verifier/late) & echo 0.5 > /logs/verifier/reward.txt"
    package = good(tmp_path / "stars", "1.1", {"verifier/test.sh": script})
    assert judged(package, tmp_path / "run", "bwrap") == Reward(0.5)
    assert not (tmp_path / "run/logs/verifier/late").exists()


@posix
@bwrap
def test_programs_find_the_places_of_a_container_and_nothing_else_is_written(tmp_path):
    script = """
    pwd > /logs/verifier/where
    test -e /verifier/test.sh && touch /app/here && ! touch /elsewhere && ! touch /usr/elsewhere &&
    echo 1 > $BENCHFLOW_REWARD_TEXT
    """
    files = {"environment/Dockerfile": "FROM ubuntu\nWORKDIR /app\n", "verifier/test.sh": script}
    assert judged(good(tmp_path / "stars", "1.1", files), tmp_path / "run", "bwrap") == Reward(1)
    assert (tmp_path / "run/logs/verifier/where").read_text() == "/app\n"
    assert (tmp_path / "run/work/here").exists()


def test_files_are_staged_where_the_dockerfile_puts_them(tmp_path):
    copies = "COPY a.csv /root/\nCOPY a.csv /root/x/b.csv\nCOPY data /root/in\nCOPY *.txt docs/\nCOPY skills /skills\n"
    files = {
        "environment/Dockerfile": PLAIN + copies,
        "environment/a.csv": "a",
        "environment/data/deep/c": "c",
        "environment/one.txt": "1",
        "environment/two.txt": "2",
        "environment/skills/s/SKILL.md": "no",
    }
    package = good(tmp_path / "stars", "1.1", files)
    assert local.obstacle(package, "bwrap") == ""
    room = Room.made(tmp_path)
    local.stage(package, room.work)
    found = {path.relative_to(room.work).as_posix() for path in room.work.rglob("*") if path.is_file()}
    assert found == {"a.csv", "x/b.csv", "in/deep/c", "docs/one.txt", "docs/two.txt"}


@pytest.mark.parametrize("recipe", [None, f"{PLAIN}COPY . /root/\n"])
def test_an_environment_is_staged_whole_but_for_skills(tmp_path, recipe):
    files = {"environment/Dockerfile": recipe, "environment/a": "a", "environment/skills/s/SKILL.md": "no"}
    room = Room.made(tmp_path)
    local.stage(good(tmp_path / "stars", "1.1", files), room.work)
    assert [path.name for path in room.work.rglob("*")] == ["a"]


@posix
@pytest.mark.parametrize("kind", BOTH)
def test_an_oracle_that_writes_its_own_reward_gets_none(tmp_path, kind):
    files = {"oracle/solve.sh": "echo 1 > $BENCHFLOW_REWARD_TEXT\n", "verifier/test.sh": "ls\n"}
    package = good(tmp_path / "stars", "1.1", files)
    assert judged(package, tmp_path / "run", kind, solved(package, kind)).how == "verifier-output"
    assert [path.name for path in (tmp_path / "run/programs").iterdir()] == ["test.sh"]


@pytest.mark.parametrize("source", ["gone.csv", "../../secret", "no*", "link"])
def test_a_copy_of_nothing_or_from_outside_is_told(tmp_path, source):
    (tmp_path / "secret").mkdir()
    (tmp_path / "stars" / "environment").mkdir(parents=True)
    (tmp_path / "stars" / "environment" / "link").symlink_to(tmp_path / "secret")
    package = good(tmp_path / "stars", "1.1", {"environment/Dockerfile": f"{PLAIN}COPY {source} /root/\n"})
    with pytest.raises(UsageError, match=r"environment/Dockerfile copies .* which isn't there"):
        local.stage(package, Room.made(tmp_path).work)


@pytest.mark.parametrize(
    ("settings", "files", "says"),
    [
        ("gpus: 1", {}, "it needs 1 GPU"),
        ("gpus: 2", {}, "it needs 2 GPUs"),
        ("allow_internet: false", {}, "its network is 'no-network', and agents share this machine's"),
        ("docker_image: a/b@sha256:0", {}, "it runs in the image 'a/b@sha256:0'"),
        ("cpus: 1", {"environment/docker-compose.yaml": "x"}, "environment/docker-compose.yaml describes containers"),
        (
            "cpus: 1",
            {"environment/Dockerfile": f"{PLAIN}RUN apt-get update"},
            "line 3 of its Dockerfile runs 'apt-get up",
        ),
        (
            "cpus: 1",
            {"environment/Dockerfile": f"{PLAIN}COPY a /opt/a"},
            "its Dockerfile copies to '/opt/a', outside of",
        ),
        (
            "cpus: 1",
            {"environment/Dockerfile": f"{PLAIN}COPY a /rooted"},
            "its Dockerfile copies to '/rooted', outside of",
        ),
        (
            "cpus: 1",
            {"verifier/test.sh": "# apt-get x\nset -e\napt-get update\n"},
            "line 3 of its verifier fetches what it needs",
        ),
        (
            "cpus: 1",
            {"verifier/test.sh": "if x; then curl -L https://x | sh; fi"},
            "line 1 of its verifier fetches what it needs",
        ),
        (
            "cpus: 1",
            {"verifier/test.sh": "uvx \\\n --with pytest pytest"},
            "line 1 of its verifier fetches what it needs",
        ),
    ],
)
def test_what_keeps_a_task_from_this_machine_is_told(tmp_path, settings, files, says):
    files = {"task.md": TASK_MD.replace("cpus: 2", settings), **files}
    assert local.obstacle(good(tmp_path / "stars", "1.1", files), "bwrap").startswith(says)


@pytest.mark.parametrize("workdir", ["/usr/src/app", "/var/x", "/home/nobody-here/x"])
def test_a_work_folder_that_is_this_machines_is_told(tmp_path, workdir):
    package = good(tmp_path / "stars", "1.1", {"environment/Dockerfile": f"FROM ubuntu\nWORKDIR {workdir}\n"})
    top = "/" + workdir.split("/")[1]
    assert local.obstacle(package, "bwrap") == f"its work folder is {workdir!r}, and {top} is this machine's own"
    assert local.obstacle(package, "none") == ""


def test_installing_that_can_be_skipped_is_no_obstacle(tmp_path):
    script = 'if [ "$BENCHFLOW_SKIP_VERIFIER_DEPS" != 1 ]; then apt-get update; fi\n'
    package = good(tmp_path / "stars", "1.1", {"verifier/test.sh": script})
    assert local.obstacle(package, "bwrap") == ""
    assert local.variables(package, Room.made(tmp_path), {})["BENCHFLOW_SKIP_VERIFIER_DEPS"] == "1"


@pytest.mark.parametrize(
    ("files", "says"),
    [
        ({"task.md": TASK_MD.replace("stars", "stars of /root/sky.csv")}, "task.md names /root, which only bubblewrap"),
        ({"verifier/test.sh": "python3 /tests/a.py"}, "verifier/test.sh names /tests, which only bubblewrap"),
        ({"verifier/test.sh": "x", "verifier/a.py": 'open("/root/x")'}, "verifier/a.py names /root, which only"),
        ({"oracle/solve.sh": "echo 1 > /root/x"}, "oracle/solve.sh names /root, which only bubblewrap"),
        ({"verifier/test.sh": 'd="${BENCHFLOW_VERIFIER_DIR:-/verifier}"\n'}, ""),
        ({"verifier/test.sh": "x", "verifier/a.py": 'os.environ.get("BENCHFLOW_WORKSPACE", "/root")'}, ""),
        ({"verifier/test.sh": "ls my/tests ./logs $x/root /rooted"}, ""),
    ],
)
def test_without_bubblewrap_no_place_of_a_container_may_be_named(tmp_path, files, says):
    package = good(tmp_path / "stars", "1.1", files)
    assert local.obstacle(package, "none").startswith(says or "x") is bool(says)
    assert local.obstacle(package, "bwrap") == ""


def test_variables_lead_into_the_room(tmp_path):
    package = OURS["station-means"]
    room = Room.made(tmp_path)
    found = local.variables(package, room, {"BENCHFLOW_PYTEST_BIN": "/opt/pytest", "SECRET": "x"})
    assert found["BENCHFLOW_WORKSPACE"] == str(room.work)
    assert found["BENCHFLOW_REWARD_TEXT"] == str(room.rewards / "reward.txt")
    assert found["BENCHFLOW_PYTEST_BIN"] == "/opt/pytest"
    assert found["STATION_UNIT"] == "celsius"
    assert "SECRET" not in found
