"""The steps of the set-up that edit the text of TOML files and .gitignore."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from learnings.app.setup.hook_files import PREK_FILE
from learnings.app.setup.hook_table import (
    CHOSEN,
    HOOK_TYPES,
    TYPES_KEY,
    hook_values,
    is_list_of_tables,
    missing_hooks,
    python_for,
    repository_value,
    type_notes,
)
from learnings.core.errors import BadSettings, LearningsError
from learnings.core.file_names import LEFTOVERS, PAGES
from learnings.core.patterns import lazy_pattern
from learnings.core.settings.toml_lines import key_lines
from learnings.core.text import BOM, chomp, newline_of, printable, split_lines
from learnings.workspace.config_file import SECTION, SHARED_FILE


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


def with_files(text: str | None, paths: Sequence[str], *, name: str) -> EditedText:
    """Return a configuration that names the learnings files; text is None if there is no file.

    The text must not name any yet. Raises ManualEditRequired with the lines to add.
    """
    present = (text or "").removeprefix(BOM)
    mark = BOM if present != (text or "") else ""
    before = parsed_toml(present, name)
    section = SECTION if name == SHARED_FILE else ()
    if len(paths) == 1:
        line = f"path = {_quoted(paths[0])}"
        edited = with_key(present, line, section)
        new: dict[str, object] = {"path": paths[0]}
        to_add = [*([f"[{'.'.join(section)}]"] if section else []), line]
    else:
        header = ".".join((*section, "file"))
        tables = (("", f"[[{header}]]", f"path = {_quoted(path)}") for path in paths)
        to_add = [line for table in tables for line in table][1:]
        edited = with_lines_at_end(present, to_add)
        new = {"file": [{"path": path} for path in paths]}
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
    return EditedText(mark + edited)


def _quoted(path: str) -> str:
    """Return a path as a TOML string with invisible characters escaped."""
    quoted = json.dumps(path, ensure_ascii=False)
    return "".join(c if printable(c) == c else f"\\U{ord(c):08x}" for c in quoted)


def with_prek_hooks(text: str | None, hooks: Sequence[str] = CHOSEN) -> EditedText:
    """Return prek's configuration with our hooks; raises BadSettings, ManualEditRequired."""
    present = (text or "").removeprefix(BOM)
    mark = BOM if present != (text or "") else ""
    data = parsed_toml(present, PREK_FILE)
    repos = data.get("repos", [])
    if not is_list_of_tables(repos):
        raise _refused_prek("its `repos` is not a list of repositories", data)
    missing, notes = missing_hooks(repos, PREK_FILE, hooks)
    if missing:
        present = _with_repository(present, data, missing)
    notes += type_notes(data, PREK_FILE, is_extended=bool(missing))
    return EditedText(mark + present, tuple(notes))


def prek_types_in(text: str) -> object:
    """Return the hook types that a configuration installs by default, or None without the key."""
    return parsed_toml(text.removeprefix(BOM), PREK_FILE).get(TYPES_KEY)


def _with_repository(text: str, data: dict[str, Any], hooks: list[str]) -> str:
    python = python_for(data)
    repos = [*data.get("repos", []), repository_value(hooks, python)]
    expected = {**data, TYPES_KEY: data.get(TYPES_KEY, [*HOOK_TYPES]), "repos": repos}
    edited = with_lines_at_end(text, _repository_lines(hooks, python))
    if TYPES_KEY not in data:
        edited = with_key(edited, _types_line())
    try:
        is_expected = parsed_toml(edited, PREK_FILE) == expected
    except BadSettings:
        is_expected = False
    if not is_expected:
        raise _refused_prek("`learnings init` cannot edit its layout", data)
    return edited


def _repository_lines(hooks: list[str], python: str | None) -> list[str]:
    value = repository_value(hooks, python)
    tables = [
        ", ".join(f'{key} = "{text}"' for key, text in hook.items())
        for hook in hook_values(hooks, python)
    ]
    head = ["[[repos]]", *(f'{key} = "{value[key]}"' for key in ("repo", "rev"))]
    return [*head, "hooks = [", *(f"    {{ {table} }}," for table in tables), "]"]


def _types_line() -> str:
    return f"{TYPES_KEY} = [{', '.join(f'{chr(34)}{name}{chr(34)}' for name in HOOK_TYPES)}]"


def _refused_prek(reason: str, data: dict[str, Any]) -> ManualEditRequired:
    advice = "add the lines above yourself, then run `learnings init --no-hooks`"
    sentence = f"{PREK_FILE} was not changed, because {reason}; {advice}"
    lines = [_types_line(), "", *_repository_lines([*CHOSEN], python_for(data))]
    return ManualEditRequired(sentence, lines)
