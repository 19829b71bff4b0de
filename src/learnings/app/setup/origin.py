"""The address and commit that this installation came from, for files that install it again."""

from __future__ import annotations

import os
import re
import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import urlsplit
from urllib.request import url2pathname

import learnings
from learnings.core.patterns import lazy_pattern
from learnings.history.git.repository import output_of

CLONE = "/path/to/clone"
"""The user's clone of this repository, in messages."""
NO_ORIGIN = (
    "this installation does not know the address it came from; install learnings from a clone "
    f"(`pipx install --force {CLONE}`) and run this again"
)
_URL = lazy_pattern(r"(?i)(?:https?|ssh|git|file)://\S")
# `user@host:path` and `host:path`, but not a drive of Windows.
_SSH = lazy_pattern(r"\A((?:[\w.~+-]+@)?[\w.-]{2,}):(?!//|:)/?(.+)")


class Origin(NamedTuple):
    """What git clones, without credentials, and the commit or tag in it.

    A path or a `file:` URL is local: no other machine can install from it.
    """

    address: str
    revision: str

    @property
    def is_local(self) -> bool:
        """True if the address is a folder of this machine."""
        return self._is_path or self.address.lower().startswith("file:")

    @property
    def github_name(self) -> str:
        """`owner/name` if the address is on github.com, else empty."""
        pattern = r"(?i)(?:[@/]|ssh\.)github\.com(?::\d+)?[:/]([^/]+/[^/]+?)(?:\.git)?/?\Z"
        found = re.search(pattern, self.address)
        return found[1] if found else ""

    def requirement(self, extra: str = "") -> str:
        """Return what pip and pipx install; with an extra, which no local address can have."""
        address = Path(self.address).as_uri() if self._is_path else self.address
        address = _SSH.sub(r"ssh://\1/\2", address)
        address = f"git+{address}@{self.revision}"
        return f"learnings[{extra}] @ {address}" if extra else address

    @property
    def _is_path(self) -> bool:
        return _URL.match(self.address) is None and _SSH.fullmatch(self.address) is None


def origin() -> Origin | None:
    """Return the origin of this installation (PEP 610), else the home of the project, or None."""
    record = recorded()
    url, vcs = str(record.get("url", "")), record.get("vcs_info")
    if isinstance(vcs, dict) and vcs.get("vcs") == "git" and vcs.get("commit_id"):
        return Origin(without_credentials(url), str(vcs["commit_id"]))
    if "dir_info" in record and url.startswith("file:"):
        clone = Path(url2pathname(urlsplit(url).path))
        if found := of_clone(clone):
            return found
    return Origin(learnings.HOME, learnings.REVISION) if learnings.HOME else None


def recorded() -> dict[str, Any]:
    """Return what the installer noted about the source of this package, or nothing."""
    import json  # noqa: PLC0415  (slow to load)
    from importlib.metadata import PackageNotFoundError, distribution  # noqa: PLC0415  (likewise)

    try:
        record = json.loads(distribution("learnings").read_text("direct_url.json") or "{}")
    except (PackageNotFoundError, ValueError):
        return {}
    return record if isinstance(record, dict) else {}


def of_clone(clone: Path) -> Origin | None:
    """Return the remote that has the HEAD of a clone, else the clone; None without a commit."""
    is_root = os.path.lexists(clone / ".git")
    head = output_of(clone, "rev-parse", "--verify", "--quiet", "HEAD") if is_root else ""
    if not head:
        return None
    words = ("for-each-ref", "--count=1", f"--contains={head}", "refs/remotes/origin")
    remote = output_of(clone, "remote", "get-url", "origin") if output_of(clone, *words) else ""
    found = Origin(without_credentials(remote), head)
    if _URL.match(remote) or _SSH.fullmatch(remote):
        return found
    # A relative path counts from the clone.
    folder = clone / remote if remote and (clone / remote).is_dir() else clone
    return Origin(Path(os.path.realpath(folder)).as_posix(), head)


def without_credentials(address: str) -> str:
    """Return an address of git without password, query, and user but for ssh."""
    scheme, mark, rest = address.partition("://")
    if not mark:
        return address
    host, slash, path = rest.partition("/")
    user, _, host = host.rpartition("@")
    if "ssh" in scheme.lower() and user:
        host = f"{user.partition(':')[0]}@{host}"
    if scheme.lower() in ("http", "https"):
        path = re.split("[?#]", path)[0]
    return f"{scheme}://{host}{slash}{path}"


def pipx_command(source: Origin | None) -> str:
    """Return the command that installs learnings again; without an origin it is for a clone."""
    return f"pipx install {shlex.quote(source.requirement() if source else '.')}"


def remote_hosts(root: Path) -> Iterator[str]:
    """Yield the host in the address of each remote, in lower case."""
    rows = output_of(root, "config", "--get-regexp", r"^remote\..*\.url$")
    for row in rows.splitlines():
        url = row.partition(" ")[2]
        host = url.partition("://")[2] or url
        yield host.partition("/")[0].rpartition("@")[2].partition(":")[0].lower()
