"""An agent that behaves: it does what it is told on stdin, says so, and ends."""

import json
import sys
from pathlib import Path

prompt = sys.stdin.read()
Path("answer.txt").write_text(prompt, "utf-8")
print(json.dumps({"type": "result", "prompt": len(prompt)}))
print("done", file=sys.stderr)
