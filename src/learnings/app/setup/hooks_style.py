"""How our hooks are written into a configuration of pre-commit, in the manner of the file."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from learnings import REPOSITORY
from learnings.app.setup.hook_table import CHOSEN, HOOK_TYPES, REVISION
from learnings.app.setup.yaml_layout import Node
from learnings.app.setup.yaml_places import is_spaced

TYPES_KEY = "default_install_hook_types"


@dataclass(frozen=True, slots=True)
class Style:
    """How repositories are written in a file: columns are counted from 0.

    `dash` is the column of the dash of a repository, `gap` what lies from a dash to its content,
    `hooks` the distance from the key `hooks` to the dashes below it.
    """

    dash: int = 2
    gap: int = 2
    hooks: int = 2
    is_spaced: bool = False


def style_of(text: str, key: Node, repos: Node) -> Style:
    """How repositories are written in the block sequence `repos` below `key`."""
    hooks = 0 if repos.column == key.column else 2
    for item in repos.children:
        entry = item.entry("hooks")
        if entry and entry[1].kind == "sequence" and not entry[1].is_flow:
            hooks = entry[1].column - entry[0].column
    spaced = is_spaced(text, repos)
    return Style(dash=repos.column, gap=gap_of(repos), hooks=hooks, is_spaced=spaced)


def gap_of(sequence: Node) -> int:
    """The distance from the dashes of a block sequence to the items behind them."""
    gaps = [item.column - sequence.column for item in sequence.children]
    return max(gaps[-1], len("- "))


def dash(column: int, gap: int) -> str:
    return " " * column + "-".ljust(gap)


def repository(hooks: Sequence[str], style: Style) -> Iterator[str]:
    """The lines of our repository with some hooks."""
    pad = " " * (style.dash + style.gap)
    yield f"{dash(style.dash, style.gap)}repo: {REPOSITORY}"
    yield f"{pad}rev: {REVISION}"
    yield f"{pad}hooks:"
    for hook in hooks:
        yield f"{dash(style.dash + style.gap + style.hooks, style.gap)}id: {hook}"


def whole_file() -> list[str]:
    return [f"{TYPES_KEY}: [{', '.join(HOOK_TYPES)}]", "repos:", *repository(CHOSEN, Style())]


def flow_entry(hooks: Sequence[str]) -> str:
    listed = ", ".join(f"{{id: {hook}}}" for hook in hooks)
    return f"{{repo: {REPOSITORY}, rev: {REVISION}, hooks: [{listed}]}}"


def entry_of(hooks: Sequence[str]) -> dict[str, Any]:
    return {"repo": REPOSITORY, "rev": REVISION, "hooks": [{"id": hook} for hook in hooks]}
