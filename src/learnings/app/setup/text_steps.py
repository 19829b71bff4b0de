"""The steps of the set-up that edit text: TOML files, .gitignore, .pre-commit-config.yaml.

Our item goes to the end of the list `repos`. The user makes any other edit and gets the lines to
add: a round-trip YAML library moves comments and quotes, and code for every form of YAML is not
worth it. The result is parsed again; its values may differ only by the addition. A byte order mark
is left to the caller.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any, NamedTuple

from learnings.app.setup.hooks import (
    HOOK_TYPES,
    PREK_FILE,
    TYPES_KEY,
    HookList,
    is_list_of_tables,
    missing_hooks,
    python_for,
    type_notes,
    types_line,
)
from learnings.core.entries.dialects import Dialect
from learnings.core.errors import BadSettings, LearningsError
from learnings.core.file_names import LEFTOVERS, PAGES
from learnings.core.patterns import lazy_pattern
from learnings.core.text import BOM, chomp, newline_of, printable, split_lines
from learnings.core.yaml.nodes import YamlList, YamlMapping, YamlScalar, followed
from learnings.core.yaml.parsing import BadYaml, load, parse
from learnings.workspace.config_file import SECTION, SHARED_FILE, key_lines


class EditedText(NamedTuple):
    """The new text of a file, and notes for the user."""

    text: str
    notes: tuple[str, ...] = ()


class ManualEditRequired(LearningsError):
    """A file in a form that is not edited; the user should add `lines` to it."""

    def __init__(self, sentence: str, lines: Iterable[str]) -> None:
        super().__init__(sentence)
        self.lines = tuple(lines)


def insert_lines(text: str, offset: int, lines: Iterable[str]) -> str:
    """Insert lines before the offset of a line, or at the end, with the text's line endings."""
    newline = newline_of(text)
    first = newline if offset and text[offset - 1] not in "\r\n" else ""
    inserted = first + "".join(line + newline for line in lines)
    return text[:offset] + inserted + text[offset:]


# The header `[tool.learnings]`, with the white space that TOML allows.
_HEADER = lazy_pattern(r"[ \t]*\[[ \t]*tool[ \t]*\.[ \t]*learnings[ \t]*\]")


def parsed_toml(text: str, name: str) -> dict[str, Any]:
    """Return the values of a file; raises BadSettings with its name."""
    import tomllib  # noqa: PLC0415  (for this command only)

    try:
        return tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        raise BadSettings(f"{name} is not valid TOML ({error}); correct it and run again") from None


def with_key(text: str, line: str, section: Sequence[str] = ()) -> str:
    """Insert a key at the top of its section."""
    lines = key_lines(text)
    starts = [0, *(match.end() for match in re.finditer("\n", text))]
    if section:
        first = starts[lines[tuple(section)] - 1] if tuple(section) in lines else len(text)
        if _HEADER.match(text, first) is None:
            return with_lines_at_end(text, [f"[{'.'.join(section)}]", line])
        offset = text.find("\n", first) + 1 or len(text)
    else:
        offset = starts[min(lines.values()) - 1] if lines else len(text)
    return insert_lines(text, offset, [line])


def with_lines_at_end(text: str, lines: Sequence[str]) -> str:
    """Append lines to a text, after a blank line."""
    # A line end followed by a blank line that ends the text.
    ends_with_blank_line = re.search(r"\n[ \t\r]*\n\Z", text) is not None
    gap = [""] if text.strip() and not ends_with_blank_line else []
    return insert_lines(text, len(text), [*gap, *lines])


IGNORE_FILE = ".gitignore"


def with_leftovers(text: str | None) -> EditedText:
    """Return the ignore file with these files added; text is None if there is no file."""
    present = text or ""
    lines = [chomp(line).rstrip(" ") for line in split_lines(present)]
    patterns = {line.removeprefix("**/").removeprefix("/") for line in lines}
    missing = []
    for files in (LEFTOVERS, PAGES):
        folder, _, name = files.partition("/")
        # The patterns that certainly ignore all of these files; an extra line is harmless.
        covering = {files, name, folder, f"{folder}/", f"{folder}/*", f"{folder}/**"}
        missing += [files] if patterns.isdisjoint(covering) else []
    return EditedText(insert_lines(present, len(present), missing) if missing else present)


def with_files(
    text: str | None,
    paths: Sequence[str],
    *,
    name: str,
    readings: Mapping[str, Dialect] = MappingProxyType({}),
) -> EditedText:
    """Return a configuration that names the learnings files; text is None if there is no file.

    The text must not name any yet. readings are the dialects to set, by path. Raises
    ManualEditRequired with the lines to add.
    """
    before = parsed_toml(text or "", name)
    section = SECTION if name == SHARED_FILE else ()
    if len(paths) == 1 and not readings:
        line = f"path = {_quoted(paths[0])}"
        edited = with_key(text or "", line, section)
        new: dict[str, object] = {"path": paths[0]}
        to_add = [*([f"[{'.'.join(section)}]"] if section else []), line]
    else:
        header = ".".join((*section, "file"))
        tables = [[f"path = {_quoted(path)}", *_lines_for(readings.get(path))] for path in paths]
        to_add = [line for lines in tables for line in ("", f"[[{header}]]", *lines)][1:]
        edited = with_lines_at_end(text or "", to_add)
        new = {"file": [parsed_toml("\n".join(lines), "") for lines in tables]}
    try:
        values = parsed_toml(edited, "")
    except BadSettings:
        values = None
    else:
        table = before
        for key in section:
            table = table.setdefault(key, {})
        table.update(new)
    if values != before:
        sentence = f"{name} was not changed, because `learnings init` cannot edit its layout"
        raise ManualEditRequired(f"{sentence}; add the lines above yourself", to_add)
    return EditedText(edited)


def _lines_for(reading: Dialect | None) -> Sequence[str]:
    """Return the lines of a file's table that set how it is read."""
    level = [f"entry-level = {reading.level}"] if reading and reading.level else []
    return [f'dialect = "{reading.name}"', *level] if reading else []


def _quoted(path: str) -> str:
    """Return a path as a TOML string with invisible characters escaped."""
    quoted = json.dumps(path, ensure_ascii=False)
    return "".join(c if printable(c) == c else f"\\U{ord(c):08x}" for c in quoted)


# Characters; real configurations have about 20,000 at most.
_LARGEST = 100_000
# A blank line above the last item, and comments between them.
_GAP = lazy_pattern(
    r"(?>\r\n?|\n)[ \t]*(?>\r\n?|\n)(?:[ \t]*+#[^\r\n]*+(?>\r\n?|\n))*+[ \t]*-[ \t]*\Z"
)


def with_hooks(text: str | None, wanted: HookList, name: str) -> EditedText:
    """Return the configuration of pre-commit or prek with our hooks; text is None for no file.

    Raises BadSettings for broken TOML, ManualEditRequired with the lines to add.
    """
    present = text or ""
    try:
        data = hook_values(present, name)
    except BadYaml as error:
        where = f" on line {error.line}: {error.detail}" if error.line and error.detail else ""
        raise _refused(name, f"it {error.reason}{where}", wanted) from None
    data = {} if data is None else data
    repos: Any = data.get("repos", []) if isinstance(data, dict) else None
    wanted = wanted._replace(python=python_for(data) if isinstance(data, dict) else None)
    if not is_list_of_tables(repos):
        raise _refused(name, "its `repos` is not a list of repositories", wanted)
    missing, notes = missing_hooks(repos, name, wanted)
    notes += type_notes(data, name, is_extended=bool(missing))
    if not missing:
        return EditedText(present, tuple(notes))
    added = wanted._replace(hooks=tuple(missing))
    expected = {TYPES_KEY: [*HOOK_TYPES], **data, "repos": [*repos, added.value]}
    types = [] if TYPES_KEY in data else [types_line(name)]
    for new in _extended(present, data, added, types, name):
        try:
            if hook_values(new, name) == expected:
                return EditedText(new, tuple(notes))
        except (BadSettings, BadYaml):
            continue
    raise _refused(name, "`learnings init` cannot edit its layout", wanted)


def hook_values(text: str, name: str) -> Any:  # noqa: ANN401  (any value of YAML)
    """Return the values of a configuration; raises BadSettings, BadYaml."""
    if name == PREK_FILE:
        return parsed_toml(text, name)
    if len(text) > _LARGEST:
        raise BadYaml(0, "is too large")
    return load(text)


def types_in(text: str, name: str) -> object:
    """Return the hook types that a configuration installs by default, or None without the key."""
    data = hook_values(text.removeprefix(BOM), name)
    return data.get(TYPES_KEY) if isinstance(data, dict) else None


def _extended(
    text: str, data: dict[str, Any], added: HookList, types: list[str], name: str
) -> Iterator[str]:
    """Yield texts with our item at the end of `repos`; the caller takes the first that is right."""
    if name == PREK_FILE:
        below = with_lines_at_end(text, added.toml())
        yield with_key(below, types[0]) if types else below
        return
    if "repos" not in data:
        lines = ["repos:", *added.yaml()]
        yield insert_lines(text, len(text), [*types, *lines] if not data else [*lines, *types])
        return
    root = parse(text)
    if not isinstance(root, YamlMapping) or root.is_flow or root.duplicate is not None:
        return
    repos = root.own("repos")
    if not isinstance(repos, YamlList) or text[repos.start] not in "-[":  # an anchor or a tag
        return
    if repos.items and not repos.is_flow:
        last = repos.items[-1]
        width = max(last.indent - repos.indent, len("- "))
        indent = _hooks_indent(text, repos)
        lines = added.yaml(column=repos.indent, width=width, indent=indent)
        above = [""] if len(repos.items) > 1 and _GAP.search(text[: last.start]) else []
        yield insert_lines(text, _end(text, root, repos), [*above, *lines, *types])
        # A literal block may keep the blank lines below it.
        yield insert_lines(text, repos.end, [*lines, *types])
        return
    if repos.items:  # in brackets, in which YAML takes JSON
        end_of_last = repos.items[-1].end
        item = json.dumps(added.value)
        head = f"{text[:end_of_last]}, {item}{text[end_of_last : repos.end]}"
        rest: list[str] = []
    else:  # `repos: []` becomes a list in block style
        head, rest = text[: repos.start].rstrip(" "), added.yaml()
    line = re.match(r"[^\r\n]*(?:\r\n?|\n|\Z)", text[repos.end :])
    end = len(head) + (line.end() if line else 0)
    yield insert_lines(head + text[repos.end :], end, [*rest, *types])


def _end(text: str, root: YamlMapping, repos: YamlList) -> int:
    """Return the offset where a block list ends, before blank lines and comments at the margin."""
    end = min((key.start for key, _ in root.pairs if key.start >= repos.end), default=len(text))
    for line in reversed(split_lines(text[:end])):
        if line.strip() and line[0] not in "#.":  # `...` ends a document
            break
        end -= len(line)
    return end


def _hooks_indent(text: str, repos: YamlList) -> int:
    for item in reversed(repos.items):
        repo = followed(item)
        for key, value in repo.pairs if isinstance(repo, YamlMapping) else ():
            is_hooks = isinstance(key, YamlScalar) and key.text == "hooks"
            if is_hooks and isinstance(value, YamlList) and text[value.start] == "-":
                return value.indent - key.indent
    return 2


def _refused(name: str, reason: str, wanted: HookList) -> ManualEditRequired:
    if name == PREK_FILE:
        lines = [types_line(name), "", *wanted.toml()]
    else:
        lines = [types_line(name), "repos:", *wanted.yaml()]
    advice = "add the lines above yourself, then run `learnings init --no-hooks`"
    return ManualEditRequired(f"{name} was not changed, because {reason}; {advice}", lines)
