"""An agent that prints three lines of 5 MB, the last one without its newline."""

import sys

sys.stdout.write("\n".join(letter * 5_000_000 for letter in "abc"))
