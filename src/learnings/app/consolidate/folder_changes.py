"""The changes of a consolidation in a memory folder: its files, its archive and its index."""

from __future__ import annotations

import json
import posixpath
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import chain, count
from typing import NamedTuple

from learnings.app.consolidate.archives_on_disk import SourceFile, read_if_there
from learnings.consolidation.split.names import slug_of
from learnings.core.entries.archives import archive_folder
from learnings.core.entries.document import Entry
from learnings.core.entries.memory_folder import front_matter_lines, read_folder_file, title_key
from learnings.core.patterns import lazy_pattern
from learnings.core.text import chomp, decode, encode, newline_of, split_lines
from learnings.index.links import with_links
from learnings.store.files import Change
from learnings.workspace.disk import read_file
from learnings.workspace.memory_folders import index_of

# A top-level key of a front matter with a value on its line.
_PAIR = lazy_pattern(r"[\w-]+:[ \t]+\S")
# A title that YAML reads as a string without quotes.
_PLAIN = lazy_pattern(r"[^\W\d_][\w ().,/-]*")


def read_entries(source: SourceFile, entries: Iterable[Entry]) -> dict[str, bytes]:
    """Read the entries that are whole files, by path. Raises MissingFile and UnusableFile."""
    return {entry.path: read_file(source.root / entry.path, shown=entry.path) for entry in entries}


def archive_changes(source: SourceFile, files: Mapping[str, bytes]) -> tuple[Change, ...]:
    """Return the changes that archive files, numbered if taken; raises as read_file()."""
    changes: dict[str, Change] = {}
    for path, data in files.items():
        inner = path.removeprefix(f"{source.path}/")
        for name in _numbered(f"{archive_folder(source.home)}/{inner}"):
            before = read_if_there(source.root / name, shown=name)
            if name not in changes and before in (None, data):
                changes[name] = Change(name, before, data)
                break
    return tuple(changes.values())


def link_index_changes(
    source: SourceFile, gone: Collection[str], new: Mapping[str, bytes]
) -> tuple[Change, ...]:
    """Return the changes of link indexes; the index of the folder gets rows for new files."""
    own = index_of(source.root, source.path)
    changes = []
    workspace = source.workspace
    for index in (*workspace.loaded_indexes(), *workspace.link_indexes):
        data = read_file(source.root / index.path, shown=index.path)
        files = new if index.path == own else {}
        read = {path: read_folder_file(path, content) for path, content in files.items()}
        rows = {path: (file.title, file.description) for path, file in read.items()}
        after = with_links(index.path, data, gone=gone, new=rows)
        if after != data:
            changes.append(Change(index.path, data, after))
    return tuple(changes)


class NewFile(NamedTuple):
    """A new file: its title, its lines (a heading first), and the text in them."""

    title: str
    lines: Sequence[str]
    text: str


def merged_file(source: SourceFile, new: NewFile, files: Mapping[str, bytes]) -> Change:
    """Return the file that replaces others; unchanged if an earlier run has written it."""
    texts = [decode(data) for data in files.values()]
    matter = _common_front_matter(texts, new.title)
    lines = [*matter, *new.lines[2:]] if matter else new.lines
    folder = posixpath.dirname(next(iter(files)))
    names = _numbered(posixpath.join(folder, f"{slug_of(new.title) or 'merged'}.md"))
    data = _as_bytes(lines, newline_of(texts[0]))
    while (before := read_if_there(source.root / (name := next(names)), shown=name)) is not None:
        if read_folder_file(name, before).title == new.title and _ends_with(before, new.text):
            return Change(name, before, before)
    return Change(name, None, data)


def joined_file(path: str, data: bytes, lines: Sequence[str], text: str) -> Change:
    """Return the change of a file that others join; no change if it already has the text."""
    is_written = _ends_with(data, text)
    return Change(path, data, data if is_written else _as_bytes(lines, newline_of(decode(data))))


def _ends_with(data: bytes, text: str) -> bool:
    lines = [chomp(line).rstrip() for line in split_lines(decode(data).rstrip())]
    end = [line.rstrip() for line in text.rstrip().split("\n")]
    return lines[-len(end) :] == end


def _as_bytes(lines: Sequence[str], newline: str) -> bytes:
    return encode("".join(f"{line}{newline}" for line in lines))


def _common_front_matter(texts: Sequence[str], title: str) -> Sequence[str]:
    matters = [[chomp(line) for line in front_matter_lines(text)] for text in texts]
    key = title_key(matters[0])
    if not key or not all(matters):
        return ()
    value = title if _PLAIN.fullmatch(title) else json.dumps(title, ensure_ascii=False)
    lines = (line for line in matters[0] if _PAIR.match(line) and not line.startswith(f"{key}:"))
    common = [line for line in lines if all(line in matter for matter in matters)]
    return ("---", f"{key}: {value}", *common, "---", "")


def _numbered(path: str) -> Iterator[str]:
    stem, ending = posixpath.splitext(path)
    return chain([path], (f"{stem}-{number}{ending}" for number in count(2)))
