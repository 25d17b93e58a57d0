"""Rules on stored runs: what `skillcheck verify` finds.

## Around the examples
An example of this family stands in the catalog of these files, unless it shows the file itself: a skill, and a run of
its eval that has one trial.

````md skills/tidy-notes/SKILL.md
---
name: tidy-notes
description: Sorts notes by date. Use when a folder of notes has grown.
---

Write the notes, oldest first, into sorted.md.
````

````json evals/results/20260819T080000000000Z-a1b2c3/run.json
{
  "schema_version": 1,
  "harness": "command",
  "skills": {
    "tidy-notes": "d3a357e450ee6b1521ab6ad6ff635b0d06cbcba04dfec7c9585685901aedeb79"
  }
}
````

````json evals/results/20260819T080000000000Z-a1b2c3/tidy-notes/1/1/outcome.json
{
  "schema_version": 1, "key": "1f", "skill": "tidy-notes", "eval": "1", "trial": 1, "arm": "with",
  "harness": "command", "version": "", "model": "", "delivery": "native", "sandbox": "none", "asks_model": true,
  "status": "failed", "how": "completed", "ended": "completed", "message": "", "attempts": 1,
  "grading": {
    "expectations": [
      {"text": "The notes are sorted", "passed": true, "evidence": "sorted.md", "process": false},
      {"text": "The key is asked about", "passed": false, "evidence": "no such line", "process": false}
    ],
    "checks": [], "problem": "", "raw": [], "judge": "command", "model": "",
    "usage": null, "cost_usd": null, "seconds": 1
  },
  "usage": null, "cost_usd": null, "seconds": 2, "calls": 0, "loaded": true, "malformed": 0, "truncated": false,
  "left": 0, "started": "", "reused": "", "verified": null, "notes": []
}
````

````json evals/results/20260819T080000000000Z-a1b2c3/tidy-notes/1/1/grading.json
{
  "expectations": [
    {"text": "The notes are sorted", "passed": true, "evidence": "sorted.md"},
    {"text": "The key is asked about", "passed": false, "evidence": "no such line"}
  ],
  "assertion_results": [
    {"text": "The notes are sorted", "passed": true, "evidence": "sorted.md"},
    {"text": "The key is asked about", "passed": false, "evidence": "no such line"}
  ],
  "summary": {"passed": 1, "failed": 1, "total": 2, "pass_rate": 0.5},
  "checks": []
}
````
"""
