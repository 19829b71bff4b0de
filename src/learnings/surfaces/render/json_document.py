"""How a JSON document is written, and what documents have in common."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from learnings.core.patterns import lazy_pattern
from learnings.core.text import UNSEEN

if TYPE_CHECKING:
    from learnings.core.entries.document import Entry
    from learnings.surfaces.schemas.entries import EntryReference

# What JSON allows and is escaped all the same: DEL and the C1 controls, which some terminals obey,
# marks of writing direction and what is not seen, the two line ends of Unicode, lone surrogates
# (bytes of a file that are not UTF-8), which cannot be encoded, and the bracket of `##[`, by which
# a runner of GitHub Actions finds a command anywhere in a line.
_UNSAFE = lazy_pattern(
    "[\x7f-\x9f\xad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff"
    f"\ufff9-\ufffb\ud800-\udfff]|{UNSEEN}|(?<=##)\\["
)


def fields_of(value: NamedTuple, **others: object) -> Any:  # noqa: ANN401  (tests compare it)
    """Return a value as an object whose fields have the same names, and other fields."""
    return value._asdict() | others


def entry_reference(entry: Entry) -> EntryReference:
    """Return what each document says of an entry."""
    return {
        "title": entry.title,
        "timestamp": entry.stamp,
        "line": entry.first,
        "identity": entry.identity,
    }


def json_document(document: Mapping[str, object]) -> str:
    """Return a document as indented JSON with a newline at its end; it can be encoded as UTF-8.

    Characters beyond ASCII stay as they are, but for those of _UNSAFE.
    """
    import json  # noqa: PLC0415  (a module of renderers has other formats, too)

    text = json.dumps(document, ensure_ascii=False, indent=2)
    return _UNSAFE.sub(_written_out, text) + "\n"


def _written_out(match: re.Match[str]) -> str:
    """Return a character as JSON writes it in ASCII; one beyond the first 65,536 takes a pair."""
    units = match[0].encode("utf-16-be", "surrogatepass").hex()
    return "".join(f"\\u{units[start : start + 4]}" for start in range(0, len(units), 4))
