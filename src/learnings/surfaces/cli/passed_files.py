"""The files that concern a hook, among all the files that its framework passes."""

# Hooks get hundreds of paths, and a Path takes ten times as long as the functions of os.path.
# ruff: noqa: PTH110, PTH112, PTH113, PTH114, PTH118

from __future__ import annotations

import os
from collections.abc import Sequence
from functools import cached_property
from os.path import isdir, isfile, islink, join, normpath, realpath
from typing import TYPE_CHECKING

from learnings.core.file_names import MEMORY_ENDINGS
from learnings.core.roles import Role, fixed_places, may_have_role
from learnings.core.symlinks import LinksByEnd, by_end, names_by_links
from learnings.workspace.disk import LINK_MODE, find_root, may_track

if TYPE_CHECKING:
    from learnings.workspace.workspace import Workspace


def passed_files(workspace: Workspace, paths: Sequence[str], names: Sequence[str]) -> list[str]:
    """Return the files with one of the named roles, and folders, among some paths as written.

    Nothing is read for a file whose path excludes the roles. If only links give a file its role,
    itself or by a folder, its path through them is returned for it. Left out are folders and
    targets to which a link leads out of the repository, and missing targets: discovery leaves them
    out, too.
    """
    roles = [Role(name) for name in names]
    settings, start, root = workspace.settings, f"{workspace.start}", join(workspace.root, "")
    real_root = join(realpath(root), "")
    links = _Links(workspace, roles)
    found: dict[str, str] = {}

    def role_at(place: str) -> Role | None:
        may_be = any(may_have_role(place, role, settings) for role in roles)
        role = workspace.role_of(place) if may_be else None
        return role if role in roles else None

    for path in paths:
        full = normpath(join(start, path))
        if isdir(full):
            if not islink(full) or workspace.around(full) is workspace:
                found[full] = path
            continue
        relative = full.removeprefix(root).replace(os.sep, "/")
        if not full.startswith(root):  # outside, or named by way of a link to the repository
            relative = workspace.relative(full) or ""
        for place in names_by_links(relative, links.leading_to):
            role = role_at(place)
            if role is None:
                continue
            full = f"{root}{place}"
            if role is not Role.TARGET or (isfile(full) and realpath(full).startswith(real_root)):
                found[full] = path if place == relative else os.path.relpath(full, start)
            break
    links_first = sorted(found, key=islink, reverse=True)
    return [*{realpath(full): found[full] for full in links_first}.values()]


class _Links:
    """The links that may give a file a role: those in fixed places, and tracked ones.

    Links that git tracks are asked for only about files with the ending of a memory.
    """

    def __init__(self, workspace: Workspace, roles: Sequence[Role]) -> None:
        self._workspace = workspace
        self._roles = roles

    def leading_to(self, path: str) -> LinksByEnd:
        return self._tracked if path.lower().endswith(MEMORY_ENDINGS) else self._fixed

    @cached_property
    def _fixed(self) -> LinksByEnd:
        root, settings = self._workspace.root, self._workspace.settings
        fixed = [place for role in self._roles for place in fixed_places(role, settings)]
        places = {*fixed, *map(os.path.dirname, fixed)} - {""}
        there = (place for place in sorted(places) if os.path.exists(root / place))
        return by_end(there, self._workspace.tree.real)

    @cached_property
    def _tracked(self) -> LinksByEnd:
        if not may_track(find_root(self._workspace.root), LINK_MODE):
            return self._fixed
        fixed = (link for links in self._fixed.values() for link in links)
        tree = self._workspace.tree
        return by_end(sorted({*fixed, *tree.index.links}), tree.real)
