#!/bin/bash
set -e
entries() {
  tac /root/commits.txt | sed -n "s/^$1: /- /p"
}
{
  echo "# 3.0.0"
  printf '\n## Breaking\n\n'; entries '[a-z]*!'
  printf '\n## New\n\n'; entries feat
  printf '\n## Fixed\n\n'; entries fix
} > /root/NOTES.md
