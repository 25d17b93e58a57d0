import pytest


@pytest.mark.parametrize("path", ["a.tmp", "*.tmp", "**/*.tmp", "gone/a.tmp"])
def test_nothing_is_there(path, judge):
    assert judge({"type": "file-absent", "path": path}) == (True, f"there is no {path!r}")


@pytest.mark.parametrize("path", ["a/b.tmp", "a/*.tmp", "**/*.tmp", "a/**"])
def test_a_file_is_there(path, work, judge):
    (work / "a").mkdir()
    (work / "a/b.tmp").touch()
    assert judge({"type": "file-absent", "path": path}) == (False, "'a/b.tmp' is a file")


def test_what_is_no_file_is_there_too(judge, odd):
    for path, reason in odd.items():
        assert judge({"type": "file-absent", "path": path}) == (False, reason)
    assert judge({"type": "file-absent", "path": "pip*"}) == (False, odd["pipe"])


def test_a_workspace_that_is_gone_passes_nothing(work, judge):
    work.rmdir()
    assert judge({"type": "file-absent", "path": "a"}) == (False, "the workspace is gone")
