#!/bin/bash
set -e
cd "${BENCHFLOW_WORKSPACE:-/root}"
python3 - <<'PY'
import csv
import json
from collections import defaultdict
from decimal import ROUND_HALF_EVEN, Decimal

totals = defaultdict(Decimal)
with open("invoices.csv", newline="") as file:
    for line in csv.DictReader(file):
        amount = Decimal(line["quantity"]) * Decimal(line["unit_price"])
        totals[line["customer"]] += amount.quantize(Decimal("0.01"), ROUND_HALF_EVEN)
with open("totals.json", "w") as file:
    json.dump({customer: str(total) for customer, total in totals.items()}, file)
PY
