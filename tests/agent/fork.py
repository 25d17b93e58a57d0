"""An agent that leaves processes behind which nobody owns; then it hangs or, told to `leave`, ends well."""

import os
import signal
import subprocess
import sys
import time


def linger():
    while True:
        time.sleep(600)


def double_fork():
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            linger()
        os._exit(0)
    os.wait()


signal.signal(signal.SIGTERM, signal.SIG_IGN)
subprocess.Popen(["nohup", "sleep", "600"])
subprocess.Popen(["sleep", "600"], start_new_session=True)
double_fork()
print("forked", flush=True)
if sys.argv[1:] != ["leave"]:
    linger()
