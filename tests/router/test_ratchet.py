import pytest
from hypothesis import given
from hypothesis import strategies as st

from skillcheck.errors import UsageError
from skillcheck.router.quality import Quality, Rate
from skillcheck.router.ratchet import Floor, Lowering, Shortfall, below, dump, lowered, parse, raised


def measured(**skills):
    rates = {name: Rate(hits, total, 0) for name, (hits, total) in skills.items()}
    total = Rate(sum(hits for hits, _ in skills.values()), sum(total for _, total in skills.values()), 0)
    return Quality(total, None, rates, {}, (), 0, 0, 0)


def test_what_is_dumped_parses_to_the_same():
    floor = Floor(66.66, {"b": 50.0, "a": 100.0})
    assert parse(dump(floor)) == floor
    assert dump(floor) == {"schema_version": 1, "catalog": 66.66, "skills": {"a": 100.0, "b": 50.0}}
    assert list(dump(floor)["skills"]) == ["a", "b"]


@pytest.mark.parametrize(
    "data",
    [
        None,
        [],
        {},
        {"schema_version": 2, "catalog": 1},
        {"schema_version": 1},
        {"schema_version": 1, "catalog": "80"},
        {"schema_version": 1, "catalog": True},
        {"schema_version": 1, "catalog": 101},
        {"schema_version": 1, "catalog": float("nan")},
        {"schema_version": 1, "catalog": 80, "skills": []},
        {"schema_version": 1, "catalog": 80, "skills": {"a": -1}},
    ],
)
def test_other_data_is_refused(data):
    with pytest.raises(UsageError, match="ratchet file"):
        parse(data)


@given(
    st.dictionaries(st.sampled_from("abcd"), st.tuples(st.integers(0, 97), st.integers(1, 97)).map(sorted), min_size=1)
)
def test_a_catalog_never_fails_the_floor_it_set(skills):
    found = measured(**skills)
    floor = raised(None, found)
    assert below(floor, found) == ()
    assert raised(floor, found) == floor
    assert parse(dump(floor)) == floor


def test_a_lower_rate_falls_short():
    floor = Floor(66.66, {"a": 100.0, "b": 33.33, "gone": 90.0})
    assert below(floor, measured(a=(2, 3), b=(1, 3))) == (
        Shortfall(None, 66.66, 50.0),
        Shortfall("a", 100.0, 100 * 2 / 3),
    )


def test_nothing_to_score_falls_short():
    assert below(Floor(10.0, {}), measured()) == (Shortfall(None, 10.0, None),)
    assert below(Floor(0.0, {}), measured()) == ()


def test_a_floor_only_rises():
    floor = raised(Floor(90.0, {"a": 100.0, "b": 10.0, "gone": 90.0}), measured(a=(1, 3), b=(2, 3), new=(1, 1)))
    assert floor == Floor(90.0, {"a": 100.0, "b": 66.66, "new": 100.0})


def test_lowered_and_removed_entries_are_told():
    old = Floor(90.0, {"a": 100.0, "b": 50.0, "c": 10.0})
    assert lowered(old, Floor(80.0, {"a": 99.0, "b": 50.0})) == (
        Lowering(None, 90.0, 80.0),
        Lowering("a", 100.0, 99.0),
        Lowering("c", 10.0, None),
    )
    assert lowered(old, old) == ()
