"""Divides a file: from its bytes to the contents of the rest and the new files."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import NamedTuple

from learnings.consolidation.split.composing import (
    Composer,
    SplitText,
    intro_of,
    locations_after,
    refuse_loss,
    with_links,
)
from learnings.consolidation.split.links import LinkLocations, NewLinkLocations, encoded_name
from learnings.consolidation.split.names import (
    GroupRequest,
    Topic,
    candidates,
    chosen_groups,
    plain,
    refuse_nested,
    topic_of,
)
from learnings.consolidation.split.pieces import (
    Piece,
    Sizes,
    SplitSource,
    definitions_of,
    pieces_of,
    read_source,
)
from learnings.consolidation.split.topics import References, alikeness_of, references_of, topics_of
from learnings.core.errors import UsageProblem
from learnings.core.markdown.links import without_targets
from learnings.core.text import count_lines, counted, decode, encode, printable, split_lines


class NewFile(NamedTuple):
    """A new file: its path (POSIX, from the root), sections, content; is_chosen: by a user."""

    path: str
    pieces: tuple[Piece, ...]
    data: bytes
    is_chosen: bool = False

    @property
    def lines(self) -> int:
        """The number of its lines."""
        return count_lines(self.data)


class MovedHeading(NamedTuple):
    """The place of a source heading after the split: path and line."""

    path: str
    line: int


class Split(NamedTuple):
    """A divided file: the rest of it, and the new files.

    staying are the sections that stay. references says which pieces, by their first lines, refer to
    each other. moves are the headings of the source by their lines. links is the number of lines in
    these files with a new link target.
    """

    path: str
    before: bytes
    after: bytes
    files: tuple[NewFile, ...]
    staying: tuple[Piece, ...]
    references: frozenset[tuple[int, int]]
    moves: Mapping[int, MovedHeading]
    links: int
    whereabouts: NewLinkLocations

    @property
    def lines(self) -> int:
        """The number of lines in the rest of the file."""
        return count_lines(self.after)

    def linked(self, data: bytes, path: str) -> bytes:
        """Return another file with its links into the source changed to their new targets."""
        other = read_source(path, data)
        lines = (
            line if number in other.hidden else self.whereabouts.relinked(line, path, path)
            for number, line in enumerate(other.lines, start=1)
        )
        return encode(other.bom + "".join(lines))


class _Group(NamedTuple):
    """The pieces of one new file."""

    pieces: tuple[Piece, ...]
    topic: Topic
    is_chosen: bool


class Uncut(NamedTuple):
    """A file that cannot be divided, with the reason as the end of a sentence."""

    reason: str


def split_of(
    path: str,
    data: bytes,
    *,
    sizes: Sizes,
    neighbours: Mapping[str, bytes],
    requests: Sequence[GroupRequest] = (),
) -> Split | Uncut:
    """Divide a full file into new files of some sizes.

    requests are the user's groups, whatever their size; the other sections are divided as they
    would be alone. neighbours are the files in the folder by name, empty if unreadable. A new file
    does not take the name of an existing one, unless that has the same content because a run was
    killed after writing it. Raises FixRefused if something would be lost, UsageProblem for a
    request that the file cannot meet.
    """
    source = read_source(path, data)
    if source.unclosed:
        line = source.unclosed[0].first
        return Uncut(f"the code block or comment on line {line} has no end; close it")
    return _Splitting(source, data, sizes, neighbours, requests).result()


class _Splitting:
    def __init__(
        self,
        source: SplitSource,
        data: bytes,
        sizes: Sizes,
        neighbours: Mapping[str, bytes],
        requests: Sequence[GroupRequest],
    ) -> None:
        self._source = source
        self._data = data
        self._sizes = sizes
        self._neighbours = {name.casefold(): content for name, content in neighbours.items()}
        self._old = LinkLocations(source)
        definitions = definitions_of(source)
        self._chosen = chosen_groups(requests, source)
        lines = {line for group in self._chosen for line in group.lines}
        self._pieces = pieces_of(source, definitions, sizes.largest, chosen=lines)
        refuse_nested(self._chosen, self._pieces, source)
        self._composer = Composer(source, definitions)

    def result(self) -> Split | Uncut:
        pieces = self._pieces.pieces
        references = references_of(self._source, pieces, self._old)
        groups = self._groups(references)
        if not groups or len(pieces) == 1:
            return Uncut(self._obstacle())
        texts = self._with_names(groups)
        contents = {text.path: text.to_bytes() for text in texts[:-1]}
        contents[self._source.path] = texts[-1].to_bytes(self._source.bom)
        refuse_loss(self._source, texts, contents)
        path, lines = self._source.path, self._source.lines
        headings = {heading.first for heading in self._source.headings}
        moved = {piece for group in groups for piece in group.pieces}
        new = zip(texts[:-1], groups, strict=True)
        kept = [
            (line, MovedHeading(text.path, number))
            for text in texts
            for number, line in enumerate(text.lines, start=1)
            if line.origin
        ]
        return Split(
            path=path,
            before=self._data,
            after=contents[path],
            files=tuple(NewFile(t.path, g.pieces, contents[t.path], g.is_chosen) for t, g in new),
            staying=tuple(piece for piece in pieces if piece not in moved),
            references=frozenset((pieces[a].first, pieces[b].first) for a, b in references),
            moves={line.origin: place for line, place in kept if line.origin in headings},
            links=sum(
                line.text.rstrip("\r\n") != lines[line.origin - 1].rstrip("\r\n")
                for line, _ in kept
            ),
            whereabouts=self._new,
        )

    def _groups(self, references: References) -> list[_Group]:
        """Return the pieces of each new file, in their order; the others stay."""
        pieces = self._pieces.pieces
        chosen = [
            _Group(tuple(p for p in pieces if p.first in group.lines), group.topic, is_chosen=True)
            for group in self._chosen
        ]
        taken = {piece for group in chosen for piece in group.pieces}

        def size(numbers: Sequence[int]) -> int:
            return self._composer.size([pieces[number] for number in numbers])

        alike = alikeness_of(self._source, pieces)
        numbers = [number for number, piece in enumerate(pieces) if piece not in taken]
        proposed = [
            tuple(pieces[number] for number in topic)
            for topic in topics_of(numbers, references, alike, size, self._sizes)
            if size(topic) >= self._sizes.smallest
        ]
        stem = self._source.stem
        groups = [_Group(group, topic_of(group, stem=stem), is_chosen=False) for group in proposed]
        return sorted([*chosen, *groups], key=lambda group: group.pieces[0].first)

    def _obstacle(self) -> str:
        """Return why there is no place to cut at."""
        pieces, smallest = self._pieces.pieces, self._sizes.smallest
        if not pieces:
            return "it has no heading of level 2 to split at"
        if len(pieces) == 1:
            return f"it has one topic, {plain(pieces[0].title) or 'without a title'}"
        rest = sum(piece.lines for piece in pieces)
        return f"its {len(pieces)} sections have {rest} lines, and a new file needs {smallest}"

    def _with_names(self, groups: Sequence[_Group]) -> list[SplitText]:
        """Return the new files and the rest, with names that no other file has."""
        refused: set[str] = set()
        while True:
            texts = self._texts(groups, self._names(groups, refused))
            new = list(zip(groups, texts, strict=False))  # the rest of the source comes after them
            others = [(group, text.path) for group, text in new if self._is_other(text)]
            if not others:
                return texts
            for group, path in others:
                if group.is_chosen:
                    raise UsageProblem(f"{printable(path)} already exists; give another --name")
                refused.add(path.rpartition("/")[2].casefold())

    def _names(self, groups: Sequence[_Group], refused: Collection[str]) -> list[str]:
        stem, suffix = self._source.stem, self._source.suffix
        chosen = [f"{stem}-{group.topic.slug}{suffix}" for group in groups if group.is_chosen]
        used = {name.casefold() for name in (*refused, *chosen, self._source.name)}
        names: list[str] = []
        for group in groups:
            options = candidates(group.topic, stem=stem, suffix=suffix)
            is_free = group.is_chosen
            names.append(next(name for name in options if is_free or name.casefold() not in used))
            used.add(names[-1].casefold())
        return names

    def _is_other(self, text: SplitText) -> bool:
        """Return True if a file of that name exists that no killed run has written.

        The destinations of links may differ, as long as the other names are not settled.
        """
        name = text.path.rpartition("/")[2].casefold()
        content = self._neighbours.get(name)
        return content is not None and _bare(content) != _bare(text.to_bytes())

    def _texts(self, groups: Sequence[_Group], names: Sequence[str]) -> list[SplitText]:
        texts: list[SplitText] = []
        references: dict[int, list[str]] = {}
        for group, name in zip(groups, names, strict=True):
            path = self._source.folder + name
            texts.append(self._composer.new_file(path, self._title(group), group.pieces))
            titles = [plain(piece.title) or f"line {piece.first}" for piece in group.pieces]
            shown = name.replace("[", r"\[").replace("]", r"\]")
            reference = f"- [{shown}]({encoded_name(name)}): {'; '.join(titles)}"
            references.setdefault(intro_of(self._pieces, group.pieces), []).append(reference)
        moved = [piece for group in groups for piece in group.pieces]
        texts.append(self._composer.rest(moved, references))
        self._new = locations_after(texts, self._source, self._old)
        return [with_links(text, self._source, self._new) for text in texts]

    def _title(self, group: _Group) -> str:
        """Return the title of a new file; empty if its only section has level 1."""
        if len(group.pieces) == 1 and group.pieces[0].level == 1:
            return ""
        heading = self._source.title
        whole = plain(heading.title) if heading else self._source.stem
        return f"{whole}: {group.topic.title}" if group.topic.title else whole


def _bare(data: bytes) -> list[str]:
    return [without_targets(line) for line in split_lines(decode(data))]


def too_large(split: Split, limit: int) -> Iterator[str]:
    """Yield a sentence for each file that is still full."""
    for file in split.files:
        if file.lines > limit:
            why = "its section has no heading to split at"
            if file.is_chosen:
                why = "--group keeps its sections together"
            yield f"{file.path} still has {counted(file.lines, 'line')}: {why}"
    if split.lines >= limit:
        yield f"{split.path} keeps {counted(split.lines, 'line')}: it has no heading to split at"
