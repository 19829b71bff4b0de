"""Sums over the words that a text shares with each of many documents, for all of them at once."""

from __future__ import annotations

import sys
from array import array
from collections import defaultdict
from collections.abc import Iterable, Mapping

_MANY = 1 / 32
"""Share of the documents from which a word is packed: below it a loop over them is as fast."""


class Rows:
    """Documents as whole-number values of their words.

    A word of many documents is kept as one large number with a field for each of them: to multiply
    and add such numbers takes a tenth of the time of a loop. Whole numbers come out the same in
    whatever order they are added. field is the type code of an array that holds the largest sum.
    """

    def __init__(self, documents: Iterable[Mapping[str, int]], count: int, field: str) -> None:
        self._field, self._count = field, count
        # Documents and values apart: a list of pairs takes three times as much memory.
        self._postings: dict[str, tuple[array[int], array[int]]] = defaultdict(
            lambda: (array("I"), array(field))
        )
        for index, values in enumerate(documents):
            for word, value in values.items():
                indices, posted = self._postings[word]
                indices.append(index)
                posted.append(value)
        many = [word for word, (at, _) in self._postings.items() if len(at) > _MANY * count]
        self._packed = {
            word: self.packed(dict(zip(*self._postings.pop(word), strict=True))) for word in many
        }

    def packed(self, values: Mapping[int, int]) -> int:
        """Return values by document as one number, to begin sums with."""
        fields = array(self._field, bytes(array(self._field).itemsize * self._count))
        for index, value in values.items():
            fields[index] = value
        return int.from_bytes(fields.tobytes(), sys.byteorder)

    def sums(self, factors: Mapping[str, int], start: int = 0) -> array[int]:
        """Return for each document the sum of factor x value over the words of both."""
        few = []
        for word, factor in factors.items():
            if word in self._packed:
                start += factor * self._packed[word]
            elif word in self._postings:
                few.append((factor, *self._postings[word]))
        size = array(self._field).itemsize * self._count
        sums = array(self._field, start.to_bytes(size, sys.byteorder))
        for factor, indices, values in few:
            # Of equal length; to check that costs a tenth of the time.
            for index, value in zip(indices, values, strict=False):
                sums[index] += factor * value
        return sums
