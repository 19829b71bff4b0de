"""How texts write the keywords that they share."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable

from learnings.consolidation.text.keywords import keywords


def forms(texts: Iterable[str], keys: Collection[str]) -> dict[str, str]:
    """Return how most texts write each key; in small letters where that is common too."""
    counts: dict[str, Counter[str]] = {key: Counter() for key in keys}
    for text in texts:
        for keyword in keywords(text):
            if keyword.key in counts:
                counts[keyword.key][keyword.word] += 1
    return {
        key: min(words, key=lambda word: (-words[word] * (1 + word.islower()), word))
        for key, words in counts.items()
        if words
    }
