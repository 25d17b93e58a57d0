"""An agent that writes garbage without an end and without a newline."""

import os

while True:
    os.write(1, b"\xff\x00\xfe{" * 4096)
