"""The consolidation issues, actual and desired, and the hidden marker in their body.

<!-- learnings:consolidation {"digest": …, "file": …} -->
…the task, then the footer…
<!-- learnings:end -->
…notes that people write stay…
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from learnings.core.entries.titles import date_at_start
from learnings.core.patterns import lazy_pattern
from learnings.core.sha256 import sha256_of
from learnings.surfaces.render.lines import comment

_END_MARK = "<!-- learnings:end -->"
# The first line of a body, with the fields of the marker as a JSON object.
_MARKER = lazy_pattern(r"<!-- learnings:consolidation (\{.*\}) -->")
# Hexadecimal digits, 64 bits: a changed task keeps its digest once in 10^19 times.
_DIGEST_LENGTH = 16
# Anybody who may edit an issue can write a marker. So a moment, which goes into a comment, must
# have the form of clock.moment(), and a path, which goes into a sentence, a bounded length.
_MOMENT = lazy_pattern(r"\d{4}-\d{2}-\d{2} \d{2}:\d{2} UTC", flags=re.ASCII)
_LONGEST_PATH = 4096  # characters


class Body(NamedTuple):
    """An issue body in parts: the generated text, notes by users, and a record for the next run.

    The marker has the record. run and duplicate_of are numbers, 0 for none. digest is that of the
    task, since the moment of opening. cleared says that no trigger held at some time after the
    issue was closed as not planned. duplicate_of is the issue that counts.
    """

    file: str
    digest: str
    run: int = 0
    since: str = ""
    cleared: bool = False
    duplicate_of: int = 0
    generated: str = ""
    notes: str = ""


def digest_of(*parts: str) -> str:
    source = "\0".join(parts).encode("utf-8", "surrogatepass")
    return sha256_of(source)[:_DIGEST_LENGTH]


def body_text(body: Body) -> str:
    fields = {name: value for name, value in zip(body._fields, body[:-2], strict=False) if value}
    # An entry may quote the end mark: count the marks that are not the end.
    inner = f"\n{body.generated}".count(f"\n{_END_MARK}")
    fields |= {"inner": inner} if inner else {}
    marker = comment("learnings:consolidation", fields)
    return f"{marker}\n{body.generated}\n{_END_MARK}{body.notes}"


def read_body(text: str | None) -> Body | None:
    """Return the parts of a body, or None if its first line is not our marker."""
    first, _, rest = (text or "").partition("\n")
    match = _MARKER.fullmatch(first.rstrip())
    try:
        fields: dict[str, Any] = json.loads(match[1]) if match else {}
    except (ValueError, RecursionError):
        return None
    types = {name: type(value) for name, value in Body("", "")._asdict().items()}
    known = {name: value for name, value in fields.items() if type(value) is types.get(name)}
    if not _MOMENT.fullmatch(known.get("since", "")):
        known.pop("since", None)
    if not {"file", "digest"} <= set(known) or len(known["file"]) > _LONGEST_PATH:
        return None
    inner = fields.get("inner")
    quoted_marks = inner if type(inner) is int and inner > 0 else 0
    mark = f"\n{_END_MARK}"
    *above, below = f"\n{rest}".split(mark, quoted_marks + 1)
    generated, notes = (mark.join(above)[1:], below) if above else (rest, "")
    known["generated"] = generated.replace("\r\n", "\n").removesuffix("\r")
    return Body(**known | {"notes": notes})


OPEN, CLOSED = "open", "closed"
COMPLETED, DUPLICATE = "completed", "duplicate"
# A label as `snooze:2026-05-01` or `Snooze: 2026-05-01`; \d is for ASCII digits only.
_SNOOZE = lazy_pattern(r"snooze: ?(\d{4}-\d\d-\d\d)", flags=re.ASCII | re.IGNORECASE)


class Issue(NamedTuple):
    """An issue with our label and marker; body is its parsed text.

    reason says why it was closed, by_bot that a bot did it.
    """

    number: int
    state: str
    reason: str | None
    labels: tuple[str, ...]
    body: Body
    text: str
    by_bot: bool = False
    is_locked: bool = False

    @property
    def is_refused(self) -> bool:
        """True if it was closed, and not as done; a bot that closes it decides nothing."""
        return self.state == CLOSED and self.reason not in (None, COMPLETED)


class DesiredIssue(NamedTuple):
    """The desired state of the issue about a file, at a moment such as `2026-03-11 14:05 UTC`.

    text(room) gives the task in at most `room` characters. is_footer recognizes the footer of an
    earlier run. run is the number of this run, or 0.
    """

    file: str
    verdict: str
    closing_comment: str
    moment: str
    title: str = ""
    labels: tuple[str, ...] = ()
    assignees: tuple[str, ...] = ()
    text: Callable[[int], str] = lambda _room: ""
    digest: str = ""
    run: int = 0
    footer: str = ""
    is_footer: Callable[[str], bool] = lambda _text: False


def snoozed_until(labels: Sequence[str]) -> str:
    """Return the last real day named by a label `snooze:YYYY-MM-DD`, or ""."""
    named = (match[1] for match in map(_SNOOZE.fullmatch, labels) if match)
    return max(filter(date_at_start, named), default="")
