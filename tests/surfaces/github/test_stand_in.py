"""The stand-in for GitHub: it answers as described, and notices deviations."""

from __future__ import annotations

import http.client
import json
from typing import Any
from urllib.parse import urlsplit

import pytest

from tests.support.forge import refused
from tests.support.github.contract import Contract
from tests.support.github.description import as_json_schema
from tests.support.github.server import BASE, TOKEN, GitHub, serving
from tests.support.stand_in import Answer, Fault

ISSUES = f"{BASE}/issues"


def ask(
    github: GitHub, method: str, path: str, body: object = None, *, token: str = TOKEN
) -> tuple[int, Any, dict[str, str]]:
    address = urlsplit(github.url)
    connection = http.client.HTTPConnection(str(address.hostname), address.port, timeout=10)
    data = None if body is None else json.dumps(body)
    headers = {"Authorization": f"Bearer {token}", "User-Agent": "tests"}
    connection.request(method, path, data, headers)
    answer = connection.getresponse()
    document = json.loads(answer.read() or b"null")
    connection.close()
    return answer.status, document, dict(answer.getheaders())


def test_the_life_of_an_issue(github: GitHub) -> None:
    made = ask(github, "POST", ISSUES, {"title": "T", "body": "B", "labels": ["new"]})
    assert (made[0], made[1]["number"], made[1]["state"]) == (201, 1, "open")
    closed = ask(github, "PATCH", f"{ISSUES}/1", {"state": "closed", "state_reason": "not_planned"})
    assert closed[1]["state_reason"] == "not_planned"
    again = ask(github, "PATCH", f"{ISSUES}/1", {"state": "open"})
    assert (again[1]["state"], again[1]["state_reason"]) == ("open", "reopened")
    assert ask(github, "POST", f"{ISSUES}/1/comments", {"body": "C"})[0] == 201
    assert [comment["body"] for comment in ask(github, "GET", f"{ISSUES}/1/comments")[1]] == ["C"]
    assert ask(github, "GET", f"{BASE}/labels/new")[1]["name"] == "new"
    assert ask(github, "POST", f"{BASE}/labels", {"name": "new"})[0] == 422
    assert ask(github, "POST", f"{BASE}/labels", {"name": "other"})[0] == 201


def test_it_refuses_what_github_refuses(github: GitHub) -> None:
    assert ask(github, "GET", f"{ISSUES}/7")[0] == 404
    assert ask(github, "GET", ISSUES, token="other")[0] == 401
    assert ask(github, "POST", ISSUES, {"title": "T", "assignees": ["nobody"]})[0] == 422
    assert ask(github, "POST", ISSUES, {"title": "T", "body": "x" * 65_537})[0] == 422
    github.forge.add("T")
    assert ask(github, "PATCH", f"{ISSUES}/1", {"body": "x" * 65_537})[0] == 422
    github.forge.has_issues = False
    assert ask(github, "POST", ISSUES, {"title": "T"})[0] == 410


def test_faults_come_in_order_and_end(github: GitHub) -> None:
    github.faults = [
        Fault("POST", Answer(502)),
        Fault("POST", refused(403, "secondary rate limit", retry_after="3")),
        Fault("POST", handled=True),
    ]
    assert ask(github, "POST", ISSUES, {"title": "T"})[0] == 502
    status, _, headers = ask(github, "POST", ISSUES, {"title": "T"})
    assert (status, headers["retry-after"]) == (403, "3")
    assert github.forge.issues == {}
    with pytest.raises(http.client.RemoteDisconnected):
        ask(github, "POST", ISSUES, {"title": "T"})
    assert len(github.forge.issues) == 1
    assert ask(github, "GET", ISSUES)[0] == 200
    assert [request.status for request in github.seen] == [502, 403, 0, 200]


@pytest.mark.parametrize(
    ("method", "path", "body", "message"),
    [
        ("POST", ISSUES, {"title": ["T"]}, "the body at /title"),
        ("POST", ISSUES, {"title": "T", "titel": "T"}, "no field titel"),
        ("GET", f"{ISSUES}?stat=open", None, "takes no stat"),
        ("GET", f"{ISSUES}?state=ajar", None, "'ajar' is not one of"),
        ("GET", f"{ISSUES}?page=two", None, "page is not a number"),
        ("GET", f"{BASE}/pulls", None, "nothing that is described"),
    ],
)
def test_a_request_that_is_not_as_described_is_seen(
    contract: Contract, method: str, path: str, body: object, message: str
) -> None:
    with serving(contract) as github:
        github.forge.answer = lambda request, parts: Answer(500)  # type: ignore[method-assign]  # noqa: ARG005
        ask(github, method, path, body)
    assert [problem for problem in github.problems if message in problem]


def test_an_answer_that_is_not_as_described_is_seen(contract: Contract) -> None:
    with serving(contract) as github:
        github.forge.as_label = lambda name: {"name": name, "color": 3}  # type: ignore[method-assign]
        ask(github, "GET", f"{BASE}/labels/bug")
    assert [problem for problem in github.problems if "color" in problem]


def test_null_is_put_as_json_schema_puts_it() -> None:
    described = {"properties": {"nullable": {"type": "string", "nullable": True, "example": "x"}}}
    schema = {"properties": {"nullable": {"type": ["string", "null"]}}}
    assert as_json_schema(described) == schema
    choice = {"type": "string", "enum": ["a"]}
    nullable = {"anyOf": [choice, {"type": "null"}]}
    assert as_json_schema({**choice, "nullable": True}) == nullable
