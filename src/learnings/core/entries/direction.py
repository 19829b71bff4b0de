"""In which direction the dates of a file run."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise


def is_newest_first(dates: Iterable[str | None]) -> bool:
    """Return True if stated dates fall down the file.

    dates are those of its entries from top to bottom, ISO text, None where one states none. The
    direction is that of most pairs of neighbours; in doubt the newest entry is the last one.
    """
    stated = [date for date in dates if date]
    falls = sum(upper > lower for upper, lower in pairwise(stated))
    return falls > sum(upper < lower for upper, lower in pairwise(stated))
