"""Regular expressions that compile on first use.

A command uses a few of the 200 patterns of its modules; compiling all of them on import, at 0.02 to
0.7 ms each, took an eighth of a check of one file.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import AnyStr, Generic, cast


class _LazyPattern(Generic[AnyStr]):
    """A pattern that compiles on first use; each method is looked up once."""

    source: tuple[AnyStr, int]

    def __getattr__(self, name: str) -> Callable[..., object]:
        # Python calls this only for unset attributes. `re` keeps compiled patterns.
        method: Callable[..., object] = getattr(re.compile(*self.source), name)
        setattr(self, name, method)
        return method


def lazy_pattern(text: AnyStr, flags: int = 0) -> re.Pattern[AnyStr]:
    """Return `re.compile(text, flags)` for its methods only; `re.sub` does not accept it."""
    pattern: _LazyPattern[AnyStr] = _LazyPattern()
    pattern.source = text, flags
    return cast("re.Pattern[AnyStr]", pattern)
