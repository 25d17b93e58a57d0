import os

import pytest

from skillcheck.bench.reward import Reward, Unverified, read
from skillcheck.evals.trace.outcome import CLASSES, Then
from skillcheck.process import Exit

ENDED = Exit(0, 1.0, "", truncated=False)


def written(folder, **files):
    for name, data in files.items():
        (folder / name.replace("_", ".")).write_bytes(data)
    return folder


@pytest.mark.parametrize(
    ("data", "value"),
    [(b"1", 1), (b"0\n", 0), (b" 0.25 \r\n", 0.25), (b"1.0\n\n", 1), (b"1e-3", 0.001), (b".5", 0.5), (b"-0", 0)],
)
def test_a_number_is_a_reward(tmp_path, data, value):
    assert read(written(tmp_path, reward_txt=data), ENDED) == Reward(value)


@pytest.mark.parametrize(
    ("data", "says"),
    [
        (b"NaN\n", "reward.txt says NaN; it must say a number from 0 to 1"),
        (b"7", "reward.txt says 7;"),
        (b"-0.1", "reward.txt says -0.1;"),
        (b"1.0001", "reward.txt says 1.0001;"),
        (b"inf", "reward.txt says inf;"),
        (b"1\n0\n", "reward.txt has 2 lines; it must hold a number from 0 to 1 alone"),
        (b"1 0", "reward.txt says 1 0;"),
        (b"passed", "reward.txt says passed;"),
        (b"True", "reward.txt says True;"),
        (b"1_0", "reward.txt says 1_0;"),
        ("\u0660".encode(), "reward.txt says \u0660;"),
        (b"\xff\x00", "reward.txt says"),
        (b"", "reward.txt is empty"),
        (b" \n\n", "reward.txt is empty"),
        (b"9" * 100_000, "reward.txt says 9999"),
    ],
)
def test_anything_else_is_none(tmp_path, data, says):
    found = read(written(tmp_path, reward_txt=data), ENDED)
    assert isinstance(found, Unverified)
    assert found.how == "verifier-output"
    assert found.message.startswith(says)
    assert len(found.message) < 200


@pytest.mark.parametrize(("data", "value"), [(b'{"reward": 0.5, "tests": 4}', 0.5), (b'{"reward": 1}', 1)])
def test_a_reward_json_is_read_where_there_is_no_text(tmp_path, data, value):
    assert read(written(tmp_path, reward_json=data), ENDED) == Reward(value)


@pytest.mark.parametrize(
    ("data", "says"),
    [
        (b"{}", 'reward.json must be an object with one member "reward"'),
        (b"1", "reward.json must be an object"),
        (b'{"reward": 1, "reward": 0}', "reward.json must be an object"),
        (b'{"reward": true}', "reward.json says True;"),
        (b'{"reward": "1"}', "reward.json says '1';"),
        (b'{"reward": NaN}', "reward.json is not JSON: NaN is not JSON"),
        (b'{"reward": 7}', "reward.json says 7;"),
        (b"\xff", "reward.json is not JSON"),
        (b"", "reward.json is not JSON"),
    ],
)
def test_any_other_json_is_none(tmp_path, data, says):
    found = read(written(tmp_path, reward_json=data), ENDED)
    assert isinstance(found, Unverified)
    assert found.message.startswith(says)


def test_the_text_counts_where_both_are_there(tmp_path):
    assert read(written(tmp_path, reward_txt=b"0", reward_json=b'{"reward": 1}'), ENDED) == Reward(0)


@pytest.mark.parametrize("name", [".", "gone"])
def test_nothing_left_is_told(tmp_path, name):
    found = read(tmp_path / name, ENDED)
    assert found.how == "verifier-output"
    assert found.message.startswith("the verifier left neither reward.txt nor reward.json")


@pytest.mark.parametrize("kind", ["pipe", "folder", "outward", "dangling"])
def test_what_is_no_file_is_never_opened(tmp_path, kind):
    logs = tmp_path / "logs"
    logs.mkdir()
    (tmp_path / "one").write_text("1")
    place = logs / "reward.txt"
    {
        "pipe": lambda: os.mkfifo(place),
        "folder": place.mkdir,
        "outward": lambda: place.symlink_to(tmp_path / "one"),
        "dangling": lambda: place.symlink_to("none"),
    }[kind]()
    found = read(logs, ENDED)
    assert found.how == "verifier-output"
    assert "'reward.txt' is " in found.message


@pytest.mark.parametrize(
    ("exited", "how", "says"),
    [
        (Exit(3, 1, "", truncated=False), "verifier-crash", "the verifier ended with status 3; it must end with 0"),
        (Exit(-11, 1, "", truncated=False), "verifier-crash", "the verifier was ended by signal 11"),
        (Exit(-15, 30.2, "wall", truncated=False), "verifier-timeout", "the verifier was stopped after 30 seconds"),
        (Exit(-15, 30.2, "idle", truncated=False), "verifier-timeout", "the verifier was stopped after 30 seconds"),
        (Exit(-15, 2, "interrupted", truncated=False), "interrupted", "the run was interrupted"),
    ],
)
def test_a_verifier_that_failed_gives_no_reward(tmp_path, exited, how, says):
    found = read(written(tmp_path, reward_txt=b"1"), exited)
    assert found.how == how
    assert found.message.startswith(says)


def test_no_verdict_is_never_graded():
    hows = ("verifier-crash", "verifier-timeout", "verifier-output", "interrupted")
    assert {CLASSES[how].then for how in hows} == {Then.STOP}
