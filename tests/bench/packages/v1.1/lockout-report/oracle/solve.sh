#!/bin/bash
set -e
cd "${BENCHFLOW_WORKSPACE:-/root}"
python3 - <<'PY'
from collections import defaultdict
from datetime import datetime, timedelta
from pathlib import Path

failures, locked = defaultdict(list), {}
for line in Path("auth.log").read_text().splitlines():
    when, what, account = line.split()
    if account in locked:
        continue
    if what == "ok":
        failures[account].clear()
        continue
    now = datetime.fromisoformat(when)
    failures[account] = [*(t for t in failures[account] if now - t <= timedelta(minutes=10)), now]
    if len(failures[account]) == 4:
        locked[account] = when
rows = [f"{account},{when}" for account, when in sorted(locked.items())]
Path("locked.csv").write_text("\n".join(["account,locked_at", *rows]) + "\n")
PY
