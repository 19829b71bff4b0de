"""The consolidation issues as they are on GitHub and as they should be, and their hidden marker.

<!-- learnings:consolidation {"digest": …, "file": …} -->
…the task, then the footer…
<!-- learnings:end -->
…what people write here stays…
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from datetime import date
from hashlib import sha256
from typing import Any, NamedTuple

from learnings.core.patterns import lazy_pattern
from learnings.surfaces.github.access import not_github
from learnings.surfaces.render.escape import comment

_END_MARK = "<!-- learnings:end -->"
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
    inner = f"\n{body.generated}".count(f"\n{_END_MARK}")
    fields |= {"inner": inner} if inner else {}
    marker = comment("learnings:consolidation", fields)
    return f"{marker}\n{body.generated}\n{_END_MARK}{body.notes}"


def read_body(text: str | None) -> Body | None:
    """Return the parts of a body; None for one without our marker.

    Only the first line is looked at: whatever an entry holds, it is never there.
    """
    first, _, rest = (text or "").partition("\n")
    match = _MARKER.fullmatch(first.rstrip())
    fields = _marker_fields(match[1]) if match else {}
    marker = _marker_of(fields)
    if marker is None:
        return None
    inner = fields.get("inner")
    known = inner if type(inner) is int and inner > 0 else 0  # end marks that are text
    mark = f"\n{_END_MARK}"
    *above, below = f"\n{rest}".split(mark, known + 1)
    generated, notes = (mark.join(above)[1:], below) if above else (rest, "")
    return Body(marker, generated.replace("\r\n", "\n").removesuffix("\r"), notes)


def _marker_fields(text: str) -> dict[str, Any]:
    try:
        fields = json.loads(text)
    except (ValueError, RecursionError):
        return {}
    return fields if isinstance(fields, dict) else {}


def _marker_of(fields: Mapping[str, Any]) -> Marker | None:
    types = {name: type(value) for name, value in Marker("", "")._asdict().items()}
    known = {name: value for name, value in fields.items() if type(value) is types.get(name)}
    if not _MOMENT.fullmatch(known.get("since", "")):
        known.pop("since", None)
    is_ours = {"file", "digest"} <= set(known) and len(known["file"]) <= _LONGEST_PATH
    return Marker(**known) if is_ours else None


OPEN, CLOSED = "open", "closed"
COMPLETED, DUPLICATE = "completed", "duplicate"
# A label as `snooze:2026-05-01` or `Snooze: 2026-05-01`; \d is for ASCII digits only.
_SNOOZE = lazy_pattern(r"snooze: ?(\d{4}-\d{2}-\d{2})", flags=re.ASCII | re.IGNORECASE)


class Issue(NamedTuple):
    """An issue with our label and marker; reason is why it was closed.

    body is what was read from the text of the issue, which may hold more than is read.
    """

    number: int
    state: str
    reason: str | None
    labels: tuple[str, ...]
    body: Body
    text: str


class DesiredIssue(NamedTuple):
    """What the issue about a file should be like now.

    text(room) gives the task in at most `room` characters; digest differs when the task differs.
    footer is what follows it, and is_footer tells that of an earlier run from other text.
    closing_comment says why consolidation is not due any more; is_cleared is True if no trigger
    holds. run is the number of this run, 0 outside of one.
    """

    file: str
    verdict: str
    title: str
    labels: tuple[str, ...]
    assignees: tuple[str, ...]
    text: Callable[[int], str]
    digest: str
    closing_comment: str
    is_cleared: bool
    today: str
    moment: str
    run: int = 0
    footer: str = ""
    is_footer: Callable[[str], bool] = lambda _text: False


def as_issue(document: Mapping[str, Any]) -> Issue | None:
    """Return an issue of the API; None for a pull request and for one without our marker.

    Raises GitHubError for one of another shape: to skip it could make a second issue for its file.
    """
    text = document.get("body")
    if not isinstance(text, str | None):
        raise not_github()
    body = read_body(text)
    if text is None or body is None or "pull_request" in document:
        return None
    number, state, reason = (document.get(key) for key in ("number", "state", "state_reason"))
    if type(number) is not int or state not in (OPEN, CLOSED) or not isinstance(reason, str | None):
        raise not_github()
    return Issue(number, state, reason, _label_names(document.get("labels")), body, text)


def _label_names(labels: object) -> tuple[str, ...]:
    """Return the names of labels, which are given as text or as objects; one may have no name."""
    if not isinstance(labels, list) or not all(isinstance(row, str | dict) for row in labels):
        raise not_github()
    names = (label if isinstance(label, str) else label.get("name") for label in labels)
    return tuple(name for name in names if isinstance(name, str))


def snoozed_until(labels: Sequence[str]) -> str:
    """Return the last day that a label `snooze:YYYY-MM-DD` names; empty where none does."""
    matches = filter(None, map(_SNOOZE.fullmatch, labels))
    return max((match[1] for match in matches if _is_day(match[1])), default="")


def _is_day(text: str) -> bool:
    """Return True if there is such a day: one like the 99th of a month would never come."""
    try:
        date.fromisoformat(text)
    except ValueError:
        return False
    return True
