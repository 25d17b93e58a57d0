import json

import pytest
from catalogs import git, write

from skillcheck import ratchet_file
from skillcheck.config import Config
from skillcheck.errors import SkillcheckError, UsageError
from skillcheck.router.ratchet import Floor

NAME = "evals/ratchet.json"
GOOD = '{"schema_version": 1, "catalog": 80, "skills": {"a": 50.5}}'


def test_no_file_is_no_floor(tmp_path):
    assert ratchet_file.read(Config(tmp_path)) is None


@pytest.mark.parametrize("content", [GOOD, b"\xef\xbb\xbf" + GOOD.encode()], ids=["plain", "byte-order mark"])
def test_a_floor_is_read(content, tmp_path):
    assert ratchet_file.read(Config(write(tmp_path, {NAME: content}))) == Floor(80.0, {"a": 50.5})


def test_what_is_written_is_read_again(tmp_path):
    floor = Floor(66.66, {"b": 100.0, "a": 0.0})
    ratchet_file.write(Config(tmp_path), floor)
    assert ratchet_file.read(Config(tmp_path)) == floor
    text = (tmp_path / NAME).read_text("utf-8")
    assert text.endswith("}\n")
    assert list(json.loads(text)["skills"]) == ["a", "b"]


@pytest.mark.parametrize(
    ("content", "part"),
    [
        ("null", "schema_version 1"),
        ("[]", "schema_version 1"),
        ("{}", "schema_version 1"),
        ('{"schema_version": 2, "catalog": 1}', "schema_version 1"),
        ('{"schema_version": 1}', "None"),
        ('{"schema_version": 1, "catalog": "80"}', "'80'"),
        ('{"schema_version": 1, "catalog": true}', "True"),
        ('{"schema_version": 1, "catalog": 101}', "101"),
        ('{"schema_version": 1, "catalog": 1e999}', "inf"),
        ('{"schema_version": 1, "catalog": 1, "skills": []}', "skills"),
        ('{"schema_version": 1, "catalog": 1, "skills": {"a": null}}', "None"),
    ],
    ids=[
        "null", "list", "empty", "later version", "no catalog", "string", "boolean", "too much", "infinity",
        "skills a list", "skill null",
    ],
)  # fmt: skip
def test_a_wrong_file_is_told_with_its_name(content, part, tmp_path):
    with pytest.raises(UsageError) as error:
        ratchet_file.read(Config(write(tmp_path, {NAME: content})))
    assert str(error.value).startswith(f"{NAME}: ")
    assert part in str(error.value)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("{\n  x", f"{NAME}:2:3: not JSON: expecting property name enclosed in double quotes"),
        ("", f"{NAME}:1:1: not JSON: expecting value"),
        ("[" * 100_000, f"{NAME}:1:1: not JSON: values are nested more than 64 levels deep"),
        (b"\xff\xfe\x00", f"{NAME}: can't be read: it is not UTF-8"),
    ],
    ids=["broken", "empty", "too deep", "no UTF-8"],
)
def test_what_is_no_json_is_told_with_its_place(content, message, tmp_path):
    with pytest.raises(UsageError) as error:
        ratchet_file.read(Config(write(tmp_path, {NAME: content})))
    assert str(error.value) == message


def test_a_folder_in_its_place_is_told(tmp_path):
    (tmp_path / NAME).mkdir(parents=True)
    with pytest.raises(UsageError, match=rf"^{NAME}: can't be read: Is a directory$"):
        ratchet_file.read(Config(tmp_path))
    with pytest.raises(UsageError, match=rf"^{NAME} can't be written: Is a directory$"):
        ratchet_file.write(Config(tmp_path), Floor(1, {}))


def test_the_floor_of_a_revision_is_read_wherever_the_catalog_stands_in_the_repository(tmp_path):
    root = write(tmp_path, {f"deep/{NAME}": GOOD}) / "deep"
    git(tmp_path, "init", "-q")
    git(tmp_path, "add", "--all")
    git(tmp_path, "commit", "-qm", "one")
    write(root, {NAME: GOOD.replace("80", "70")})
    config = Config(root)
    assert ratchet_file.read_at(config, "HEAD") == Floor(80.0, {"a": 50.5})
    assert ratchet_file.read(config) == Floor(70.0, {"a": 50.5})
    (root / NAME).unlink()
    git(tmp_path, "commit", "-qam", "two")
    assert ratchet_file.read_at(config, "HEAD") is None
    with pytest.raises(UsageError, match=r"^--against: git knows no revision 'none'$"):
        ratchet_file.read_at(config, "none")
    with pytest.raises(UsageError, match="git knows no revision '--help'"):
        ratchet_file.read_at(config, "--help")


def test_a_floor_of_a_revision_needs_git(tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(SkillcheckError, match=r"^git is not installed$") as error:
        ratchet_file.read_at(Config(tmp_path), "HEAD")
    assert error.value.exit_status == 3
