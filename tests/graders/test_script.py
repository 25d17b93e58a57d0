import pytest


@pytest.fixture
def scored(fixtures, judge):
    def judged(body, mode=0o755, **options):
        path = fixtures / "box/.eval/reward"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(body if body.startswith("#!") else f"#!/bin/sh\n{body}\n", "utf-8")
        path.chmod(mode)
        return judge({"type": "script", "path": "box/.eval/reward", **options})

    return judged


GAVE = "'box/.eval/reward' gave "


@pytest.mark.parametrize(
    ("body", "options", "passed", "reason"),
    [
        ("echo 1", {}, True, "1, and 1 is wanted"),
        ("echo 1.0; echo", {}, True, "1, and 1 is wanted"),
        ("echo .5", {"threshold": 0.5}, True, "0.5, and 0.5 is wanted"),
        ("echo 0.99", {}, False, "0.99, and 1 is wanted"),
        ("echo 0", {"threshold": 0}, True, "0, and 0 is wanted"),
        ("echo looked at 3 files; echo 1 >&2; echo 0", {}, False, "0, and 1 is wanted"),
        ("""echo '{"score": 0.25, "details": "one of four"}'""", {}, False, "0.25, and 1 is wanted: one of four"),
        ("""echo '{"score": 1, "details": ["a"]}'""", {}, True, '1, and 1 is wanted: ["a"]'),
        ("#!/usr/bin/env python3\nprint(1)", {}, True, "1, and 1 is wanted"),
    ],
)
def test_the_last_line_is_the_reward(body, options, passed, reason, scored):
    assert scored(body, **options) == (passed, GAVE + reason)


@pytest.mark.parametrize(
    ("body", "wrong"),
    [
        *((f"echo '{line}'", "ended without a reward from 0 to 1")
          for line in ("NaN", "7", "-0.1", "inf", "1e999", "0.5 0.7", "true", "{}", '{"score": true}', '{"score": NaN}',
                       '{"score": "1"}', '{"score": 1.5}', '{"score": 1, "score": 0}', "[1]", "passed")),
        ("true", "ended without a reward from 0 to 1"),
        ("echo 1; echo done", "ended without a reward from 0 to 1"),
        ("echo 1; echo 0", "gave more than one reward"),
        ("""echo '{"score": 0}'; echo 1""", "gave more than one reward"),
        ("echo 1; exit 3", "ended with status 3"),
        ("echo 1; kill -9 $$", "was ended by signal 9"),
    ],
)  # fmt: skip
def test_anything_else_is_no_verdict(body, wrong, scored):
    passed, reason = scored(body)
    assert passed is None
    assert reason.startswith(f"'box/.eval/reward' {wrong}; it printed ")


@pytest.mark.parametrize(
    ("body", "options", "reason"),
    [
        ("echo 1", {"mode": 0o644}, "'box/.eval/reward' may not be run, or what its first line names is not installed"),
        (
            "#!/no/such/program\n",
            {},
            "'box/.eval/reward' may not be run, or what its first line names is not installed",
        ),
        ("sleep 30", {"timeout": 0.2}, "did not finish in 0.2 seconds"),
    ],
    ids=["not executable", "no interpreter", "slow"],
)
def test_a_program_that_does_not_run_is_no_verdict(body, options, reason, scored):
    passed, told = scored(body, **options)
    assert (passed, told.endswith(reason)) == (None, True)


def test_it_runs_in_the_workspace(work, scored):
    (work / "a.txt").touch()
    assert scored("test -f a.txt && echo 1")[0] is True


def test_it_must_lie_in_the_fixtures(fixtures, tmp_path, judge):
    (tmp_path / "evil").write_text("#!/bin/sh\necho 1\n", "utf-8")
    (tmp_path / "evil").chmod(0o755)
    (fixtures / "link").symlink_to(tmp_path / "evil")
    assert judge({"type": "script", "path": "link"}) == (None, "'link' is a link that leads outside")
    assert judge({"type": "script", "path": "gone"}) == (None, "there is no 'gone'")
    assert judge({"type": "script", "path": "../evil"})[0] is None
