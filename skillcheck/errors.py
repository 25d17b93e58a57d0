"""Errors a user can act on; each class owns its exit status."""


class SkillcheckError(Exception):
    """Base of every error shown without a traceback."""

    exit_status = 3


class UsageError(SkillcheckError):
    """The caller must change something: an option, the configuration, a path."""

    exit_status = 2
