"""The files that concern a hook, among all the files that its framework passes."""

# Hooks get hundreds of paths, and a Path takes ten times as long as the functions of os.path.
# ruff: noqa: PTH110, PTH112, PTH113, PTH114, PTH118

from __future__ import annotations

import os
from collections.abc import Sequence
from os.path import isdir, isfile, islink, join, normpath, realpath
from typing import TYPE_CHECKING

from learnings.core.roles import Role, fixed_places, may_have_role

if TYPE_CHECKING:
    from learnings.core.settings.setting_values import Settings
    from learnings.workspace.workspace import Workspace


def passed_files(workspace: Workspace, paths: Sequence[str], names: Sequence[str]) -> list[str]:
    """Return the files with one of the named roles, and folders, among some paths as written.

    Nothing is read for a file whose path excludes the roles. If only a link in a memory's place
    leads to a file, the link is returned for it. Left out are folders and targets to which a link
    leads out of the repository, and missing targets: discovery leaves them out, too.
    """
    roles = [Role(name) for name in names]
    settings, start, root = workspace.settings, f"{workspace.start}", join(workspace.root, "")
    real_root = join(realpath(root), "")
    links = _links(root, roles, settings)
    found: dict[str, str] = {}
    for path in paths:
        full = normpath(join(start, path))
        if isdir(full):
            if not islink(full) or workspace.around(full) is workspace:
                found[full] = path
            continue
        relative = full.removeprefix(root).replace(os.sep, "/")
        if not full.startswith(root):  # outside, or named by way of a link to the repository
            relative = workspace.relative(full) or ""
        by_path = any(may_have_role(relative, role, settings) for role in roles)
        place = relative if by_path else links.get(relative)
        role = None if place is None else workspace.role_of(place)
        if role in roles:
            full = f"{root}{place}"
            if role is Role.TARGET and not (isfile(full) and realpath(full).startswith(real_root)):
                continue
            found[full] = path if by_path else os.path.relpath(full, start)
    links_first = sorted(found, key=islink, reverse=True)
    return [*{realpath(full): found[full] for full in links_first}.values()]


def _links(root: str, roles: Sequence[Role], settings: Settings) -> dict[str, str]:
    """Return the place that leads to each file below the root by a link; paths from the root."""
    real_root = join(realpath(root), "")
    places = {place for role in roles for place in fixed_places(role, settings)}
    ends = {realpath(root + place): place for place in places if os.path.exists(root + place)}
    return {
        end.removeprefix(real_root).replace(os.sep, "/"): place
        for end, place in ends.items()
        if end.startswith(real_root) and end != real_root + place
    }
