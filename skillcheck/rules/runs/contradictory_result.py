"""The numbers of a stored trial contradict each other.

What a trial comes to follows from its verdicts: its status, and the counts and the rate in `grading.json`. They are
computed again from `outcome.json`. Digests can be made to fit an edited file; this is found all the same.

## Bad
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
  "summary": {"passed": 1, "failed": 1, "total": 2, "pass_rate": 1.0},
  "checks": []
}
````

````json evals/results/20260819T080000000000Z-a1b2c3/digests.json
{
  "schema_version": 1,
  "files": {
    "run.json": "92190e24626e65e2dc0f1cd67905d7e59185e0fc4887d7cf9447e36011521ca9",
    "tidy-notes/1/1/grading.json": "78d9e1a30dfda41e445d09229ecdbb88ba43bfbe2b7cd44a75ba92b143180b9a",
    "tidy-notes/1/1/outcome.json": "3c97175d06521c263aa12e24a526b000d5df43786608fb34c30450453d8a7562"
  },
  "tested": {
    "skills": {
      "tidy-notes": "d3a357e450ee6b1521ab6ad6ff635b0d06cbcba04dfec7c9585685901aedeb79"
    },
    "harness": "command"
  },
  "run": "d6644cfcc99c164ac21f7cdcff788eeb19cc8c997d459e593762897e5c9bf167"
}
````

## Good
````json evals/results/20260819T080000000000Z-a1b2c3/digests.json
{
  "schema_version": 1,
  "files": {
    "run.json": "92190e24626e65e2dc0f1cd67905d7e59185e0fc4887d7cf9447e36011521ca9",
    "tidy-notes/1/1/grading.json": "dbf08c82bf331eec9084a87b4695dab64ae4ca01527cc5ecdf1553f257f194a0",
    "tidy-notes/1/1/outcome.json": "3c97175d06521c263aa12e24a526b000d5df43786608fb34c30450453d8a7562"
  },
  "tested": {
    "skills": {
      "tidy-notes": "d3a357e450ee6b1521ab6ad6ff635b0d06cbcba04dfec7c9585685901aedeb79"
    },
    "harness": "command"
  },
  "run": "2a931abb3d02c6a93058c31637c8c5f7cd94e380b4be947282d4f3b028e6b766"
}
````
"""

from skillcheck.diagnostic import Severity
from skillcheck.rules import Rule

RULE = Rule(__name__, Severity.ERROR, __doc__)
