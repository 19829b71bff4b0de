"""What earlier runs found out about a file, as the cache holds it."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any, NamedTuple

from learnings.core.due.ages import Consolidation, Origin
from learnings.history.git import cached


class KnownOrigins(NamedTuple):
    """The origins of the entries of an older head, and its version of the file."""

    head: str
    blob: str
    origins: Mapping[str, Origin]


def decoded_origins(value: Any) -> KnownOrigins:  # noqa: ANN401  (any JSON)
    """Return known origins from the cache; raises TypeError."""
    origins = partial(cached.mapping_of, _origin)
    return KnownOrigins(*cached.row(value, cached.object_id, cached.object_id, origins))


def _origin(value: Any) -> Origin:  # noqa: ANN401  (any JSON)
    words = cached.optional(cached.text)
    commit = cached.optional(cached.object_id)
    return Origin(*cached.row(value, cached.text, words, commit, words, words))


def decoded_consolidation(value: Any) -> Consolidation:  # noqa: ANN401  (any JSON)
    """Return a consolidation from the cache; raises TypeError."""
    commit = cached.optional(cached.object_id)
    return Consolidation(*cached.row(value, commit, cached.text, cached.whole_number))
