"""The address of the API, and what is on the same host."""

from __future__ import annotations

from urllib.parse import urlsplit

from learnings.core.errors import UsageProblem
from learnings.surfaces.github.errors import GitHubError

_HERE = ("127.0.0.1", "::1", "localhost")
_PORTS = {"https": 443, "http": 80}


def checked_address(api: str) -> str:
    """The address of an API without its last slash; raises UsageProblem for one that is none."""
    try:
        split = urlsplit(api)
        host, _ = split.hostname or "", split.port
    except ValueError:
        host, split = "", urlsplit("")
    if not host or split.username or split.scheme not in _PORTS or split.query:
        raise UsageProblem("GITHUB_API_URL is no address; write https://HOST or https://HOST/PATH")
    if split.scheme == "http" and host not in _HERE:
        raise UsageProblem("GITHUB_API_URL would send the token unencrypted; write it with https")
    return api.rstrip("/")


def host_of(api: str) -> str:
    """The name of the host, for messages."""
    return urlsplit(api).hostname or api


def on_same_host(url: str, api: str) -> str:
    """An address that a server sent, if it is on the host of the API; else raises GitHubError."""
    if _origin(url) != _origin(api):
        other = urlsplit(url).hostname or "nowhere"
        raise GitHubError(
            f"{host_of(api)} redirects to {other}, where the token is not sent; "
            "set GITHUB_API_URL to the host that is meant"
        )
    return url


def _origin(url: str) -> tuple[str, str, int | None]:
    try:
        split = urlsplit(url)
        return split.scheme, split.hostname or "", split.port or _PORTS.get(split.scheme)
    except ValueError:
        return "", "", None
