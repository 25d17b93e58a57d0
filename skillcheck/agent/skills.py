"""The skills that the agent is offered, and the tool `Skill` that loads one."""

from __future__ import annotations

import os
from functools import partial
from typing import TYPE_CHECKING, Any

from skillcheck.agent.tools import Parameter, Tool, ToolError
from skillcheck.catalog.discover import skill_file
from skillcheck.catalog.load import read_skill

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from skillcheck.catalog.skill import Skill

Skills = dict[str, "Skill"]


def offered(folder: Path) -> Skills:
    """The skills right below a folder, by name, without those that only users invoke. No folder means no skills."""
    places = sorted(folder / name for name in os.listdir(folder)) if folder.is_dir() else []
    read = (read_skill(file, str(file)) for place in places if (file := skill_file(place)))
    return {skill.name: skill for skill in read if not skill.unreadable and not skill.is_hidden}


def listing(skills: Skills) -> str:
    """One line a skill, `- name: description`."""
    return "\n".join(f"- {name}: {' '.join(skill.description.split())}" for name, skill in skills.items())


def loader(skills: Skills) -> Tool:
    """The tool; it is there without skills too, so that runs with and without one differ in the listing alone."""
    parameter = Parameter("skill", "string", "The skill's name, as listed", required=True)
    return Tool("Skill", "Load the instructions of a skill.", (parameter,), partial(_load, skills))


def _load(skills: Skills, given: Mapping[str, Any]) -> str:
    """The skill's body and where its other files are; raises ToolError for an unknown one."""
    skill = skills.get(given["skill"])
    if skill is None:
        message = f"unknown skill {given['skill']!r}; known are: {', '.join(skills) or 'none'}"
        raise ToolError(message)
    body = skill.text[skill.body.start :].strip()
    return f"Base directory for this skill: {skill.path.parent}\n\n{body}"
