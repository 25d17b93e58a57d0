from pathlib import Path

import pytest

from skillcheck.bench.container import Caps, Mount, granted, refusal, run
from skillcheck.bench.package import Resources
from skillcheck.errors import UsageError

IMAGE = "docker.io/library/python@sha256:" + "0a" * 32


@pytest.mark.parametrize("image", [IMAGE, "localhost:5000/a/b:1.2@sha256:" + "f" * 64])
def test_a_pinned_image_is_run(image):
    assert refusal(image) == ""


@pytest.mark.parametrize(
    ("image", "says"),
    [
        (
            "python:3.12",
            "image 'python:3.12' is not pinned: a tag can name another image tomorrow; write python:3.12@sha256",
        ),
        ("python", "image 'python' is not pinned: a tag can"),
        ("python@sha256:abc", "image 'python@sha256:abc' is not pinned: its digest is not sha256 with 64 hex digits"),
        ("python@md5:" + "0" * 64, "image 'python@md5:0"),
        ("--privileged@sha256:" + "0" * 64, "image '--privileged@sha256"),
        (f"{IMAGE} sh", "image"),
        ("", "no image is named"),
    ],
)
def test_any_other_image_is_refused(image, says):
    assert refusal(image).startswith(says)
    with pytest.raises(UsageError):
        run("docker", image, ("sh",), given=granted(Resources(), Caps()), workdir="/root")


@pytest.mark.parametrize(
    ("asked", "caps", "cpus", "memory"),
    [
        (Resources(cpus=4, memory_mb=8192), Caps(2, 4096), 2, 4096),
        (Resources(cpus=1, memory_mb=512), Caps(2, 4096), 1, 512),
        (Resources(cpus=1.5, memory_mb=512), Caps(), 1.5, 512),
        (Resources(cpus=4, memory_mb=512), Caps(cpus=0.5), 0.5, 512),
    ],
)
def test_a_task_gets_the_less_of_what_it_asks_and_may_have(asked, caps, cpus, memory):
    given = granted(asked, caps)
    assert (given.cpus, given.memory_mb) == (cpus, memory)
    assert (given.asked, given.caps) == (asked, caps)


@pytest.mark.parametrize("engine", ["docker", "podman"])
def test_the_command_line_says_it_all(engine):
    words = run(
        engine,
        IMAGE,
        ("bash", "/tests/test.sh"),
        given=granted(Resources(cpus=4, memory_mb=8192, network="no-network"), Caps(1.5, 2048)),
        workdir="/root",
        mounts=(Mount(Path("/a b/tests"), "/tests"), Mount(Path("/logs"), "/logs", writable=True)),
        env=("TOKEN",),
    )
    assert " ".join(words) == (
        f"{engine} run --rm --init --interactive --pull never --cpus 1.5 --memory 2048m --network none"
        " --mount type=bind,source=/a b/tests,target=/tests,readonly --mount type=bind,source=/logs,target=/logs"
        f" --env TOKEN --workdir /root {IMAGE} bash /tests/test.sh"
    )


def test_network_and_gpus_are_given_where_they_are_asked_for():
    words = run("docker", IMAGE, ("x",), given=granted(Resources(gpus=2), Caps()), workdir="/")
    assert "--network" not in words
    assert words[words.index("--gpus") + 1] == "2"


def test_a_list_of_hosts_is_refused():
    with pytest.raises(UsageError, match="docker can't hold a container to a list of allowed hosts"):
        run("docker", IMAGE, (), given=granted(Resources(network="allowlist"), Caps()), workdir="/")


def test_a_comma_in_a_mount_is_refused():
    with pytest.raises(UsageError, match="a comma ends a path there"):
        run(
            "docker",
            IMAGE,
            (),
            given=granted(Resources(), Caps()),
            workdir="/",
            mounts=[Mount(Path("/a,readonly"), "/a")],
        )
