"""The default branch of a repository on GitHub, and if a checkout has its newest commit."""

from __future__ import annotations

from pathlib import Path
from urllib.parse import quote

from learnings.history.git.repository import head_commit
from learnings.surfaces.github.client import Client
from learnings.surfaces.github.environment import WorkflowRun
from learnings.surfaces.github.errors import GitHubError, not_github


def default_branch(client: Client) -> str:
    """Return the name of the default branch. Raises GitHubError."""
    name = client.get("").get("default_branch")
    if not isinstance(name, str):
        raise not_github()
    return name


def is_newest(client: Client, run: WorkflowRun, folder: Path) -> bool:
    """Return True if the checkout around a folder has the newest commit of the default branch.

    Also where that cannot be said, as with a token that may not read the branch: what an older run
    writes, the next one puts right. Raises GitHubError.
    """
    ref = f"heads/{run.default_branch or default_branch(client)}"
    try:
        document = client.get_or_none(f"git/ref/{quote(ref, safe='')}") or {}
    except GitHubError:
        return True
    newest = document.get("object")
    commit = newest.get("sha") if isinstance(newest, dict) else None
    return commit is None or commit == head_commit(folder)
