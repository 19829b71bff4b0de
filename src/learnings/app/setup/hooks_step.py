"""The hooks in .pre-commit-config.yaml: text in, text out, with every comment where it was.

The text is read twice by a real parser, before and after: unless the values differ by exactly what
was to be added, nothing is written and the user gets the lines to put in by hand.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from copy import deepcopy
from typing import Any, NoReturn

from learnings import REPOSITORY
from learnings.app.setup.edit import Edited, ManualEditRequired, Splice, spliced, whole_lines
from learnings.app.setup.hook_table import CHOSEN, HOOK_TYPES, REVISION, is_own
from learnings.app.setup.hooks_style import (
    TYPES_KEY,
    Style,
    dash,
    entry_of,
    flow_entry,
    gap_of,
    repository,
    style_of,
    whole_file,
)
from learnings.app.setup.yaml_layout import Node, Unreadable, layout_of, load
from learnings.app.setup.yaml_places import before, behind
from learnings.core.text import newline_of

FILE = ".pre-commit-config.yaml"
_BOM = "\ufeff"


def with_hooks(text: str | None) -> Edited:
    """Return the configuration of pre-commit with our hooks; None stands for no file.

    Raises ManualEditRequired, with the lines to put in, where the text has a form that is not
    edited.
    """
    bare = (text or "").removeprefix(_BOM)
    mark = _BOM if text != bare and text else ""
    try:
        data, root = load(bare), layout_of(bare)
    except Unreadable as error:
        _refuse(str(error))
    if data is None:
        made = whole_lines(bare, len(bare), whole_file(), newline_of(bare))
        wanted = {TYPES_KEY: list(HOOK_TYPES), "repos": [entry_of(CHOSEN)]}
        return _verified(Edited(mark + spliced(bare, [made])), wanted)
    repos = data.get("repos") if isinstance(data, dict) else None
    if root is None or not isinstance(data, dict) or not _is_list_of_tables(repos or []):
        _refuse("its `repos` is no list of repositories")
    return _Extension(bare, data, root).edited(mark)


class _Extension:
    """One configuration that holds something already, on its way to hold our hooks too."""

    def __init__(self, text: str, data: dict[str, Any], root: Node) -> None:
        self._text = text
        self._newline = newline_of(text)
        self._wanted = deepcopy(data)
        self._repos: list[dict[str, Any]] = data.get("repos") or []
        types = data.get(TYPES_KEY)
        self._types: list[object] = types if isinstance(types, list) else []
        self._root = root
        self._notes: list[str] = []
        self._splices: list[Splice] = []

    def edited(self, mark: str) -> Edited:
        self._add_hooks()
        self._add_types()
        if not self._splices:
            return Edited(mark + self._text, tuple(self._notes))
        if self._root.has_keys_twice():
            self._give_up()
        text = mark + spliced(self._text, self._splices)
        return _verified(Edited(text, tuple(self._notes)), self._wanted)

    def _add_hooks(self) -> None:
        present = self._present()
        missing = [hook for hook in CHOSEN if hook not in present]
        own = [at for at, repo in enumerate(self._repos) if is_own(repo.get("repo"))]
        if not missing:
            return
        if not own:
            self._add_repository(missing)
        elif self._repos[own[0]].get("rev") == REVISION:
            self._add_to(own[0], missing)
        else:
            self._notes.append(
                f"{FILE} takes another version than {REVISION}, which leaves {', '.join(missing)} "
                f"out; run `pre-commit autoupdate --repo {REPOSITORY}`, then this again"
            )

    def _present(self) -> set[str]:
        """The ids that run already; those from elsewhere are named, they may be something else."""
        found: set[str] = set()
        for repo in self._repos:
            hooks: Any = repo.get("hooks")
            listed: list[Any] = hooks if _is_list_of_tables(hooks) else []
            ids = [hook for hook in CHOSEN if any(each.get("id") == hook for each in listed)]
            found.update(ids)
            if ids and not is_own(repo.get("repo")):
                place = repo.get("repo")
                self._notes.append(f"{FILE} has {', '.join(ids)} from {place}, which stays")
        return found

    def _add_repository(self, hooks: Sequence[str]) -> None:
        entry = self._root.entry("repos")
        self._wanted["repos"] = [*self._repos, entry_of(hooks)]
        if entry is None:
            self._needs_block(self._root)
            at = behind(self._text, self._root, self._root.column)
            pad = " " * self._root.column
            lines = [f"{pad}repos:", *repository(hooks, Style(dash=self._root.column + 2))]
            self._put_lines(at, lines)
        else:
            self._append(entry, hooks)

    def _append(self, entry: tuple[Node, Node], hooks: Sequence[str]) -> None:
        key, repos = entry
        if not repos.children and repos.kind != "alias":
            self._splices.append(self._without(key, repos))
            at = behind(self._text, repos, key.column + 1)
            self._put_lines(at, repository(hooks, Style(dash=key.column + 2)))
        elif repos.is_flow:
            self._put_in_flow(repos, flow_entry(hooks))
        else:
            self._needs_block(repos)
            style = style_of(self._text, key, repos)
            lines = list(repository(hooks, style))
            gap = [""] if style.is_spaced else []
            self._put_lines(behind(self._text, repos, repos.column), [*gap, *lines])

    def _without(self, key: Node, value: Node) -> Splice:
        """Take an empty value away, from the colon on."""
        if "#" in self._text[value.start : value.end]:
            self._give_up()
        colon = self._text.index(":", key.end) + 1
        return Splice(colon, value.end, "")

    def _add_to(self, at: int, missing: Sequence[str]) -> None:
        repos = self._root.entry("repos")
        own = repos[1].children[at] if repos and repos[1].children else self._root
        entry = own.entry("hooks")
        if entry is None or not entry[1].children or own.has_keys_twice():
            self._give_up()
        hooks = entry[1]
        self._wanted["repos"][at]["hooks"] += [{"id": hook} for hook in missing]
        if hooks.is_flow:
            self._put_in_flow(hooks, ", ".join(f"{{id: {hook}}}" for hook in missing))
        else:
            self._needs_block(hooks)
            start = dash(hooks.column, gap_of(hooks))
            lines = [f"{start}id: {hook}" for hook in missing]
            self._put_lines(behind(self._text, hooks, hooks.column), lines)

    def _add_types(self) -> None:
        lacking = [each for each in HOOK_TYPES if each not in self._types]
        entry = self._root.entry(TYPES_KEY)
        if not lacking:
            return
        if entry is None:
            self._needs_block(self._root)
            line = f"{' ' * self._root.column}{TYPES_KEY}: [{', '.join(HOOK_TYPES)}]"
            self._put_lines(before(self._text, self._root.children[0]), [line])
            self._wanted[TYPES_KEY] = list(HOOK_TYPES)
        else:
            self._extend_types(entry[1], lacking)
            self._notes.append(f"{FILE}: {TYPES_KEY} now has {', '.join(lacking)} too")
        is_alone = all(is_own(repo.get("repo")) for repo in self._repos)
        if not is_alone and "default_stages" not in self._wanted:
            self._notes.append(
                "other hooks without `stages` will run at merges and pushes too; "
                "`default_stages: [pre-commit]` keeps them from it"
            )

    def _extend_types(self, types: Node, lacking: Sequence[str]) -> None:
        if types.kind != "sequence":
            self._give_up()
        self._wanted[TYPES_KEY] = [*self._types, *lacking]
        if types.is_flow:
            self._put_in_flow(types, ", ".join(lacking))
        else:
            start = dash(types.column, gap_of(types))
            lines = [f"{start}{each}" for each in lacking]
            self._put_lines(behind(self._text, types, types.column), lines)

    def _put_in_flow(self, sequence: Node, item: str) -> None:
        if sequence.children:
            at, text = sequence.children[-1].end, f", {item}"
        else:
            at, text = sequence.end - 1, item
        self._splices.append(Splice(at, at, text))

    def _put_lines(self, at: int, lines: Iterable[str]) -> None:
        self._splices.append(whole_lines(self._text, at, lines, self._newline))

    def _needs_block(self, node: Node) -> None:
        if node.is_flow or node.kind not in ("mapping", "sequence"):
            self._give_up()

    def _give_up(self) -> NoReturn:
        _refuse("it is written in a form that is not edited")


def _is_list_of_tables(value: object) -> bool:
    return isinstance(value, list) and all(isinstance(each, dict) for each in value)


def _verified(edited: Edited, wanted: object) -> Edited:
    try:
        is_right = load(edited.text.removeprefix(_BOM)) == wanted
    except (Unreadable, RecursionError):
        is_right = False
    if not is_right:
        _refuse("it is written in a form that is not edited")
    return edited


def _refuse(why: str) -> NoReturn:
    sentence = f"{FILE} is left as it is, because {why}; put the lines above in by hand"
    raise ManualEditRequired(sentence, whole_file()) from None
