"""Why a model's server refused, as the class of an outcome."""

from __future__ import annotations

import re

from skillcheck.evals.trace.trace import Ended

_OVERFLOW = re.compile(
    r"context_length_exceeded|context (window|length)|ContextOverflow|maximum context|(prompt|input) is too long"
    r"|input token count",
    re.IGNORECASE,
)
_CREDIT = re.compile(r"credit balance|insufficient_quota|billing", re.IGNORECASE)
_UNREACHABLE = re.compile(
    r"connection refused|ECONNREFUSED|ENOTFOUND|EAI_AGAIN|unable to connect|getaddrinfo",
    re.IGNORECASE,
)
_NAMED = {401: "infra-auth", 402: "infra-auth", 403: "infra-auth", 404: "harness-config", 429: "infra-rate"}


def failed(message: str, status: int | None = None) -> Ended:
    """The end of a run whose last request failed; `status` is the HTTP status, None where the agent doesn't tell it.

    The text comes first where it says more than the status: an overflow and an empty account are both 400, the latter
    also 429, and neither gets better by waiting. 404 means that the server has no such model.
    """
    if _OVERFLOW.search(message):
        how = "context-limit"
    elif status is None and _UNREACHABLE.search(message):
        how = "infra-server"
    elif _CREDIT.search(message):
        how = "infra-auth"
    elif status is not None and status >= 500:  # noqa: PLR2004 - HTTP's own border
        how = "infra-server"
    else:
        how = _NAMED.get(status or 0, "infra-protocol")
    return Ended(how, message)
