import pytest

from skillcheck import api

END = "\ndescription: Sorts notes. Use when notes pile up.\n---\n\nDo it.\n"


def lint(root, path, name):
    """The findings of the family in one skill, as rule and message."""
    file = root / path
    file.parent.mkdir(parents=True)
    file.write_text(f"---\nname: {name}{END}", "utf-8")
    found = api.lint(api.load((), api.configure(base=root, overrides=("select=['naming']",)), root)).diagnostics
    return [(d.rule, d.message) for d in found]


@pytest.mark.parametrize("file", ["skill.md", "Skill.MD"])
def test_another_case_is_told_and_the_content_is_read(tmp_path, file):
    assert lint(tmp_path, f"skills/tidy-notes/{file}", "other") == [
        ("file-name-case", f"the file must be named SKILL.md; found {file!r}"),
        ("name-directory-mismatch", "name 'other' differs from the directory 'tidy-notes'"),
    ]


def test_a_skill_at_the_top_of_a_clone_may_have_any_directory(tmp_path):
    (tmp_path / "skills/clone-2/.git").mkdir(parents=True)
    (tmp_path / "skills/clone-2/SKILL.md").write_text(f"---\nname: tidy-notes{END}", "utf-8")
    config = api.configure(base=tmp_path, overrides=("select=['naming']",))
    assert api.lint(api.load((), config, tmp_path)).diagnostics == ()
