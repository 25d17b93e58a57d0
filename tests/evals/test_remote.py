"""A plan that another machine carries out: the same keys, the same results, and no key of anybody's on the way."""

import pickle
import sys
import threading
from contextlib import closing

import pytest
from catalogs import write
from trials import an_eval, catalog, command

from skillcheck import api
from skillcheck.errors import SkillcheckError, UsageError
from skillcheck.evals.plan.settings import Settings
from skillcheck.evals.running import remote
from skillcheck.evals.running.job import Offer, hold, name_of
from skillcheck.evals.store.store import Store

SECRET = "not-for-the-wire-" + "x" * 20
EVALS = (an_eval(1, "well", solution="inbox/.eval/solve.sh"), an_eval(2, "fail"))
OFFER = Offer(("a",), "1.0", "bwrap", ())


@pytest.fixture
def root(tmp_path):
    catalog(tmp_path, *EVALS)
    write(tmp_path, {"evals/fixtures/inbox/.eval/solve.sh": "echo well > answer.txt\n"})
    (tmp_path / "evals/fixtures/inbox/.eval/solve.sh").chmod(0o755)
    return tmp_path


def planned(root, harness="command", environ=None, **settings):
    given = {"sandbox": "none", "retries": 0, "trials": 2, "arms": ("with", "without", "distractor"), **settings}
    options = {"agent-command": command()} if harness == "command" else {}
    everything = api.choose((), api.configure(base=root), root)
    plan = api.plan(everything, Settings(harness, options=options, delivery="native", **given), environ)
    assert plan.specs
    assert not plan.broken
    return plan


@pytest.mark.parametrize("harness", ["command", "oracle"])
def test_a_job_has_the_keys_of_its_plan_wherever_it_is_held(harness, root):
    plan = planned(root, harness, trials=1, arms=("with",)) if harness == "oracle" else planned(root)
    with closing(hold(remote.sent(plan), plan.environ)) as held:
        assert held.offer == Offer(tuple(spec.key for spec in plan.specs), "", "none", ())
        assert [held.there.specs[name_of(spec)].key for spec in plan.specs] == [spec.key for spec in plan.specs]
        assert str(root) not in str(held.there.plan.catalog.config)
    assert not held.there.plan.catalog.config.root.exists()


def test_what_a_held_job_keeps_is_taken_into_the_store(root, tmp_path):
    plan = planned(root)
    results = {}
    with closing(hold(remote.sent(plan), plan.environ)) as held:
        found = [(spec, held.run(name_of(spec), threading.Event())[1]) for spec in (plan.specs[0], plan.specs[-1])]
    for spec, files in found:
        record = Store(tmp_path, lambda data: data.replace(b"It is done", b"[redacted]")).take(tmp_path, files)
        results[record.eval] = (record.status, record.key == spec.key)
        assert not any(path.name.startswith(".") for path in tmp_path.iterdir() if path.is_dir())
    assert results == {"1": ("passed", True), "2": ("failed", True)}
    (trace,) = tmp_path.glob("jot/1/1/trace.jsonl")
    assert b"[redacted]" in trace.read_bytes()
    with pytest.raises(SkillcheckError, match="a trial is stored there already"):
        Store(tmp_path, bytes).take(tmp_path, files)


def test_no_variable_travels(root, monkeypatch):
    monkeypatch.setenv("ANTHROPIC_API_KEY", SECRET)
    plan = planned(root, env=("ANTHROPIC_API_KEY",))
    assert plan.environ["ANTHROPIC_API_KEY"] == SECRET
    assert SECRET.encode() not in pickle.dumps(remote.sent(plan))


def test_a_job_of_another_version_is_refused(root):
    with pytest.raises(SkillcheckError, match=r"it has skillcheck \S+, and needs 9\.9"):
        hold(remote.sent(planned(root))._replace(version="9.9"), {})


def test_a_skill_outside_of_the_root_is_not_sent(root, tmp_path_factory):
    elsewhere = tmp_path_factory.mktemp("elsewhere")
    (root / "skills/jot").rename(elsewhere / "jot")
    (root / ".skillcheck.toml").write_text(
        f'paths = ["{elsewhere}"]\nignore = ["insufficient-cases", "missing-cases"]\n'
    )
    with pytest.raises(UsageError, match=r"SKILL.md lies outside the catalog's root .* and can't be sent"):
        remote.sent(planned(root))


@pytest.mark.parametrize(
    ("offer", "told"),
    [
        (OFFER, ""),
        (OFFER._replace(keys=("b",), version=""), "its agent is 'of no version', not '1.0'"),
        (OFFER._replace(keys=("b",), sandbox="none"), "its sandbox is 'none', not 'bwrap'"),
        (OFFER._replace(keys=("b",)), "its programs, or the variables that agents get, are others"),
    ],
)
def test_why_a_machine_would_give_other_results_is_told(offer, told):
    assert offer.differs(OFFER) == told


def test_without_the_extra_its_name_is_told(root, monkeypatch):
    monkeypatch.setitem(sys.modules, "distributed", None)
    plan = planned(root, executor="dask:tcp://127.0.0.1:1")
    with pytest.raises(UsageError, match=r"needs the package distributed: pip install 'skillcheck-evals\[dask\]'"):
        api.evaluate(plan)


@pytest.mark.parametrize(
    ("executor", "told"),
    [
        ("dusk", "unknown executor 'dusk'; did you mean 'dask'"),
        ("dask:", "executor 'dask' needs its scheduler's address, as in dask:tcp://host:8786"),
        ("local:here", "executor 'local' is this machine and has no address, not 'here'"),
    ],
)
def test_an_executor_that_means_nothing_is_told(executor, told, root):
    with pytest.raises(UsageError, match=told):
        api.evaluate(planned(root, executor=executor))
