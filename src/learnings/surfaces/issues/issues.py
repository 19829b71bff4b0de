"""The consolidation issues, actual and desired, and the platforms that host them.

The differences between GitHub and GitLab are data. What follows from them is here, once: sentences
about answers, issues from documents, requests. The body of an issue begins with a hidden marker:

<!-- learnings:consolidation {"digest": …, "file": …} -->
…the task, then the footer…
<!-- learnings:end -->
…notes that people write stay…
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple
from urllib.parse import quote, urlencode

from learnings.core.entries.titles import date_at_start
from learnings.core.errors import LearningsError, UsageProblem
from learnings.core.patterns import lazy_pattern
from learnings.core.sha256 import sha256_of
from learnings.core.text import printable
from learnings.surfaces.render.writing import comment

_END_MARK = "<!-- learnings:end -->"
# The first line of a body, with the fields of the marker as a JSON object.
_MARKER = lazy_pattern(r"<!-- learnings:consolidation (\{.*\}) -->")
# Hexadecimal digits, 64 bits: a changed task keeps its digest once in 10^19 times.
_DIGEST_LENGTH = 16
# Anybody who may edit an issue can write a marker. So a moment, which goes into a comment, must
# have the form of clock.moment(), and a path, which goes into a sentence, a bounded length.
_MOMENT = lazy_pattern(r"\d{4}-\d{2}-\d{2} \d{2}:\d{2} UTC", flags=re.ASCII)
_LONGEST_PATH = 4096  # characters


class Body(NamedTuple):
    """An issue body in parts: the generated text, notes by users, and a record for the next run.

    The marker has the record. run and duplicate_of are numbers, 0 for none. digest is that of the
    task, since the moment of opening. cleared says that no trigger held at some time after the
    issue was closed as not planned. duplicate_of is the issue that counts.
    """

    file: str
    digest: str
    run: int = 0
    since: str = ""
    cleared: bool = False
    duplicate_of: int = 0
    generated: str = ""
    notes: str = ""


def digest_of(*parts: str) -> str:
    source = "\0".join(parts).encode("utf-8", "surrogatepass")
    return sha256_of(source)[:_DIGEST_LENGTH]


def body_text(body: Body) -> str:
    fields = {name: value for name, value in zip(body._fields, body[:-2], strict=False) if value}
    # An entry may quote the end mark: count the marks that are not the end.
    inner = f"\n{body.generated}".count(f"\n{_END_MARK}")
    fields |= {"inner": inner} if inner else {}
    marker = comment("learnings:consolidation", fields)
    return f"{marker}\n{body.generated}\n{_END_MARK}{body.notes}"


def read_body(text: str | None) -> Body | None:
    """Return the parts of a body, or None if its first line is not our marker."""
    first, _, rest = (text or "").partition("\n")
    match = _MARKER.fullmatch(first.rstrip())
    try:
        fields: dict[str, Any] = json.loads(match[1]) if match else {}
    except (ValueError, RecursionError):
        return None
    types = {name: type(value) for name, value in Body("", "")._asdict().items()}
    known = {name: value for name, value in fields.items() if type(value) is types.get(name)}
    if not _MOMENT.fullmatch(known.get("since", "")):
        known.pop("since", None)
    if not {"file", "digest"} <= set(known) or len(known["file"]) > _LONGEST_PATH:
        return None
    inner = fields.get("inner")
    quoted_marks = inner if type(inner) is int and inner > 0 else 0
    mark = f"\n{_END_MARK}"
    *above, below = f"\n{rest}".split(mark, quoted_marks + 1)
    generated, notes = (mark.join(above)[1:], below) if above else (rest, "")
    known["generated"] = generated.replace("\r\n", "\n").removesuffix("\r")
    return Body(**known | {"notes": notes})


OPEN, CLOSED = "open", "closed"
COMPLETED, DUPLICATE = "completed", "duplicate"
# A label as `snooze:2026-05-01` or `Snooze: 2026-05-01`; \d is for ASCII digits only.
_SNOOZE = lazy_pattern(r"snooze: ?(\d{4}-\d\d-\d\d)", flags=re.ASCII | re.IGNORECASE)


class Issue(NamedTuple):
    """An issue with our label and marker; body is its parsed text.

    reason says why it was closed, by_bot that a bot did it.
    """

    number: int
    state: str
    reason: str | None
    labels: tuple[str, ...]
    body: Body
    text: str
    by_bot: bool = False
    is_locked: bool = False

    @property
    def is_refused(self) -> bool:
        """True if it was closed, and not as done; a bot that closes it decides nothing."""
        return self.state == CLOSED and self.reason not in (None, COMPLETED)


class DesiredIssue(NamedTuple):
    """The desired state of the issue about a file, at a moment such as `2026-03-11 14:05 UTC`.

    text(room) gives the task in at most `room` characters. is_footer recognizes the footer of an
    earlier run. run is the number of this run, or 0.
    """

    file: str
    verdict: str
    closing_comment: str
    moment: str
    title: str = ""
    labels: tuple[str, ...] = ()
    assignees: tuple[str, ...] = ()
    text: Callable[[int], str] = lambda _room: ""
    digest: str = ""
    run: int = 0
    footer: str = ""
    is_footer: Callable[[str], bool] = lambda _text: False


def snoozed_until(labels: Sequence[str]) -> str:
    """Return the last real day named by a label `snooze:YYYY-MM-DD`, or ""."""
    named = (match[1] for match in map(_SNOOZE.fullmatch, labels) if match)
    return max(filter(date_at_start, named), default="")


_LONGEST_REASON = 120  # characters of a server's text in one sentence
# A quick action: a line such as `/close`. GitLab carries it out and removes the line from the text,
# in older versions also in a code block with a shorter fence.
_QUICK_ACTION = lazy_pattern(r"(?m)^/(?=\w+(?:\s|$))")
# "Unable to create comment because issue is locked."; not "repository locked for migration".
_LOCKED = lazy_pattern(r"(?i)\b(?:issue|conversation|discussion)\b.*\blocked\b")
_STATES = {"open": OPEN, "opened": OPEN, "closed": CLOSED}
NOT_MERGED = "this change is not merged; issues are updated only for the default branch"
MOVED = 300
"""The key of the sentence for an answer that redirects a write."""


class CiRun(NamedTuple):
    """The facts about a run; unknown text is empty and an unknown number 0.

    event is empty outside of CI. ref has the form refs/heads/NAME or refs/tags/NAME. base is the
    commit of the target branch for a pull request, and for a push the one that the branch pointed
    at before; empty for a new or deleted branch and for a tag. A run has its page at runs_url with
    its number appended. event_writes is False for events that write no issues, is_on_default True
    for those that exist on the default branch alone.
    """

    event: str
    ref: str
    repository: str
    number: int
    api: str
    default_branch: str
    base: str
    runs_url: str = ""
    is_pull_request: bool = False
    event_writes: bool = True
    is_on_default: bool = False

    @property
    def branch(self) -> str:
        """The branch of the run; empty for a tag or a pull request."""
        return self.ref.removeprefix("refs/heads/") if self.ref.startswith("refs/heads/") else ""

    @property
    def url(self) -> str | None:
        """The page of the run, if known."""
        return f"{self.runs_url}{self.number}" if self.runs_url and self.number else None


def reason_not_to_write(
    run: CiRun, branch: str, default_branch: Callable[[], str], *, setting: str
) -> str | None:
    """Return why a run writes no issues, as the rest of a sentence, or None if it does.

    branch is the checked-out branch. default_branch is called if the event does not name it.
    setting is the option that names the branch of a detached HEAD.
    """
    if run.is_pull_request:
        return NOT_MERGED
    if not run.event_writes:
        return f"issues are not updated for the event {run.event}"
    if run.is_on_default:
        return None
    current = run.branch or ("" if run.event else branch)
    if current:
        default = run.default_branch or default_branch()
        is_default = current == default
        return None if is_default else f"{current} is not the default branch, which is {default}"
    if run.ref.startswith("refs/tags/"):
        tag = run.ref.removeprefix("refs/")
        return f"{tag} is not a branch; issues are updated only for the default branch"
    return f"no branch is checked out; set {setting} to name it"


class PlatformError(LearningsError):
    """The platform refused a request, or failed."""


class LockedError(PlatformError):
    """The conversation of an issue is locked."""


class Request(NamedTuple):
    """A write below the path of the repository; an empty condition means always.

    issue is what it changes, or comments on with a marker.
    """

    method: str
    path: str
    fields: Mapping[str, Any]
    issue: Issue | None = None
    marker: str = ""
    condition: str = ""


class Platform(NamedTuple):
    """A platform by the names in its environment and its API.

    placeholder replaces an unknown repository in a dry run. refusals are sentences by status, hints
    by words in the answer, with `{where}` and `{reason}`. order asks for the oldest issues first,
    state_fields set a state. branch and commit lead to the newest commit. new_label has the fields
    of a label that must be created before its use, members the list in which accounts are found.
    """

    name: str
    token_variable: str
    address_variable: str
    address_form: str
    branch_setting: str
    history_setting: str
    placeholder: str
    read_run: Callable[[Mapping[str, str]], CiRun]
    repository: str
    unknown_repository: str
    missing_token: Callable[[Mapping[str, str]], str]
    headers: Mapping[str, str]
    token_header: tuple[str, str]
    repositories: str
    safe_in_name: str
    refusals: Mapping[int, str]
    hints: Mapping[str, str]
    number: str
    text: str
    comments: str
    locked: str
    people: str
    order: Mapping[str, str]
    state_fields: Mapping[str, Mapping[str, str]]
    change: str
    branch: str
    commit: tuple[str, str]
    new_label: Mapping[str, str] = {}
    members: str = ""
    has_quick_actions: bool = False

    # The repository.

    def checked_repository(self, run: CiRun) -> str:
        """Return the repository of a run. Raises UsageProblem if the environment names none."""
        parts = run.repository.split("/")
        if not re.fullmatch(self.repository, run.repository, re.ASCII) or ".." in parts:
            raise UsageProblem(self.unknown_repository)
        return run.repository

    def base(self, address: str, repository: str) -> str:
        """Return the address of a repository in the API."""
        return f"{address}/{self.repositories}/{quote(repository, safe=self.safe_in_name)}"

    # Answers that refuse.

    def unexpected(self, host: str = "the server") -> PlatformError:
        """Return a sentence about an answer of an unexpected shape."""
        variable = self.address_variable
        return PlatformError(
            f"{host} does not respond like {self.name}; check {variable}, {self.address_form}"
        )

    def refusal(self, status: int, document: object, *, repository: str) -> PlatformError:
        """Return a sentence about an answer that refuses a request."""
        reason = _reason_in(document)
        if status == 403 and _LOCKED.search(reason):
            return LockedError(f"{self.name} refuses it in {repository} ({reason}); unlock it")
        hint = next((self.hints[words] for words in self.hints if words in reason), None)
        sentence = hint or self.refusals.get(MOVED if 300 <= status < 400 else status)
        default = f"{self.name} returned {status} ({{reason}}); try again later"
        return PlatformError((sentence or default).format(where=repository, reason=reason))

    # Issues.

    def query(self, label: str) -> Mapping[str, str]:
        """Return the query for all issues with a label, the oldest first."""
        return {"labels": label, "state": "all", **self.order}

    def as_issue(self, document: Mapping[str, Any]) -> Issue | None:
        """Return an issue of the API, or None for a pull request or one without our marker.

        Raises PlatformError for another shape: skipping it could create a second issue.
        """
        text, number = document.get(self.text), document.get(self.number)
        if not isinstance(text, str | None):
            raise self.unexpected()
        body = read_body(text)
        if text is None or body is None or "pull_request" in document:
            return None
        word, reason = document.get("state"), document.get("state_reason")
        state = _STATES.get(word) if isinstance(word, str) else None
        if type(number) is not int or not state or not isinstance(reason, str | None):
            raise self.unexpected()
        labels = document.get("labels")  # each is a text or an object
        if not isinstance(labels, list) or not all(isinstance(row, str | dict) for row in labels):
            raise self.unexpected()
        names = (label if isinstance(label, str) else label.get("name") for label in labels)
        known = tuple(name for name in names if isinstance(name, str))
        closer, is_locked = document.get("closed_by"), document.get(self.locked) is True
        by_bot = isinstance(closer, dict) and closer.get("type") == "Bot"  # only GitHub says it
        return Issue(number, state, reason, known, body, text, by_bot, is_locked)

    def creation(self, desired: DesiredIssue, body: str, label: str) -> list[Request]:
        """Return the requests that create an issue, the last one itself."""
        names = dict.fromkeys((label, *desired.labels))
        labels = [*names] if self.new_label else ",".join(names)
        people = {self.people: list(desired.assignees)} if desired.assignees else {}
        fields = {"title": desired.title, self.text: body, "labels": labels, **people}
        queries = [urlencode({"query": name}) for name in desired.assignees if self.members]
        first = [Request("GET", f"{self.members}?{query}", {}) for query in queries]
        if self.new_label:
            new = {"name": label, **self.new_label}
            first = [Request("POST", "labels", new, condition="the label does not exist")]
        return [*first, Request("POST", "issues", fields)]

    def changing(self, issue: Issue, body: str, state: str = "", reason: str = "") -> Request:
        """Return the request that changes a body, and a state; all else stays."""
        fields = {self.text: body, **self.state_fields.get(state, {})}
        given = {"state_reason": reason} if reason and "state" in fields else {}
        return Request(self.change, f"issues/{issue.number}", fields | given, issue)

    def comment(self, issue: Issue, marker: str, text: str) -> Request:
        """Return the request that comments on an issue, unless a comment has the marker."""
        path, fields = f"issues/{issue.number}/{self.comments}", {"body": f"{text}\n\n{marker}"}
        return Request("POST", path, fields, issue, marker, "the comment does not exist")

    def harmless(self, text: str) -> str:
        """Return text without quick actions; a line that looks like one gets a space before it."""
        return _QUICK_ACTION.sub(" /", text) if self.has_quick_actions else text


def _reason_in(document: object) -> str:
    """Return the reason in an answer, such as `title: is too long` or `assignees: invalid`."""
    fields = document if isinstance(document, Mapping) else {}
    message, errors = fields.get("message", fields.get("error")), fields.get("errors")
    parts = [
        f"{error.get('field', error.get('resource', 'request'))}: {error.get('code', 'invalid')}"
        for error in (errors if isinstance(errors, list) else [])
        if isinstance(error, Mapping)
    ]
    if isinstance(message, Mapping):
        parts += [
            f"{name}: {', '.join(map(str, words)) if isinstance(words, list) else words}"
            for name, words in message.items()
        ]
    text = "; ".join(parts) or (message if isinstance(message, str) else "")
    collapsed = printable(" ".join(text.split())).rstrip(".")
    if len(collapsed) > _LONGEST_REASON:
        return f"{collapsed[:_LONGEST_REASON]}…"
    return collapsed or "no reason given"
