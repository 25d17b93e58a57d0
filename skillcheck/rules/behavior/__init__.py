"""Rules on what agents do: what `skillcheck behavioral` finds.

## Around the examples
An example of this family stands in the catalog of these files, unless it shows the file itself. The agent is the
program `sh inbox/agent.sh`, which the fixture brings; the grader takes an expectation for met where the words that it
quotes occur in what the agent said or changed.

````toml .skillcheck.toml
ignore = ["insufficient-cases", "missing-cases"]
````

````md skills/tidy-notes/SKILL.md
---
name: tidy-notes
description: Sorts notes by date. Use when a folder of notes has grown.
---

Write the notes, oldest first, into sorted.md.
````

````sh evals/fixtures/inbox/agent.sh
echo "2026-08-19 Ask about the key" > inbox/sorted.md
echo "The notes are sorted."
````
"""
