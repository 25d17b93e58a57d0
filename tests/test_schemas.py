import dataclasses
import json

import pytest
from jsonschema import Draft202012Validator

from skillcheck import schemas
from skillcheck.config import Config
from skillcheck.diagnostic import Severity
from skillcheck.located import json as located_json
from skillcheck.router.ratchet import Floor, dump
from skillcheck.span import Lines


def test_all_schemas_are_listed():
    assert {"cases", "config", "ratchet", "report"} <= set(schemas.names())


@pytest.mark.parametrize("name", schemas.names())
def test_schemas_are_valid_by_their_own_schema(name):
    schema = json.loads(schemas.text(name))
    assert schema["$schema"] == "https://json-schema.org/draft/2020-12/schema"
    Draft202012Validator.check_schema(schema)
    assert schema["title"]
    assert schema["description"]


@pytest.mark.parametrize("name", schemas.names())
def test_no_key_of_a_schema_stands_twice(name):
    assert located_json.parse(Lines.of(schemas.text(name))).duplicates == ()


def test_every_field_of_an_eval_is_described():
    fields = schemas.schema("cases")["$defs"]["eval"]["properties"]
    assert [name for name, node in fields.items() if "description" not in node] == []


@pytest.mark.parametrize("name", schemas.names())
def test_references_lead_somewhere(name):
    schema, todo = schemas.schema(name), [schemas.schema(name)]
    while todo:
        node = todo.pop()
        todo += node.values() if isinstance(node, dict) else node if isinstance(node, list) else ()
        if isinstance(node, dict) and isinstance(node.get("$ref"), str):
            assert node["$ref"].removeprefix("#/$defs/") in schema["$defs"]


def test_settings_are_those_of_the_schema_with_the_same_defaults(tmp_path):
    known = schemas.schema("config")["properties"]
    config = Config(tmp_path)
    fields = {field.name.replace("_", "-"): getattr(config, field.name) for field in dataclasses.fields(config)}
    assert set(known) == {"preset", "extend-ignore", *fields} - {"root", "source"}
    for name, node in known.items():
        if "default" in node:
            value = fields[name].label if isinstance(fields[name], Severity) else fields[name]
            assert json.loads(json.dumps(value)) == node["default"]


def test_an_unknown_schema_is_no_file():
    with pytest.raises(FileNotFoundError):
        schemas.text("none")


def test_problems_have_the_path_of_the_value():
    assert schemas.problems("config", {"paths": ["a"]}) == ()
    assert [path for path, _ in schemas.problems("config", {"paths": ["a", 3], "top-k": 0})] == [
        ("paths", 1),
        ("top-k",),
    ]


@pytest.mark.parametrize(
    "data", [None, [], "x", 3, {"a": None}], ids=["null", "list", "string", "number", "other keys"]
)
@pytest.mark.parametrize("name", schemas.names())
def test_any_data_can_be_checked(name, data):
    schemas.problems(name, data)
    list(schemas.unknown_keys(name, data))


def test_unknown_keys_are_told_with_those_that_are_known():
    found = list(schemas.unknown_keys("config", {"pahts": 1, "accepted-collisions": [{"skills": [], "why": ""}]}))
    known = tuple(schemas.schema("config")["properties"])
    assert found == [((), "pahts", known), (("accepted-collisions", 0), "why", ("skills", "reason"))]


def test_keys_that_are_left_free_are_not_unknown():
    case = {"skill_name": "a", "evals": [{"checks": [{"type": "x", "option": 1}], "chekcs": []}]}
    assert [(path, key) for path, key, _ in schemas.unknown_keys("cases", case)] == [(("evals", 0), "chekcs")]


def test_a_schema_of_anybody_is_checked_with_its_own_formats():
    node = {"type": "string", "format": "even"}
    rules = {"type": "array", "items": node, "minItems": 1}
    formats = {"even": lambda text: f"{text} is odd" if len(text) % 2 else ""}
    assert schemas.breaches(rules, ["ab"], formats) == ()
    assert schemas.breaches(rules, ["abc", "ab", 3], formats) == (
        ((0,), "format", "abc is odd"),
        ((2,), "type", '3 is not of type "string"'),
    )
    assert [breach.keyword for breach in schemas.breaches(rules, [])] == ["minItems"]


def test_what_a_schema_refers_to_is_not_fetched(tmp_path):
    (tmp_path / "s.json").write_text("{}", "utf-8")
    address = (tmp_path / "s.json").as_uri()
    with pytest.raises(ValueError, match=f"{address} is not part of it"):
        schemas.breaches({"$ref": address}, {})
    with pytest.raises(ValueError, match="strin"):
        schemas.breaches({"type": "strin"}, {})


def test_what_the_ratchet_writes_fits_its_schema():
    assert schemas.problems("ratchet", dump(Floor(81.25, {"b": 100.0, "a": 0.0}))) == ()
    assert schemas.problems("ratchet", {"schema_version": 1, "catalog": 101})
