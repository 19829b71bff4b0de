"""The hooks in prek.toml: one more table `repos`, behind those that are there."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from learnings.app.setup.hook_table import (
    CHOSEN,
    HOOK_TYPES,
    TYPES_KEY,
    hook_values,
    repository_value,
)
from learnings.app.setup.hooks_present import (
    PREK_FILE,
    is_list_of_tables,
    missing_hooks,
    python_for,
    type_notes,
)
from learnings.app.setup.step import ManualEditRequired, NewText
from learnings.app.setup.toml_text import parsed, with_key, with_lines_at_end
from learnings.core.errors import BadSettings
from learnings.core.text import BOM


def with_hooks(text: str, hooks: Sequence[str] = CHOSEN) -> NewText:
    """Return the configuration of prek with some of our hooks.

    Raises ManualEditRequired, with the lines to add, for a text in a form that is not edited;
    BadSettings for one that is not TOML.
    """
    mark = BOM if text.startswith(BOM) else ""
    present = text.removeprefix(mark)
    data = parsed(present, PREK_FILE)
    repos = data.get("repos", [])
    if not is_list_of_tables(repos):
        raise _refused("its `repos` is not a list of repositories", data)
    missing, notes = missing_hooks(repos, PREK_FILE, hooks)
    if missing:
        present = _extended(present, data, missing)
    notes += type_notes(data, PREK_FILE, is_extended=bool(missing))
    return NewText(mark + present, tuple(notes))


def types_in(text: str) -> object:
    """Return the types of hooks that a configuration installs by default, None for no such key."""
    return parsed(text.removeprefix(BOM), PREK_FILE).get(TYPES_KEY)


def _extended(text: str, data: dict[str, Any], hooks: list[str]) -> str:
    """Return the text with our hooks; it is parsed again, to see that nothing else changed."""
    python = python_for(data)
    repos = [*data.get("repos", []), repository_value(hooks, python)]
    expected = {**data, TYPES_KEY: data.get(TYPES_KEY, [*HOOK_TYPES]), "repos": repos}
    edited = with_lines_at_end(text, _repository_lines(hooks, python))
    if TYPES_KEY not in data:
        edited = with_key(edited, _types_line())
    try:
        is_expected = parsed(edited, PREK_FILE) == expected
    except BadSettings:
        is_expected = False
    if not is_expected:
        raise _refused("it is written in a form that is not edited", data)
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


def _refused(reason: str, data: dict[str, Any]) -> ManualEditRequired:
    advice = "add the lines above yourself, then run `learnings init --no-hooks`"
    sentence = f"{PREK_FILE} is left as it is, because {reason}; {advice}"
    lines = [_types_line(), "", *_repository_lines([*CHOSEN], python_for(data))]
    return ManualEditRequired(sentence, lines)
