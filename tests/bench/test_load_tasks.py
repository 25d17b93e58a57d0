import shutil
import time
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tasks import PACKAGES, TASK_MD, TASK_TOML, good, told, write

from skillcheck.bench.checks import check
from skillcheck.bench.load import load, load_all
from skillcheck.bench.package import Resources
from skillcheck.errors import UsageError

V10 = PACKAGES / "v1.0"
V11 = PACKAGES / "v1.1"


def faults(tmp_path, layout, files):
    loaded = load(write(tmp_path / "stars", layout, files), "stars")
    assert loaded.packages == ()
    return told(loaded.faults)


def test_both_layouts_say_the_same(tmp_path):
    new, old = good(tmp_path / "new", "1.1"), good(tmp_path / "old", "1.0")
    assert new.prompt == old.prompt == "Count the stars.\n"
    assert (new.layout, old.layout) == ("1.1", "1.0")
    assert (new.id, new.settings.category, new.settings.difficulty) == ("new", "natural-science", "easy")
    assert new.settings.tags == ("a", "b")
    assert (new.settings.agent_timeout_s, new.settings.verifier_timeout_s) == (60.5, 30)
    assert new.settings.resources == Resources(cpus=2, memory_mb=512)
    assert old.settings.resources == Resources(memory_mb=512)


@pytest.mark.parametrize("home", [V10, V11], ids=["1.0", "1.1"])
def test_our_own_tasks_are_read(home):
    loaded = load_all(home, shown=home.name)
    assert loaded.faults == ()
    assert len(loaded.packages) == 3
    for package in loaded.packages:
        assert package.layout == home.name[1:]
        assert package.prompt.encode() in (package.folder / package.source.prompt).read_bytes()
        assert package.oracle
        assert package.verifier
        assert package.dockerfile
        assert len(package.skills) == 1


def test_a_prompt_keeps_its_bytes(tmp_path):
    text = "Say “hé”.\r\n\r\n    indented  \r\n\ttab\n\n"
    assert good(tmp_path / "a", "1.0", {"instruction.md": text}).prompt == text
    head = TASK_MD[: TASK_MD.index("## prompt")]
    assert good(tmp_path / "b", "1.1", {"task.md": head + text}).prompt == text
    assert good(tmp_path / "c", "1.1", {"task.md": f"{head}## prompt\r\n\r\n{text}"}).prompt == text


def test_settings_may_be_left_out_in_the_old_layout(tmp_path):
    package = good(tmp_path / "stars", "1.0", {"task.toml": None})
    assert package.settings.agent_timeout_s == 900
    assert package.source.settings == ""


def test_the_oracle_and_verifier_of_the_new_layout_come_first(tmp_path):
    files = dict.fromkeys(("oracle/solve.sh", "solution/solve.sh", "verifier/test.sh", "tests/test.sh"), "exit 0\n")
    new = good(tmp_path / "new", "1.1", files)
    assert new.oracle == new.folder / "oracle/solve.sh"
    assert new.verifier == new.folder / "verifier/test.sh"
    old = good(tmp_path / "old", "1.0", files)
    assert old.oracle == old.folder / "solution/solve.sh"
    assert old.verifier == old.folder / "tests/test.sh"
    bare = good(tmp_path / "bare", "1.1", {"tests/test.sh": "exit 0\n"})
    assert bare.verifier == bare.folder / "tests/test.sh"
    assert bare.oracle is None


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ("difficulty: easy", "dificulty: easy", "5:3: metadata.difficulty is missing: 'dificulty' stands here"),
        ("cpus: 2", "cpu: 2", "12:3: unknown field 'sandbox.cpu'; did you mean 'cpus'; "),
        (
            "sandbox:",
            "environment:",
            "11:1: 'environment' is a name of the other layout; rename it: here it is 'sandbox'",
        ),
        (
            "cpus: 2",
            "memory: 4G",
            "12:3: sandbox.memory is the old form of sandbox.memory_mb; write memory_mb, a number",
        ),
        ("cpus: 2", "storage: big", "12:3: sandbox.storage is the old form of sandbox.storage_mb; write storage_mb"),
        ("sandbox:", "scenes: []\nsandbox:", "11:1: 'scenes' is for several agents or turns; only one agent with one"),
        (
            "timeout_sec: 30",
            'timeout_sec: "30"',
            '8:3: verifier.timeout_sec: "30" is not of type "number"; Seconds, more',
        ),
        ("timeout_sec: 30", "timeout_sec: 0", "8:3: verifier.timeout_sec: 0 is less than or equal to"),
        ("timeout_sec: 30", "timeout_sec: .inf", '8:3: verifier.timeout_sec: "Infinity" is not'),
        ("timeout_sec: 30", "timeout_sec: .nan", '8:3: verifier.timeout_sec: "NaN" is not'),
        ("  timeout_sec: 30\n", "  env: {}\n", "7:1: verifier.timeout_sec is missing; Seconds, more than 0"),
        ("  difficulty: easy\n", "", "3:1: metadata.difficulty is missing; easy, medium or hard"),
        ("agent:\n  timeout_sec: 60.5\n", "", "2:1: agent is missing; Who works"),
        ("memory_mb: 512", "memory_mb: 0.5", '13:3: sandbox.memory_mb: 0.5 is not of type "integer"'),
        ("memory_mb: 512", "cpus: 2", "13:3: key 'sandbox.cpus' stands twice: line 12 has it already"),
        ('"1.3"', "1.3", '2:1: schema_version: 1.3 is not of type "string"; Version of the task format, in quotes'),
        ("tags: [a, b]", "tags: [a, 2]", '6:13: metadata.tags.1: 2 is not of type "string"; A list of words'),
        ("cpus: 2", "env: {A: 1}", '12:9: sandbox.env.A: 1 is not of type "string"; Names of variables'),
        ("cpus: 2", "network_mode: none", '12:3: sandbox.network_mode: "none" is not one of "public"'),
        ("cpus: 2", "cpus: [", "12:9: [ is never closed"),
        ("metadata:", "metadata: [1]\nx:", '3:1: metadata: [1] is not of type "object"; What the task is about'),
        ("---\nschema", "--\nschema", "1:1: no frontmatter: the first line must be ---"),
        ("---\n\n##", "\n##", "frontmatter is not closed"),
        ("## prompt\n\nCount the stars.\n", "", "task.md:15:1: the task has no body, so there is no prompt"),
        ("Count the stars.\n", " \n", "17:1: the task has no body, so there is no prompt"),
        (
            "Count the stars.\n",
            "Count.\n\n## role:critic\n\nCarp.\n",
            "20:1: the section '## role:critic' is for several",
        ),
        ("## prompt\n", "## Scene:one\n", "16:1: the section '## Scene:one' is for several agents or turns"),
        ("## prompt\n", "Count.\n\n## prompt\n", "16:1: what stands before '## prompt' reaches nobody; move it below"),
        ("## prompt\n", "## prompt\n\nA\n\n## Prompt\n", "20:1: the section '## prompt' stands twice"),
    ],
)
def test_a_broken_task_md_is_told_with_its_place(tmp_path, old, new, says):
    assert old in TASK_MD
    found = faults(tmp_path, "1.1", {"task.md": TASK_MD.replace(old, new, 1)})
    assert any(says in each for each in found), found


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ("difficulty =", "difficulty", "5:12: not TOML: expected '=' after a key in a key/value pair"),
        ('"easy"', "3", '5:1: metadata.difficulty: 3 is not of type "string"; easy, medium or hard'),
        (
            "[environment]",
            "[sandbox]",
            "13:2: 'sandbox' is a name of the other layout; rename it: here it is 'environment'",
        ),
        (
            "timeout_sec = 60",
            "timeout_secs = 60",
            "11:1: unknown field 'agent.timeout_secs'; did you mean 'timeout_sec'",
        ),
        ("memory_mb = 512", 'memory = "4G"\nmemory_mb = 512', "14:1: environment.memory is the old form"),
        ("memory_mb = 512", 'memory = "plenty"', '14:1: environment.memory: "plenty" is no size; The old form'),
        ("memory_mb = 512", "memory_mb = 2024-01-02", "14:1: environment.memory_mb: "),
        ("[environment]", "[verifier]", "13:"),
    ],
)
def test_a_broken_task_toml_is_told_with_its_place(tmp_path, old, new, says):
    assert old in TASK_TOML
    found = faults(tmp_path, "1.0", {"task.toml": TASK_TOML.replace(old, new, 1)})
    assert any(f"stars/task.toml:{says}" in each for each in found), found


def test_a_mistyped_field_is_not_missing_too(tmp_path):
    found = faults(tmp_path, "1.0", {"task.toml": TASK_TOML.replace("timeout_sec = 60", "timeout_secs = 60")})
    assert len(found) == 1


def test_sizes_in_words_are_read_in_the_old_layout(tmp_path):
    text = TASK_TOML.replace("memory_mb = 512", 'memory = "1.5G"\nstorage = "512m"')
    resources = good(tmp_path / "stars", "1.0", {"task.toml": text}).settings.resources
    assert (resources.memory_mb, resources.storage_mb) == (1536, 512)


@pytest.mark.parametrize("text", ["allow_internet: false", "network_mode: no-network"])
def test_a_closed_network_is_read_in_both_forms(tmp_path, text):
    package = good(tmp_path / "stars", "1.1", {"task.md": TASK_MD.replace("cpus: 2", text)})
    assert package.settings.resources.network == "no-network"


@pytest.mark.parametrize(
    ("files", "says"),
    [
        ({"instruction.md": None}, "stars/instruction.md:1:1: the file is missing; write the prompt into it"),
        ({"instruction.md": " \n\n"}, "stars/instruction.md:1:1: the task has no body"),
        ({"instruction.md": b"caf\xe9"}, "stars/instruction.md:1:4: the file is not UTF-8: byte 0xE9 here"),
        ({"task.toml": b"\xff\xfe"}, "stars/task.toml:1:1: the file has a UTF-16"),
        ({"task.toml": "a = 1\n" * (1 << 18)}, "stars/task.toml:1:1: the file has 1,572,864 bytes, more than the"),
        (
            {"task.md": TASK_MD},
            "stars/task.md:1:1: the task has both layouts: task.md is of 1.1, instruction.md and task",
        ),
    ],
)
def test_files_that_cannot_be_used_are_told(tmp_path, files, says):
    (found,) = faults(tmp_path, "1.0", files)
    assert found.startswith(says)


def test_aliases_without_end_are_refused_at_once(tmp_path):
    names = [chr(ord("a") + n) for n in range(20)]
    bombs = [f"{name}: &{name} [{', '.join(['*' + before] * 3)}]" for before, name in pairwise(names)]
    text = TASK_MD.replace("  tags: [a, b]", "\n".join(f"  {line}" for line in ["a: &a [x]", *bombs]))
    began = time.monotonic()
    (found,) = faults(tmp_path, "1.1", {"task.md": text})
    assert "more than 10,000 values" in found
    assert time.monotonic() - began < 2


@pytest.mark.parametrize("place", [".", "tasks", "skillsbench/tasks"])
def test_a_data_set_is_found_in_its_usual_places(tmp_path, place):
    write(tmp_path / place / "one", "1.0")
    write(tmp_path / place / "two", "1.1")
    (tmp_path / place / ".git").mkdir()
    (tmp_path / place / "notes").mkdir()
    loaded = load_all(tmp_path, shown="set")
    assert [package.id for package in loaded.packages] == ["one", "two"]
    assert loaded.packages[0].shown == "/".join(["set", *([place] if place != "." else []), "one"])


def test_a_folder_that_is_a_task_is_a_data_set_of_one(tmp_path):
    (package,) = load_all(write(tmp_path / "stars", "1.1"), shown="stars").packages
    assert (package.id, package.shown) == ("stars", "stars")


def test_a_broken_task_hides_no_other(tmp_path):
    write(tmp_path / "a", "1.1", {"task.md": "broken"})
    write(tmp_path / "b", "1.0")
    (tmp_path / "c" / "environment").mkdir(parents=True)
    write(tmp_path / "d", "1.1")
    loaded = load_all(tmp_path, shown="set")
    assert [package.id for package in loaded.packages] == ["b", "d"]
    assert [fault.path for fault in loaded.faults] == ["set/a/task.md", "set/c/instruction.md"]


def test_tasks_are_chosen_by_their_ids(tmp_path):
    for name in ("one", "two", "three"):
        write(tmp_path / name, "1.0")
    assert [package.id for package in load_all(tmp_path, ("two", "one", "two")).packages] == ["one", "two"]


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("thre", "no task 'thre' in set; did you mean 'three'"),
        ("../x", "no task '../x' in set; there are one, three, two"),
    ],
)
def test_an_unknown_id_is_told(tmp_path, name, says):
    for each in ("one", "two", "three"):
        write(tmp_path / each, "1.0")
    with pytest.raises(UsageError, match=says):
        load_all(tmp_path, (name,), "set")


@pytest.mark.parametrize("place", [".", "nothing"])
def test_a_folder_without_tasks_is_told(tmp_path, place):
    with pytest.raises(UsageError, match=r"set: no tasks; a task is a folder with task\.md"):
        load_all(tmp_path / place, shown="set")


def test_a_link_to_a_task_has_its_own_id(tmp_path):
    write(tmp_path / "real", "1.1")
    (tmp_path / "set").mkdir()
    (tmp_path / "set" / "alias").symlink_to(tmp_path / "real")
    assert [package.id for package in load_all(tmp_path / "set").packages] == ["alias"]


PIECES = [
    "---",
    "\n",
    "  ",
    ":",
    "- ",
    "[",
    "]",
    "{",
    "}",
    "&a ",
    "*a",
    "'",
    '"',
    "=",
    "#",
    "## prompt\n",
    "!!int ",
    "1e999",
]
PIECES += [
    "\x00",
    "\u2028",
    "\ud7ff",
    "\r",
    "null",
    "? ",
    "<<: ",
    "2024-01-02",
    "0x1",
    "metadata",
    "'''",
    '"""',
    "[[x]]\n",
]


@given(st.data())
def test_nothing_that_stands_in_a_file_makes_it_crash(tmp_path, data):
    for layout, name, text in (("1.1", "task.md", TASK_MD), ("1.0", "task.toml", TASK_TOML)):
        for _ in range(data.draw(st.integers(1, 4))):
            at = data.draw(st.integers(0, len(text)))
            text = text[:at] + data.draw(st.sampled_from(PIECES)) + text[at + data.draw(st.integers(0, 20)) :]  # noqa: PLW2901
        loaded = load(write(tmp_path / layout, layout, {name: text}))
        assert bool(loaded.packages) is not bool(loaded.faults)
        assert all(fault.span.line >= 1 and fault.message for fault in loaded.faults)


def test_as_many_tasks_as_skillsbench_has_are_listed_and_checked_in_time(tmp_path):
    ours = sorted(PACKAGES.glob("*/*"))
    for number in range(87):
        shutil.copytree(ours[number % len(ours)], tmp_path / f"{number}")
    began = time.monotonic()
    loaded = load_all(tmp_path)
    assert [check(package) for package in loaded.packages] == [()] * 87
    assert time.monotonic() - began < 5
