"""The answers of `learnings verify` to losses and harmless changes in real memory files.

FOLDER holds Markdown files in any shape. Each sampled entry is deleted, emptied, overwritten and so
on, one change at a time; the whole file is reordered, and gets other newlines and a new entry. The
table counts caught losses and false alarms; missed losses are listed for reading.
"""

from __future__ import annotations

import random
import re
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from learnings.consolidation.proof.proof import prove
from learnings.consolidation.proof.results import MemoryVersion, Proof
from learnings.core.entries.document import Document, Entry, read, says_nothing

SAMPLE = 4  # entries of each file
SHORTEST = 60  # letters; shorter entries are not sampled
FEWEST = 4  # entries of a file
LOST, NAMED, SILENT = "lost", "named", "silent"


class Change(NamedTuple):
    """A changed file, the expected finding about an entry, and that entry."""

    name: str
    text: str
    want: str
    entry: Entry | None = None


def losses(document: Document, entry: Entry, other: Entry) -> Iterator[Change]:
    """Yield the changes that damage the entry; some of them use another entry of its file."""
    first, body = entry.lines[0], "".join(entry.lines[1:])
    lines: dict[str, tuple[str, Sequence[str]]] = {
        "deleted": (LOST, ()),
        "overwritten by a copy of another": (LOST, other.lines),
        "replaced by another text on its template": (LOST, [shuffled(entry.text)]),
    }
    if entry.level and body.strip():
        words = body.split()
        numbers = [*re.finditer(r"(?<![\w.])\d{2,}(?![\w.])", body)]
        lines |= {
            "body replaced by a filler": (LOST, [first, "\n", "See elsewhere.\n", "\n"]),
            "body emptied": (LOST, [first, "\n"]),
            "heading removed": (NAMED, entry.lines[1:]),
            "put into a comment": (NAMED, ["<!--\n", *entry.lines, "-->\n"]),
        }
        if other.level and "".join(other.lines[1:]).strip():
            lines["given the body of another"] = LOST, [first, *other.lines[1:]]
        if len(words) > SHORTEST // 4:
            rest = " ".join(words[: 2 * len(words) // 5])
            lines["cut by more than half"] = NAMED, [first, "\n", rest, "\n\n"]
        for number in numbers[:1]:
            start, end = number.span()
            changed = f"{body[:start]}{int(number[0]) + 37}{body[end:]}"
            lines["a number changed"] = NAMED, [first, changed]
    for name, (want, new) in lines.items():
        before, after = document.lines[: entry.first - 1], document.lines[entry.last :]
        yield Change(name, "".join((*before, *new, *after)), want, entry)


def shuffled(text: str) -> str:
    """Return a text with the letters of each longer word in another order."""
    return re.sub(
        r"[^\W\d_]{4,}", lambda match: "".join(random.sample(match[0], len(match[0]))), text
    )


def harmless(document: Document) -> Iterator[Change]:
    """Yield changes of a whole file that lose nothing."""
    text, last = document.text, document.entries[-1]
    yield Change("other newlines", text.replace("\r\n", "\n").replace("\n", "\r\n"), SILENT)
    trailing = (f"{line.rstrip()}  \n" if line[:1].isalpha() else line for line in document.lines)
    yield Change("blanks at the ends of lines", "".join(trailing), SILENT)
    new = last.text.replace(last.title, f"Another lesson on {random.random()}")
    yield Change("an entry added", f"{text.rstrip()}\n\n{new}", SILENT)
    if document.entries[0].level:
        one, other = sorted(random.sample(range(len(document.entries)), 2))
        entries = [entry.text for entry in document.entries]
        entries[one], entries[other] = entries[other], entries[one]
        lines, at = list(document.lines), {e.first: n for n, e in enumerate(document.entries)}
        swapped = [
            entries[at[n]] if n in at else line
            for n, line in enumerate(lines, start=1)
            if n in at or not any(e.first < n <= e.last for e in document.entries)
        ]
        yield Change("two entries swapped", "".join(swapped), SILENT)


def proof_of(document: Document, text: str) -> Proof:
    """Compare a file with its changed text."""
    before = MemoryVersion({"memory.md": document}, {}, {})
    after = MemoryVersion({"memory.md": read(text.encode())}, {}, {})
    return prove(before, after, coverage=0.9)


def is_right(change: Change, proof: Proof) -> bool:
    """Return True if a proof has the expected finding."""
    if change.entry is None:
        return not proof.losses and not proof.notices
    lost = {loss.identity for loss in proof.losses}
    noticed = {notice.identity for notice in proof.notices}
    return change.entry.identity in (lost if change.want == LOST else lost | noticed)


def changes_of(document: Document) -> Iterator[Change]:
    """Yield the changes of a file."""
    yield from harmless(document)
    entries = [e for e in document.entries if not says_nothing(e)]
    entries = [e for e in entries if sum(map(str.isalnum, e.text)) > SHORTEST]
    for entry in random.sample(entries, min(SAMPLE, len(entries))):
        others = [e for e in entries if e.title != entry.title and e.lines[1:] != entry.lines[1:]]
        twins = [e for e in entries if e.lines[1:] == entry.lines[1:]] if entry.level else [entry]
        if others and len(twins) == 1:
            yield from losses(document, entry, random.choice(others))


def main(folder: str) -> None:
    """Print the table, and the missed losses below it."""
    random.seed(3)
    made, right, missed = Counter[tuple[str, str]](), Counter[tuple[str, str]](), []
    paths = sorted(path for path in Path(folder).rglob("*.md") if path.is_file())
    documents = [(path, read(path.read_bytes())) for path in paths]
    used = [(path, d) for path, d in documents if len(d.entries) >= FEWEST]
    for path, document in used:
        for change in changes_of(document):
            key = change.want, change.name
            made[key] += 1
            if is_right(change, proof_of(document, change.text)):
                right[key] += 1
            else:
                title = change.entry.title[:60] if change.entry else ""
                missed.append(f"{change.name}: {path.relative_to(folder)}: {title}")
    print(
        f"{len(used)} files\n\n| change | has to be | made | as it has to be |\n|---|---|--:|--:|"
    )
    for want, name in sorted(made):
        print(f"| {name} | {want} | {made[want, name]} | {right[want, name]} |")
    harm = [key for key in made if key[0] != SILENT]
    caught, staged = sum(right[key] for key in harm), sum(made[key] for key in harm)
    alarms = sum(made[key] - right[key] for key in made if key[0] == SILENT)
    print(f"\n{caught} of {staged} losses caught, {alarms} false alarms\n", *missed, sep="\n")


if __name__ == "__main__":
    main(sys.argv[1])
