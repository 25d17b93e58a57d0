"""Each format by a small source of our own: what it becomes, and what is told as lost or said otherwise."""

import json

import pytest
import yaml
from catalogs import write

from skillcheck import api, schemas
from skillcheck.exchange.document import Document, read
from skillcheck.exchange.importer import importer_names, named, recognised

SUITE = {
    "skill_name": "tidy-notes",
    "version": "0.3",
    "evals": [
        {
            "id": "oldest-first",
            "prompt": "Sort the notes.",
            "expected_output": "Oldest first.",
            "files": ["evals/files/notes.md", "references/order.md"],
            "assertions": ["By date", {"name": "kept", "check": "No note is lost", "weight": 2}],
            "expected_skill": "tidy-notes",
        },
        {"id": 4, "skill": "office/weekly-mail", "prompt": "Write the mail.", "expected_output": "A mail."},
        {"id": 5, "prompt": "Sort them by name.", "scorers": [
            {"type": "regex", "name": "by-name", "pattern": "sort -k2"},
            {"type": "llm_judge", "name": "asks", "criterion": "Asks before it moves anything"},
            {"type": "latency", "max": 3},
        ]},
        {"id": 6, "prompt": "Bake a cake.", "should_trigger": False},
    ],
}  # fmt: skip

TRIGGERS = [
    {"query": "my notes are a mess", "should_trigger": True},
    {"prompt": "write a poem", "should_trigger": False, "notes": "far away"},
    {"prompt": "sort my notes", "should_trigger": "yes"},
]

BENCHFLOW = {
    "version": "1",
    "skill_name": "tidy-notes",
    "defaults": {"timeout_sec": 300},
    "cases": [
        {"question": "Sort the notes.", "ground_truth": "Sorted.", "expected_behavior": ["Sorts by date"]},
        {"id": "b", "question": "Mail them.", "ground_truth": "Sent.", "expected_behavior": ["Mails"],
         "expected_skill": "weekly-mail", "environment": {"TZ": "UTC"}},
    ],
}  # fmt: skip

PROMPTFOO = """
prompts:
  - 'Sort {{ what }}.'
  - file://prompt.txt
providers: [echo]
defaultTest:
  assert:
    - {type: llm-rubric, value: Is polite}
tests:
  - description: Sorts notes
    vars: {what: notes}
    assert:
      - {type: contains, value: oldest}
      - {type: javascript, value: output.length < 9}
      - {type: skill-used, value: tidy-notes}
  - vars: {what: [a, b]}
  - vars: {what: '{% raw %}'}
"""

WAZA = {
    "source/eval.yaml": """
name: notes-eval
skill: tidy-notes
version: "1.0"
config: {executor: mock, trials_per_task: 2}
graders:
  - {type: text, name: calm, config: {regex_not_match: [panic]}}
tasks: ["tasks/*.yaml"]
""",
    "source/tasks/one.yaml": """
id: one
name: One
inputs:
  prompt: Sort the notes
  context: {kind: notes}
  files: [{path: notes.md}, {path: more.md, content: "more\\n"}]
expected:
  output_contains: [done]
  behavior: {max_tool_calls: 5, forbidden_tools: [rm]}
graders:
  - type: file
    name: files
    config:
      must_exist: [sorted.md]
      must_not_exist: ["*.tmp"]
      content_patterns: [{path: sorted.md, must_match: ["^2026"], must_not_match: [TODO]}]
  - {type: action_sequence, name: order, config: {matching_mode: in_order_match, expected_actions: [view, edit]}}
  - {type: skill_invocation, name: s, config: {mode: in_order, required_skills: [tidy-notes], allow_extra: true}}
  - {type: code, name: c, config: {assertions: ["len(output) > 1"]}}
""",
    "source/fixtures/notes.md": "2026-01-02 A note.\n",
    "source/trigger_tests.yaml": """
skill: tidy-notes
should_trigger_prompts: [{prompt: sort my notes, reason: plain}]
should_not_trigger_prompts: [{prompt: bake a cake}]
""",
}

SKILLGRADE = {
    "source/eval.yaml": """
version: "1"
defaults: {agent: gemini, trials: 5}
tasks:
  - name: sort
    instruction: Sort the notes.
    workspace:
      - {src: fixtures/notes.md, dest: inbox/notes.md}
      - {src: bin/tool, dest: /usr/local/bin/tool}
    graders:
      - {type: deterministic, run: node graders/check.js, weight: 0.7}
      - {type: llm_rubric, rubric: "Are the notes in order?", weight: 0.3}
""",
    "source/fixtures/notes.md": "A note.\n",
    "source/bin/tool": "#!/bin/sh\n",
}

SKILL_UP = {
    "source/evals/eval.yaml": """
schema_version: v1alpha1
engine: {name: codex}
cases:
  files: [evals/cases/one.yaml, evals/cases/gone.yaml, ../../far.yaml]
  defaults: {expect: {exit_code: 0, must_not_contain: [TODO]}}
""",
    "source/evals/cases/one.yaml": """
id: one
title: Sorted
input: {prompt: Sort the notes.}
expect: {must_contain: [done]}
judge:
  type: rule_based
  success:
    - output_contains: {any: [old, oldest]}
    - file_exists: sorted.md
    - moon_phase: full
""",
}

CALIPER = """
skills: [./SKILL.md]
tasks:
  - name: Sorts a/b
    prompt: Sort the notes.
    expect: Sorts them by date.
    assert: |
      from pathlib import Path
      assert Path("sorted.md").exists()
    activates: [tidy-notes]
  - name: Elsewhere
    setup: mkdir /tmp/x
    prompt: Sort /tmp/x.
    assert: |
      assert open("/tmp/x/sorted.md").read()
"""

PLUGIN = {
    "source/.claude-plugin/plugin.json": "{}",
    "source/skills/tidy-notes/SKILL.md": "---\nname: tidy-notes\ndescription: Sorts.\n---\n\nSort.\n",
    "source/evals/sorts/prompt.md": "---\nmax_turns: 9\n---\n\nSort the notes.\n",
    "source/evals/sorts/graders/a.md": '---\ntype: tool_used\ntool: Skill\ninput_match: \'"skill"\\s*:\\s*'
    '"(?:[\\w-]+:)?tidy-notes"\'\nmin: 1\n---\n',
    "source/evals/sorts/graders/b.md": "---\ntype: tool_used\ntool: Bash\ninput_match: sort -k2\nmax: 3\n"
    "weight: 2\n---\n",
    "source/evals/sorts/graders/c.md": "---\ntype: file_exists\npath: sorted.md\n---\n",
    "source/evals/sorts/graders/d.md": "---\ntype: llm\n---\n\nIs it in order?\n",
    "source/evals/sorts/graders/e.md": '---\ntype: tool_used\ntool: Bash\ninput_match: \'"command": "ls\'\n---\n',
    "source/evals/sorts/case.yaml": 'schema_version: "1.1"\nname: sorts\ncontext: {scaffold_script: make.sh}\n',
}


def imported(root, files, *, skill=None, source="source", form=None):
    """Import what is written below `root`; returns the case files by skill, and (rule, message) of each finding."""
    write(root, files)
    report = api.take_in([root / source], api.configure(base=root), root, skill=skill, form=form)
    found = {path.stem: json.loads(path.read_bytes()) for path in (root / "evals/cases").glob("*.json")}
    for data in found.values():
        assert schemas.problems("cases", data) == ()
        assert list(schemas.unknown_keys("cases", data)) == []
    return found, {(d.rule, d.message) for d in report.diagnostics}


def messages(told, rule):
    return sorted(message for name, message in told if name == rule)


def dumped(value):
    return {"source/evals/x.json": json.dumps(value)}


def test_evals_json_keeps_ids_assertions_and_files(tmp_path):
    found, told = imported(tmp_path, {**dumped(SUITE), "source/evals/files/notes.md": "A note.\n"})
    first, scored = found["tidy-notes"]["evals"]
    assert first == {
        "id": "oldest-first",
        "prompt": "Sort the notes.",
        "expected_output": "Oldest first.",
        "files": ["evals/files/notes.md"],
        "checks": [{"type": "skill-used"}],
        "expectations": ["By date", "No note is lost"],
    }
    assert (tmp_path / "evals/fixtures/evals/files/notes.md").read_text() == "A note.\n"
    assert scored["id"] == 5
    assert scored["kind"] == "dialogue"
    assert scored["expectations"] == [
        "The answer has a part that the regular expression 'sort -k2' matches",
        "Asks before it moves anything",
    ]
    assert found["tidy-notes"]["trigger"] == {"negative": [{"prompt": "Bake a cake."}]}
    assert messages(told, "dropped-value") == [
        "evals[].assertions[].weight is not carried over: case files have no place for it",
        "evals[].files[] is not carried over: it is a part of the skill, which the agent is given anyway",
        "evals[].scorers[] is not carried over: a scorer of the type 'latency' has no counterpart",
    ]


def test_a_suite_over_several_skills_becomes_a_file_for_each(tmp_path):
    found, told = imported(tmp_path, dumped(SUITE))
    (mail,) = found["weekly-mail"]["evals"]
    assert mail["expectations"] == ["A mail."]
    assert any("expected_output becomes the one expectation" in text for text in messages(told, "restated-value"))


def test_a_list_of_evals_by_itself_is_one_too(tmp_path):
    found, _ = imported(tmp_path, dumped(SUITE["evals"][1:3]), skill="mine")
    assert [each["id"] for each in found["mine"]["evals"]] == [4, 5]


def test_a_skill_that_is_named_takes_all(tmp_path):
    found, _ = imported(tmp_path, dumped(SUITE), skill="mine")
    assert list(found) == ["mine"]
    assert [each["id"] for each in found["mine"]["evals"]] == ["oldest-first", 4, 5]


def test_trigger_arrays_become_prompts(tmp_path):
    found, told = imported(tmp_path, dumped(TRIGGERS), skill="tidy-notes")
    assert found["tidy-notes"]["trigger"] == {
        "positive": [{"prompt": "my notes are a mess"}],
        "negative": [{"prompt": "write a poem"}],
    }
    assert messages(told, "invalid-entry") == ["[].should_trigger is neither true nor false"]
    assert len(messages(told, "dropped-value")) == 1


def test_the_skill_beside_a_source_is_its_skill(tmp_path):
    beside = {"source/SKILL.md": "---\nname: beside\ndescription: Sorts.\n---\n"}
    found, _ = imported(tmp_path, {**dumped(TRIGGERS), **beside})
    assert list(found) == ["beside"]


@pytest.mark.parametrize("flat", [False, True])
def test_benchflow_questions_become_evals(tmp_path, flat):
    source = [{**BENCHFLOW["cases"][1], "id": 0}] if flat else BENCHFLOW
    found, told = imported(tmp_path, dumped(source))
    if flat:
        (only,) = found["weekly-mail"]["evals"]
        assert only["checks"] == [{"type": "skill-used"}]
        return
    one, two = found["tidy-notes"]["evals"]
    assert (one["id"], one["expectations"]) == ("case-000", ["Sorts by date"])
    assert two["checks"] == [{"type": "skill-used", "name": "weekly-mail"}]
    assert len(messages(told, "dropped-value")) == 2


def test_promptfoo_fills_prompts_in(tmp_path):
    found, told = imported(tmp_path, {"source/a.yaml": PROMPTFOO}, skill="tidy-notes")
    (only,) = found["tidy-notes"]["evals"]
    assert only == {
        "id": 1,
        "kind": "dialogue",
        "prompt": "Sort notes.",
        "expected_output": "Sorts notes",
        "checks": [{"type": "skill-used", "name": "tidy-notes"}],
        "expectations": ["Is polite", "The answer contains 'oldest'"],
    }
    assert len(messages(told, "dropped-value")) == 3  # providers, the prompt in a file, javascript
    assert messages(told, "invalid-entry") == [
        "tests[] is left out: its prompt can't be filled in without running the template (2 times, here first)"
    ]


def test_waza_suites_bring_their_tasks_files_and_triggers(tmp_path):
    found, told = imported(tmp_path, WAZA)
    (only,) = found["tidy-notes"]["evals"]
    assert only["files"] == ["notes.md", "more.md"]
    assert (tmp_path / "evals/fixtures/more.md").read_text() == "more\n"
    assert only["checks"] == [
        {"type": "tool-used", "tool": "rm", "max": 0},
        {"type": "file-exists", "path": "sorted.md"},
        {"type": "file-absent", "path": "*.tmp"},
        {"type": "file-contains", "path": "sorted.md", "regex": "^2026"},
        {"type": "file-contains", "path": "sorted.md", "regex": "TODO", "not": True},
        {"type": "tool-order", "tools": ["view", "edit"]},
        {"type": "skill-used", "name": "tidy-notes"},
    ]
    assert only["expectations"] == [
        "The answer contains 'done', in upper or lower case",
        "The answer has no part that the regular expression 'panic' matches",
    ]
    assert found["tidy-notes"]["trigger"] == {
        "positive": [{"prompt": "sort my notes"}],
        "negative": [{"prompt": "bake a cake"}],
    }
    lost = [text.partition(" ")[0] for text in messages(told, "dropped-value")]
    assert lost == [
        "config", "expected.behavior.max_tool_calls", "graders[]", "graders[].config.mode", "inputs.context",
        "should_trigger_prompts[].reason",
    ]  # fmt: skip


def test_waza_tasks_of_a_suite_are_not_read_twice(tmp_path):
    write(tmp_path, WAZA)
    report = api.take_in([tmp_path / "source"], api.configure(base=tmp_path), tmp_path)
    assert [row["source"] for row in report.records["sources"]] == ["source/eval.yaml", "source/trigger_tests.yaml"]


def test_skillgrade_files_go_where_the_task_has_them(tmp_path):
    found, told = imported(tmp_path, SKILLGRADE, skill="tidy-notes")
    (only,) = found["tidy-notes"]["evals"]
    assert only["files"] == ["inbox/notes.md"]
    assert only["trust_level"] == "provisional"  # a tool of the task could not be carried over
    assert only["expectations"] == ["Are the notes in order?"]
    assert (tmp_path / "evals/fixtures/inbox/notes.md").is_file()
    assert any("'/usr/local/bin/tool' lies outside" in text for text in messages(told, "dropped-value"))


def test_skill_up_suites_bring_their_cases(tmp_path):
    found, told = imported(tmp_path, SKILL_UP, skill="tidy-notes", source="source/evals/eval.yaml")
    (only,) = found["tidy-notes"]["evals"]
    assert only["checks"] == [{"type": "file-exists", "path": "sorted.md"}]
    assert only["expectations"] == [
        "The answer contains 'done'",
        "The answer does not contain 'TODO'",
        "The answer contains at least one of 'old', 'oldest'",
    ]
    assert messages(told, "missing-file") == ["'evals/cases/gone.yaml' does not exist, so its case is left out"]
    assert messages(told, "escaping-file") == ["'../../far.yaml' leaves the suite, so its case is left out"]
    assert any("moon_phase" in text for text in messages(told, "dropped-value"))


def test_caliper_asserts_become_commands(tmp_path):
    found, told = imported(tmp_path, {"source/a.eval.yaml": CALIPER}, skill="tidy-notes")
    inside, outside = found["tidy-notes"]["evals"]
    assert inside["id"] == "Sorts a-b"
    assert inside["checks"][0]["run"][:2] == ["python3", "-c"]
    assert inside["checks"][1] == {"type": "skill-used", "name": "tidy-notes"}
    assert "trust_level" not in inside
    assert outside["trust_level"] == "provisional"
    assert len(messages(told, "restated-value")) == 3  # both programs, and the id with a slash
    assert any("tasks[].setup" in text for text in messages(told, "dropped-value"))


def test_claude_plugin_cases_bring_their_graders(tmp_path):
    found, told = imported(tmp_path, PLUGIN)
    (only,) = found["tidy-notes"]["evals"]
    assert (only["id"], only["prompt"]) == ("sorts", "Sort the notes.")
    assert only["checks"] == [
        {"type": "skill-used", "name": "tidy-notes"},
        {"type": "tool-used", "tool": "Bash", "input-regex": "sort -k2", "max": 3},
        {"type": "file-exists", "path": "sorted.md"},
    ]
    assert only["expectations"] == ["Is it in order?"]
    assert only["trust_level"] == "provisional"  # its scaffold is a script
    lost = [text.partition(" ")[0] for text in messages(told, "dropped-value")]
    assert lost == ["context", "max_turns", "this", "weight"]


SOURCES = {
    "skill-creator": json.dumps(SUITE),
    "trigger-set": json.dumps(TRIGGERS),
    "benchflow": json.dumps(BENCHFLOW),
    "promptfoo": PROMPTFOO,
    "waza": WAZA["source/eval.yaml"],
    "skillgrade": SKILLGRADE["source/eval.yaml"],
    "skill-up": SKILL_UP["source/evals/eval.yaml"],
    "caliper": CALIPER,
    "claude-plugin-eval": PLUGIN["source/evals/sorts/case.yaml"] + "graders: []\n",
}


def test_every_importer_has_a_source_here():
    assert set(SOURCES) == set(importer_names())


@pytest.mark.parametrize("name", SOURCES)
@pytest.mark.parametrize("file", ["evals/eval.yaml", "evals/evals.json", "promptfooconfig.yaml"])
def test_a_format_is_told_by_shape_under_any_name(tmp_path, name, file):
    text = SOURCES[name]
    write(tmp_path, {file: json.dumps(yaml.safe_load(text)) if file.endswith(".json") else text})
    document = read(tmp_path / file, file)
    assert isinstance(document, Document)
    assert [each for each in importer_names() if named(each).recognises(document)] == [name]
    assert recognised(document).name == name


@pytest.mark.parametrize(
    "text",
    [
        "name: x\nversion: 3\nskill: ../SKILL.md\ntasks: [{id: a, file: tasks/a.yaml}]\n",
        "[]", "7", "{}", "tasks: 7", "evals: {}", json.dumps({"skill_name": "x", "trigger": {}, "evals": []}),
    ],
)  # fmt: skip
def test_other_shapes_are_nobodys(tmp_path, text):
    write(tmp_path, {"evals/eval.yaml": text})
    assert recognised(read(tmp_path / "evals/eval.yaml", "x")) is None


@pytest.mark.parametrize("name", SOURCES)
@pytest.mark.parametrize("value", ["7", "[7, null, {}]", "{a: 7}", "null", "[[[]]]"])
def test_no_value_of_a_wrong_kind_breaks_an_importer(tmp_path, name, value):
    keys = (
        "evals", "cases", "tasks", "tests", "prompts", "graders", "inputs", "input", "judge", "expect", "config",
        "should_trigger_prompts", "defaultTest", "workspace", "files", "expectations", "scorers", "assert", "context",
    )  # fmt: skip
    inner = "{" + ", ".join(f"{key}: {value}" for key in keys) + ", prompt: p, instruction: i, question: q, id: 1}"
    wrapped = "\n".join(f"{key}: {value if key == 'config' else f'[{inner}, {value}]'}" for key in keys)
    write(tmp_path, {"a.yaml": wrapped, "b.yaml": f"[{inner}, {value}]", "c.yaml": inner})
    config = api.configure(base=tmp_path)
    for file in ("a.yaml", "b.yaml", "c.yaml"):
        api.take_in([tmp_path / file], config, tmp_path, skill="tidy-notes", form=name, write=False)
