"""`python -m skillcheck`, and the command `skillcheck`."""

import sys


def main() -> None:
    """Run the command line and exit with its status."""
    from skillcheck.cli import run  # noqa: PLC0415 - an interrupt while importing is one too

    try:
        status = run()
    except KeyboardInterrupt:
        status = 130
    sys.exit(status)


if __name__ == "__main__":
    main()
