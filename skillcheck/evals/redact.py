"""Keep secrets out of what is stored."""

from __future__ import annotations

import base64
import json
import re
from typing import TYPE_CHECKING
from urllib.parse import quote

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Mapping

MIN_LENGTH = 8
"""A shorter value is no secret, and its letters may stand anywhere."""

_CREDENTIAL = re.compile(
    r"(?:\A|_)(?:[A-Z]*KEY|TOKEN|SECRET|PASS|PASSWD|PASSWORD|PASSPHRASE|CREDENTIAL|PAT)S?(?:_|\Z)", re.IGNORECASE
)
_PRIVATE_KEY = (  # also one inside of JSON, or cut off
    rb"-----BEGIN [A-Z ]{0,30}PRIVATE KEY-----(?:[A-Za-z0-9+/=\s:,]|\\[nrt]|-(?!-))*+(?:-----END [A-Z ]{0,40}-----)?"
)
_SHAPES = tuple(
    (name, marker, re.compile(shape))
    for name, marker, shape in (
        ("anthropic-key", b"sk-ant-", rb"sk-ant-[A-Za-z0-9_-]{16,}"),
        ("api-key", b"sk-", rb"sk-(?:(?:proj|svcacct|admin|or-v1)-[A-Za-z0-9_-]{20,}|[A-Za-z0-9]{20,})"),
        ("github-token", b"gh", rb"gh[pousr]_[A-Za-z0-9]{30,}"),
        ("github-token", b"github_pat_", rb"github_pat_[A-Za-z0-9_]{30,}"),
        ("aws-key", b"AKIA", rb"AKIA[A-Z0-9]{16}(?![A-Z0-9])"),
        ("slack-token", b"xox", rb"xox[abeoprs]-[A-Za-z0-9-]{10,}"),
        ("google-key", b"AIza", rb"AIza[A-Za-z0-9_-]{35}"),
        ("bearer-token", b"earer ", rb"earer [A-Za-z0-9._~+/-]{16,}={0,2}"),
        ("private-key", b"-----BEGIN ", _PRIVATE_KEY),
    )
)
"""What tokens of well-known services look like: what they are called, bytes that each holds, and the pattern."""


def redactor(environ: Mapping[str, str], names: Collection[str] = ()) -> Callable[[bytes], bytes]:
    """Make a function that puts `[redacted NAME]` in the place of secrets.

    Secrets are the values of the variables `names` and of those whose names say so, in `environ`, if they have at least
    8 characters: as they are, and as JSON, URLs and base64 write them. So are texts in the shape of well-known tokens.
    JSON stays JSON.
    """
    forms: dict[bytes, bytes] = {}
    for name, value in environ.items():
        if len(value) >= MIN_LENGTH and (name in names or _CREDENTIAL.search(name)):
            forms.update(dict.fromkeys(_forms(value), f"[redacted {name}]".encode()))
    longest_first = sorted(forms, key=len, reverse=True)

    def redact(data: bytes) -> bytes:
        for form in longest_first:  # each on its own, since `bytes.replace` is faster than any pattern
            data = data.replace(form, forms[form])
        for name, marker, shape in _SHAPES:
            if marker in data:
                data = shape.sub(f"[redacted {name}]".encode(), data)
        return data

    return redact


def _forms(value: str) -> Iterator[bytes]:
    raw = value.encode("utf-8", "surrogateescape")
    yield raw
    yield quote(raw, safe="").encode()
    if raw.isascii():
        yield json.dumps(value)[1:-1].encode()
    for before in range(3):  # base64 writes three bytes at a time, and anything may stand before the value
        whole = (len(raw) + before) // 3 * 3 - before
        encoded = base64.b64encode(b"\0" * before + raw[:whole])[4 if before else 0 :]
        yield encoded
        yield encoded.translate(bytes.maketrans(b"+/", b"-_"))
