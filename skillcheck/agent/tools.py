"""The contract of a tool, and how the model's calls are answered."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from skillcheck.errors import SkillcheckError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

MAX_RESULT = 30_000
"""Characters of a result that the model gets to see."""
_TYPES = {"string": (str,), "integer": (int,), "number": (int, float)}


class ToolError(SkillcheckError):
    """A call that came to nothing; the model reads why and goes on."""


class Parameter(NamedTuple):
    """One input of a tool; `type` is that of JSON Schema: string, integer or number."""

    name: str
    type: str
    description: str
    required: bool = False
    choices: tuple[str, ...] = ()

    def complaint(self, value: Any) -> str:
        """What is wrong with a value; empty where nothing is."""
        if type(value) not in _TYPES[self.type]:
            return f"{self.name!r} must be of type {self.type}"
        if self.choices and value not in self.choices:
            return f"{self.name!r} is {value!r}; it must be one of {', '.join(self.choices)}"
        return ""


@dataclass(frozen=True, slots=True)
class Tool:
    """What the model can call. `call` gets checked input and returns the result's text; it raises ToolError."""

    name: str
    description: str
    parameters: tuple[Parameter, ...]
    call: Callable[[Mapping[str, Any]], str]

    def definition(self) -> dict[str, Any]:
        """The tool as the Messages API wants it described."""
        properties = {p.name: _schema(p) for p in self.parameters}
        required = [p.name for p in self.parameters if p.required]
        schema = {"type": "object", "properties": properties, "required": required}
        return {"name": self.name, "description": self.description, "input_schema": schema}


def answer(call: Mapping[str, Any], tools: Sequence[Tool]) -> dict[str, Any]:
    """The tool_result block for a tool_use block; whatever goes wrong is told to the model."""
    try:
        text, is_error = _called(call["name"], call.get("input"), tools), False
    except ToolError as error:
        text, is_error = str(error), True
    return {"type": "tool_result", "tool_use_id": call["id"], "content": shortened(text), "is_error": is_error}


def shortened(text: str, most: int = MAX_RESULT) -> str:
    """The text, its middle cut out with a note where it is longer than `most` characters."""
    if len(text) <= most:
        return text
    half = most // 2
    return f"{text[:half]}\n[... {len(text) - 2 * half} characters cut ...]\n{text[-half:]}"


def _called(name: str, given: Any, tools: Sequence[Tool]) -> str:
    tool = next((tool for tool in tools if tool.name == name), None)
    if tool is None:
        message = f"unknown tool {name!r}; there are {', '.join(tool.name for tool in tools)}"
        raise ToolError(message)
    complaint = _complaint(tool, given)
    if complaint:
        message = f"bad input for {name}: {complaint}"
        raise ToolError(message)
    return tool.call(given)


def _complaint(tool: Tool, given: Any) -> str:
    """What is wrong with an input; empty where nothing is. Inputs that the tool doesn't know are ignored."""
    if not isinstance(given, dict):
        return "it must be an object"
    for parameter in tool.parameters:
        if parameter.name in given:
            complaint = parameter.complaint(given[parameter.name])
        else:
            complaint = f"{parameter.name!r} is missing" if parameter.required else ""
        if complaint:
            return complaint
    return ""


def _schema(parameter: Parameter) -> dict[str, Any]:
    schema: dict[str, Any] = {"type": parameter.type, "description": parameter.description}
    return {**schema, "enum": list(parameter.choices)} if parameter.choices else schema
