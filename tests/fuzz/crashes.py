"""Commands that write, killed at each file operation, and refused by the disk at each."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import NamedTuple

from tests.fuzz.part import Part
from tests.fuzz.writers import WRITERS, Writer, build
from tests.support.crash_points import CrashPoints, Undisturbed, faults, kills
from tests.support.traced_runs import Stop, TracedProcess


class Attempt(NamedTuple):
    """A writer in a repository, and the operation at which it is stopped."""

    writer: Writer
    points: CrashPoints
    expected: Undisturbed
    stop: Stop


class CrashPart(Part):
    """A round has a repository for each writer and tries all of their operations, shuffled."""

    name = "crashes"

    def __init__(self, folder: Path, seed: int, *, writers: Sequence[Writer] = WRITERS) -> None:
        super().__init__(folder, seed)
        self._writers = writers
        self._process = TracedProcess()
        self._round = cache(self._new_round)

    def __exit__(self, *_: object) -> None:
        self._process.__exit__()

    def case(self, number: int) -> list[str]:
        index = 0
        while number >= len(self._round(index)):
            number -= len(self._round(index))
            index += 1
        attempt = self._round(index)[number]
        program, expected, stop = attempt.writer.program, attempt.expected, attempt.stop
        point = attempt.points.point(
            *attempt.writer.words, program=program, expected=expected, stop=stop
        )
        self.counts["kills" if stop.how in {"kill", "tear"} else "faults"] += 1
        return point.problems()

    def _new_round(self, index: int) -> list[Attempt]:
        attempts = []
        for position, writer in enumerate(self._writers):
            template = self.templates / f"{index}-{position}"
            build(writer, template, self.random(index, position))
            points = CrashPoints(template, self.folder, env=writer.env, process=self._process)
            expected = points.undisturbed(*writer.words, program=writer.program)
            operations = expected.run.operations
            stops = [*kills(operations)]
            stops += () if writer.falls_back else faults(operations)
            self.counts["operations"] += len(operations)
            attempts += [Attempt(writer, points, expected, stop) for stop in stops]
        self.random(index).shuffle(attempts)
        return attempts
