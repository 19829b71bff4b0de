"""Symbolic links of a repository as values: the names that they give to a file."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

MOST_LINKS = 40
"""Links on the way to a file, as many as Linux follows."""
LONGEST_LINK = 1023
"""Bytes that a link contains; chosen, far more than a path in a repository has."""
_MOST_NAMES = 64  # of one file; chosen, links to folders in each other give endless ones

LinksByEnd = Mapping[str, Sequence[str]]
"""Links by the real paths of their ends, POSIX from the root."""


def by_end(links: Iterable[str], real: Callable[[str], str | None]) -> LinksByEnd:
    """Return links by their ends, without those that lead nowhere, or to a folder around them."""
    found: defaultdict[str, list[str]] = defaultdict(list)
    for link in links:
        end = real(link)
        if end and end != link and not link.startswith(f"{end}/"):
            found[end].append(link)
    return found


def names_by_links(path: str, links_to: Callable[[str], LinksByEnd]) -> Iterator[str]:
    """Yield a path, and the other paths by which links lead to it.

    links_to returns the links that may give another name to a path.
    """
    names = [path]
    for name in names:
        yield name
        links, parts = links_to(name), name.split("/")
        for count in range(1, len(parts) + 1) if links else ():
            for link in links.get("/".join(parts[:count]), ()):
                other = "/".join((link, *parts[count:]))
                if other not in names and len(names) < _MOST_NAMES:
                    names.append(other)
