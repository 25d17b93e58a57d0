import hashlib
import os
import resource

import pytest

from skillcheck.bench import digest
from skillcheck.evals.workspace.digest import of_set


def published(files):
    """BenchFlow's algorithm, from its description: sorted by path, path, NUL and sha256 of each file."""
    parts = (path.encode() + b"\0" + hashlib.sha256(data).digest() for path, data in sorted(files.items()))
    return "sha256:" + hashlib.sha256(b"".join(parts)).hexdigest()


def write(folder, files):
    for name, data in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    return folder


FILES = {"task.md": b"---\n---\nDo.\n", "a/b.txt": b"x", "a.txt": b"", "a-b/c": bytes(range(256)), "é.md": "ü".encode()}


def test_the_digest_is_that_of_the_published_algorithm(tmp_path):
    assert digest.of_task(write(tmp_path, FILES)) == published(FILES)


def test_a_known_folder_has_a_known_digest(tmp_path):
    """Made once with sha256sum and a shell alone."""
    write(tmp_path, {"task.md": b"hello\n", "verifier/test.sh": b"exit 0\n"})
    assert digest.of_task(tmp_path) == "sha256:ee1843617812c8266da07569ecf32624dfffd8d01448f7a72bd540716b648443"


def test_links_modes_and_the_source_file_do_not_count(tmp_path):
    folder = write(tmp_path / "task", FILES)
    write(folder, {".benchflow-source.json": b"{}", "a/.benchflow-source.json": b"{}"})
    (folder / "link").symlink_to("task.md")
    (folder / "folder").symlink_to("a")
    (folder / "empty").mkdir()
    (folder / "task.md").chmod(0o755)
    assert digest.of_task(folder) == published(FILES)


@pytest.mark.parametrize("change", [{"task.md": b"other"}, {"new": b""}])
def test_every_byte_and_name_counts(tmp_path, change):
    assert digest.of_task(write(tmp_path, FILES | change)) != published(FILES)


def test_a_folder_that_is_not_there_has_no_digest(tmp_path):
    with pytest.raises(FileNotFoundError):
        digest.of_task(tmp_path / "none")


def test_large_files_are_read_in_pieces(tmp_path):
    with (tmp_path / "large").open("wb") as file:
        os.truncate(file.fileno(), 300 << 20)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    digest.of_task(tmp_path)
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 50 << 10


def test_a_set_has_the_digest_of_its_canonical_json():
    text = '{"task_set":"smoke","tasks":{"a":"sha256:1","b":"sha256:2"}}'
    wanted = "sha256:" + hashlib.sha256(text.encode()).hexdigest()
    assert of_set("smoke", {"b": "sha256:2", "a": "sha256:1"}) == wanted
    assert of_set("full", {"b": "sha256:2", "a": "sha256:1"}) != wanted
