"""A small coding agent without a terminal, for people who have a key and no agent CLI: `python -m skillcheck.agent`.

It talks to a server of the Anthropic Messages API until the task is done, works in the current directory with a shell,
an editor and skills, and writes what happens to stdout, one JSON object a line, like Claude Code's stream-json.
"""
