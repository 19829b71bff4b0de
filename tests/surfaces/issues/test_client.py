"""Requests to GitHub: repeated if safe, refused in a sentence, to one host only."""

from __future__ import annotations

import base64
import gc
import json
import logging
import socket
import sys
import threading
from collections.abc import Iterator
from contextlib import suppress
from time import monotonic

import pytest

from learnings.core.errors import LearningsError, UsageProblem
from learnings.surfaces.hosts import GITHUB
from learnings.surfaces.issues import client as module
from learnings.surfaces.issues.client import BUDGET, Client, Reply, Token, UnknownOutcome
from learnings.surfaces.issues.issues import PlatformError, Request
from tests.support.checkout import pyproject
from tests.support.forge import refused
from tests.support.github.server import BASE, TOKEN, GitHub, serving
from tests.support.stand_in import Answer, Fault
from tests.surfaces.issues.clock import NOW, Standing

SECRET = Token(TOKEN, "GITHUB_TOKEN")
TITLE = {"title": "T", "body": "B"}


@pytest.fixture
def client(github: GitHub, time: Standing, monkeypatch: pytest.MonkeyPatch) -> Client:
    """Send requests from the thread of the test, the only one that coverage measures."""
    monkeypatch.setattr(module, "_within", lambda _, work: work())
    return Client(GITHUB, github.url, "ada/parcels", SECRET, clock=time.clock)


def test_a_request_carries_what_github_wants(github: GitHub, client: Client) -> None:
    client.write("POST", "issues", TITLE)
    (seen,) = github.seen
    assert seen.headers["authorization"] == f"Bearer {TOKEN}"
    assert seen.headers["user-agent"].startswith("learnings/")
    assert seen.headers["accept"] == "application/vnd.github+json"
    assert seen.headers["x-github-api-version"] == "2022-11-28"
    assert seen.headers["content-type"] == "application/json"
    assert TOKEN not in seen.path + json.dumps(seen.query) + json.dumps(seen.body)


def test_lists_are_read_to_their_last_page(github: GitHub, client: Client) -> None:
    for number in range(230):
        github.forge.add(f"Issue {number}", labels=["learnings"])
    rows = [*client.pages("issues", {"labels": "learnings", "state": "all"})]
    assert len({row["number"] for row in rows}) == 230
    assert [request.query.get("page") for request in github.seen] == [None, "2", "3"]


def test_a_list_without_end_is_given_up(
    github: GitHub, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "_MOST_PAGES", 2)
    for number in range(230):
        github.forge.add(f"Issue {number}")
    with pytest.raises(PlatformError, match="more than 2 pages"):
        list(client.pages("issues", {}))


ODD_REFUSALS: tuple[object, ...] = ({"errors": 5, "message": 7}, {"errors": [None, {}]}, 3)
LIMIT = refused(403, "You have exceeded a secondary rate limit.", retry_after="3")
FAULTS = {
    "500": (Fault("", refused(500, "Error")), None),
    "502 after it was done": (Fault("", refused(502, "Bad Gateway"), handled=True), None),
    "dropped": (Fault(""), None),
    "dropped after it was done": (Fault("", handled=True), None),
    "429": (Fault("", refused(429, "Too many", retry_after="5")), 5.0),
    "403 secondary": (Fault("", LIMIT), 3.0),
    "403 secondary without a time": (Fault("", refused(403, "secondary rate limit")), 60.0),
    "403 primary": (
        Fault(
            "",
            refused(
                403, "API limit", x_ratelimit_remaining="0", x_ratelimit_reset=f"{NOW + 40:.0f}"
            ),
        ),
        40.0,
    ),
    "503 with a time": (Fault("", refused(503, "Down", retry_after="2")), 2.0),
}


@pytest.mark.parametrize("name", FAULTS)
def test_reading_is_repeated(github: GitHub, client: Client, time: Standing, name: str) -> None:
    github.forge.add("T")
    fault, wait = FAULTS[name]
    times = 1 if wait and wait > 30 else 3
    github.faults = [fault._replace(times=times)]
    assert client.get("issues/1")["title"] == "T"
    assert len(github.seen) == times + 1
    if wait is not None:
        assert time.waits == [wait] * times
    else:
        assert [round(wait) for wait in time.waits] in ([2, 4], [2, 5], [3, 4], [3, 5])


@pytest.mark.parametrize("name", FAULTS)
@pytest.mark.parametrize("method", ["POST", "PATCH"])
def test_writing_is_repeated_only_where_it_was_refused(
    github: GitHub, client: Client, name: str, method: str
) -> None:
    fault, _ = FAULTS[name]
    issue = github.forge.add("old", "old") if method == "PATCH" else None
    github.faults = [fault]
    path = "issues/1" if issue else "issues"
    if name.startswith("4"):
        client.write(method, path, TITLE)
    else:
        with pytest.raises(UnknownOutcome):
            client.write(method, path, TITLE)
    is_done = name.startswith("4") or fault.handled
    titles = [issue.title for issue in github.forge.issues.values()]
    assert titles == (["T"] if is_done else ["old"] if issue else [])
    assert len(github.seen) == (2 if name.startswith("4") else 1)


def test_an_answer_that_breaks_off_is_no_answer(
    github: GitHub, client: Client, time: Standing
) -> None:
    github.forge.add("T")
    github.faults = [Fault("", handled=True, breaks_off=True, times=2)]
    assert client.get("issues/1")["title"] == "T"
    assert len(time.waits) == 1  # the first repetition waits for nothing
    github.faults = [Fault("", handled=True, breaks_off=True)]
    with pytest.raises(UnknownOutcome):
        client.write("POST", "issues", TITLE)
    assert len(github.forge.issues) == 2


def test_an_answer_without_end_is_read_up_to_a_bound(
    github: GitHub, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "_LARGEST", 100)
    github.forge.add("T" * 200)
    with pytest.raises(PlatformError, match="does not respond like GitHub"):
        client.get("issues/1")
    assert client.get_or_none("labels/none") is None


def test_nobody_listening_has_a_known_outcome(time: Standing) -> None:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    client = Client(GITHUB, f"http://127.0.0.1:{port}", "ada/parcels", SECRET, clock=time.clock)
    message = (
        r"^gave up: 127.0.0.1 cannot be reached, and the limit for all requests is 120 seconds;"
    )
    with pytest.raises(PlatformError, match=message):
        client.write("POST", "issues", TITLE)
    assert sum(time.waits) <= BUDGET


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        (refused(502, "Bad Gateway"), "127.0.0.1 returned 502, and the limit"),
        (None, "127.0.0.1 did not answer, and the limit for all requests is 120 seconds"),
        (
            refused(429, "Too many", retry_after="50"),
            "127.0.0.1 returned 429 and asked to wait 50 seconds, and the limit",
        ),
        (refused(429, "Too many", retry_after="9999"), "asked to wait 9999 seconds"),
    ],
)
def test_all_of_it_ends_within_the_bound(
    *, github: GitHub, client: Client, time: Standing, answer: Answer | None, message: str
) -> None:
    github.faults = [Fault("", answer, times=999)]
    with pytest.raises(PlatformError, match=message):
        client.get("issues/1")
    assert sum(time.waits) <= BUDGET
    github.faults.clear()


@pytest.mark.parametrize("fault", [Fault("", wait=5), Fault("", drip=0.05)])
def test_a_slow_answer_costs_the_time_that_is_left_and_no_more(
    github: GitHub, fault: Fault
) -> None:
    passed = iter((0.0, BUDGET - 0.2, BUDGET - 0.2))
    clock = Standing().clock._replace(elapsed=lambda: next(passed, BUDGET))
    client = Client(GITHUB, github.url, "ada/parcels", SECRET, clock=clock)
    github.faults = [fault]
    start = monotonic()
    with pytest.raises(PlatformError, match="120 seconds"):
        client.get("issues/1")
    assert monotonic() - start < 3


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        (refused(401, "Bad credentials"), "GITHUB_TOKEN is invalid or belongs"),
        (
            refused(403, "Resource not accessible by integration"),
            "is not allowed to do this in ada/parcels; give the job `permissions: issues: write`",
        ),
        (refused(404, "Not Found"), "cannot find repository ada/parcels with this token"),
        (refused(410, "Issues has been disabled"), "issues are disabled in ada/parcels"),
        (refused(418, "I am\na \x1b[31mteapot. "), "GitHub returned 418 (I am a \\x1b[31mteapot)"),
        (Answer(400), "GitHub returned 400 (no reason given)"),
        (Answer(422, {"message": "Validation Failed"}), "the content (Validation Failed)"),
        (Answer(422, {"message": "x" * 999}), f"({'x' * 120}…)"),
        (
            Answer(422, {"errors": [{"field": "assignees", "code": "invalid"}, "what"]}),
            "GitHub refuses the content (assignees: invalid)",
        ),
        (Answer(422, {"errors": [{"resource": "Issue"}]}), "(Issue: invalid)"),
        *((Answer(422, odd), "GitHub refuses the content (") for odd in ODD_REFUSALS),
    ],
)
def test_a_refusal_is_one_sentence(
    github: GitHub, client: Client, time: Standing, answer: Answer, message: str
) -> None:
    github.faults = [Fault("", answer)]
    with pytest.raises(PlatformError) as caught:
        client.write("POST", "issues", TITLE)
    assert message in str(caught.value)
    assert str(caught.value).isprintable()
    assert (len(github.seen), time.waits) == (1, [])


@pytest.mark.parametrize("document", [None, "text", 3, b"<!doctype html>"])
def test_what_does_not_answer_as_github_does(
    github: GitHub, client: Client, document: object
) -> None:
    github.faults = [Fault("", Answer(200, document), times=3)]
    with pytest.raises(PlatformError, match="does not respond like GitHub; check GITHUB_API_URL"):
        list(client.pages("issues", {}))
    with pytest.raises(PlatformError, match="does not respond like GitHub"):
        client.get("issues/1")
    with pytest.raises(PlatformError, match="does not respond like GitHub"):
        client.write("POST", "issues", TITLE)


def test_a_label_that_is_there_is_no_problem(github: GitHub, client: Client) -> None:
    github.faults = [Fault("GET .*labels", refused(404, "Not Found"))]
    label = Request("POST", "labels", {"name": "bug"})
    client.create([label, Request("POST", "issues", TITLE)], "bug")
    assert (client.get_or_none("labels/bug") or {})["name"] == "bug"
    assert client.get_or_none("labels/none") is None
    assert [request.status for request in github.seen] == [404, 422, 201, 200, 404]


def test_nothing_is_sent_when_the_time_is_over(github: GitHub) -> None:
    moments = iter((0.0,))
    clock = Standing().clock._replace(elapsed=lambda: next(moments, BUDGET + 1))
    client = Client(GITHUB, github.url, "ada/parcels", SECRET, clock=clock)
    with pytest.raises(PlatformError, match="120 seconds"):
        client.get("issues/1")
    assert github.seen == []


# --- redirects


def moved(target: str, status: int = 307) -> Answer:
    return Answer(status, {"message": "Moved"}, {"Location": target})


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_a_redirect_on_the_same_host_is_followed_for_reading(
    github: GitHub, client: Client, status: int
) -> None:
    github.forge.add("T")
    target = f"{github.url if status > 302 else ''}{BASE}/issues/1"
    github.faults = [Fault("", moved(target, status))]
    assert client.get("issues/7")["title"] == "T"
    assert [request.path for request in github.seen] == [f"{BASE}/issues/7", f"{BASE}/issues/1"]


@pytest.mark.parametrize(("method", "status"), [("POST", 303), ("POST", 308), ("PATCH", 301)])
def test_a_redirect_is_not_followed_for_writing(
    github: GitHub, client: Client, status: int, method: str
) -> None:
    github.forge.add("old")
    github.faults = [Fault("", moved(f"{BASE}/issues/1", status))]
    with pytest.raises(PlatformError, match="set GITHUB_REPOSITORY to its current name"):
        client.write(method, "issues/7", TITLE)
    assert [request.method for request in github.seen] == [method]
    assert github.forge.issues[1].title == "old"


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_the_token_goes_to_no_other_host(github: GitHub, client: Client) -> None:
    with serving() as elsewhere:
        same_port = github.url.replace("127.0.0.1", "localhost")
        for target in (
            *(f"{elsewhere.url}{BASE}/issues", f"{same_port}/x", "//evil.example/x"),
            *("ftp://x/", "http://127.0.0.1:x/", "http://[x/"),
        ):
            following = Answer(200, [], {"Link": f'<{target}>; rel="next"'})
            for answer in (moved(target), following):
                github.faults = [Fault("", answer)]
                with pytest.raises(PlatformError, match="the token is not sent there"):
                    list(client.pages("issues", {}))
    assert elsewhere.seen == []
    # urllib3 leaves the connections open, and is warned of it here. They are young: to look at all
    # there is takes a second.
    gc.collect(1)


def test_a_circle_of_redirects_ends(github: GitHub, client: Client) -> None:
    github.faults = [Fault("", moved(f"{BASE}/issues"), times=99)]
    with pytest.raises(PlatformError, match="redirects in a loop"):
        client.get("issues")
    github.faults.clear()


# --- the token


def test_the_token_shows_nowhere(
    github: GitHub,
    client: Client,
    capfd: pytest.CaptureFixture[str],
    caplog: pytest.LogCaptureFixture,
) -> None:
    caplog.set_level(logging.DEBUG)
    message = ""
    for answer in (refused(403, "no"), Answer(302), refused(422, f"{TOKEN}?"), moved("http://x/")):
        github.faults = [Fault("", answer)]
        with pytest.raises(LearningsError) as caught:
            client.write("POST", "issues", TITLE)
        message += str(caught.value)
    assert "(***?)" in message
    out, err = capfd.readouterr()
    assert TOKEN not in message + out + err + caplog.text
    assert TOKEN not in repr(client._token) + " ".join(sys.argv)


def test_without_the_library_one_sentence_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "urllib3", None)
    for extra in ("github", "gitlab"):
        wanted = pyproject()["project"]["optional-dependencies"][extra]
        assert wanted == ["urllib3>=2.2,<3"]
    with pytest.raises(UsageProblem, match=r"pipx inject learnings 'urllib3>=2\.2,<3'"):
        Client(GITHUB, "http://127.0.0.1:1", "ada/parcels", SECRET)


@pytest.mark.parametrize(
    ("reply", "wait"),
    [
        (Reply(200, {}, {"retry-after": "3"}), None),
        (Reply(403, {"message": "no"}, {}), None),
        (Reply(429, None, {}), 60.0),
        (Reply(429, None, {"retry-after": "soon"}), 60.0),
        (Reply(403, {}, {"x-ratelimit-remaining": "0", "x-ratelimit-reset": "1"}), 1.0),
        (Reply(403, {}, {"x-ratelimit-remaining": "1", "x-ratelimit-reset": "1"}), None),
        (Reply(500, None, {}), None),
    ],
)
def test_how_long_an_answer_asks_to_wait(reply: Reply, wait: float | None) -> None:
    assert module._requested_wait(reply, 100.0) == wait


# --- on the way


@pytest.fixture
def proxy() -> Iterator[tuple[str, list[bytes]]]:
    """Run a proxy that records each request and lets nothing through."""
    seen: list[bytes] = []
    with socket.create_server(("127.0.0.1", 0)) as server:

        def serve() -> None:
            with suppress(OSError):
                while True:
                    connection, _ = server.accept()
                    with connection:
                        seen.append(connection.recv(65_536))
                        connection.sendall(b"HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n")

        thread = threading.Thread(target=serve, daemon=True)
        thread.start()
        yield f"127.0.0.1:{server.getsockname()[1]}", seen
        server.shutdown(socket.SHUT_RDWR)
    thread.join(timeout=5)


@pytest.mark.parametrize("form", ["http://{}", "{}", "http://me:p%40ss@{}"])
def test_a_proxy_sees_the_host_and_no_token(
    *, proxy: tuple[str, list[bytes]], time: Standing, monkeypatch: pytest.MonkeyPatch, form: str
) -> None:
    address, seen = proxy
    monkeypatch.setenv("https_proxy", form.format(address))
    client = Client(GITHUB, "https://api.github.example", "ada/parcels", SECRET, clock=time.clock)
    with pytest.raises(PlatformError, match="the limit for all requests is 120 seconds"):
        client.get("issues/1")
    assert seen
    assert all(data.startswith(b"CONNECT api.github.example:443 HTTP/1") for data in seen)
    assert not any(TOKEN.encode() in data for data in seen)
    login = base64.b64encode(b"me:p@ss")
    assert all((login in data) == form.startswith("http://me") for data in seen)


def test_a_proxy_is_passed_by_where_the_environment_says_so(
    proxy: tuple[str, list[bytes]], github: GitHub, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    address, seen = proxy
    monkeypatch.setenv("http_proxy", f"http://{address}")
    client.write("POST", "issues", TITLE)
    assert (len(github.seen), seen) == (1, [])


def test_a_host_that_cannot_prove_who_it_is_gets_nothing(github: GitHub, time: Standing) -> None:
    api = github.url.replace("http://", "https://")
    client = Client(GITHUB, api, "ada/parcels", SECRET, clock=time.clock)
    with pytest.raises(PlatformError, match=r"the certificate of 127\.0\.0\.1 cannot be verified"):
        client.get("issues/1")
    assert (github.seen, time.waits) == ([], [])
