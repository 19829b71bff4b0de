"""`learnings due --replay`: the verdict on the evening of every active day of the past."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TextIO

from learnings.app.due.query import Inquiry
from learnings.core.due import ages, triggers
from learnings.core.due import replay as core
from learnings.core.due.ages import Activity, AgeReport
from learnings.core.due.forecast import Version
from learnings.core.due.replay import Replay
from learnings.core.due.triggers import Verdict
from learnings.core.errors import MissingFile
from learnings.history.daily_snapshots import Evening, evenings
from learnings.history.facts import all_consolidations, open_for
from learnings.history.mainline import versions_since
from learnings.surfaces.render import replay_json, replay_markdown, replay_text

FORMATS = {
    "text": replay_text.render,
    "markdown": replay_markdown.render,
    "json": replay_json.render,
}


def run(inquiries: Sequence[Inquiry], *, format_name: str, out: TextIO, err: TextIO) -> int:
    """Print the replays; exit code 0. Progress goes to err where that is a terminal."""
    replays = [_replay(each, err) for each in inquiries]
    out.write(FORMATS[format_name](replays))
    return 0


def _replay(inquiry: Inquiry, err: TextIO) -> Replay:
    question = inquiry.question
    repository = open_for(question)
    until = min(question.as_of or question.tomorrow, question.tomorrow)
    versions = versions_since(question, "")
    days = evenings(repository, [each.commit for each in versions], until=until)
    told = [
        core.evening(each.day, each.head, verdict)
        for each, verdict in _verdicts(inquiry, repository.top, days, versions, err)
    ]
    consolidations = [each for each in all_consolidations(question) if each.date <= until]
    return core.replay(inquiry.name, told, consolidations)


def _verdicts(
    inquiry: Inquiry,
    top: Path,
    days: Sequence[Evening],
    versions: Sequence[Version],
    err: TextIO,
) -> Iterator[tuple[Evening, Verdict]]:
    """Give the verdict of each evening on which the file existed.

    Git is asked again only where the branch has got another version of the file; between two
    versions only time passes.
    """
    places = {version.commit: place for place, version in enumerate(versions)}
    report: AgeReport | None = None
    known: Sequence[Version] = ()
    for number, each in enumerate(days, start=1):
        _progress(err, f"{inquiry.name}: {number} of {len(days)} active days")
        since = versions[places[each.version] :] if each.version else ()
        if since and since != known:
            known, report = since, _report(inquiry, each, top / since[0].path)
        if report is not None:
            history = report.history._replace(activity=Activity(each.days))
            report = ages.report(
                report.document, history, file=report.file, freshness=report.freshness
            )
            yield each, triggers.judge(report, inquiry.settings, known)
    _progress(err, "")


def _report(inquiry: Inquiry, evening: Evening, file: Path) -> AgeReport | None:
    """Return the report on an evening, on the file under the name it had.

    None where the branch had deleted it.
    """
    question = inquiry.question._replace(
        file=file, at=evening.head, as_of=evening.day, known_days=evening.days
    )
    try:
        return inquiry._replace(question=question).ages()
    except MissingFile:
        return None


def _progress(err: TextIO, text: str) -> None:
    if err.isatty():
        err.write(f"\r\x1b[K{text}")
        err.flush()
