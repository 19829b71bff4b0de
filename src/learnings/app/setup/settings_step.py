"""The learnings files of a repository in its configuration: text in, text out."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any

from learnings.app.setup.step import ManualEditRequired, NewText, insert_lines
from learnings.app.workspace.config_file import SECTION, SHARED_FILE
from learnings.core.errors import BadSettings
from learnings.core.patterns import lazy_pattern
from learnings.core.settings.toml_lines import key_lines
from learnings.core.text import BOM

# The header `[tool.learnings]`, with the white space that TOML allows in it.
_HEADER = lazy_pattern(r"[ \t]*\[[ \t]*tool[ \t]*\.[ \t]*learnings[ \t]*\]")


def with_files(text: str | None, paths: Sequence[str], *, name: str) -> NewText:
    """Return a configuration that names the learnings files; None stands for no file.

    `name` is pyproject.toml, where the settings are in [tool.learnings], or learnings.toml. The
    text must not name any learnings file yet. Raises ManualEditRequired, with the lines to add,
    where it has a form that is not edited.
    """
    mark = BOM if (text or "").startswith(BOM) else ""
    present = (text or "").removeprefix(mark)
    before = _parsed(present, name)
    section = SECTION if name == SHARED_FILE else ()
    if len(paths) == 1:
        edited = _with_key(present, f"path = {_quoted(paths[0])}", section)
    else:
        tables = _tables(paths, section)
        edited = _with_lines_at_end(present, tables)
    if not _is_extended(before, edited, paths, section):
        sentence = f"{name} is left as it is, because it is written in a form that is not edited"
        raise ManualEditRequired(
            f"{sentence}; add the lines above yourself", _lines_to_add(paths, section)
        )
    return NewText(mark + edited)


def _parsed(text: str, name: str) -> dict[str, Any]:
    import tomllib  # noqa: PLC0415  (for this command only)

    try:
        return tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        raise BadSettings(f"{name} is not valid TOML ({error}); correct it and run again") from None


def _with_key(text: str, line: str, section: Sequence[str]) -> str:
    """Put a key at the top of its section."""
    lines = key_lines(text)
    starts = [0, *(match.end() for match in re.finditer("\n", text))]
    if section:
        first = starts[lines[tuple(section)] - 1] if tuple(section) in lines else len(text)
        if _HEADER.match(text, first) is None:
            return _with_lines_at_end(text, [f"[{'.'.join(section)}]", line])
        offset = text.find("\n", first) + 1 or len(text)
    else:
        offset = starts[min(lines.values()) - 1] if lines else len(text)
    return insert_lines(text, offset, [line])


def _with_lines_at_end(text: str, lines: Sequence[str]) -> str:
    # A line end, and a line of blanks behind it that ends the text.
    ends_with_blank_line = re.search(r"\n[ \t\r]*\n\Z", text) is not None
    gap = [""] if text.strip() and not ends_with_blank_line else []
    return insert_lines(text, len(text), [*gap, *lines])


def _tables(paths: Sequence[str], section: Sequence[str]) -> list[str]:
    header = ".".join((*section, "file"))
    lines = [line for path in paths for line in ("", f"[[{header}]]", f"path = {_quoted(path)}")]
    return lines[1:]


def _lines_to_add(paths: Sequence[str], section: Sequence[str]) -> list[str]:
    if len(paths) > 1:
        return _tables(paths, section)
    header = [f"[{'.'.join(section)}]"] if section else []
    return [*header, f"path = {_quoted(paths[0])}"]


def _quoted(path: str) -> str:
    return json.dumps(path, ensure_ascii=False)


def _is_extended(
    before: dict[str, Any], after: str, paths: Sequence[str], section: Sequence[str]
) -> bool:
    """Return True if a text holds the values `before` and the learnings files.

    Adds the files to `before`.
    """
    try:
        values = _parsed(after, "")
    except BadSettings:
        return False
    table = _section(before, section)
    if len(paths) == 1:
        table["path"] = paths[0]
    else:
        table["file"] = [{"path": path} for path in paths]
    return values == before


def _section(table: dict[str, Any], section: Sequence[str]) -> dict[str, Any]:
    for name in section:
        table = table.setdefault(name, {})
    return table


def names_files(table: Mapping[str, object]) -> bool:
    """Return True if a configuration names learnings files, so that none are discovered."""
    return "path" in table or bool(table.get("file"))
