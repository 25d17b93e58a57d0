import secrets

from skillcheck.evals.grading.fence import fenced, new_fence


def test_each_fence_is_another():
    fences = {new_fence() for _ in range(50)}
    assert len(fences) == 50
    assert all(len(fence) == 32 for fence in fences)


def test_a_fence_that_stands_in_the_data_is_not_taken(monkeypatch):
    drawn = iter(("aa", "bb", "cc"))
    monkeypatch.setattr(secrets, "token_hex", lambda _: next(drawn))
    assert new_fence("xaax", "bb") == "cc"


def test_a_fence_stands_around_its_text():
    assert fenced("TRACE", "one\ntwo\n", "f0").splitlines() == ["BEGIN TRACE f0", "one", "two", "", "END TRACE f0"]
