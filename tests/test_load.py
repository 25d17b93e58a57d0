import pytest
from catalogs import cases, skill, write

from skillcheck import api
from skillcheck.catalog.load import MAX_SKILL_BYTES, read_skill, read_text
from skillcheck.errors import UsageError
from skillcheck.span import BOM


def load(root, *paths, overrides=()):
    return api.load(paths, api.configure(paths, root, overrides), root)


def test_a_file_is_read_as_it_stands(tmp_path):
    text = BOM + "a\r\nb\rc\n"
    path = write(tmp_path, {"SKILL.md": text}) / "SKILL.md"
    assert read_text(path, 100) == text
    read = read_skill(path, "SKILL.md")
    assert (read.text, read.bom, read.raw_text) == (text[1:], True, text)


@pytest.mark.parametrize(
    ("content", "rule", "place", "message"),
    [
        (b"ab\ncd\xff", "not-utf8", (2, 3), "the file is not UTF-8: byte 0xFF here"),
        ("é\xff".encode("latin-1"), "not-utf8", (1, 1), "the file is not UTF-8: byte 0xE9 here"),
        (b"\xef\xbb\xbfab\xff", "not-utf8", (1, 3), "the file is not UTF-8: byte 0xFF here"),
        (b"a\0\xff", "not-utf8", (1, 3), "the file is not UTF-8: binary data here"),
        (b"a\r\n\0", "not-utf8", (2, 1), "the file is not UTF-8 text: a NUL character here"),
        (b"\xff\xfea\0", "not-utf8", (1, 1), "the file has a UTF-16 little-endian byte-order mark; it must be UTF-8"),
        (b"\xfe\xff\0a", "not-utf8", (1, 1), "the file has a UTF-16 big-endian byte-order mark; it must be UTF-8"),
        (b"\xff\xfe\0\0", "not-utf8", (1, 1), "the file has a UTF-32 little-endian byte-order mark; it must be UTF-8"),
        (b"x" * 1001, "file-too-large", (1, 1), "the file has 1,001 bytes, more than the 1,000 that are read"),
    ],
    ids=[
        "byte", "Latin-1", "behind a byte-order mark", "binary", "NUL", "UTF-16", "UTF-16 the other way", "UTF-32",
        "large",
    ],
)  # fmt: skip
def test_what_hinders_reading_is_a_fault_with_its_place(content, rule, place, message, tmp_path):
    fault = read_text(write(tmp_path, {"a": content}) / "a", 1000)
    assert (fault.rule, fault.problem.span[:2], fault.problem.message) == (rule, place, message)


def test_a_file_that_is_gone_is_a_fault(tmp_path):
    assert read_skill(tmp_path / "SKILL.md", "SKILL.md").faults[0].rule == "unreadable-file"


def test_a_file_of_the_greatest_size_is_read(tmp_path):
    path = write(tmp_path, {"a": b"x" * MAX_SKILL_BYTES}) / "a"
    assert len(read_text(path, MAX_SKILL_BYTES)) == MAX_SKILL_BYTES


def test_skills_are_in_path_order_and_parsed_when_asked(tmp_path):
    write(tmp_path, {f"skills/{name}/SKILL.md": skill(name) for name in ("b", "a", "c/d")})
    catalog = load(tmp_path)
    assert [each.shown for each in catalog.skills] == [f"skills/{name}/SKILL.md" for name in ("a", "b", "c/d")]
    first = catalog.skills[0]
    assert (first.name, first.folder, first.field("description")) == ("a", "a", first.description)
    assert (first.field("none", "deeper"), first.string("none")) == (None, "")


def test_siblings_are_read_and_not_reported(tmp_path):
    write(tmp_path, {f"skills/{name}/SKILL.md": skill(name) for name in ("a", "b")})
    catalog = load(tmp_path, "skills/a/SKILL.md")
    assert len(catalog.skills) == 2
    assert (catalog.selected, catalog.narrowed) == ({"skills/a/SKILL.md"}, True)
    assert load(tmp_path, "skills").narrowed is False


def test_siblings_outside_of_the_usual_folders_are_read(tmp_path):
    write(tmp_path, {f"tools/{name}/SKILL.md": skill(name) for name in ("a", "b")})
    catalog = load(tmp_path, "tools/a")
    assert len(catalog.skills) == 2
    assert catalog.selected == {"tools/a/SKILL.md"}


def test_a_name_that_is_taken_twice_has_both_skills(tmp_path):
    write(tmp_path, {"skills/a/SKILL.md": skill("x"), "skills/b/SKILL.md": skill("x"), "skills/c/SKILL.md": "no name"})
    catalog = load(tmp_path)
    assert {name: len(skills) for name, skills in catalog.names.items()} == {"x": 2, "c": 1}
    assert catalog.known == {"x", "a", "b", "c"}


def test_case_files_are_read_when_asked(tmp_path):
    write(tmp_path, {
        "skills/a/SKILL.md": skill("a"),
        "evals/cases/a.json": BOM + cases("a", ["one"]),
        "evals/cases/b.json": b"\xff",
        "evals/cases/notes.md": "x",
    })  # fmt: skip
    catalog = load(tmp_path)
    api.lint(catalog)
    assert catalog.has_cases
    assert "case_files" not in vars(catalog)
    one, two = catalog.case_files
    assert (one.stem, [prompt.text for prompt in one.positives]) == ("a", ["one"])
    assert (two.stem, [fault.rule for fault in two.faults]) == ("b", ["not-utf8"])


def test_excluded_skills_are_not_read(tmp_path):
    write(tmp_path, {f"skills/{name}/SKILL.md": skill(name) for name in ("a", "b")})
    assert len(load(tmp_path, overrides=["exclude=['skills/b']"]).skills) == 1
    with pytest.raises(UsageError, match="no skills found"):
        load(tmp_path, overrides=["exclude=['skills']"])


def test_a_place_inside_a_value_is_found(tmp_path):
    catalog = load(write(tmp_path, {"skills/a/SKILL.md": skill("a", "Sorts notes. Use when notes pile up.")}))
    only = catalog.skills[0]
    assert only.spot("description", "notes")[:2] == (3, 20)
    assert only.spot("description", "absent") == only.value_span("description")


@pytest.mark.parametrize(
    ("overrides", "named"),
    [(("exclude=['skills/old*']",), "skills/old/SKILL.md"), ((), "evals/fixtures/old/SKILL.md")],
    ids=["excluded", "fixture"],
)
def test_a_named_skill_that_settings_leave_out_is_no_error(tmp_path, overrides, named):
    write(tmp_path, {".skillcheck.toml": "", named: skill("old"), "skills/new/SKILL.md": skill("new")})
    catalog = load(tmp_path, named, overrides=overrides)
    assert catalog.selected == frozenset()
    assert catalog.left_out == (named,)
    both = load(tmp_path, named, "skills/new", overrides=overrides)
    assert both.selected == {"skills/new/SKILL.md"}
