"""Divides a file: from its bytes to the rest and the new files, and proves that nothing is lost."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from posixpath import basename, dirname, join, splitext
from typing import NamedTuple

from learnings.consolidation.split.names import NewFile, chosen_files, plain, proposed_file
from learnings.consolidation.split.source import Line, Section, Source, new_file, pieces_of, rest_of
from learnings.consolidation.split.topics import References, Sizes, references_of, topics_of
from learnings.core.errors import FixRefused, UsageProblem
from learnings.core.findings.finding import quoted
from learnings.core.markdown.line_edits import terminated
from learnings.core.markdown.links import (
    WIKI,
    Link,
    as_target,
    normalized_anchor,
    with_targets,
    without_targets,
)
from learnings.core.text import decode, encode, printable, split_lines


class Place(NamedTuple):
    """The file of a line of the source after the split; anchor is that of a heading, or empty."""

    path: str
    anchor: str


class Split(NamedTuple):
    """A divided file: the rest of it, and the new files.

    staying are the sections that stay, references are between all sections. places are by the lines
    of the source. changed is the number of lines in these files with a new link target.
    """

    source: Source
    after: bytes
    files: tuple[NewFile, ...]
    staying: tuple[Section, ...]
    references: References
    places: Mapping[int, Place]
    changed: int

    def linked(self, data: bytes, path: str) -> bytes:
        """Return another file with its links into the source changed to their new targets."""
        other = Source(path, data)
        relinked = _relinked(self.source, self.places, path, path)
        return encode(other.bom + "".join(with_targets(other.lines, relinked, other.front_matter)))


def split_of(
    path: str,
    data: bytes,
    *,
    sizes: Sizes,
    neighbours: Mapping[str, bytes],
    requests: Sequence[tuple[str, str]] = (),
    real_folder: Callable[[str], str | None] = str,
) -> Split | str:
    """Divide a full file into new files of some sizes, or return why it cannot be divided.

    requests are the headings and name of each file that the user wants, whatever its size; the
    other sections are divided as they would be alone. neighbours are the files in the folder by
    name, empty if unreadable. A new file does not take the name of an existing one, unless that has
    the same content because a run was killed after writing it. Raises FixRefused if something would
    be lost, UsageProblem for a request that the file cannot meet. real_folder is for Source.
    """
    source = Source(path, data, real_folder)
    if source.unclosed:
        return f"the code block or comment on line {source.unclosed} has no end; close it"
    chosen = chosen_files(requests, source)
    taken = {section for file in chosen for section in file.sections}
    pieces = pieces_of(source.sections, sizes.largest, taken)
    references = references_of(source, pieces)
    topics = topics_of(source, pieces, taken, references, sizes)
    files = sorted((*chosen, *(proposed_file(topic, source) for topic in topics)))
    if not files or len(pieces) == 1:
        return _obstacle(pieces, sizes)
    files = _named(files, source, neighbours)
    texts = _composed(files, source)
    places: dict[int, Place] = {}  # by the lines of the source
    for new, lines in texts.items():
        anchors = Source(new, file_bytes(lines, source.newline)).anchors
        for number, line in enumerate(lines, start=1):
            places[line.origin] = Place(new, anchors.get(number, ""))
    changed = _relink(texts, source, places)
    contents = {new: file_bytes(lines, source.newline) for new, lines in texts.items()}
    contents[path] = encode(source.bom) + contents[path]
    _refuse_loss(source, texts, contents)
    moved = {section for file in files for section in file.sections}
    staying = tuple(piece for piece in pieces if piece not in moved)
    written = tuple(file._replace(data=contents[file.path]) for file in files)
    return Split(source, contents[path], written, staying, references, places, changed)


def _obstacle(pieces: Sequence[Section], sizes: Sizes) -> str:
    if not pieces:
        return "it has no heading of level 2 to split at"
    if len(pieces) == 1:
        return f"it has one topic, {plain(pieces[0].title) or 'without a title'}"
    lines = sum(len(piece.numbers) for piece in pieces)
    return f"its {len(pieces)} sections have {lines} lines, and a new file needs {sizes.smallest}"


def _named(
    files: Sequence[NewFile], source: Source, neighbours: Mapping[str, bytes]
) -> list[NewFile]:
    """Return new files with paths that no file has, except one that a killed run has written.

    The destinations of its links may differ, because other paths were not settled then.
    """
    folder = dirname(source.path)
    known = {join(folder, name).casefold(): _bare(data) for name, data in neighbours.items()}
    chosen = (next(file.paths(source)) for file in files if file.is_chosen)
    used = {path.casefold() for path in (source.path, *chosen)}
    named: list[NewFile] = []
    for file in files:
        bare = _bare(file_bytes(new_file(source, file.title, file.sections), source.newline))
        unused = (p for p in file.paths(source) if file.is_chosen or p.casefold() not in used)
        path = next((path for path in unused if known.get(path.casefold(), bare) == bare), None)
        if path is None:
            taken = printable(next(file.paths(source)))
            raise UsageProblem(f"{taken} already exists; give another --name")
        used.add(path.casefold())
        named.append(file._replace(path=path))
    return named


def _bare(data: bytes) -> list[str]:
    return without_targets(split_lines(decode(data)))


def _composed(files: Sequence[NewFile], source: Source) -> dict[str, list[Line]]:
    """Return the new files by path, then the rest of the source, all with their old links."""
    references: dict[int, list[str]] = defaultdict(list)
    for file in files:
        name = basename(file.path)
        shown = name.replace("[", r"\[").replace("]", r"\]")
        titles = [plain(section.title) or f"line {section.first}" for section in file.sections]
        intros = {section.intro for section in file.sections}
        intro = min(intros) if len(intros) == 1 else source.sections[0].intro
        references[intro].append(f"- [{shown}]({as_target(name)}): {'; '.join(titles)}")
    texts = {file.path: new_file(source, file.title, file.sections) for file in files}
    moved = [section for file in files for section in file.sections]
    return texts | {source.path: rest_of(source, moved, references)}


def file_bytes(lines: Iterable[Line], newline: str) -> bytes:
    """Return a file of some lines; the newline is for the last line of a source without one."""
    return encode("".join(terminated((line.text for line in lines), newline)))


def _relink(texts: Mapping[str, list[Line]], source: Source, places: Mapping[int, Place]) -> int:
    """Change the links in the new files, and return the number of changed lines of the source."""
    changed = 0
    for path, lines in texts.items():
        relinked = _relinked(source, places, source.path, path)
        matter = source.front_matter if path == source.path else 0
        after = with_targets([line.text for line in lines], relinked, matter)
        for index, (line, text) in enumerate(zip(lines, after, strict=True)):
            changed += line.origin > 0 and text != line.text
            lines[index] = line._replace(text=text)
    return changed


def _relinked(
    source: Source, places: Mapping[int, Place], path: str, new_path: str
) -> Callable[[Link], str | None]:
    """Return a function that gives the new destination of a link moved between two files."""

    def retargeted(link: Link) -> str | None:
        number = source.line_of(link, path)
        if number is None:
            return None
        place, (written, _, anchor) = places[number], link.written.partition("#")
        name = basename(place.path)
        # An anchor that the author has set stays.
        old, named = map(normalized_anchor, (source.anchors.get(number, ""), link.anchor))
        if old == named and link.form != WIKI:
            anchor = place.anchor
        if place.path == new_path and not (written and new_path == source.path):
            name = ""
        elif link.form != WIKI:
            name = as_target(name, is_angled=link.is_angled)
        elif not written.endswith(source.suffix):
            name = splitext(name)[0]
        folder = written[: written.rfind("/") + 1] if name else ""
        return f"{folder}{name}#{anchor}"

    return retargeted


def _refuse_loss(
    source: Source, texts: Mapping[str, Sequence[Line]], contents: Mapping[str, bytes]
) -> None:
    """Raise FixRefused unless the new contents have each source line, equally often.

    contents are the files by path, texts say which of their lines are added. Blank lines and the
    destinations of links do not count. No line may change its kind, for example from a heading to
    text or code.
    """
    before = Counter(_kinds(source))
    for lines in texts.values():
        shown = without_targets([line.text for line in lines])
        added = (text.strip() for text, line in zip(shown, lines, strict=True) if not line.origin)
        before.update((text, int(text.startswith("# "))) for text in added)
    after = Counter(kind for path in texts for kind in _kinds(Source(path, contents[path])))
    faults = [f"lose or change the line {quoted(text)}" for text, _ in before - after if text]
    faults += [f"write the line {quoted(text)} twice" for text, _ in after - before if text]
    if faults:
        raise FixRefused(
            f"cannot split {source.path}: the result would {faults[0]}; split it by hand"
        )


def _kinds(source: Source) -> list[tuple[str, int]]:
    """Return the text of each line with its kind: the level of a heading, 7 for code, 0 else."""
    kinds = dict.fromkeys(source.hidden, 7) | {h.first: h.level for h in source.headings}
    lines = without_targets(source.lines)
    return [(text.strip(), kinds.get(n, 0)) for n, text in enumerate(lines, start=1)]
