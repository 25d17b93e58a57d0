"""A grader that looks at what our part of the prompt says alone; it keeps each prompt in the folder that it is given.

An expectation is met where the final state, between the lines that our marker tells, has what it quotes.
"""

import json
import re
import sys
import tempfile

text = sys.stdin.read()
with tempfile.NamedTemporaryFile("w", encoding="utf-8", dir=sys.argv[1], delete=False) as file:
    file.write(text)
if "echo" in sys.argv:
    sys.stdout.write(text)
    sys.exit()
ours = text[: text.index("\nBEGIN ")]
marker = re.search(r"marker (\w+) begin", ours)[1]
state = text.partition(f"\nBEGIN FINAL STATE {marker}\n")[2].partition(f"\nEND FINAL STATE {marker}\n")[0]
answers = [
    {"id": int(number), "passed": all(words in state for words in re.findall("'([^']+)'", wanted)), "evidence": "state"}
    for number, wanted in re.findall(r"^(\d+)\. (.+)$", ours, re.MULTILINE)
]
json.dump({"expectations": answers}, sys.stdout)
