import pytest


@pytest.mark.parametrize(
    ("options", "loaded", "passed", "reason"),
    [
        ({}, ["tidy-notes"], True, "skill 'tidy-notes' was loaded"),
        ({}, [], False, "skill 'tidy-notes' was not loaded; no skill was"),
        ({}, ["b", "a"], False, "skill 'tidy-notes' was not loaded; loaded were 'a', 'b'"),
        ({"name": "a"}, ["b", "a"], True, "skill 'a' was loaded"),
        ({"name": "a"}, ["tidy-notes"], False, "skill 'a' was not loaded; loaded were 'tidy-notes'"),
    ],
)
def test_a_skill_was_loaded_or_not(options, loaded, passed, reason, judge):
    assert judge({"type": "skill-used", **options}, loaded=loaded) == (passed, reason)
