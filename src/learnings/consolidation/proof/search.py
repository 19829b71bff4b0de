"""Searches files for the text of entries: word for word, or covered by one section."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import chain, islice, pairwise

from learnings.consolidation.checks.sentences import cues_of, split_sentences, values_of
from learnings.consolidation.proof.results import Cover, FilePlace
from learnings.consolidation.proof.wording import (
    WordStream,
    holds,
    is_same,
    without_stamp,
    wording_of,
    words_of,
)
from learnings.consolidation.text.keywords import keys
from learnings.consolidation.text.sections import target_of
from learnings.consolidation.text.similarity import FEW_PAIRS, Pair, Texts, pairs_of, text_of
from learnings.core.entries.document import Document, Entry, read
from learnings.core.entries.layout import ENTRY
from learnings.core.entries.titles import item_text, read_item
from learnings.core.file_names import is_archive_like
from learnings.core.text import decode, split_lines

# Characters of a text that another one may contain by chance; chosen, about five words.
_SHORTEST = 30
# Most places with the words of an entry to check in a file; a true copy is hardly after them.
_MOST_COPIES = 20
# The share of their words that two texts have in common if one is a part of the other.
_SAME_WORDS = 0.4
# Keywords of a text from which runs of three identify it, in shorter ones of two.
_LONG = 8
# The share of the runs of an entry in a file from which it is searched for the entry. A copy has
# them all, but where labels were retyped; a text that covers an entry has most of them.
_MAY_HOLD = 0.15


class FileTexts:
    """Files to search, each of them split to sections only if it may hold one of the asked texts.

    files are the bytes or the entries of files by path. shared returns the pairs of words that
    several entries have: template text, which covers none of them.
    """

    def __init__(
        self,
        files: Mapping[str, bytes | Document],
        asked: Iterable[Entry],
        shared: Callable[[], frozenset[Pair]] = frozenset,
    ) -> None:
        self._files = files
        self._asked = [*map(text_of, asked)] if files else []
        self._shared = shared
        self.read = lru_cache(maxsize=None)(self._read)
        self._lines = lru_cache(maxsize=None)(self._lines_of)
        self._stream = lru_cache(maxsize=None)(lambda path: WordStream(self._lines(path)))
        self._sections = lru_cache(maxsize=None)(self._sections_of)
        self._paths_for = lru_cache(maxsize=None)(self._paths_that_may_hold)
        self._with_run: dict[tuple[str, ...], list[str]] = {}
        wanted = frozenset[tuple[str, ...]]().union(*map(_runs, self._asked))
        for path, text in self._units() if self._asked else ():
            words = keys(text)
            runs = chain(pairwise(words), zip(words, words[1:], words[2:], strict=False))
            for run in {*filter(wanted.__contains__, runs)}:
                self._with_run.setdefault(run, []).append(path)

    def _units(self) -> Iterator[tuple[str, str]]:
        """Yield the texts to compare, with their files: the entries of a memory, or whole files.

        Those of other words are left out before their keywords are read, which takes longer. A
        small one may be a piece of what is asked for.
        """
        asked = [{*_plain_words(text)} for text in self._asked]
        wanted, shortest = frozenset[bytes]().union(*asked), min(map(len, asked))
        for path, file in self._files.items():
            if isinstance(file, bytes):
                texts = [decode(file)]
            else:
                others = (s for s in file.spans if s.kind != ENTRY)
                lines = (line for s in others for line in file.lines[s.first - 1 : s.last])
                texts = [*map(text_of, file.entries), "".join(lines)]
            for text in texts:
                words = {*_plain_words(text)}
                least = _SAME_WORDS * min(shortest, len(words))
                if len(words & wanted) >= least or not text.isascii():
                    # A copy in a comment is one, too, and comments have no keywords.
                    yield path, text.replace("<!--", " ")

    def _read(self, path: str) -> Document:
        file = self._files[path]
        return read(file) if isinstance(file, bytes) else file

    def _lines_of(self, path: str) -> Sequence[str]:
        file = self._files[path]
        return split_lines(decode(file)) if isinstance(file, bytes) else file.lines

    def _sections_of(self, path: str) -> tuple[Sequence[FilePlace], Sequence[str], Texts]:
        """Return the first lines and the texts of the sections of a file, and their index."""
        file = self._files[path]
        if isinstance(file, bytes):
            found = target_of(path, file).sections
            sections = [(s.line, f"{s.title}\n{s.text}") for s in found]
        else:
            sections = [(entry.first, text_of(entry)) for entry in file.entries]
        texts = [text for _, text in sections]
        return [FilePlace(path, line) for line, _ in sections], texts, Texts(texts, self._asked)

    def _paths_that_may_hold(self, entry: Entry) -> Sequence[str]:
        runs = _runs(text_of(entry))
        counts = Counter(chain.from_iterable(self._with_run.get(run, ()) for run in runs))
        return [path for path in self._files if counts[path] >= _MAY_HOLD * len(runs)]

    def place_of(self, entry: Entry) -> FilePlace | None:
        """Return where a file has an entry word for word, perhaps with another time stamp or date.

        A file of a folder may have its title anywhere. Of 371 entries that were archived by hand,
        one came back under its neighbour's time stamp.
        """
        forms = dict.fromkeys((_without_mark(entry), _without_date(entry)))
        place = next(filter(None, (self._place(entry, lines) for lines in forms)), None)
        if place is None:
            place = self.place_of_body(entry)
            # Whoever archives by hand may leave the heading out, or write another one.
            is_enough = place and (entry.path or is_archive_like(place.path))
            place = place if is_enough else None
        return place

    def place_of_body(self, entry: Entry) -> FilePlace | None:
        """Return where a file has the text below an entry's heading."""
        body = entry.lines[1:]
        return self._place(entry, body) if len("".join(body).strip()) >= _SHORTEST else None

    def _place(self, entry: Entry, lines: tuple[str, ...]) -> FilePlace | None:
        is_short = sum(map(len, lines)) < _SHORTEST
        for path in self._paths_for(entry):
            for line, found in islice(self._stream(path).copies(lines), _MOST_COPIES):
                wording, copy = wording_of(lines), wording_of(tuple(found))
                if is_same(wording, copy) if is_short else holds(copy, wording):
                    return FilePlace(path, line)
        return None

    def cover_of(self, entry: Entry, enough: float) -> Cover | None:
        """Return the section that covers an entry best; None if none has many of its words.

        Archives cover nothing: they hold originals. A text of few words of its own is only covered
        word for word, and so is a number or a negation that the section lacks.
        """
        best: Cover | None = None
        text = text_of(entry)
        for path in self._paths_for(entry):
            if is_archive_like(path):
                continue
            places, sections, texts = self._sections(path)
            covered = texts.best_of_text(text)
            if covered is not None and covered.score >= enough:
                covered = texts.best_of_text(text, self._shared())
            if covered is None:
                continue
            is_whole, missing = False, covered.new_words
            if covered.score >= enough:
                section = sections[covered.text_index]
                facts = _missing_facts("".join(_without_date(entry)), section)
                own = pairs_of(text).keys() - self._shared()
                is_whole = not facts and len(own) >= FEW_PAIRS
                missing = tuple(dict.fromkeys((*facts, *missing)))
            cover = Cover(places[covered.text_index], covered.score, missing, is_whole)
            best = cover if best is None or cover.rank > best.rank else best
        return best


# For each byte its lower case, or a space for a sign that is no part of a word.
_FOLDED = bytes(ord(sign.lower() if sign.isalnum() else " ") for sign in map(chr, range(128)))
_FOLDED = _FOLDED.ljust(256)


def _plain_words(text: str) -> Sequence[bytes]:
    """Return the words of an ASCII text, none for another."""
    return text.encode().translate(_FOLDED).split() if text.isascii() else ()


def _runs(text: str) -> frozenset[tuple[str, ...]]:
    """Return the runs of keywords by which a text is recognised, none for a single keyword."""
    words = keys(text)
    threes = zip(words, words[1:], words[2:], strict=False)
    return frozenset(threes if len(words) >= _LONG else pairwise(words))


def _without_mark(entry: Entry) -> tuple[str, ...]:
    """Return the lines of an entry, the first of an item without its mark or number."""
    if entry.level or entry.lines[0].startswith("|"):
        return entry.lines
    return (item_text(entry.lines[0]) + "\n", *entry.lines[1:])


def _without_date(entry: Entry) -> tuple[str, ...]:
    if entry.level:
        return without_stamp(entry)
    return (f"{read_item(entry.lines[0]).key_title}\n", *entry.lines[1:])


def _missing_facts(text: str, section: str) -> list[str]:
    """Return the numbers and limits of a text that a section lacks, and `not` for a negation.

    A number counts beside the word before or behind it, a negation with the word that it denies.
    """
    words, there = (words_of([one]) for one in (text, section))
    beside, known = {*pairwise(there)}, {*there, *values_of(section)}
    around = zip(["", *words], words, [*words[1:], ""], strict=False)
    numbers = [
        word
        for before, word, behind in around
        if any(map(str.isdecimal, word)) and beside.isdisjoint(((before, word), (word, behind)))
    ]
    denied, denied_there = (
        Counter(cue.denied for one in split_sentences(each) for cue in cues_of(one) if cue.denied)
        for each in (text, section)
    )
    said = {*keys(text)}
    turned = [word for word in denied_there if word in said and word not in denied]
    negation = ["not"] if denied - denied_there or turned else []
    return [*numbers, *(word for word in sorted(values_of(text)) if word not in known), *negation]
