"""A file is JSON, and fits a JSON Schema if one is given.

The file is UTF-8 of at most 16 MiB and 64 levels; NaN and infinities are not JSON. `schema` is a JSON Schema of draft
2020-12, or of the draft that its `$schema` names; nothing outside of it is fetched.

````json
{"type": "json-valid", "path": "out/report.json", "schema": {"type": "object", "required": ["total"]}}
````
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from skillcheck import schemas
from skillcheck.catalog.cases import where
from skillcheck.diagnostic import clipped
from skillcheck.evals.grader import Evidence, Grade, Grader, UngradableError
from skillcheck.evals.workspace.workfiles import listed, quoted, read
from skillcheck.located import ParseError
from skillcheck.located import json as located_json
from skillcheck.span import Lines

if TYPE_CHECKING:
    from collections.abc import Mapping

OPTIONS = {
    "type": "object",
    "required": ["path"],
    "additionalProperties": False,
    "properties": {
        "path": {"description": "A path in the workspace", "type": "string", "format": "workspace-path"},
        "schema": {
            "description": "What the file's value must fit",
            "type": "object",
            "$ref": "https://json-schema.org/draft/2020-12/schema",
        },
    },
}
_SHOWN = 160


def grade(options: Mapping[str, Any], evidence: Evidence) -> Grade:
    """Read the file, then compare it with the schema."""
    path = options["path"]
    content = read(evidence.work, path)
    problem = content.problem or (f"{quoted(path)} is too long{content.cut}" if content.cut else "")
    if problem:
        return Grade(passed=False, reason=problem)
    try:
        lines = Lines.of(content.data.decode("utf-8-sig"))
        value = located_json.parse(lines).value
    except UnicodeDecodeError as error:
        return Grade(passed=False, reason=f"{quoted(path)} is no UTF-8: byte {error.start + 1} is wrong")
    except ParseError as error:
        line, column = lines.position(error.offset)
        return Grade(passed=False, reason=f"{quoted(path)}:{line}:{column} is no JSON: {error.message}")
    return _compare(path, value, options.get("schema"))


def _compare(path: str, value: Any, schema: Mapping[str, Any] | None) -> Grade:
    if schema is None:
        return Grade.of(passed=True, reason=f"{quoted(path)} is JSON")
    try:
        breaches = schemas.breaches(schema, value)
    except ValueError as error:
        message = f"the schema can't be used: {str(error).partition(chr(10))[0]}"
        raise UngradableError(message) from None
    told = [clipped(f"{where(each.path)}: {each.message}".removeprefix(": "), _SHOWN) for each in breaches]
    return Grade.of(not told, f"{quoted(path)} {f'breaks the schema: {listed(told)}' if told else 'fits the schema'}")


GRADER = Grader("json-valid", __doc__, grade, "files", OPTIONS)
