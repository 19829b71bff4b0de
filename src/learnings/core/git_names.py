"""Names that lead into git's own folder, whatever file system a path is used on."""

from __future__ import annotations

import re

from learnings.core.patterns import lazy_pattern

# Characters that HFS+ passes over in a name: zero width and direction marks, the byte order mark.
# The same as in git's own test (utf8.c), which refuses to check out such names.
_PASSED_OVER = lazy_pattern("[\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff]")
# `.git`, and its short name on Windows; what NTFS passes over may follow: dots, blanks, a stream.
_GIT = lazy_pattern(r"(?:\.git|git~1)[. ]*(?::.*)?", flags=re.IGNORECASE | re.DOTALL)


def leads_into_git(path: str) -> bool:
    """Return True if a part of a path is git's own folder for some file system.

    That is `.git` in upper and lower case, as `git~1`, and with characters that some systems
    pass over. Both slashes separate parts.
    """
    parts = re.split(r"[/\\]", _PASSED_OVER.sub("", path))
    return any(_GIT.fullmatch(part) for part in parts)
