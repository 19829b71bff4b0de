"""The parts of calling an API that differ between platforms."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

from learnings.core.patterns import lazy_pattern
from learnings.surfaces.issues.access import PlatformError

# The address of the next page in a Link header, such as `<https://…?page=2>; rel="next"`.
_NEXT = lazy_pattern(r'<([^<>]*)>\s*;[^<,]*\brel="?next\b')


def next_link(headers: Mapping[str, str]) -> str | None:
    """Return the address of the next page from a Link header."""
    following = _NEXT.search(headers.get("link", ""))
    return following[1] if following else None


class Api(Protocol):
    """extra names our extra; token_header is a header name and the words before the token."""

    name: str
    extra: str
    token_variable: str
    address_variable: str
    headers: Mapping[str, str]
    token_header: tuple[str, str]

    def base(self, address: str, repository: str) -> str:
        """Return the address of a repository in the API."""

    def next_page(self, url: str, headers: Mapping[str, str]) -> str | None:
        """Return the address of the page after `url`; header names are case-insensitive."""

    def wait(
        self, status: int, document: object, headers: Mapping[str, str], now: float
    ) -> float | None:
        """Return the seconds until a rate limit is over, or None; now is in seconds since 1970."""

    def refusal(self, status: int, document: object, *, repository: str) -> PlatformError:
        """Return a sentence about an answer that refuses a request."""

    def unexpected(self, host: str = "the server") -> PlatformError:
        """Return a sentence about an answer of an unexpected shape."""
