"""Rules on stored runs: what `skillcheck history` and `skillcheck compare` find.

## Around the examples
An example of this family stands in the catalog of these files. `runs.csv` stands for what is below `evals/results/`:
one line for an eval in a run, with how many of its trials passed. History is asked for with `--alert --fail-below 50`.

````toml .skillcheck.toml
ignore = ["insufficient-cases", "missing-cases"]
````

````md skills/tidy-notes/SKILL.md
---
name: tidy-notes
description: Sorts notes by date. Use when a folder of notes has grown.
---

Write the notes, oldest first, into sorted.md, as [the style guide](style.md) says.
````

````md skills/tidy-notes/style.md
One line for each note.
````

````json evals/cases/tidy-notes.json
{
  "skill_name": "tidy-notes",
  "evals": [
    {
      "id": 1, "files": ["inbox"],
      "prompt": "Sort these notes for me.",
      "expected_output": "The notes, oldest first.",
      "checks": [{"type": "file-exists", "path": "inbox/sorted.md"}]
    }
  ]
}
````
"""
