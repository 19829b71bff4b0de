"""What agent instructions load: imports, the files they apply to, and the memory they name.

In doubt a memory counts as named: a false finding costs more than a missing one.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from posixpath import basename, join, normpath, splitext
from typing import NamedTuple

from learnings.agents.imports import candidates
from learnings.core.file_names import MEMORY_ENDINGS
from learnings.core.markdown.passages import lines_with_language
from learnings.core.patterns import lazy_pattern
from learnings.core.roles import matches
from learnings.core.text import decode, split_lines

# Characters of a path, a glob or a placeholder; text in other scripts ends it.
_WORD = lazy_pattern(r"[\w./\\~$<>{}*%+@-]+", re.ASCII)
# Words that tell an agent to read something, or describe a folder. Text in a non-Latin script may
# do the same.
_TELLS_TO_READ = lazy_pattern(
    r"\b(?:(?:re-?)?reads?|loads?|consult|review|checks?|see|study|search|scan|browse|look|follow"
    r"|recall|remember|memor(?:y|ies)|knowledge|lessons?|learnings?)\b|[\u0370-\u1fff\u3040-\ud7ff]"
)
# Most characters; no path written by a person is longer, and long globs take time.
_LONGEST_PATH = 1000
_SEPARATORS = frozenset("./\\")
_PLACE_HOLDERS = frozenset("<>{}$*%")
# `ctx` loads the files of its folder without naming it in its instructions. Its marks: one of its
# commands, the mark around its part of CLAUDE.md, or its plugin.
_LOADERS = {
    ".context": lazy_pattern(
        r"(?<![\w./-])ctx(?: (?:add|agent|hook|load|recall|remind|status|system)\b|:context\b|@\w)"
    )
}
# Our commands that read or change entries.
READING_COMMANDS = (
    *("ages", "apply", "archive", "batch", "due", "groups", "plan", "precheck", "report"),
    *("route", "verify"),
)
_RUNS_COMMAND = lazy_pattern(
    rf"learnings[\"']?[\s\\]+(?:{'|'.join(READING_COMMANDS)})\b|learning-ages\.py"
)
# In scripts or settings the word alone: a program, a plugin, or a permission to run it.
_NAMES_PROGRAM = lazy_pattern(r"(?<![\w./-])learnings(?![\w/-]|\.\w)")


class Mentions(NamedTuple):
    """The names in a text: words are its paths and globs as written, told_words those in told.

    text is the whole text, told its sections that say to read something, both in lower case.
    """

    folder: str
    text: str
    told: str
    words: frozenset[str]
    told_words: frozenset[str]


LeadsTo = Callable[[str], bool | None]
"""Tells if a POSIX path from the root leads to the memory file; None if nothing is there."""


def mentions_in(path: str, data: bytes) -> Mentions:
    """Return the names in an instruction file; path is POSIX, relative to the root."""
    text = decode(data).replace("\\_", "_").replace("\\ ", " ")
    sections = (part for part in _sections(text) if _TELLS_TO_READ.search(part.casefold()))
    told = "\n".join(sections)
    folder, words = path.rpartition("/")[0], (_paths_in(text), _paths_in(told))
    return Mentions(folder, text.casefold(), told.casefold(), *words)


def leads_to_memory(mentions: Mentions, path: str, leads_to: LeadsTo) -> bool:
    """Return True if a text imports or names a memory file, or says to read its folder."""
    if _is_stated(mentions, path, leads_to):
        return True
    if any(_is_name(word, path, mentions.folder, leads_to) for word in mentions.words):
        return True
    stem = re.escape(basename(splitext(path)[0]).casefold())
    if re.search(rf"\[\[(?:[^\[\]\n]*/)?{stem}[\]|#]|\b{stem} (?:file|log)\b", mentions.text):
        return True
    loader = _LOADERS.get(path.partition("/")[0])
    if loader is not None and loader.search(mentions.text):
        return True
    return _is_in_named_folder(mentions, path)


def runs_learnings(mentions: Mentions, *, is_program: bool) -> bool:
    """Return True if a skill runs one of our entry commands, or a program runs any command."""
    patterns = (_RUNS_COMMAND, _NAMES_PROGRAM) if is_program else (_RUNS_COMMAND,)
    return any(pattern.search(mentions.text) for pattern in patterns)


def documents_of(mentions: Mentions) -> Iterator[str]:
    """Yield the documents that a text names, as candidates relative to the root."""
    for word in sorted(mentions.words):
        trimmed = _trimmed(word)
        if trimmed.lower().endswith(MEMORY_ENDINGS):
            yield from candidates(trimmed, mentions.folder)


def _sections(text: str) -> Iterator[str]:
    lines: list[str] = []
    numbered = split_lines(text)
    for number, _, language in lines_with_language(numbered):
        line = numbered[number - 1]
        if language is None and line.startswith("#") and lines:
            yield "".join(lines)
            lines = []
        lines.append(line)
    yield "".join(lines)


def _paths_in(text: str) -> frozenset[str]:
    words = frozenset(_WORD.findall(text))
    return frozenset(w for w in words if len(w) <= _LONGEST_PATH and not _SEPARATORS.isdisjoint(w))


def _trimmed(word: str) -> str:
    """Strip a path of the marks around it in a text; `@` begins an import."""
    return word.replace("\\", "/").lstrip("@*<>+-").rstrip(".*_>~+-<@")


def _is_stated(mentions: Mentions, path: str, leads_to: LeadsTo) -> bool:
    # Emphasis marks may surround it.
    before, behind = r"(?<![a-z0-9./-])(?<![a-z0-9]_)", r"(?![a-z0-9-]|[._][a-z0-9])"
    if re.search(f"{before}{re.escape(path.casefold())}{behind}", mentions.text) is None:
        return False
    return leads_to(join(mentions.folder, path)) is not False


def _is_name(word: str, path: str, folder: str, leads_to: LeadsTo) -> bool:
    stem, suffix = splitext(basename(path))
    written = _trimmed(word)
    head, _, last = written.rpartition("/")
    if head and last.casefold() == stem.casefold():
        written, last = written + suffix, last + suffix
    if last.casefold() != f"{stem}{suffix}".casefold():
        return False
    if not _PLACE_HOLDERS.isdisjoint(head):
        return True
    if not head and not folder:
        return True
    answers = map(leads_to, candidates(written, folder))
    answer = next((known for known in answers if known is not None), None)
    if answer is not None:
        return answer
    full, known = f"/{normpath(written).lstrip('/')}".casefold(), f"/{path}".casefold()
    return full.endswith(known) or known.endswith(full)


def _is_in_named_folder(mentions: Mentions, path: str) -> bool:
    if any("*" in word and _matches(word, path, mentions) for word in mentions.words):
        return True
    folders = _folders(path.casefold())
    if any(_is_folder(word, folders, mentions.folder) for word in mentions.told_words):
        return True
    named = "|".join(map(re.escape, folders))
    pattern = rf"`(?:{named})`|(?<![\w./-])(?:{named})[`\"']? (?:folder|dir)"
    return bool(folders) and re.search(pattern, mentions.told) is not None


def _folders(path: str) -> list[str]:
    """Return the folder of a file and its parents, except one at the root, such as `docs`."""
    folder = path.rpartition("/")[0]
    parts = folder.split("/")
    above = ("/".join(parts[:end]) for end in range(len(parts) - 1, 1, -1))
    return [folder, *above] if folder else []


def _matches(word: str, path: str, mentions: Mentions) -> bool:
    pattern = word.replace("\\", "/").lstrip("@").rstrip(".")
    if "*" in pattern.partition("/")[0] and word not in mentions.told_words:
        return False
    globs = candidates(pattern, mentions.folder)
    return any(matches(path.casefold(), glob.casefold()) for glob in globs)


def _is_folder(word: str, folders: Sequence[str], own: str) -> bool:
    written = _trimmed(word).casefold()
    if not written.endswith("/"):
        return False
    if not _PLACE_HOLDERS.isdisjoint(written) or written[0] in "/~":
        full = f"/{normpath(written)}"
        above = [full.removesuffix(f"/{f}") for f in folders if full.endswith(f"/{f}")]
        # `~/.claude/agents/` is not `agents/`.
        return any(not path.rpartition("/")[2].startswith(".") for path in above)
    return any(candidate in folders for candidate in candidates(written, own.casefold()))


# Front-matter keys with the files for which instructions are loaded: of Claude Code, Cursor and
# Copilot.
_PATH_KEYS = ("paths", "globs", "applyTo")
# A group of alternatives in a glob, with no other group inside.
_BRACES = lazy_pattern(r"\{([^{}]*)\}")
# A comma that separates globs, outside of braces.
_COMMA = lazy_pattern(r",(?![^{}]*\})")
# Chosen limits for a value and its braces: real globs are far shorter and take no time.
_LONGEST_VALUE, _MOST_BRACES = 1000, 6


def path_globs(values: Mapping[str, object]) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yield each front-matter key that says for which files it is loaded, with its globs.

    Braces are expanded, negations are left out.
    """
    for key in _PATH_KEYS:
        value = values.get(key)
        texts = [str(text) for text in (value if isinstance(value, list) else [value]) if text]
        is_short = all(len(text) < _LONGEST_VALUE for text in texts)
        written = [glob for text in texts for glob in _COMMA.split(text)] if is_short else []
        globs = [glob.strip().strip("'\"") for glob in written]
        expanded = [one for glob in globs if glob and glob[0] != "!" for one in _expanded(glob)]
        if expanded and all(glob.count("{") <= _MOST_BRACES for glob in globs):
            yield key, tuple(expanded)


# Front-matter keys that say when to load instructions, with their values for every session: of
# Cursor, Windsurf, Kiro and Copilot.
_ALWAYS = {
    "alwaysApply": ("True",),
    "trigger": ("always_on",),
    "inclusion": ("always",),
    "applyTo": ("**", "**/*", "*"),
}
# Instructions that wait until something asks for them if no such key is there.
_ON_DEMAND = (".mdc", ".instructions.md")


def is_always_loaded(path: str, values: Mapping[str, object]) -> bool:
    """Return False for rules whose front matter limits the tasks or files they are loaded for."""
    answers = [str(values[key]) in always for key, always in _ALWAYS.items() if key in values]
    if answers:
        return all(answers)
    return not path.endswith(_ON_DEMAND) and not any(values.get(key) for key in _PATH_KEYS)


def _expanded(glob: str) -> list[str]:
    braces = _BRACES.search(glob)
    if braces is None or glob.count("{") > _MOST_BRACES:
        return [glob]
    start, end = braces.span()
    choices = (glob[:start] + choice + glob[end:] for choice in braces[1].split(","))
    return [one for choice in choices for one in _expanded(choice)]
