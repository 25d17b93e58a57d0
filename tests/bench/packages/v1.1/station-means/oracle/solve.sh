#!/bin/bash
set -e
cd "${BENCHFLOW_WORKSPACE:-/root}"
for file in readings/*.csv; do
  awk -F, -v station="$(basename "$file" .csv)" '
    NR > 1 && $2 != -99.9 { sum += $2; count += 1 }
    END { if (count >= 6) printf "%s %.1f\n", station, sum / count }
  ' "$file"
done > means.txt
