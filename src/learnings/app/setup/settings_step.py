"""The learnings files of a repository in its configuration: text in, text out."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from learnings.app.setup.step import ManualEditRequired, NewText
from learnings.app.setup.toml_text import parsed, with_key, with_lines_at_end
from learnings.app.workspace.config_file import SECTION, SHARED_FILE
from learnings.core.errors import BadSettings
from learnings.core.text import BOM, printable


def with_files(text: str | None, paths: Sequence[str], *, name: str) -> NewText:
    """Return a configuration that names the learnings files; None stands for no file.

    `name` is pyproject.toml, where the settings are in [tool.learnings], or learnings.toml. The
    text must not name any learnings file yet. Raises ManualEditRequired, with the lines to add,
    where it has a form that is not edited.
    """
    mark = BOM if (text or "").startswith(BOM) else ""
    present = (text or "").removeprefix(mark)
    before = parsed(present, name)
    section = SECTION if name == SHARED_FILE else ()
    if len(paths) == 1:
        edited = with_key(present, f"path = {_quoted(paths[0])}", section)
    else:
        tables = _tables(paths, section)
        edited = with_lines_at_end(present, tables)
    if not _is_extended(before, edited, paths, section):
        sentence = f"{name} is left as it is, because it is written in a form that is not edited"
        raise ManualEditRequired(
            f"{sentence}; add the lines above yourself", _lines_to_add(paths, section)
        )
    return NewText(mark + edited)


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
    """Return a path as a string of TOML, in which nothing is hidden."""
    quoted = json.dumps(path, ensure_ascii=False)
    return "".join(c if printable(c) == c else f"\\U{ord(c):08x}" for c in quoted)


def _is_extended(
    before: dict[str, Any], after: str, paths: Sequence[str], section: Sequence[str]
) -> bool:
    """Return True if a text holds the values `before` and the learnings files.

    Adds the files to `before`.
    """
    try:
        values = parsed(after, "")
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
