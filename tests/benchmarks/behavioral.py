"""What behavioral evals cost beside their agents: `python tests/benchmarks/behavioral.py`, about three minutes.

The catalog is made here: one skill, one eval with one check. What depends on the machine's speed is also told as a
ratio to a yardstick that is measured right after it: git for a trial, `json.loads` for a stream, the start of Python.
"""

import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

TRIALS = 100
RUNS = 3
MEGABYTE = 1 << 20
SKILL = (
    "---\nname: noting\ndescription: Writes a note. Use when somebody asks for a note.\n---\n\n# Noting\n\nWrite it.\n"
)
EVAL = {
    "id": 1,
    "prompt": "Write the note",
    "expected_output": "A note",
    "expectations": [],
    "checks": [{"type": "file-exists", "path": "note.txt"}],
    "files": ["desk"],
    "kind": "execution",
    "trust_level": "trusted",
}
SKILLCHECK = (sys.executable, "-m", "skillcheck")
READ = """
import sys
from pathlib import Path
from skillcheck.evals.trace.claude_stream import parse
from skillcheck.evals.grading.fence import new_fence
from skillcheck.evals.grading.rubric import Subject, prompt
from skillcheck.evals.trace.trace import Trace
from skillcheck.evals.trace.transcript import transcript
with Path(sys.argv[1]).open("rb") as lines:
    text = transcript(Trace.of(parse(lines)))
prompt(Subject("execution", "task", "output", ("It holds",), "state", text), new_fence(text))
"""
LOADS = "import json, sys\nfor line in open(sys.argv[1], 'rb'): json.loads(line.decode('utf-8', 'replace'))"
RESULTS = {"short results": "ok", "results of 8 kB": 'if "x" in line:\n\treturn "✓"\n' * 300}
FLOOD = "import sys\nfor _ in range(1 << 10): sys.stdout.write(('x' * 1023 + '\\n') * 64)"


def make(root):
    """One skill, its case file and its fixture."""
    for path, text in {
        "skills/noting/SKILL.md": SKILL,
        "evals/cases/noting.json": json.dumps({"skill_name": "noting", "evals": [EVAL]}),
        "evals/fixtures/desk/README.md": "# Desk\n",
    }.items():
        (root / path).parent.mkdir(parents=True)
        (root / path).write_text(text, "utf-8")
    (root / "pyproject.toml").write_text("[tool.skillcheck]\n", "utf-8")


def stream(path, result, megabytes=50):
    """A long session in the manner of Claude Code: texts, calls and their results."""
    usage = {"input_tokens": 5, "output_tokens": 60, "cache_read_input_tokens": 9000}
    size = 0
    with path.open("wb") as file:
        while size < megabytes * MEGABYTE:
            text = {"type": "text", "text": f"I look at byte {size}."}
            call = {"type": "tool_use", "id": f"t{size}", "name": "Bash", "input": {"command": f"tail -c +{size} a.py"}}
            answer = {"type": "tool_result", "tool_use_id": f"t{size}", "content": result}
            message = {"id": f"m{size}", "usage": usage}
            for role, block in (("assistant", text), ("assistant", call), ("user", answer)):
                record = {"type": role, "message": {**message, "role": role, "content": [block]}}
                size += file.write(json.dumps(record, ensure_ascii=False).encode() + b"\n")
        end = {"type": "result", "subtype": "success", "is_error": False, "result": "Done", "usage": usage}
        file.write(json.dumps(end).encode() + b"\n")


def run(command, cwd):
    """Seconds, and the peak of the largest single process in megabytes."""
    start = time.perf_counter()
    child = subprocess.Popen(command, cwd=cwd, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, status, usage = os.wait4(child.pid, 0)
    seconds = time.perf_counter() - start
    child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode > 1:
        sys.exit(f"{command} ended with status {child.returncode}")
    return seconds, usage.ru_maxrss / 1024


def tell(what, figure, unit, limit="none", yardstick=None):
    """Print a figure, its limit and, with a yardstick's name and value, the ratio."""
    name, value = yardstick or ("", 0)
    ratio = f" = {figure / value:.2f} times {name} ({value:.3f} {unit})" if value else ""
    print(f"{what:42} {figure:8.3f} {unit}{ratio}  (limit: {limit})", flush=True)


def commits():
    """The median seconds of two git commits, of what a trial's fixture holds, each in a repository of its own."""
    identity = ("-c", "user.name=x", "-c", "user.email=x@example.invalid")
    measured = []
    for _ in range(20):
        with tempfile.TemporaryDirectory() as one, tempfile.TemporaryDirectory() as other:
            start = time.perf_counter()
            for folder in (one, other):
                Path(folder, "README.md").write_text("# Desk\n", "utf-8")
                for words in (("init", "-q"), ("add", "."), (*identity, "commit", "-qm", "x")):
                    subprocess.run(("git", *words), cwd=folder, check=True, stderr=subprocess.DEVNULL)
            measured.append(time.perf_counter() - start)
    return statistics.median(measured)


def nop(root, *options):
    return run((*SKILLCHECK, "behavioral", "--harness=nop", *options), root)[0]


def trials(root):
    for sandbox in ("none", "bwrap") if shutil.which("bwrap") else ("none",):
        common = (f"--trials={TRIALS}", "--fresh", f"--sandbox={sandbox}")
        alone, pair = nop(root, *common) / TRIALS, commits()
        tell(f"a nop trial, sandbox {sandbox}", alone, "s", f"{0.15 + pair:.3f}", ("two commits", pair))
        tell(f"{TRIALS} nop trials, sandbox {sandbox}, 8 jobs", nop(root, *common, "--jobs=8"), "s", 15)


def streams(scratch):
    path = scratch / "stream.jsonl"
    for what, result in RESULTS.items():
        stream(path, result)
        seconds, peak = min(run((sys.executable, "-c", READ, str(path)), scratch) for _ in range(RUNS))
        least = min(run((sys.executable, "-c", LOADS, str(path)), scratch) for _ in range(RUNS))[0]
        tell(f"50 MB with {what} to a prompt", seconds, "s", 3, ("json.loads of its lines", least))
        tell("  at its peak", peak, "MB", 300)


def floods(root, scratch):
    """What an agent prints is read again for its trace, graded and stored, free of secrets."""
    program = scratch / "flood.py"
    program.write_text(FLOOD, "utf-8")
    for what, command in {
        "an agent that prints 64 MB of text": f"{sys.executable} {program}",
        "an agent that prints that stream": f"cat {scratch / 'stream.jsonl'}",
    }.items():
        agent = ("--harness=command", f"--agent-command={command}", "--grader=none", "--sandbox=none", "--fresh")
        seconds, peak = run((*SKILLCHECK, "behavioral", *agent), root)
        tell(what, seconds, "s")
        tell("  at its peak", peak, "MB")


def stored(root):
    nop(root, "--trials=1000", "--jobs=8", "--sandbox=none")
    start = statistics.median(run((sys.executable, "-c", "pass"), root)[0] for _ in range(RUNS))
    for what, words in {
        "results of 1,000 trials": ("results",),
        "results latest, of 1,000": ("results", "latest"),
        "a trial found among 1,000": ("behavioral", "--harness=nop", "--sandbox=none"),
        "dry run": ("behavioral", "--harness=nop", "--dry-run"),
    }.items():
        seconds = statistics.median(run((*SKILLCHECK, *words), root)[0] for _ in range(RUNS))
        tell(what, seconds, "s", 2, ("the start of Python", start))
    tell("1,000 trials reused", nop(root, "--trials=1000", "--sandbox=none"), "s")


def main():
    with tempfile.TemporaryDirectory() as folder:
        scratch = Path(folder)
        root = scratch / "catalog"
        make(root)
        trials(root)
        shutil.rmtree(root / "evals/results")
        streams(scratch)
        floods(root, scratch)
        shutil.rmtree(root / "evals/results")
        stored(root)


if __name__ == "__main__":
    main()
