"""Check a catalog of agent skills."""

__version__ = "0.1.0"
