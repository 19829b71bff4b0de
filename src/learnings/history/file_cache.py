"""Origins and the last consolidation of a file, taken from the cache where that is possible.

What was stored for an older HEAD is used where the commits since then cannot have changed it.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

from learnings.core.due.ages import Consolidation, Origin
from learnings.history.file_history import FileHistory
from learnings.history.git import cached
from learnings.history.git.cache import Key


def origins_of(history: FileHistory) -> Mapping[str, Origin]:
    """Return when the entries of the text were added, by identity; raises UntrustedHistory."""
    head, is_clean = history.repository.head, history.location.rev is not None
    key: Key = {**history.key, "ignored": history.ignored.digest}
    old_head, known = history.cache.load("origins", key, _known_origins) or ("", {})
    if is_clean and old_head == head:
        return known
    from learnings.history import origins  # noqa: PLC0415  (where HEAD has moved on)

    dated = None
    if old_head and history.has_all_of(old_head):
        dated = origins.find_origins_since(old_head, known, history)
    if dated is None:
        dated = origins.find_origins(history)
    if is_clean:
        history.cache.save("origins", key, (head, dated))
    return dated


def last_consolidation(history: FileHistory) -> Consolidation | None:
    """Return the last consolidation as of the query's date; raises UntrustedHistory."""
    if history.location.head_blob is None:
        return None
    if history.query.as_of is None:
        stored = history.cache.load("removals", _removals_key(history), _consolidation)
        if stored is not None and _nothing_removed_since(history, stored[0]):
            return stored[1]
    from learnings.history import consolidations  # noqa: PLC0415  (as above)

    return consolidations.find_last_consolidation(history)


def save_consolidation(history: FileHistory, consolidation: Consolidation | None) -> None:
    """Cache what last_consolidation() returned for HEAD."""
    if history.query.as_of is None and history.location.head_blob is not None:
        value = history.repository.head, consolidation
        history.cache.save("removals", _removals_key(history), value)


def _removals_key(history: FileHistory) -> Key:
    return {**history.key, "min_removed": history.query.min_removed}


def _nothing_removed_since(history: FileHistory, old_head: str) -> bool:
    """Return True if no commit since an older HEAD can be a consolidation."""
    if old_head == history.repository.head:  # without the modules that only a search needs
        return True
    from learnings.history.file_changes import changes_since  # noqa: PLC0415  (as above)

    newer = changes_since(history, old_head)
    return newer is not None and not any(change.removed for change in newer)


def decoded_consolidation(value: Any) -> Consolidation:  # noqa: ANN401  (any JSON)
    """Return a consolidation from the cache; raises TypeError."""
    commit = cached.optional(cached.object_id)
    return Consolidation(*cached.row(value, commit, cached.text, cached.whole_number))


def _consolidation(value: Any) -> tuple[str, Consolidation | None]:  # noqa: ANN401  (as above)
    head, consolidation = cached.row(
        value, cached.object_id, cached.optional(decoded_consolidation)
    )
    return head, consolidation


def _known_origins(value: Any) -> tuple[str, Mapping[str, Origin]]:  # noqa: ANN401  (as above)
    """Return an older head, and the origins of its entries by identity."""
    head, origins = cached.row(value, cached.object_id, partial(cached.mapping_of, _origin))
    return head, origins


def _origin(value: Any) -> Origin:  # noqa: ANN401  (as above)
    words = cached.optional(cached.text)
    commit = cached.optional(cached.object_id)
    return Origin(*cached.row(value, cached.text, words, commit, words, words))
