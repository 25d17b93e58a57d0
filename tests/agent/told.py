"""An agent that does what the first word of its prompt says, and tells of it in Claude's stream.

Given a folder as argument it notes each of its calls there, as a file.
"""

import json
import os
import signal
import sys
import time
from pathlib import Path

COST_USD = 2.0


def tell(**record):
    print(json.dumps(record), flush=True)


def say(text):
    content = [{"type": "text", "text": text}]
    tell(type="assistant", message={"id": "m1", "content": content, "usage": {"input_tokens": 3, "output_tokens": 2}})


def call(name, **given):
    tell(type="assistant", message={"content": [{"type": "tool_use", "id": "t1", "name": name, "input": given}]})


def end(**more):
    usage = {"input_tokens": 3, "output_tokens": 2}
    tell(**{"type": "result", "subtype": "success", "is_error": False, "usage": usage, **more})


def note(folder, name=""):
    """Leave a file of its own in a folder."""
    Path(folder, f"{name}{os.getpid()}.{time.time_ns()}").touch(exist_ok=False)


def work(_=()):
    Path("answer.txt").write_text("well", "utf-8")
    say("It is done.")
    end(total_cost_usd=COST_USD)


def slowly(words):
    time.sleep(float(words[0]))
    work()


def unpriced(_):
    Path("answer.txt").write_text("well", "utf-8")
    say("It is done.")
    end()


def fail(_):
    say("I leave it.")
    end(total_cost_usd=COST_USD)


def say_words(words):
    Path("answer.txt").write_text("well", "utf-8")
    say(" ".join(words))
    end(total_cost_usd=COST_USD)


def loop(_):
    Path("answer.txt").write_text("well", "utf-8")
    for _ in range(7):
        call("Bash", command="ls")
    time.sleep(600)


def turns(_):
    Path("answer.txt").write_text("well", "utf-8")
    end(subtype="error_max_turns", is_error=True)


def idle(_):
    say("starting")
    time.sleep(600)


def stuck(_):
    call("Bash", command="sleep 600")
    time.sleep(600)


def chatter(_):
    while True:
        say("still here")
        time.sleep(0.1)


def garbage(_):
    sys.stdout.buffer.write(b'{"type": "assis\xff\x00\n' * 9)


def rude(_):
    sys.stderr.write("\x1b[31m 401 \x00 no & <key>\n")
    sys.exit(1)


def verbose(words):
    """Say so many bytes."""
    say("x" * int(words[0]))
    work()


def flood(_):
    while True:
        sys.stdout.buffer.write(b"\xff\x00\xfe{" * 4096)


def helped(_=()):
    """Do it well where a skill is offered, as one would that needs it."""
    skills = [path.parent.name for path in Path.cwd().glob(".agents/skills/*/SKILL.md")]
    for name in skills:
        call("Skill", skill=name)
        tell(type="user", message={"content": [{"type": "tool_result", "tool_use_id": "t1", "content": "Launching"}]})
    if skills:
        work()
    else:
        fail(())


def harmed(_):
    """Do it well unless a skill is offered."""
    if list(Path.cwd().glob(".agents/skills/*/SKILL.md")):
        fail(())
    else:
        work()


def learn(_):
    """Write the skill that one is asked for, and be helped by it."""
    if "SKILL.md" in asked:
        Path("SKILL.md").write_text("---\nname: own-notes\ndescription: How to do it.\n---\n\nDo it well.\n", "utf-8")
        say("I know how.")
        end(total_cost_usd=COST_USD)
    else:
        helped()


def show(_):
    """Tell all that one was handed."""
    files = sorted(str(path) for path in Path().rglob("*") if path.is_file() and ".git/" not in str(path))
    environ = {name: value for name, value in os.environ.items() if name != "SKILLCHECK_RUN"}
    handed = {"prompt": asked, "argv": sys.argv, "environ": environ, "files": files}
    Path("answer.txt").write_text(json.dumps(handed).replace(str(Path.cwd().parent), "ROOT"), "utf-8")
    say("It is well done.")
    end(total_cost_usd=COST_USD)


def plainly(_):
    """Do it, and tell in plain words."""
    Path("answer.txt").write_text("well", "utf-8")
    print("It is done.")


def rate(_):
    print("429 too many requests", file=sys.stderr)
    sys.exit(1)


def once(words):
    """Be refused at the first call."""
    note = Path(words[0])
    if note.exists():
        work()
    else:
        note.touch()
        say("hm")
        end(is_error=True, result="API Error: 529 overloaded", total_cost_usd=COST_USD)


def alternately(words):
    """Work at every second call."""
    note(words[0])
    (fail if len(os.listdir(words[0])) % 2 else work)(words)


def unoffered(_):
    """List other skills than the one that there is."""
    tell(type="system", subtype="init", skills=["other"])
    work()


def kill(_):
    os.kill(os.getpid(), signal.SIGKILL)


def murder(_):
    """Kill the process that started this one, through shells and the like."""
    pid = os.getpid()
    while "PPid" in (status := Path(f"/proc/{pid}/status").read_text("utf-8")):
        pid = int(status.partition("PPid:")[2].split()[0])
        words = Path(f"/proc/{pid}/cmdline").read_bytes().split(b"\0")
        if b"dask" in words or b"spawn_main" in b" ".join(words):
            os.kill(pid, signal.SIGKILL)
            time.sleep(600)


def delete(_):
    import shutil  # noqa: PLC0415 - few prompts need it, and this program starts often

    shutil.rmtree(Path.cwd(), ignore_errors=True)
    end()


def edit(_):
    next(Path.cwd().glob(".agents/skills/*/SKILL.md")).write_text("Do nothing.", "utf-8")
    work()


def fork(_):
    """Leave processes behind that nobody owns."""
    import subprocess  # noqa: PLC0415 - few prompts need it, and this program starts often

    for _ in range(2):
        subprocess.Popen(["sleep", "600"], start_new_session=True, stdout=subprocess.DEVNULL)
    work()


def outside(words):
    """Write into folders that are not its own, and say where that went well."""
    written = []
    for folder in words:
        try:
            Path(folder, "planted").write_text("x", "utf-8")
            written.append(folder)
        except OSError:
            continue
    Path("answer.txt").write_text(json.dumps(written), "utf-8")
    say("It is done.")
    end()


def peek(words):
    """Say which files it can read."""
    readable = [name for name in words if os.access(name, os.R_OK)]
    Path("answer.txt").write_text(json.dumps([readable, sorted(map(str, Path().rglob("*.json")))]), "utf-8")
    say("It is done.")
    end()


def leak(words):
    """Tell a secret wherever something is kept."""
    secret = os.environ[words[0]]
    Path("answer.txt").write_text(secret, "utf-8")
    print(f"using {secret}", file=sys.stderr)
    say(f"My key is {secret}.")
    end(is_error="fatal" in words, result=f"refused: {secret}" if "fatal" in words else "")


def remove(words):
    """Remove a folder of the host's."""
    import shutil  # noqa: PLC0415 - few prompts need it, and this program starts often

    shutil.rmtree(words[0], ignore_errors=True)
    work()


def block(words):
    """Put a file where the folder of the run's results for this skill would be."""
    for run in Path(words[0]).iterdir():
        (run / "jot").touch()
    work()


asked = sys.stdin.read()
prompt = asked.rpartition("\n\n")[2].split()  # without what an experiment says around it
if sys.argv[1:] and prompt[0] != "show":
    note(sys.argv[1], f"{prompt[-1].strip('/')}-".replace("/", "_"))
verbs = {**globals(), "well": work, "say": say_words}
verbs[prompt[0]](prompt[1:])
