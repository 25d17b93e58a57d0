import pytest
from tasks import PACKAGES, TASK_MD, TASK_TOML, good, told

from skillcheck.bench.checks import CATEGORIES, check
from skillcheck.bench.load import load_all

DONE = {"oracle/solve.sh": "x", "verifier/test.sh": "x"}


def found(tmp_path, layout="1.1", **files):
    return told(check(good(tmp_path / "stars", layout, {**DONE, **files.pop("files", {})})))


def test_our_own_tasks_have_no_faults():
    packages = [package for home in ("v1.0", "v1.1") for package in load_all(PACKAGES / home).packages]
    assert [told(check(package)) for package in packages] == [[]] * 6


SKILL = "---\nname: {}\ndescription: x\n---\n\nDo.\n"


@pytest.mark.parametrize(
    ("prompt", "is_told"),
    [
        ("Use star-charts for it.", True),
        ("Use the `star-charts` skill.", True),
        ("Use Star-Charts!", True),
        ("Read sky.star-charts and star-charts-2.", False),
        ("Use the real-name skill.", True),
        ("Write a.docx with docx tools.", False),
        ("Follow the docx skill.", True),
        ("Follow the skill `docx`.", True),
        ("With skills, docx is easy.", True),
        ("Count the stars.", False),
    ],
)
def test_a_prompt_that_names_a_skill_is_told(tmp_path, prompt, is_told):
    files = {
        "environment/skills/star-charts/SKILL.md": SKILL.format("real-name"),
        "environment/skills/docx/SKILL.md": SKILL.format("docx"),
        "environment/skills/notes.txt": "x",
        "task.md": TASK_MD.replace("Count the stars.", prompt),
    }
    told_of = found(tmp_path, files=files)
    assert bool(told_of) is is_told
    assert all("stars/task.md:18:" in each and "the prompt names the skill '" in each for each in told_of)


def test_words_outside_the_taxonomy_are_told_with_their_place(tmp_path):
    text = TASK_MD.replace("natural-science", "natural-sciences").replace("easy", "brutal")
    category = (
        "stars/task.md:4:13: category 'natural-sciences' is not in the taxonomy; did you mean 'natural-science'; "
    )
    assert found(tmp_path, files={"task.md": text}) == [
        f"{category}known are {', '.join(CATEGORIES)}",
        "stars/task.md:5:15: difficulty 'brutal' is not in the taxonomy; known are easy, medium, hard",
    ]


def test_categories_of_the_old_layout_are_only_warned_of(tmp_path):
    files = {
        "task.toml": TASK_TOML.replace("natural-science", "data science"),
        "solution/solve.sh": "x",
        "tests/test.sh": "x",
    }
    (only,) = check(good(tmp_path / "stars", "1.0", files))
    assert (only.path, only.span[:2], only.severity.label) == ("stars/task.toml", (4, 12), "warning")


def test_metadata_that_is_nearly_known_is_told(tmp_path):
    text = TASK_MD.replace("tags: [a, b]", "tag: [a]\n  mine: 1")
    assert found(tmp_path, files={"task.md": text}) == [
        "stars/task.md:6:3: metadata 'tag' is read by nothing; did you mean 'tags'; "
    ]


@pytest.mark.parametrize(
    ("layout", "names"),
    [("1.1", ["oracle/solve.sh", "verifier/test.sh"]), ("1.0", ["solution/solve.sh", "tests/test.sh"])],
)
@pytest.mark.parametrize(("text", "says"), [(None, "missing"), ("", "empty")])
def test_a_task_without_its_programs_is_told(tmp_path, layout, names, text, says):
    told_of = check(good(tmp_path / "stars", layout, dict.fromkeys(names, text)))
    assert [(each.path, each.message) for each in told_of] == [
        (f"stars/{name}", f"the program is {says}") for name in names
    ]
    assert [each.rule for each in told_of] == ["task-missing-oracle", "task-missing-verifier"]
