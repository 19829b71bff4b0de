"""Regular expressions that are compiled when they are first used.

A command is a process of its own and uses a few of the 200 patterns that its modules hold. To
compile one takes 0.02 to 0.7 ms; compiled on import, they were an eighth of a check of one file.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, AnyStr, Generic, cast

if TYPE_CHECKING:
    from collections.abc import Callable


class _LazyPattern(Generic[AnyStr]):
    """A pattern that compiles on first use; each method is looked up once."""

    def __init__(self, text: AnyStr, flags: int) -> None:
        self._source: tuple[AnyStr, int] = (text, flags)

    def __getattr__(self, name: str) -> Callable[..., object]:
        # Python comes here only for what is not set yet. Compiled patterns are kept by `re`.
        method: Callable[..., object] = getattr(re.compile(*self._source), name)
        setattr(self, name, method)
        return method


def lazy_pattern(text: AnyStr, flags: int = 0) -> re.Pattern[AnyStr]:
    """Return `re.compile(text, flags)` for its methods only; `re.sub` does not take it."""
    return cast("re.Pattern[AnyStr]", _LazyPattern(text, flags))
