"""A fleet: the memories of many repositories as rows, from checkouts on disk or from documents."""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import date, timedelta
from itertools import pairwise
from pathlib import Path
from typing import Any, Final, NamedTuple, TypeVar

from learnings.agents.file_facts import Commands
from learnings.app.overview import Overview, overview
from learnings.core.due.verdicts import DUE, STARVED, Verdict
from learnings.core.errors import LearningsError, UsageProblem
from learnings.core.findings.finding import CheckReport, Severity
from learnings.core.progress import part
from learnings.core.text import printable
from learnings.history.git.work_tree import common_folder
from learnings.workspace.disk import is_folder, read_start, reason_of
from learnings.workspace.workspace import Workspace

MOST_LEVELS = 5
"""Maximum folder levels below the named one: `FOLDER/github.com/owner/name` needs three."""
_SKIPPED = frozenset({"node_modules"})


class FoundCheckout(NamedTuple):
    """The name of a checkout, as given or below a given name; or the reason why it has no row."""

    name: str
    problem: str = ""


def found_checkouts(names: Sequence[str], folder: Path) -> list[FoundCheckout]:
    """Return the named checkouts, and the checkouts below the named folders.

    A folder without a checkout in it keeps its name. Names start from `folder`.
    """
    found: list[FoundCheckout] = []
    searched: list[FoundCheckout] = []
    for name in names:
        below = [] if _is_checkout(folder / name) else [*_below(folder / name, name, MOST_LEVELS)]
        searched += below
        found += [] if below else [FoundCheckout(name)]
    named = {_repository_of(folder / one.name) for one in found if _is_checkout(folder / one.name)}
    # One checkout per repository: the main one, else its first work tree.
    chosen: dict[str, FoundCheckout] = {}
    for one in searched:
        key = one.name if one.problem else _repository_of(folder / one.name)
        is_main = is_folder(folder / one.name / ".git")
        if key not in named and (key not in chosen or is_main):
            chosen[key] = one
    return [*found, *chosen.values()]


def _below(path: Path, shown: str, levels: int) -> Iterator[FoundCheckout]:
    try:
        with os.scandir(path) as entries:
            folders = sorted(e.name for e in entries if e.is_dir(follow_symlinks=False))
    except (FileNotFoundError, NotADirectoryError):
        return  # its row says so
    except OSError as error:
        advice = "make it readable, or name the checkouts in it"
        yield FoundCheckout(shown, f"this folder cannot be read ({reason_of(error)}); {advice}")
        return
    for name in folders:
        if name in _SKIPPED or name.startswith("."):
            continue
        inner = name if shown == "." else f"{shown.removesuffix('/')}/{name}"
        if _is_checkout(path / name):
            yield FoundCheckout(inner)
        elif levels > 1:
            yield from _below(path / name, inner, levels - 1)


def _is_checkout(path: Path) -> bool:
    return os.path.lexists(path / ".git")


def _repository_of(checkout: Path) -> str:
    """Return the git folder that a checkout shares with its linked work trees."""
    try:
        return os.path.realpath(common_folder(checkout))
    except (OSError, ValueError):
        return os.path.realpath(checkout)


UNKNOWN, ERRORS, HEALTHY, ABSENT = "unknown", "errors", "healthy", "absent"
STATES = (DUE, UNKNOWN, ERRORS, STARVED, HEALTHY, ABSENT)
"""The states of a repository's memory, in table order.

unknown: no verdict was possible; errors: rules have findings; absent: there is no memory.
"""

AnyItem = TypeVar("AnyItem")

MOST_JOBS = 256  # jobs of one matrix, https://docs.github.com/actions/reference/limits


class RepositoryRow(NamedTuple):
    """The memory of one repository; state is one of STATES, and reasons explain it.

    overdue is in active days; words and tokens are the amounts a session loads.
    """

    name: str
    state: str
    reasons: tuple[str, ...] = ()
    overdue: int = 0
    files: int = 0
    entries: int = 0
    lines: int = 0
    words: int = 0
    tokens: int = 0
    errors: int = 0
    notices: int = 0
    as_of: str | None = None


class Fleet(NamedTuple):
    """The memories of many repositories, most overdue first."""

    rows: tuple[RepositoryRow, ...]

    def count(self, state: str) -> int:
        return sum(row.state == state for row in self.rows)

    @property
    def words(self) -> int:
        return sum(row.words for row in self.rows)

    @property
    def tokens(self) -> int:
        return sum(row.tokens for row in self.rows)


def merged(fleets: Iterable[Fleet]) -> Fleet:
    """Join fleets; if a repository appears twice, the row with the later active day wins."""

    def recency(row: RepositoryRow) -> tuple[object, ...]:
        return (row.as_of or "", *row._replace(as_of=row.as_of or ""))

    rows: dict[str, RepositoryRow] = {}
    for fleet in fleets:
        for row in fleet.rows:
            old = rows.get(row.name)
            # Compare whole rows, so that the order of the fleets makes no difference.
            rows[row.name] = row if old is None else max(old, row, key=recency)
    by_state = sorted(
        rows.values(), key=lambda r: (STATES.index(r.state), -r.overdue, -r.errors, r.name)
    )
    return Fleet(tuple(by_state))


def shards(items: Sequence[AnyItem], *, most: int = MOST_JOBS) -> list[tuple[AnyItem, ...]]:
    """Divide repositories evenly among at most `most` jobs, keeping their order."""
    jobs = min(len(items), most)
    bounds = [len(items) * number // jobs for number in range(jobs + 1)] if jobs else [0]
    return [tuple(items[a:b]) for a, b in pairwise(bounds)]


FLEET_SCHEMA: Final = "learnings.fleet/1"
# Bytes of a document: a row takes about 400, so 100,000 repositories fit several times.
_LARGEST_DOCUMENT = 256_000_000
_TEXTS = ("name", "state")
_NUMBERS = ("overdue", "files", "entries", "lines", "words", "tokens", "errors", "notices")
_LARGEST_NUMBER = 1_000_000_000  # chosen: above any repository, and sums stay readable
_ADVICE = "write it with `learnings fleet scan --format json`"


def read_documents(names: Sequence[str], folder: Path, *, today: str) -> Iterator[Fleet]:
    """Yield the fleet in each document; an unreadable document becomes a row with the reason."""
    for name in names:
        try:
            data = read_start(folder / name, _LARGEST_DOCUMENT + 1, shown=name)
            yield fleet_of(data, shown=name, today=today)
        except LearningsError as error:
            yield Fleet((RepositoryRow(name, UNKNOWN, (str(error),)),))


def fleet_of(data: bytes, *, shown: str, today: str) -> Fleet:
    """Return the fleet in a document, read on an ISO date; raises UsageProblem for another kind."""
    if len(data) > _LARGEST_DOCUMENT:
        raise UsageProblem(
            f"{shown} has more than {_LARGEST_DOCUMENT} bytes; merge in several steps"
        )
    # The clock of another runner may already be on the next day.
    latest = (date.fromisoformat(today) + timedelta(days=1)).isoformat()
    try:
        document = json.loads(data)
        if document["schema"] != FLEET_SCHEMA:
            raise ValueError  # noqa: TRY301  (as for any other wrong document)
        rows = tuple(map(_row_in_document, document["repositories"]))
    except (ValueError, KeyError, TypeError, RecursionError):
        raise UsageProblem(f"{shown} is not a {FLEET_SCHEMA} document; {_ADVICE}") from None
    for row in rows:
        if problem := _problem_of(row, latest):
            raise UsageProblem(f"{shown}: the row of {printable(row.name)} {problem}; {_ADVICE}")
    return Fleet(rows)


def _row_in_document(item: Any) -> RepositoryRow:  # noqa: ANN401  (what JSON holds)
    """Return a row; malformed data raises KeyError, TypeError or ValueError."""

    def typed(value: Any, kind: type) -> Any:  # noqa: ANN401  (as above)
        if type(value) is not kind:
            raise TypeError
        return value

    texts = {key: typed(item[key], str) for key in _TEXTS}
    numbers = {key: typed(item[key], int) for key in _NUMBERS}
    reasons = tuple(typed(reason, str) for reason in item["reasons"])
    as_of = None if item["as_of"] is None else typed(item["as_of"], str)
    if texts["state"] not in STATES:
        raise ValueError
    return RepositoryRow(**texts, **numbers, reasons=reasons, as_of=as_of)


def _problem_of(row: RepositoryRow, latest: str) -> str:
    """Return the error in the numbers or the date of a row, or "".

    The later of two rows wins, so a wrong date would displace the row of another document.
    """
    for key in _NUMBERS:
        if not 0 <= getattr(row, key) <= _LARGEST_NUMBER:
            return f"has a number `{key}` outside 0 to {_LARGEST_NUMBER:,}"
    if row.as_of is None:
        return ""
    try:
        is_day = date.fromisoformat(row.as_of).isoformat() == row.as_of
    except ValueError:
        is_day = False
    if not is_day:
        return "has an `as_of` that is not a date like 2026-03-11"
    return f"has the date {row.as_of}, which is in the future" if row.as_of > latest else ""


def repositories_in(data: bytes, *, shown: str) -> list[str]:
    """Return the repositories of a list; raises UsageProblem for none or a duplicate."""
    lines = data.decode("utf-8", "replace").splitlines()
    names = [name for line in lines if (name := line.partition("#")[0].strip())]
    if not names:
        raise UsageProblem(f"{shown} lists no repository; write one a line, such as owner/name")
    twice = next((name for name, count in Counter(names).items() if count > 1), None)
    if twice is not None:
        raise UsageProblem(f"{shown} lists {printable(twice)} twice; remove one of them")
    return names


def scan_checkouts(
    names: Sequence[str], folder: Path, *, commands: Callable[[], Commands]
) -> Iterator[RepositoryRow]:
    """Yield a row for each checkout, even if it cannot be judged.

    A folder that is not a checkout stands for the checkouts below it.
    """
    found = found_checkouts(names, folder)
    for number, (name, problem) in enumerate(found, start=1):
        if problem:
            yield RepositoryRow(name, UNKNOWN, (problem,))
            continue
        try:
            with part(f"{number} of {len(found)}: {name}"):
                row = _row_of_checkout(name, folder / name, commands)
            yield row
        except (LearningsError, OSError, RecursionError) as error:
            yield RepositoryRow(name, UNKNOWN, (str(error),))


def _row_of_checkout(name: str, folder: Path, commands: Callable[[], Commands]) -> RepositoryRow:
    if not folder.is_dir():
        return RepositoryRow(name, UNKNOWN, ("no such folder",))
    state = overview(Workspace.open(folder), commands=commands)
    verdicts = [file.verdict for file in state.learnings if file.verdict]
    problems = list(filter(None, [state.problem, *(status.problem for status in state.forms)]))
    judged = (status.sentence for status in state.forms if not status.problem)
    days = (verdict.report.activity.as_of for verdict in verdicts)
    report = state.report or CheckReport.of((), files=0)
    counts = Counter(f.rule for f in report.findings if f.severity is Severity.ERROR)
    errors = (f"{count} × {rule}" for rule, count in sorted(counts.items()))

    overdue = (
        verdict.report.activity.after(verdict.due_since) + 1
        for verdict in verdicts
        if verdict.verdict == DUE and verdict.due_since is not None
    )
    return RepositoryRow(
        name=name,
        state=_state(state, verdicts, problems),
        reasons=tuple(dict.fromkeys([*problems, *errors, *judged])),
        overdue=max(overdue, default=0),  # the first day included
        files=len(state.learnings),
        entries=sum(file.reading.entries for file in state.learnings if file.reading),
        lines=sum(file.reading.lines for file in state.learnings if file.reading),
        words=state.cost.total.words,
        tokens=state.cost.total.tokens,
        errors=report.errors,
        notices=report.notices,
        as_of=max((day for day in days if day), default=None),
    )


def _state(state: Overview, verdicts: Sequence[Verdict], problems: Sequence[str]) -> str:
    names = {verdict.verdict for verdict in verdicts}
    if any(status.needs_action and not status.problem for status in state.forms):
        return DUE
    if problems:
        return UNKNOWN
    if state.report and state.report.errors:
        return ERRORS
    if STARVED in names:
        return STARVED
    return HEALTHY if state.forms else ABSENT
