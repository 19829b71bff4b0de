"""The hidden marks of an issue body: whose it is, what it said, and which part of it is ours.

<!-- learnings:consolidation {"digest": …, "file": …} -->
…the task, then the footer…
<!-- learnings:end -->
…what people write here stays…
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from hashlib import sha256
from typing import Any, NamedTuple

_END = "<!-- learnings:end -->"
_MARK = re.compile(r"<!-- learnings:consolidation (\{.*\}) -->")
_DIGEST_LENGTH = 16


class Marker(NamedTuple):
    """What a run leaves for the next one.

    digest is that of the task; run the number of the workflow run that wrote it, 0 for none; since
    the moment at which the issue was opened or reopened; cleared says that consolidation was not
    due at some time after the issue was closed as not planned; duplicate_of is the number of the
    issue that counts instead.
    """

    file: str
    digest: str
    run: int = 0
    since: str = ""
    cleared: bool = False
    duplicate_of: int = 0


class Body(NamedTuple):
    """An issue body taken apart: its marker, our part below it, and what people wrote."""

    marker: Marker
    ours: str
    notes: str


def digest_of(*parts: str) -> str:
    """A short text that is another one when any of the parts is."""
    source = "\0".join(parts).encode("utf-8", "surrogatepass")
    return sha256(source).hexdigest()[:_DIGEST_LENGTH]


def written(body: Body) -> str:
    """The body as text."""
    told = {name: value for name, value in body.marker._asdict().items() if value}
    # An entry may show the end mark itself, as text: so many of them are not the end.
    inner = f"\n{body.ours}".count(f"\n{_END}")
    told |= {"inner": inner} if inner else {}
    text = json.dumps(told, sort_keys=True).replace("--", "-\\u002d").replace(">", "\\u003e")
    return f"<!-- learnings:consolidation {text} -->\n{body.ours}\n{_END}{body.notes}"


def read(text: str | None) -> Body | None:
    """The parts of a body; None for one that is not ours.

    Only the first line is looked at: whatever an entry holds, it is never there.
    """
    first, _, rest = (text or "").partition("\n")
    found = _MARK.fullmatch(first.rstrip())
    told = _told(found[1]) if found else {}
    marker = _marker(told)
    if marker is None:
        return None
    ours, notes = _parted(rest, told.get("inner"))
    return Body(marker, ours.replace("\r\n", "\n").removesuffix("\r"), notes)


def _parted(rest: str, inner: object) -> tuple[str, str]:
    """What is above the end mark and what is below it; `inner` such marks are above as text."""
    known = inner if type(inner) is int and inner > 0 else 0
    mark = f"\n{_END}"
    *ours, last = f"\n{rest}".split(mark, known + 1)
    return (mark.join(ours)[1:], last) if ours else (rest, "")


def _told(text: str) -> dict[str, Any]:
    try:
        told = json.loads(text)
    except (ValueError, RecursionError):
        return {}
    return told if isinstance(told, dict) else {}


def _marker(told: Mapping[str, Any]) -> Marker | None:
    kinds = {name: type(value) for name, value in Marker("", "")._asdict().items()}
    known = {name: value for name, value in told.items() if type(value) is kinds.get(name)}
    return Marker(**known) if {"file", "digest"} <= set(known) else None
