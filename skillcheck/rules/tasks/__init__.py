"""Rules on task packages: what `skillcheck bench` finds before an agent is tried.

## Around the examples
An example of this family stands in the task of these files, unless it shows the file itself.

````md tasks/count-stars/task.md
---
schema_version: "1.3"
metadata:
  category: natural-science
  difficulty: easy
verifier:
  timeout_sec: 30
agent:
  timeout_sec: 60
---

Count the stars in sky.txt and write their number into stars.txt.
````

````txt tasks/count-stars/environment/sky.txt
* . * *
````

````md tasks/count-stars/environment/skills/star-charts/SKILL.md
---
name: star-charts
description: Reads charts of the sky. Use when stars are counted.
---

Every asterisk is a star.
````

````sh tasks/count-stars/oracle/solve.sh
tr -cd '*' < sky.txt | wc -c | tr -d ' ' > stars.txt
````

````sh tasks/count-stars/verifier/test.sh
reward=0
if [ "$(cat stars.txt)" = 3 ]; then reward=1; fi
echo "$reward" > "${BENCHFLOW_REWARD_TEXT:-/logs/verifier/reward.txt}"
````
"""
