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
    r"(?:\A|_)(?:(?:API)?KEY|TOKEN|SECRET|PASS|PASSWD|PASSWORD|PASSPHRASE|CREDENTIAL|PAT)S?(?:_|\Z)", re.IGNORECASE
)
_PRIVATE_KEY = (  # also one inside of JSON, or cut off
    rb"-----BEGIN [A-Z ]{0,30}PRIVATE KEY-----(?:[A-Za-z0-9+/=\s:,]|\\[nrt]|-(?!-))*+(?:-----END [A-Z ]{0,40}-----)?"
)
_SHAPES = tuple(
    (text, re.compile(shape))
    for text, shape in (
        (b"[redacted anthropic-key]", rb"sk-ant-[A-Za-z0-9_-]{16,}"),
        (b"[redacted api-key]", rb"sk-(?:(?:proj|svcacct|admin|or-v1)-[A-Za-z0-9_-]{20,}|[A-Za-z0-9]{20,})"),
        (b"[redacted github-token]", rb"gh[pousr]_[A-Za-z0-9]{30,}"),
        (b"[redacted github-token]", rb"github_pat_[A-Za-z0-9_]{30,}"),
        (b"[redacted aws-key]", rb"AKIA[A-Z0-9]{16}(?![A-Z0-9])"),
        (b"[redacted slack-token]", rb"xox[abeoprs]-[A-Za-z0-9-]{10,}"),
        (b"[redacted google-key]", rb"AIza[A-Za-z0-9_-]{35}"),
        (b"earer [redacted bearer-token]", rb"earer [A-Za-z0-9._~+/-]{16,}={0,2}"),
        (b"[redacted private-key]", _PRIVATE_KEY),
    )
)
"""What tokens of well-known services look like. Each begins with letters of its own, which a pattern finds fast."""


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
        for form in longest_first:
            data = data.replace(form, forms[form])
        for text, shape in _SHAPES:
            data = shape.sub(text, data)
        return data

    return redact


def _forms(value: str) -> Iterator[bytes]:
    raw = value.encode("utf-8", "surrogateescape")
    yield raw
    yield quote(raw, safe="").encode()
    for ascii_only in (False, True):
        yield json.dumps(value, ensure_ascii=ascii_only)[1:-1].encode("utf-8", "surrogateescape")
    for before in range(3):  # base64 writes three bytes at a time, and anything may stand before the value
        whole = (len(raw) + before) // 3 * 3 - before
        encoded = base64.b64encode(b"\0" * before + raw[:whole])[4 if before else 0 :]
        yield encoded
        yield encoded.translate(bytes.maketrans(b"+/", b"-_"))
