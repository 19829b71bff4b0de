"""The paths and commands that a Markdown file names, unless it says that they are gone.

Words such as `removed` excuse a dead name only if they are about it: `the cache was removed; see
src/parse.py` says nothing about src/parse.py, and in `x.py moved to y.py` only x.py is gone.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from posixpath import join, normpath
from typing import NamedTuple
from urllib.parse import unquote

from learnings.core.markdown.links import REFERENCE, WIKI, Link, links_in
from learnings.core.markdown.passages import Passage, code_spans, passages
from learnings.core.patterns import lazy_pattern

_HOLE = "\ufffc"
"""Stands for code or a link in a sentence, whatever its content."""

# Verbs for a thing that is gone, and for one that was moved or renamed.
_GONE = (
    r"deleted|removed|gone|dropped|retired|obsolete|outdated|deprecated|superseded|abandoned"
    r"|discontinued|missing|non-?existent|killed|eliminated|vanished|disappeared|defunct|archived"
    r"|no more|cut|reverted"
)
_MOVED = (
    r"renamed|moved|replaced|split|merged|folded|inlined|absorbed|relocated|migrated|converted"
    r"|ported|consolidated|turned into"
)
# Words for the past; a verb follows or precedes.
_FORMERLY = r"no longer|not any ?more|used to|formerly|previously|originally|once|historically"
_NOT_THERE = (
    r"(?:do|does|did|is|are|was|were|has|have)(?:n['’]t| not| never|\s+no longer) "
    r"(?:exist\w*|there|been there|present|around)|never existed|ceased to exist"
)
# Words that may stand between a name and its verb while the subject stays the same; each once, for
# a search tries a word that is there twice in both places.
_SAME_SUBJECT = (
    r"(?:which|that|who|it|they|this|these|both|all|now|since|has|have|had|is|are|was|were|be"
    r"|been|being|got|already|long|then|later|recently|meanwhile|and|also|but|itself|too)"
)
_AUXILIARY = r"(?:is|are|was|were|been|being|got|gets?|be)"
_ADVERBS = r"(?:\s+(?:now|since|already|long|later|recently|also|then|finally|all|both|entirely))*"
# The rest of a list of names.
_LIST_BEHIND = rf"(?:[\s,/+&()*_]*+(?:(?:and|or|as well as)[\s(*_]*+)?{_HOLE})*+"
_LIST_BEFORE = rf"(?:{_HOLE}[\s,/+&()*_]*+(?:(?:and|or|as well as)[\s(*_]*+)?)*+"
# Words between a verb and its object.
_DETERMINERS = (
    r"(?:\s+(?:the|its|our|their|a|an|old|older|former|legacy|unused|stale|dead|obsolete|whole|file"
    r"|files|folder|folders|directory|module|modules|script|scripts|page|pages|package|helper"
    r"|helpers|test|tests|doc|docs|config|both|all|these|those|following|entire|from|out of)){0,20}"
)
# A word after which no other subject follows.
_WORD = r"\s+(?!(?:that|what|whether|if|when|where|which|while|until|because)\b)[\w'’-]+"
_BEHIND_IT = lazy_pattern(
    rf"{_LIST_BEHIND}(?:"
    # `x.py, which was since removed`, `x.py (deleted)`, `x.py — no longer there`
    rf"[\s,:(*_~–—-]*+(?:{_SAME_SUBJECT}\s+)*(?:{_GONE}|{_MOVED}|{_FORMERLY}|{_NOT_THERE})\b"
    # `x.py and its tests were removed`
    rf"|(?:{_WORD}){{0,7}}?\s+{_AUXILIARY}{_ADVERBS}\s+(?:{_GONE}|{_MOVED})\b"
    rf"|(?:{_WORD}){{0,4}}?\s+(?:{_NOT_THERE})\b"
    # `x.py is now y.py`
    rf"|\s+(?:is now|became|has become)(?:\s+(?:called|named|in|at|under|the)){{0,3}}\s+{_HOLE}"
    r")",
    re.IGNORECASE,
)
_BEFORE_IT = lazy_pattern(
    rf"(?:"
    # `removed the old x.py`, `Deleted: a.py, x.py`
    rf"\b(?:{_GONE}|{_MOVED})(?:\s+\w+ly)?{_DETERMINERS}"
    # `y.py replaces x.py`
    rf"|\b(?:replac(?:es|ing)|supersed(?:es|ing)){_DETERMINERS}"
    # `no longer uses x.py`, `used to live in x.py`
    rf"|\b(?:{_FORMERLY})(?:\s+[\w'’-]++){{0,3}}"
    # `prefer y.py over x.py`
    r"|\b(?:prefer(?:red)?|favou?r|choose|pick)\b(?:(?:\s+[\w'’-]++){0,5}\s*"
    rf"{_HOLE})?(?:\s+[\w'’-]++){{0,5}}\s+over(?:\s+the)?"
    # `the old x.py`, `instead of x.py`
    r"|\b(?:old|older|former|legacy|previous|earlier|instead of|rather than|in place of|not|no"
    r"|without|ex)(?:\s+(?:the|a|an|old|file|module|script|folder)){0,20}"
    rf")[\s:(*_]*+{_LIST_BEFORE}$",
    re.IGNORECASE,
)
# `moved to x.py`, `deleted by x.py`, `removed from x.py`: the name is a place or a tool.
_PLACE_BEFORE = lazy_pattern(
    r"(?:\b(?:to|into|onto|in|under|by|with|as|for|via|use|see|of)(?<!instead of)(?<!place of)"
    r"(?<!out of)(?:\s+(?:the|a|an|new|file|module|script|folder))*|->|=>|→|⇒)[\s:(*_]*$",
    re.IGNORECASE,
)
_TAKEN_FROM = lazy_pattern(
    rf"\b(?:{_GONE})\b(?:\s+[\w'’-]+){{0,20}}?\s+from(?:\s+the)?[\s(*_]*$", re.IGNORECASE
)
_LIVED_IN = lazy_pattern(rf"\b(?:{_FORMERLY})\b[^{_HOLE}]*$", re.IGNORECASE)
# The same in other languages, for a whole clause: Portuguese, Spanish, German, French, Russian,
# Arabic, Chinese and Japanese (which write no blank at the end of a word).
_OTHER_LANGUAGES = lazy_pattern(
    r"(?<!\w)(?:excluíd[oa]s?|removid[oa]s?|apagad[oa]s?|deletad[oa]s?|n[aã]o existem?"
    r"|obsolet[oa]s?|antig(?:o|a|os|as|amente)|substituíd[oa]s?|renomead[oa]s?|movid[oa]s?"
    r"|n[aã]o \w+ mais"
    r"|eliminad[oa]s?|borrad[oa]s?|suprimid[oa]s?|ya no|renombrad[oa]s?|reemplazad[oa]s?"
    r"|sustituid[oa]s?"
    r"|gelöscht\w*|entfernt\w*|entfällt|veraltet\w*|nicht mehr|früher\w*|ehemal\w+|gibt es nicht"
    r"|umbenannt\w*|verschoben\w*|ersetzt\w*|statt"
    r"|supprimée?s?|retirée?s?|enlevée?s?|n['’]existent? plus|ne \w+ plus|obsolètes?|anciennement"
    r"|renommée?s?|déplacée?s?|remplacée?s?|au lieu de"
    r"|удал[её]н\w*|убран\w*|устаре\w+|больше не\w*|раньше|бывш\w+|отсутству\w+|переименован\w*"
    r"|перемещ[её]н\w*|перенес[её]н\w*|замен[её]н\w*|вместо"
    r"|حُ?ذفت?|أزيلت?|لم [يت]عد|سابق[اً]+)(?!\w)"
    r"|已?删除|已?移除|不再|已?废弃|淘汰|不存在|改名|重命名|移动到|移到|替换|取代|改为"
    r"|削除|廃止|もはや|置き換え|移動",
    re.IGNORECASE,
)
_OTHER_PLACE_BEFORE = lazy_pattern(
    r"(?:(?<!\w)(?:para|por|a|en|con|nach|durch|mit|zu|par|vers|dans|в|на)|到|为|は)[\s(*_]*$"
)
# Code, and links with their text: `x`, [x](y), [x][y].
_OPAQUE = lazy_pattern(
    r"(?s)(?<!`)(`+)(?!`)(.+?)(?<!`)\1(?!`)|\[[^\[\]\n]*\](?:\([^()\n]*\)|\[[^\[\]\n]*\])"
)
# The end of a sentence or of a table cell; and of a clause, for languages judged by clause.
_SENTENCE_END = lazy_pattern(r"[.!?…][)*_\"'»”]*(?=\s|$)|[。！？；]|;(?=\s|$)|\|")
_CLAUSE_END = lazy_pattern(r"[,，、]")
# A move with an arrow to a folder or a like name; advice against one name, perhaps for another.
_ARROW = lazy_pattern(r"[`)*_\s]{0,9}(?:->|=>|→|⇒|⟶|➡)[(*_\s]{0,9}(?:`+|\[)(?P<to>[^`\]\n]+)")
_AVOIDED = lazy_pattern(
    r"\b(?:do not|don['’]t|never|avoid|stop)\s+(?:(?P<use>us(?:e|ing))|(?:import|call|run|read"
    rf"|extend|rely)(?:n?ing)?(?: on)?){_DETERMINERS}[\s:(*_]*+{_LIST_BEFORE}$",
    re.IGNORECASE,
)
# What something makes when it runs is not always there: `creates x.md`, `Write the plan to x.md`.
_MADE = lazy_pattern(
    r"\b(?:(?:creat|generat|writ|sav|produc)(?:es?|ing|ten)|outputs?)(?:\s+(?!(?:that|what|whether|if|when|where|which"
    r"|while|until|because|by|in|from|with|via|using|for|of|on|at)\b)[\w'’-]+){0,3}?"
    rf"(?:\s+(?:to|into|as))?{_DETERMINERS}[\s:(*_]*+{_LIST_BEFORE}$",
    re.IGNORECASE,
)
_INSTEAD = lazy_pattern(r"\b(?:use|prefer|instead|switch to)\b", re.IGNORECASE)
_WORDS = lazy_pattern(r"[^\s`'\"()\[\]<>,;|*]+")
_STRUCK = lazy_pattern(r"(?s)~~.+?~~")
_CELL = lazy_pattern(rf"\|[\s*_]*(?:{_GONE}|{_MOVED}|{_FORMERLY}|{_NOT_THERE})\b", re.IGNORECASE)
# Such a heading (`## Removed files`), or such a line with a colon, covers all text below it.
_GONE_HEADING = lazy_pattern(
    rf"\W*(?:{_GONE}|{_MOVED}|{_FORMERLY}|renames|old|former|legacy)\b", re.IGNORECASE
)
_GONE_LINE = lazy_pattern(
    r"\b(?<!what is )(?:deleted|removed|gone|dropped|retired|obsolete|deprecated|renamed|moved"
    r"|replaced|no longer \w+)(?:\s+[\w'’.-]+){0,5}[*_\s]*[:：][*_\s]*$",
    re.IGNORECASE,
)


def is_said_gone(text: str, start: int, end: int, *, label: str = "") -> bool:
    """Return True if a passage says that the name between start and end is gone or has moved.

    label is the heading or the line with a colon above it.
    """
    if any(match.start() <= start < match.end() for match in _STRUCK.finditer(text)):
        return True
    has_colon = label.rstrip("*_ ").endswith((":", "："))
    if _GONE_HEADING.match(label) or (has_colon and _GONE_LINE.search(label)):
        return True
    arrow = _ARROW.match(text, end)
    if arrow and (arrow["to"].endswith("/") or _stem(arrow["to"]) == _stem(text[start:end])):
        return True
    if text.lstrip().startswith("|") and _CELL.search(text):
        return True
    before, behind, beyond = _parts(text, start, end)
    avoided = _AVOIDED.search(before)
    if avoided and (avoided["use"] or _INSTEAD.search(behind) or _INSTEAD.search(beyond)):
        return True
    return _is_said_in_english(before, behind) or _is_said_elsewhere(before, behind)


def _parts(text: str, start: int, end: int) -> Sequence[str]:
    """Return the sentence before and behind a name, and the next one, with holes for other code."""
    first, last, next_last = _sentence(text, start, end)
    parts = text[first[0] : first[1]], text[last[0] : last[1]], text[last[1] : next_last]
    return [_OPAQUE.sub(_HOLE, part) for part in parts]


def _stem(path: str) -> str:
    return path.rstrip("/").rpartition("/")[2].partition(".")[0]


def _sentence(text: str, start: int, end: int) -> tuple[tuple[int, int], tuple[int, int], int]:
    """Return the places of the sentence before and behind a name, and the next sentence's end.

    Signs in other names end no sentence.
    """
    masked = _OPAQUE.sub(lambda match: _HOLE * len(match[0]), text)
    match = next((m for m in _OPAQUE.finditer(text) if m.start() <= start < m.end()), None)
    first, last = match.span() if match else (start, end)
    ends = [found.span() for found in _SENTENCE_END.finditer(masked)]
    begun = max((stop for _, stop in ends if stop <= first), default=0)
    behind = [(begin, stop) for begin, stop in ends if begin >= last] + [(len(text),) * 2] * 2
    return (begun, first), (last, behind[0][0]), behind[1][0]


def _is_said_in_english(before: str, behind: str) -> bool:
    if _BEHIND_IT.match(behind):
        return True
    if _TAKEN_FROM.search(before) or not _BEFORE_IT.search(before):
        return False
    return _PLACE_BEFORE.search(before) is None or _LIVED_IN.search(before) is not None


def _is_said_elsewhere(before: str, behind: str) -> bool:
    """Return True if the clause around a name says so in another language."""
    begun = max((found.end() for found in _CLAUSE_END.finditer(before)), default=0)
    ended = _CLAUSE_END.search(behind)
    own = behind[: ended.start()] if ended else behind
    beyond = _OTHER_LANGUAGES.search(behind[ended.end() :].lstrip()) if ended else None
    if _OTHER_LANGUAGES.search(own) or (beyond and len(behind[: beyond.start()].split()) <= 1):
        return True
    said = _OTHER_LANGUAGES.search(before[begun:])
    return said is not None and _OTHER_PLACE_BEFORE.search(before) is None


# Most characters: nobody writes a longer line by hand, and each tick in it may begin code.
_LONGEST_PASSAGE = 20_000
# `https:`, `C:`; a path of the machine or the home folder; parts that a shell or template fills.
_ELSEWHERE = lazy_pattern(r"[A-Za-z][\w+.-]*:|[/~\\]|\.\.\./\.\.|.*[<>{}*?$|=\"'`\\]|.*\.\.\.")
# Suffixes of a path: `:12`, `:12-15`, `:12:5`, `:12,40`, `#L12`, `#anchor`, `::name`, `:name`.
_BEHIND = lazy_pattern(
    r"(?P<path>[^#]*?)(?:(?:::?[A-Za-z_][\w.\[\]-]*){1,9}|:(?P<line>[1-9]\d{0,6})(?:[-–:,]\d+){0,9}"
    r"|\#L(?P<link_line>[1-9]\d{0,6})(?:-L?\d+)?|\#(?P<anchor>[^#\s]+))?(?:\(\))?"
)
# A word that can be a path: with a folder, or with an extension of letters (`x.py`, `.env`).
_IS_PATH = lazy_pattern(r"[^/]*/.*|(?:.*[^.])?\.[A-Za-z][A-Za-z0-9_]{0,9}")
# A command about the history: `git show abc123:old.py`.
_ABOUT_HISTORY = lazy_pattern(
    r"git (?:-\S+ )*(?:blame|checkout|diff|grep|log|mv|restore|rm|show)\b|(?:rm|unlink|mv) "
)
# A command that runs a name defined by the repository: `make -s lint`, `npm run build`.
_RUNS = lazy_pattern(
    r"(?P<tool>make|just|(?:npm|pnpm|yarn|bun) run)(?: -[\w-]+)*"
    r" (?P<name>[A-Za-z][\w:./-]*)(?= |$)"
)
_FIRST_WORD = lazy_pattern(r"(?P<name>[A-Za-z][\w.-]+)(?= |$)")
# Marks around a word of a command that are not part of its path.
_AROUND = "\"'`,;()[]"


class Around(NamedTuple):
    """The passage around a reference, its start and end in it, and the label above."""

    text: str
    start: int
    end: int
    label: str = ""


class Reference(NamedTuple):
    """A reference of a file to something in the repository.

    line and column are those of `text`, the path or name as written, 1-based. written is the same
    with its suffix (`:12`, `#anchor`). paths are its candidates relative to the root, best first.
    line_number and anchor come from the suffix. tool is the program that runs a name: `make`,
    `just`, `npm run`, or empty for a program of its own. is_link is True for the destination of a
    link.
    """

    text: str
    written: str
    paths: tuple[str, ...] = ()
    line_number: int | None = None
    anchor: str | None = None
    tool: str | None = None
    is_link: bool = False
    line: int = 0
    column: int = 0
    around: Around = Around("", 0, 0)

    @property
    def end(self) -> str:
        """The end of a path that its text may be; empty for a link, a command, or `../x`."""
        may_be = self.tool is None and not self.is_link and not self.text.startswith("../")
        return self.text.strip("/").removeprefix("./") if may_be else ""

    @property
    def is_said_gone(self) -> bool:
        """True if the sentence around it says that it is gone."""
        text, start, end, label = self.around
        return is_said_gone(text, start, end, label=label)

    @property
    def is_whole(self) -> bool:
        """True if it is all of a code span, and not one word of it."""
        text, start, _, _ = self.around
        end = start + len(self.written)
        return text[:start].endswith(("`", "`@")) and text[end : end + 1] == "`"

    @property
    def is_advised_against(self) -> bool:
        """True if its sentence says not to use it."""
        return _AVOIDED.search(_parts(*self.around[:3])[0]) is not None

    @property
    def is_made(self) -> bool:
        """True if it is a file that its sentence says to create or write."""
        is_file = "." in self.text.rpartition("/")[2] and self.tool is None
        return is_file and _MADE.search(_parts(*self.around[:3])[0]) is not None

    def is_next_to(self, successor: str, path: str) -> bool:
        """Return True if its sentence, or the next one, names the successor of its path.

        The end of a path that both have says nothing.
        """
        ends = ends_of(successor) - ends_of(path)
        text, start, end, _ = self.around
        (first, _), _, last = _sentence(text, start, end)
        words = _WORDS.findall(text[first:last])
        return not ends.isdisjoint(word.rstrip(".:/").removeprefix("./") for word in words)


def ends_of(path: str) -> set[str]:
    """Return a path and what is behind each of its slashes."""
    return {path[n:] for n in range(len(path)) if n == 0 or path[n - 1] == "/"}


def references_in(
    path: str, lines: Sequence[str], *, front_matter: int = 0, hidden: Collection[int] = ()
) -> Iterator[Reference]:
    """Yield the references in code spans and relative links of a file at a POSIX path.

    lines include their ends. Code blocks are examples and left out, and so are hidden lines:
    comments, and indented code.
    """
    folder = path.rpartition("/")[0]
    label = ""
    links: dict[int, list[Link]] = {}
    for link in links_in(lines, front_matter):
        if link.form not in (REFERENCE, WIKI):
            links.setdefault(link.target.line, []).append(link)
    for passage in passages(lines, front_matter):
        if passage.language is not None or passage.line in hidden:
            continue
        end = passage.line + passage.text.count("\n")
        linked = [link for number in range(passage.line, end + 1) for link in links.get(number, ())]
        if "`" in passage.text or linked:
            for reference, start, end in _in_passage(passage, folder, linked):
                line, column = passage.position(start)
                around = Around(passage.text, start, end, label)
                yield reference._replace(line=line, column=column, around=around)
        label = _label_after(passage, label)


def _label_after(passage: Passage, label: str) -> str:
    """Return the text that introduces the passages below: a heading, or a line with a colon."""
    text = passage.text.strip()
    if text.startswith("#") or text.rstrip("*_").endswith((":", "：")):
        return text
    return label if text[:1] in "-*+|" or text[:1].isdigit() else ""


def _in_passage(
    passage: Passage, folder: str, links: Sequence[Link]
) -> Iterator[tuple[Reference, int, int]]:
    """Yield the references of a passage, with the offsets of their start and end."""
    if len(passage.text) > _LONGEST_PASSAGE:
        return
    for span in code_spans(passage):
        for start, text in _words(span.text):
            for reference in _in_code(text, folder, is_whole=text == span.text):
                begin = span.start + start + text.index(reference.text)
                yield reference, begin, begin + len(reference.text)
    for link in links:
        linked = _linked(link.written, folder)
        if linked is not None:
            start = passage.offset(link.target.line, link.target.start)
            yield linked, start, start + len(link.written)


def _words(code: str) -> Iterator[tuple[int, str]]:
    """Yield a code span as a whole, then each of its words, with their offsets in it."""
    if _ABOUT_HISTORY.match(code):
        return
    yield 0, code
    if " " in code or "\n" in code:
        for match in re.finditer(r"\S+", code):
            word = match[0].strip(_AROUND)
            yield match.start() + match[0].index(word), word


def _in_code(code: str, folder: str, *, is_whole: bool) -> Iterator[Reference]:
    written = code.lstrip("@")
    behind = _BEHIND.fullmatch(written)
    path = behind["path"].rstrip(".,:;") if behind else ""
    if behind and path and _IS_PATH.fullmatch(path) and not _ELSEWHERE.match(path):
        paths = tuple(paths_from(path, ("", folder)))
        yield Reference(path, written, paths, _number(behind), behind["anchor"])
    runs = _RUNS.match(code) if is_whole else None
    if runs is not None:
        yield Reference(runs["name"], runs[0], tool=runs["tool"])
    elif is_whole and (program := _FIRST_WORD.match(code)):
        yield Reference(program["name"], program["name"], tool="")


def _linked(destination: str, folder: str) -> Reference | None:
    behind = _BEHIND.fullmatch(destination)
    path = behind["path"] if behind else ""
    is_root = path.startswith("/") and not path.startswith("//")
    if behind is None or not path or _ELSEWHERE.match(path.lstrip("/") if is_root else path):
        return None
    paths = tuple(paths_from(unquote(path), ("",) if is_root else (folder,)))
    return Reference(path, destination, paths, _number(behind), behind["anchor"], is_link=True)


def _number(behind: re.Match[str]) -> int | None:
    number = behind["line"] or behind["link_line"]
    return int(number) if number else None


def paths_from(written: str, folders: Sequence[str]) -> Iterator[str]:
    """Yield the paths relative to the root that a path can mean, from each of some folders."""
    for folder in dict.fromkeys(folders):
        path = normpath(join(folder, written.lstrip("/")))
        if path not in (".", "..") and not path.startswith("../"):
            yield path
