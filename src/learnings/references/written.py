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

# Stands for code or a link in a sentence, whatever its content.
_HOLE = "\ufffc"
# Verbs for a thing that is gone, and for one that was moved or renamed.
_GONE = (
    r"deleted|removed|gone|dropped|retired|obsolete|outdated|deprecated|superseded|abandoned"
    r"|discontinued|missing|non-?existent|killed|eliminated|vanished|disappeared|defunct|archived"
    r"|no more|cut|reverted"
)
_MOVED = (
    r"renamed|moved|replaced|split|merged|folded|inlined|absorbed|relocated|migrated|converted"
    r"|ported|consolidated"
)
# Words for the past; a verb follows or precedes.
_FORMERLY = r"no longer|not any ?more|used to|formerly|previously|originally|once|historically"
_NOT_THERE = (
    r"(?:do|does|did|is|are|was|were|has|have)(?:n['’]t| not| never|\s+no longer) "
    r"(?:exist\w*|there|been there|present|around)|never existed|ceased to exist"
)
_IS_GONE = rf"(?:{_GONE}|{_MOVED}|turned into|{_FORMERLY}|{_NOT_THERE})\b"
# The rest of a list of names, and the beginning of one.
_LIST_BEHIND = rf"(?:[\s,/+&()*_]*+(?:(?:and|or|as well as)[\s(*_]*+)?{_HOLE})*+"
_LIST_BEFORE = rf"[\s:(*_]*+(?:{_HOLE}[\s,/+&()*_]*+(?:(?:and|or|as well as)[\s(*_]*+)?)*+$"
# Words between a verb and its object.
_DETERMINERS = (
    r"(?:\s+(?:the|its|our|their|a|an|old|older|former|legacy|unused|stale|dead|obsolete|whole"
    r"|(?:file|folder|module|script|page|helper|test|doc)s?|directory|package|config|both|all"
    r"|these|those|following|entire)){0,20}"
)
_NAMED_WORD = r"\s+[\w'’-]++"
# A word after which no other subject follows.
_WORD = r"\s+(?!(?:that|what|whether|if|when|where|which|while|until|because)\b)[\w'’-]+"
_BEHIND_IT = lazy_pattern(
    rf"{_LIST_BEHIND}(?:"
    # `x.py, which was since removed`, `x.py (deleted)`, `x.py — no longer there`; each word once,
    # for a search tries a word that is there twice in both places.
    r"[\s,:(*_~–—-]*+(?:(?:which|that|who|it|they|this|these|both|all|now|since|has|have|had|is|are"
    r"|was|were|be|been|being|got|already|long|then|later|recently|meanwhile|and|also|but|itself"
    rf"|too)\s+)*{_IS_GONE}"
    # `x.py and its tests were removed`, `x.py and its tests do not exist`
    rf"|(?:{_WORD}){{0,7}}?\s+(?:is|are|was|were|been|being|got|gets?|be)(?:\s+(?:now|since|already"
    rf"|long|later|recently|also|then|finally|all|both|entirely))*\s+(?:{_GONE}|{_MOVED})\b"
    rf"|(?:{_WORD}){{0,4}}?\s+(?:{_NOT_THERE})\b"
    # `x.py is now y.py`
    rf"|\s+(?:is now|became|has become)(?:\s+(?:called|named|in|at|under|the)){{0,3}}\s+{_HOLE})",
    re.IGNORECASE,
)
_BEFORE_IT = lazy_pattern(
    # `removed the old x.py`, `Deleted: a.py, x.py`, `moved from x.py`; `y.py replaces x.py`
    rf"(?:\b(?:{_GONE}|(?:{_MOVED})(?:{_DETERMINERS}\s+(?:from|out of))?)(?:\s+\w+ly)?"
    rf"{_DETERMINERS}"
    rf"|\b(?:replac(?:es|ing)|supersed(?:es|ing)){_DETERMINERS}"
    # `no longer uses x.py`, `used to live in x.py`; `prefer y.py over x.py`
    rf"|\b(?:{_FORMERLY})(?:{_NAMED_WORD}){{0,3}}"
    rf"|\b(?:prefer(?:red)?|favou?r|choose|pick)\b(?:(?:{_NAMED_WORD}){{0,5}}\s*{_HOLE})?"
    rf"(?:{_NAMED_WORD}){{0,5}}\s+over(?:\s+the)?"
    # `the old x.py`, `instead of x.py`
    r"|\b(?:old|older|former|legacy|previous|earlier|instead of|rather than|in place of|not|no"
    rf"|without|ex)(?:\s+(?:the|a|an|old|file|module|script|folder)){{0,20}}){_LIST_BEFORE}",
    re.IGNORECASE,
)
# The same in other languages, for a whole clause: Portuguese, Spanish, German, French, Russian,
# Arabic, Chinese and Japanese (which write no blank at the end of a word).
_OTHER_LANGUAGES = lazy_pattern(
    r"(?<!\w)(?:(?:excluíd|removid|apagad|deletad|substituíd|renomead|movid|eliminad"
    r"|borrad|suprimid|renombrad|reemplazad|sustituid|gelöscht|entfernt|veraltet|früher|ehemal"
    r"|umbenannt|verschoben|ersetzt|supprimé|retiré|enlevé|obsolète|renommé|déplacé|remplacé"
    r"|удал[её]н|убран|устаре|больше не|бывш|отсутству|переименован|перемещ[её]н|перенес[её]н"
    r"|замен[её]н)\w*|n[aã]o existem?|n[aã]o \w+ mais|ya no|entfällt|nicht mehr|gibt es nicht|statt"
    r"|obsolet[oa]s?|antig(?:[oa]s?|amente)|n['’]existent? plus|ne \w+ plus|anciennement"
    r"|au lieu de|раньше|вместо"
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
    rf"|extend|rely)(?:n?ing)?(?: on)?){_DETERMINERS}{_LIST_BEFORE}",
    re.IGNORECASE,
)
_INSTEAD = lazy_pattern(r"\b(?:use|prefer|instead|switch to)\b", re.IGNORECASE)
# What something makes when it runs is not always there: `creates x.md`, `Write the plan to x.md`.
_MADE = lazy_pattern(
    r"\b(?:(?:creat|generat|writ|sav|produc)(?:es?|ing|ten)|outputs?)"
    rf"(?:(?!\s+(?:by|in|from|with|via|using|for|of|on|at)\b){_WORD}){{0,3}}?"
    rf"(?:\s+(?:to|into|as))?{_DETERMINERS}{_LIST_BEFORE}",
    re.IGNORECASE,
)
_STRUCK = lazy_pattern(r"(?s)~~.+?~~")
_CELL = lazy_pattern(rf"\|[\s*_]*{_IS_GONE}", re.IGNORECASE)
# Such a heading (`## Removed files`), or such a line with a colon, covers all text below it.
_GONE_LABEL = lazy_pattern(
    rf"\W*(?:{_GONE}|{_MOVED}|{_FORMERLY}|renames|old|former|legacy)\b"
    r"|(?s:.*)\b(?<!what is )(?:deleted|removed|gone|dropped|retired|obsolete|deprecated|renamed"
    r"|moved|replaced|no longer \w+)(?:\s+[\w'’.-]+){0,5}[*_\s]*[:：][*_\s]*$",
    re.IGNORECASE,
)


class _Sentence(NamedTuple):
    """The sentence before and behind a name, and the next one, with holes; and both as written."""

    before: str
    behind: str
    beyond: str
    written: str


def _sentence(text: str, start: int, end: int) -> _Sentence:
    """Return the sentence around a name; signs in other names end none."""
    masked = _OPAQUE.sub(lambda match: _HOLE * len(match[0]), text)
    match = next((m for m in _OPAQUE.finditer(text) if m.start() <= start < m.end()), None)
    first, last = match.span() if match else (start, end)
    ends = [found.span() for found in _SENTENCE_END.finditer(masked)]
    begun = max((stop for _, stop in ends if stop <= first), default=0)
    own, other = [*(begin for begin, _ in ends if begin >= last), len(text), len(text)][:2]
    before, behind, beyond = (
        _OPAQUE.sub(_HOLE, part) for part in (text[begun:first], text[last:own], text[own:other])
    )
    return _Sentence(before, behind, beyond, text[begun:other])


def is_said_gone(text: str, start: int, end: int, *, label: str = "") -> bool:
    """Return True if a passage says that the name between start and end is gone or has moved.

    label is the heading or the line with a colon above it.
    """
    arrow = _ARROW.match(text, end)
    if (
        any(match.start() <= start < match.end() for match in _STRUCK.finditer(text))
        or _GONE_LABEL.match(label)
        or (arrow and (arrow["to"].endswith("/") or _stem(arrow["to"]) == _stem(text[start:end])))
        or (text.lstrip().startswith("|") and _CELL.search(text))
    ):
        return True
    before, behind, beyond, _ = _sentence(text, start, end)
    avoided = _AVOIDED.search(before)
    if avoided and (avoided["use"] or _INSTEAD.search(behind) or _INSTEAD.search(beyond)):
        return True
    if _BEHIND_IT.match(behind) or _BEFORE_IT.search(before):
        return True
    # In another language, the clause around the name says it, or the next one begins with it.
    said = _OTHER_LANGUAGES.search(_CLAUSE_END.split(before)[-1])
    if said and not _OTHER_PLACE_BEFORE.search(before):
        return True
    own, rest = (*_CLAUSE_END.split(behind, maxsplit=1), "")[:2]
    later = _OTHER_LANGUAGES.search(rest)
    is_next = later is not None and len(rest[: later.start()].split()) <= 1
    return is_next or _OTHER_LANGUAGES.search(own) is not None


def _stem(path: str) -> str:
    return path.rstrip("/").rpartition("/")[2].partition(".")[0]


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
_WORDS = lazy_pattern(r"[^\s`'\"()\[\]<>,;|*]+")


class Reference(NamedTuple):
    """A reference of a file to something in the repository.

    line and column are those of `text`, the path or name as written, 1-based. written is the same
    with its suffix (`:12`, `#anchor`). paths are its candidates relative to the root, best first.
    line_number and anchor come from the suffix. tool is the program that runs a name: `make`,
    `just`, `npm run`, or empty for a program of its own. is_link is True for the destination of a
    link. The reference begins in a passage at start; label is the text above that introduces it.
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
    passage: str = ""
    start: int = 0
    label: str = ""

    @property
    def end(self) -> str:
        """The end of a path that its text may be; empty for a link, a command, or `../x`."""
        may_be = self.tool is None and not self.is_link and not self.text.startswith("../")
        return self.text.strip("/").removeprefix("./") if may_be else ""

    @property
    def _place(self) -> tuple[str, int, int]:
        length = len(self.written if self.is_link else self.text)
        return self.passage, self.start, self.start + length

    @property
    def is_said_gone(self) -> bool:
        """True if the text around it says that it is gone."""
        return is_said_gone(*self._place, label=self.label)

    @property
    def is_whole(self) -> bool:
        """True if it is all of a code span, and not one word of it."""
        text, start = self.passage, self.start
        end = start + len(self.written)
        return text[:start].endswith(("`", "`@")) and text[end : end + 1] == "`"

    @property
    def is_advised_against(self) -> bool:
        """True if its sentence says not to use it."""
        return _AVOIDED.search(_sentence(*self._place).before) is not None

    @property
    def is_made(self) -> bool:
        """True if it is a file that its sentence says to create or write."""
        is_file = "." in self.text.rpartition("/")[2] and self.tool is None
        return is_file and _MADE.search(_sentence(*self._place).before) is not None

    def is_next_to(self, successor: str, path: str) -> bool:
        """Return True if its sentence, or the next one, names the successor of its path.

        The end of a path that both have says nothing.
        """
        words = _WORDS.findall(_sentence(*self._place).written)
        named = {word.rstrip(".:/").removeprefix("./") for word in words}
        return not named.isdisjoint(ends_of(successor) - ends_of(path))


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
    label = ""
    links: dict[int, list[Link]] = {}
    for link in links_in(lines, front_matter):
        if link.form not in (REFERENCE, WIKI):
            links.setdefault(link.target.line, []).append(link)
    for passage in passages(lines, front_matter):
        if passage.language is not None or passage.line in hidden:
            continue
        text = passage.text
        end = passage.line + text.count("\n")
        linked = [link for number in range(passage.line, end + 1) for link in links.get(number, ())]
        if ("`" in text or linked) and len(text) <= _LONGEST_PASSAGE:
            for start, reference in _in_passage(passage, path.rpartition("/")[0], linked):
                line, column = passage.position(start)
                yield reference._replace(
                    line=line, column=column, passage=text, start=start, label=label
                )
        # A heading, or a line with a colon, introduces the passages below.
        stripped = text.strip()
        if stripped.startswith("#") or stripped.rstrip("*_").endswith((":", "：")):
            label = stripped
        elif stripped[:1] not in "-*+|" and not stripped[:1].isdigit():
            label = ""


def _in_passage(
    passage: Passage, folder: str, links: Sequence[Link]
) -> Iterator[tuple[int, Reference]]:
    """Yield the references of a passage with their offsets: in code as a whole, and its words."""
    for at, code in code_spans(passage):
        if _ABOUT_HISTORY.match(code):
            continue
        words = [(match.start(), match[0]) for match in re.finditer(r"\S+", code)]
        stripped = ((begin, word, word.strip(_AROUND)) for begin, word in words if word != code)
        texts = [(at, code), *((at + begin + w.index(text), text) for begin, w, text in stripped)]
        for start, text in texts:
            if reference := _path_in(text.lstrip("@"), folder):
                yield start + text.index(reference.text), reference
            if text == code and (runs := _RUNS.match(code) or _FIRST_WORD.match(code)):
                tool = runs.groupdict().get("tool", "")
                written = runs[0] if tool else runs["name"]
                yield at + code.index(runs["name"]), Reference(runs["name"], written, tool=tool)
    for link in links:
        if reference := _path_in(link.written, folder, is_link=True):
            yield passage.offset(link.target.line, link.target.start), reference


def _path_in(written: str, folder: str, *, is_link: bool = False) -> Reference | None:
    """Return the path that a word of code or the destination of a link is, with its suffix."""
    behind = _BEHIND.fullmatch(written)
    path = behind["path"] if behind else ""
    is_root = is_link and path.startswith("/") and not path.startswith("//")
    if not is_link:
        path = path.rstrip(".,:;")
    is_path = path and (is_link or _IS_PATH.fullmatch(path))
    if not behind or not is_path or _ELSEWHERE.match(path[is_root:]):
        return None
    folders = ("",) if is_root else (folder,) if is_link else ("", folder)
    paths = tuple(paths_from(unquote(path) if is_link else path, folders))
    number = behind["line"] or behind["link_line"]
    line = int(number) if number else None
    return Reference(path, written, paths, line, behind["anchor"], is_link=is_link)


def paths_from(written: str, folders: Sequence[str]) -> Iterator[str]:
    """Yield the paths relative to the root that a path can mean, from each of some folders."""
    for folder in dict.fromkeys(folders):
        path = normpath(join(folder, written.lstrip("/")))
        if path not in (".", "..") and not path.startswith("../"):
            yield path
