"""The digest of an entry, which identifies its text in plans and decisions."""

from __future__ import annotations

from collections.abc import Iterable

from learnings.core.entries.document import Entry
from learnings.core.markdown.line_edits import without_filler
from learnings.core.text import BOM, chomp, encode

DIGEST_LENGTH = 12
"""Hexadecimal digits of a digest: 48 bits.

Among the 2,000 entries of a large file, two collide by chance once in 140 million files.
"""


def digest_of(entry: Entry) -> str:
    return digest_of_lines(entry.lines)


def digest_of_lines(source: Iterable[str]) -> str:
    """Return the digest of an entry, ignoring line ends and filler, which vary between copies."""
    lines = without_filler([chomp(line).removeprefix(BOM) for line in source])
    import hashlib  # noqa: PLC0415  (most hooks meet no digest)

    return hashlib.sha256(encode("\n".join(lines))).hexdigest()[:DIGEST_LENGTH]
