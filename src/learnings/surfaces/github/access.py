"""Where requests may go and with what: the address of the API, and the token."""

from __future__ import annotations

from collections.abc import Mapping
from urllib.parse import urlsplit

from learnings.core.errors import UsageProblem
from learnings.core.patterns import lazy_pattern

_LOOPBACK = ("127.0.0.1", "::1", "localhost")
# A name of labels between dots, none empty or longer than names in DNS may be, or an IPv6 address.
_HOST = lazy_pattern(r"[\w-]{1,63}(?:\.[\w-]{1,63})*\.?|[0-9a-f.]*:[0-9a-f:.]*")


class Token:
    """A secret that is shown to nobody but the server, in its header."""

    __slots__ = ("_text",)

    def __init__(self, text: str) -> None:
        if not text.isascii() or not text.isprintable() or " " in text:
            raise UsageProblem("GITHUB_TOKEN holds characters that no token has; set it anew")
        self._text = text

    def __repr__(self) -> str:
        return "Token(…)"

    def header(self) -> str:
        """Return the value of the header Authorization."""
        return f"Bearer {self._text}"

    def hidden_in(self, data: bytes) -> bytes:
        """Return what a server sent, without the token: one that echoes it puts it into no log."""
        return data.replace(self._text.encode("ascii"), b"***")


def token_from(environ: Mapping[str, str]) -> Token | None:
    """Return the token of the environment; None where there is none. Raises UsageProblem."""
    text = environ.get("GITHUB_TOKEN", "").strip()
    return Token(text) if text else None


def checked_address(api: str) -> str:
    """Return the address of an API without its last slash; raises UsageProblem if it is none."""
    try:
        split = urlsplit(api)
        host, _ = split.hostname or "", split.port
    except ValueError:
        host, split = "", urlsplit("")
    if (
        not _HOST.fullmatch(host)
        or split.username
        or split.scheme not in ("https", "http")
        or split.query
    ):
        raise UsageProblem(
            "GITHUB_API_URL is not an address; write https://HOST or https://HOST/PATH"
        )
    if split.scheme == "http" and host not in _LOOPBACK:
        raise UsageProblem("GITHUB_API_URL would send the token unencrypted; write it with https")
    return api.rstrip("/")
