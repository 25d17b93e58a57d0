"""A grader without a model: an expectation is met where the words that it quotes occur in the data below it."""

import json
import re
import sys

asked, _, data = sys.stdin.read().partition("untrusted data")
answers = [
    {
        "id": int(number),
        "passed": all(words in data for words in re.findall("'([^']+)'", text)),
        "evidence": "looked for the words in quotes",
    }
    for number, text in re.findall(r"^(\d+)\. (.+)$", asked, re.MULTILINE)
]
sys.stdout.write(json.dumps({"expectations": answers}))
