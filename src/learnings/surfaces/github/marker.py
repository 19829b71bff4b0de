"""The hidden marker of an issue body: its file, a digest of its task, and which part is generated.

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

from learnings.core.patterns import lazy_pattern
from learnings.surfaces.render.escape import comment

_END = "<!-- learnings:end -->"
# The first line of a body, with the fields of the marker as a JSON object.
_MARKER = lazy_pattern(r"<!-- learnings:consolidation (\{.*\}) -->")
# Hexadecimal digits, 64 bits: a changed task keeps its digest once in 10^19 times.
_DIGEST_LENGTH = 16
# Everybody who may edit an issue can write a marker. A moment is as clock.moment() gives it, since
# it goes into a comment; a path is as long as systems allow, since a sentence names it.
_MOMENT = lazy_pattern(r"\d{4}-\d{2}-\d{2} \d{2}:\d{2} UTC", flags=re.ASCII)
_LONGEST_PATH = 4096  # characters


class Marker(NamedTuple):
    """What a run leaves for the next one.

    file is the path of the learnings file; digest is that of the task; run is the number of the
    workflow run that wrote it, 0 for none; since is the moment at which the issue was opened or
    reopened; cleared is True if no trigger held at some time after the issue was closed as not
    planned; duplicate_of is the number of the issue that counts instead, 0 for none.
    """

    file: str
    digest: str
    run: int = 0
    since: str = ""
    cleared: bool = False
    duplicate_of: int = 0


class Body(NamedTuple):
    """An issue body in parts: its marker, the generated text below it, and what people wrote."""

    marker: Marker
    generated: str
    notes: str


def digest_of(*parts: str) -> str:
    """Return a short text that differs when any of the parts differs."""
    source = "\0".join(parts).encode("utf-8", "surrogatepass")
    return sha256(source).hexdigest()[:_DIGEST_LENGTH]


def body_text(body: Body) -> str:
    """Return the body as text, from which read() makes the same body."""
    fields = {name: value for name, value in body.marker._asdict().items() if value}
    # An entry may show the end mark itself, as text: so many of them are not the end.
    inner = f"\n{body.generated}".count(f"\n{_END}")
    fields |= {"inner": inner} if inner else {}
    marker = comment("learnings:consolidation", fields)
    return f"{marker}\n{body.generated}\n{_END}{body.notes}"


def read(text: str | None) -> Body | None:
    """Return the parts of a body; None for one without our marker.

    Only the first line is looked at: whatever an entry holds, it is never there.
    """
    first, _, rest = (text or "").partition("\n")
    match = _MARKER.fullmatch(first.rstrip())
    fields = _fields(match[1]) if match else {}
    marker = _marker(fields)
    if marker is None:
        return None
    generated, notes = _split(rest, fields.get("inner"))
    return Body(marker, generated.replace("\r\n", "\n").removesuffix("\r"), notes)


def _split(rest: str, inner: object) -> tuple[str, str]:
    """Return what is above the end mark and what is below it; `inner` such marks are text."""
    known = inner if type(inner) is int and inner > 0 else 0
    mark = f"\n{_END}"
    *above, below = f"\n{rest}".split(mark, known + 1)
    return (mark.join(above)[1:], below) if above else (rest, "")


def _fields(text: str) -> dict[str, Any]:
    try:
        fields = json.loads(text)
    except (ValueError, RecursionError):
        return {}
    return fields if isinstance(fields, dict) else {}


def _marker(fields: Mapping[str, Any]) -> Marker | None:
    types = {name: type(value) for name, value in Marker("", "")._asdict().items()}
    known = {name: value for name, value in fields.items() if type(value) is types.get(name)}
    if not _MOMENT.fullmatch(known.get("since", "")):
        known.pop("since", None)
    is_ours = {"file", "digest"} <= set(known) and len(known["file"]) <= _LONGEST_PATH
    return Marker(**known) if is_ours else None
