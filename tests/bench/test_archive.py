import functools
import http.server
import os
import stat
import struct
import threading
import zipfile

import pytest
from tasks import PACKAGES

from skillcheck.bench import archive
from skillcheck.bench.load import load_all
from skillcheck.errors import SkillcheckError, UsageError


@pytest.fixture
def zipped(tmp_path):
    """Make a zip of entries, by name or ZipInfo."""

    def made(*entries):
        path = tmp_path / "set.zip"
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as file:
            for name, data in entries:
                file.writestr(name, data)
        return path

    return made


def entry(name, mode):
    info = zipfile.ZipInfo(name)
    info.external_attr = mode << 16
    return info


def test_a_data_set_is_unpacked_and_read(tmp_path, zipped):
    files = sorted(path for path in PACKAGES.rglob("*") if path.is_file())
    names = [
        f"skillsbench/tasks/{path.relative_to(PACKAGES / path.relative_to(PACKAGES).parts[0]).as_posix()}"
        for path in files
    ]
    archive.unpack(zipped(*zip(names, (path.read_bytes() for path in files), strict=True)), tmp_path / "out")
    loaded = load_all(tmp_path / "out")
    assert loaded.faults == ()
    assert len(loaded.packages) == 6


def test_modes_become_those_of_git(tmp_path, zipped):
    program, text = entry("a/run.sh", stat.S_IFREG | 0o4711), entry("a/b", stat.S_IFREG | 0o600)
    archive.unpack(zipped((program, "x"), (text, "y"), ("empty/", "")), tmp_path / "out")
    assert stat.S_IMODE((tmp_path / "out/a/run.sh").stat().st_mode) == 0o755
    assert stat.S_IMODE((tmp_path / "out/a/b").stat().st_mode) == 0o644
    assert (tmp_path / "out/empty").is_dir()


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("../evil", "entry '../evil' leaves the folder: it goes upward"),
        ("a/../../evil", "entry 'a/../../evil' leaves the folder: it goes upward"),
        ("/etc/evil", "entry '/etc/evil' leaves the folder: it is not relative"),
        ("C:/evil", "entry 'C:/evil' leaves the folder: it is not relative"),
        ("..\\evil", r"leaves the folder: it has a backslash"),
        (entry("link", stat.S_IFLNK | 0o777), "entry 'link' is a link"),
        (entry("pipe", stat.S_IFIFO | 0o777), "entry 'pipe' is no file"),
    ],
)
def test_what_leads_outside_is_refused_whole(tmp_path, zipped, name, says):
    with pytest.raises(UsageError) as caught:
        archive.unpack(zipped(("good", "x"), (name, "/etc/passwd")), tmp_path / "out")
    assert str(caught.value).startswith("set.zip is not unpacked: ")
    assert says in str(caught.value)
    assert sorted(os.listdir(tmp_path)) == ["set.zip"]


def test_bombs_are_refused(tmp_path, zipped, monkeypatch):
    with pytest.raises(UsageError, match=r"entry 'zeros' grows .* times, more than 200"):
        archive.unpack(zipped(("zeros", bytes(8 << 20))), tmp_path / "out")
    monkeypatch.setattr(archive, "MAX_BYTES", 100)
    with pytest.raises(UsageError, match="it would become 120 bytes, more than 100"):
        archive.unpack(zipped(("a", "x" * 60), ("b", "x" * 60)), tmp_path / "out")
    monkeypatch.setattr(archive, "MAX_FILES", 1)
    with pytest.raises(UsageError, match="it has 2 entries, more than 1"):
        archive.unpack(zipped(("a", ""), ("b", "")), tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_a_size_that_is_a_lie_is_found(tmp_path, zipped):
    path = zipped(("a", b"y" * 5000))
    data = bytearray(path.read_bytes())
    for at in (data.index(b"PK\3\4") + 22, data.index(b"PK\1\2") + 24):
        struct.pack_into("<I", data, at, 10)
    path.write_bytes(data)
    with pytest.raises(UsageError, match=r"set\.zip can't be unpacked: Bad CRC-32"):
        archive.unpack(path, tmp_path / "out")
    assert not (tmp_path / "out").exists()


@pytest.mark.filterwarnings("ignore:Duplicate name")
@pytest.mark.parametrize("names", [("a", "a"), ("a", "a/b"), ("a/b", "a")])
def test_what_stands_twice_is_refused(tmp_path, zipped, names):
    with pytest.raises(SkillcheckError, match="can't be unpacked"):
        archive.unpack(zipped(*((name, "x") for name in names)), tmp_path / "out")
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("data", [b"", b"no zip", b"PK\3\4" + bytes(40)])
def test_what_is_no_zip_is_told(tmp_path, data):
    (tmp_path / "set.zip").write_bytes(data)
    with pytest.raises(UsageError, match=r"set\.zip can't be unpacked: File is not a zip file"):
        archive.unpack(tmp_path / "set.zip", tmp_path / "out")


def test_a_file_is_fetched(tmp_path):
    (tmp_path / "a b.zip").write_bytes(b"data")
    archive.fetch((tmp_path / "a b.zip").as_uri(), tmp_path / "copy")
    assert (tmp_path / "copy").read_bytes() == b"data"


@pytest.fixture
def server(tmp_path):
    class Quiet(http.server.SimpleHTTPRequestHandler):
        def log_message(self, *_):
            pass

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=tmp_path)) as running:
        threading.Thread(target=running.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{running.server_port}"
        running.shutdown()


def test_a_file_is_fetched_from_a_server(tmp_path, server):
    (tmp_path / "set.zip").write_bytes(b"data")
    archive.fetch(f"{server}/set.zip", tmp_path / "copy")
    assert (tmp_path / "copy").read_bytes() == b"data"
    with pytest.raises(SkillcheckError, match="can't be fetched: HTTP Error 404"):
        archive.fetch(f"{server}/none.zip", tmp_path / "copy")


@pytest.mark.parametrize("url", ["set.zip", "ftp://example.com/set.zip", "data:,x", ""])
def test_another_kind_of_url_is_refused(tmp_path, url):
    with pytest.raises(UsageError, match="can't be fetched: it must begin with file://, http:// or https://"):
        archive.fetch(url, tmp_path / "copy")


@pytest.mark.parametrize("url", ["file:///nowhere/set.zip", "http://127.0.0.1:1/set.zip", "http://", "http://[x/"])
def test_what_cannot_be_fetched_is_told(tmp_path, url):
    with pytest.raises(SkillcheckError, match="can't be fetched"):
        archive.fetch(url, tmp_path / "copy")


def test_too_much_is_not_fetched(tmp_path, monkeypatch):
    monkeypatch.setattr(archive, "MAX_ZIP_BYTES", 3)
    (tmp_path / "set.zip").write_bytes(b"data")
    with pytest.raises(UsageError, match="has more than 3 bytes"):
        archive.fetch((tmp_path / "set.zip").as_uri(), tmp_path / "copy")
