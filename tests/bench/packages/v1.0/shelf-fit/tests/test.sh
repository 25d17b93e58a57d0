#!/bin/bash
# Leaves the reward that check.py works out; the status is 0 whatever it is.
mkdir -p /logs/verifier
python3 /tests/check.py /root > /logs/verifier/reward.txt
