import pytest

CHANGED = {"src/a.py": "M", "src/deep/b.py": "A", "old.txt": "D"}


@pytest.mark.parametrize(
    ("options", "changed", "passed", "reason"),
    [
        (
            {"only": ["src/**", "*.txt"]},
            CHANGED,
            True,
            "changed: 'old.txt' (D), 'src/a.py' (M), 'src/deep/b.py' (A)",
        ),
        ({"only": ["src/*", "*.txt"]}, CHANGED, False, "changed though it may not be: 'src/deep/b.py' (A)"),
        (
            {"only": []},
            CHANGED,
            False,
            "changed though it may not be: 'old.txt' (D), 'src/a.py' (M), 'src/deep/b.py' (A)",
        ),
        ({"only": []}, {}, True, "nothing changed"),
        ({"only": ["**"], "at-least": ["old.txt", "src/**/b.py"]}, CHANGED, True, None),
        (
            {"only": ["**"], "at-least": ["README.md", "old.txt", "docs/**"]},
            CHANGED,
            False,
            "nothing changed that fits 'README.md', 'docs/**'",
        ),
        (
            {"only": ["src/**"], "at-least": ["b"]},
            {"a": "A"},
            False,
            "changed though it may not be: 'a' (A); nothing changed that fits 'b'",
        ),
        ({"only": ["**"]}, {".env": "A"}, False, "changed though it may not be: '.env' (A)"),
        (
            {"only": []},
            {f"{n}\n": "A" for n in range(7)},
            False,
            "changed though it may not be: '0\\n' (A), '1\\n' (A), '2\\n' (A), '3\\n' (A), '4\\n' (A) and 2 more",
        ),
    ],
    ids=["all fit", "one too deep", "nothing may", "nothing did", "must", "must not fitting", "both", "hidden", "many"],
)
def test_what_changed_is_compared(options, changed, passed, reason, judge):
    found = judge({"type": "files-changed", **options}, changed=changed)
    assert found == (passed, reason or found[1])
