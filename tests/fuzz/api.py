"""`learnings notify` and `ci` against the stand-ins for platforms, which answer with faults."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any, TypeVar

import pytest
import urllib3

from learnings.surfaces.issues import client as module
from learnings.surfaces.issues.issues import read_body
from tests.fuzz.part import Part, stopped_in_time, unsound
from tests.support.command import Command, Completed
from tests.support.forge import Forge, Issue, refused
from tests.support.github import server as github
from tests.support.gitlab import server as gitlab
from tests.support.repository import GitRepository
from tests.support.stand_in import Answer, Fault

LEARNINGS = Command("learnings")
MEMORY, OTHER = "agents/learnings.md", "tools/agents/learnings.md"
FASTER = 200.0
"""So many seconds pass for the client in one: it may wait for two minutes."""
# An empty list is not among them: a server that says there are no issues is believed.
SHAPES: tuple[Any, ...] = (
    *(None, True, 0, -1, 1.5, "", "text", {}, [[]], [None], [1], ["text"], [{}], {"message": 1}),
    *({"number": None}, {"errors": None}, {"errors": [None]}, {"object": []}, {"iid": None}),
    *({"message": {"x": [None]}}, {"error": [1]}, {"commit": []}),
)
RAW = (
    *(b"", b"{", b"[", b"null", b"\xff\xfe", b"<html>", b"[" * 100_000, b"1" * 5000, b'"\\ud800"'),
    *(b'{"a":' * 5000, b"NaN", b"[1e999]", b" " * 1_000_000),
)
LOCATIONS = (
    *("", "/", "//", "\\\\x", "?page=2", "file:///etc", "ftp://x/", "http://[::1", "http://[bad"),
    *("http://example.invalid/", "https://api.github.com/", "http://127.0.0.1:1/"),
    "http://a:b@127.0.0.1/",
)
REFUSALS = (400, 401, 403, 404, 409, 410, 418, 422, 429, 500, 502, 503, 504, 299, 200)
WAITS = ("0", "1", "60", "-5", "1e400", "9" * 400, "soon", "Wed, 21 Oct 2099 07:28:00 GMT")
_T = TypeVar("_T")


@dataclass(frozen=True)
class Side:
    """A stand-in to attack: the requests that get faults, as patterns, and the fields of issues."""

    name: str
    base: str
    token: str
    requests: tuple[str, ...]
    fields: tuple[str, ...]
    text: str
    server: Any
    variables: Mapping[str, str]
    address: str


GITHUB = Side(
    name="github",
    base=github.BASE,
    token=github.TOKEN,
    requests=("/comments", "/labels", "/git"),
    fields=("number", "state", "body", "labels", "state_reason", "title", "user"),
    text="body",
    server=github,
    variables={"GITHUB_TOKEN": github.TOKEN, "GITHUB_REPOSITORY": "ada/parcels"},
    address="GITHUB_API_URL",
)
GITLAB = Side(
    name="gitlab",
    base=gitlab.BASE,
    token=gitlab.TOKEN,
    requests=("/notes", "/members", "/branches"),
    fields=("iid", "state", "description", "labels", "title", "author", "confidential"),
    text="description",
    server=gitlab,
    variables={"GITLAB_TOKEN": gitlab.TOKEN, "CI_PROJECT_ID": "42"},
    address="CI_API_V4_URL",
)


class ApiPart(Part):
    """A case is a server with issues, some runs with faults, and one without.

    Afterwards there is one open issue for the file that is due, and all else is as it was.
    """

    name = "api"
    side = GITHUB

    def __init__(self, folder: Path, seed: int) -> None:
        super().__init__(folder, seed)
        self._stack = ExitStack()
        self._given_up: list[str] = []
        self._server = self._stack.enter_context(self.side.server.serving())
        build(GitRepository(self.templates / "template"))

    def __exit__(self, *_: object) -> None:
        self._stack.close()

    def case(self, number: int) -> list[str]:
        random, side, server = self.random(number), self.side, self._server
        if number % 50 == 0 or not self.folder.exists():
            self.renew(self.templates / "template")
        server.forge = type(server.forge)(address=server.forge.address)  # without issues
        server.seen.clear()
        forge = server.forge
        strangers = [_stranger(forge, random, index) for index in range(random.randrange(4))]
        self._given_up = []
        if random.random() < 0.5:
            self._run(random)
        before = {issue.number: _shown(issue) for issue in strangers}
        problems: list[str] = []
        is_hidden = bool(self._given_up)
        for _ in range(random.choice((1, 1, 2, 3))):
            server.faults = [fault(side, forge, random) for _ in range(random.choice((1, 1, 2, 4)))]
            faults = [*server.faults]
            problems += [f"{problem}; {faults}" for problem in self._checked(self._run(random))]
            # A later run closes what this one could not know: an issue created after the client
            # stopped waiting, or one that a list lacks, which was made before the issue.
            is_hidden = is_hidden or bool(self._given_up) or any(map(_is_old_list, faults))
            if not is_hidden:
                problems += [f"{problem}; {faults}" for problem in duplicates(forge)]
        server.faults = []
        problems += self._settled(random)
        after = {number: _shown(forge.issues[number]) for number in before}
        if after != before:
            problems.append(f"issues of others were changed: {before} {after}")
        return problems

    def _settled(self, random: Random) -> Iterator[str]:
        """Run without faults; the state must equal that of a first run."""
        # On a busy machine a faster clock would end it before the server answers.
        run = self._run(random, speed=1.0)
        yield from self._checked(run)
        if run.code:
            yield f"a run without faults ends with {run.code}: {run.err!r}"
        forge = self._server.forge
        yield from duplicates(forge)
        bodies = [issue.body or "" for issue in forge.open_issues() if read_body(issue.body)]
        if len(bodies) != 1 or "When case 0 is met" not in bodies[0]:
            yield f"not one issue, but {bodies}"

    def _run(self, random: Random, *, speed: float = FASTER) -> Completed:
        self.counts["runs"] += 1
        self.counts["faults"] += len(self._server.faults)
        side = self.side
        words = random.choice((["notify", side.name], ["ci", f"--notify={side.name}"]))
        env: dict[str, str | None] = {**side.variables, side.address: self._server.url}
        # Each part by itself: time is patched.
        with stopped_in_time(), faster(speed) as self._given_up:
            return LEARNINGS(*words, cwd=self.folder, env=env)

    def _checked(self, run: Completed) -> list[str]:
        problems = unsound(run) if "::" not in run.out else []
        if run.code not in (0, 2):
            problems.append(f"exit code {run.code}: {run.err[-2000:]}")
        if self.side.token in run.out + run.err:
            problems.append("the token is in the output")
        return problems


class GitLabPart(ApiPart):
    name = "gitlab"
    side = GITLAB


def _is_old_list(fault: Fault) -> bool:
    return fault.answer is not None and isinstance(fault.answer.body, list)


@contextmanager
def faster(factor: float) -> Iterator[list[str]]:
    """Let time pass faster for the client: its clock, its waits and its timeouts.

    Yields the methods of the requests for which the client stopped waiting. On a busy machine this
    happens although the server is not late.
    """
    given_up: list[str] = []

    def send(client: module.Client, method: str, *rest: Any) -> module.Reply:  # noqa: ANN401
        try:
            return real_send(client, method, *rest)
        except module.UnknownOutcome as error:
            if isinstance(error.__context__, TimeoutError | urllib3.exceptions.TimeoutError):
                given_up.append(method)
            raise

    def within(seconds: float, work: Callable[[], _T]) -> _T:
        return real_within(seconds / factor, work)

    real_within, real_send = module._within, module.Client._send
    clock = module.RequestClock(
        elapsed=lambda: time.monotonic() * factor,
        sleep=lambda seconds: time.sleep(seconds / factor),
    )
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "_within", within)
        patch.setattr(module.Client, "_send", send)
        patch.setattr(module, "_READ", 30 / factor)
        patch.setattr(module, "RequestClock", lambda: clock)
        yield given_up


def build(repository: GitRepository) -> None:
    entries = "".join(f"## When case {number} is met\n\ntext\n\n" for number in range(4))
    repository.write(MEMORY, f"# Learnings\n\n{entries}")
    repository.commit(date="2026-01-01")
    repository.work("2026-01-02", days=20)
    repository.write(OTHER, "# Learnings\n\n## How to begin\n\ntext\n")
    repository.commit(date="2026-01-22")


def _stranger(forge: Forge, random: Random, index: int) -> Issue:
    labels = random.choice(([], ["bug"], ["learnings"]))
    body = random.choice(("", "text", "<!-- learnings:end -->", f"about {MEMORY}"))
    return forge.add(f"Issue {index} of others", body, labels=labels)


def _shown(issue: Issue) -> tuple[object, ...]:
    return issue.title, issue.body, tuple(issue.labels), issue.state, tuple(issue.comments)


def duplicates(forge: Forge) -> Iterator[str]:
    """Yield duplicate issues, and issues about a file that is not due."""
    bodies = [read_body(issue.body) for issue in forge.open_issues()]
    files = [body.file for body in bodies if body]
    if len(files) != len({*files}):
        yield f"two open issues about one file: {files}"
    yield from (f"an issue about {file}" for file in files if file != MEMORY)


def fault(side: Side, forge: Forge, random: Random) -> Fault:
    """Return something that goes wrong, one or more times."""
    # Without an answer the connection is dropped. A server that says there are no issues is
    # believed, so that a list of them is never empty.
    answers = [
        _other_shape,
        _redirect,
        _refusal,
        *([_damaged_row, _same_page] * bool(forge.issues)),
    ]
    answer = random.choice((*answers, None))
    answered = answer(side, forge, random) if answer else None
    # A server that refuses a request has not carried it out.
    may_be_handled = answered is None or not 400 <= answered.status < 500
    plain = Fault(
        random.choice(_patterns(side)),
        answered,
        handled=may_be_handled and random.random() < 0.5,
        times=random.choice((1, 1, 2, 3, 50)),
    )
    if answer or random.random() < 0.4:
        return plain
    if random.random() < 0.6:
        return plain._replace(breaks_off=True)
    return plain._replace(wait=random.choice((0.05, 0.4)), times=1)


def _patterns(side: Side) -> tuple[str, ...]:
    """Return patterns of `METHOD /path`."""
    return (
        *(".*", "GET .*", "POST .*", "(PATCH|PUT) .*", f"GET {side.base}$"),
        *(f"{method} {side.base}/issues$" for method in ("GET", "POST")),
        *(f"{method} .*{part}" for part in side.requests for method in ("GET", "POST")),
    )


def _other_shape(side: Side, _: Forge, random: Random) -> Answer:
    shapes = (*SHAPES, *RAW, {"message": side.token}, side.token.encode())
    return Answer(random.choice((200, 201)), random.choice(shapes))


def _redirect(_: Side, forge: Forge, random: Random) -> Answer:
    headers = {"Location": random.choice((*LOCATIONS, forge.address))}
    return Answer(random.choice((301, 302, 303, 307, 308)), None, headers)


def _refusal(_: Side, __: Forge, random: Random) -> Answer:
    waits = random.choice(WAITS)
    limit = {"RateLimit_Remaining": "0", "RateLimit_Reset": waits}
    github = {f"X_{name}": value for name, value in limit.items()}
    headers = random.choice(({}, {"Retry_After": waits}, github, limit))
    message = random.choice(("Not Found", "", "secondary rate limit"))
    return refused(random.choice(REFUSALS), message, **headers)


def _damaged_row(side: Side, forge: Forge, random: Random) -> Answer:
    """Return issues of which one has a field of another type, or lacks it."""
    rows: list[dict[str, Any]] = [*map(forge.as_issue, forge.issues.values())]
    row, name = random.choice(rows), random.choice(side.fields)
    row[name] = random.choice((1, True, [], {}, [None], [{"name": None}], [1], -1.5))
    if random.random() < 0.3 and name != side.text:  # an issue without text is somebody else's
        del row[name]
    return Answer(200, random.choice((rows, rows[0], rows * 2)))


def _same_page(side: Side, forge: Forge, random: Random) -> Answer:
    """Return a list that names a next page, which is itself or no address."""
    root = forge.address.removesuffix("/api/v4")
    target = random.choice((f"{root}{side.base}/issues?page=2", *LOCATIONS))
    headers: Mapping[str, str] = {"Link": f'<{target}>; rel="next"'}
    if random.random() < 0.3:
        headers = {"X-Next-Page": random.choice(("1", "2", "0", "-1", "x", "9" * 400))}
    return Answer(200, [*map(forge.as_issue, forge.issues.values())], headers)
