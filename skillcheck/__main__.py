"""`python -m skillcheck`, and the command `skillcheck`."""

import gc
import sys


def main() -> None:
    """Run the command line and exit with its status."""
    gc.disable()  # a run is short and makes few cycles; collecting costs a twentieth of it
    try:
        from skillcheck.cli import run  # noqa: PLC0415 - an interrupt while importing is one too

        status = run()
    except KeyboardInterrupt:
        status = 130
    sys.exit(status)


if __name__ == "__main__":
    main()
