#!/bin/bash
# Leaves the reward that check.py works out; the status is 0 whatever it is.
verifier="${BENCHFLOW_VERIFIER_DIR:-/verifier}"
reward="${BENCHFLOW_REWARD_TEXT:-/logs/verifier/reward.txt}"
mkdir -p "$(dirname "$reward")"
python3 "$verifier/check.py" "${BENCHFLOW_WORKSPACE:-/root}" > "$reward"
