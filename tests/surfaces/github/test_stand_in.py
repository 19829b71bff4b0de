"""The stand-in for GitHub: it answers as described, and notices deviations."""

from __future__ import annotations

import http.client
import json
from urllib.parse import urlsplit

import pytest

from tests.support.github.contract import Contract
from tests.support.github.description import as_json_schema
from tests.support.github.server import BASE, TOKEN, GitHub, serving
from tests.support.stand_in import Answer

ISSUES = f"{BASE}/issues"


def ask(github: GitHub, method: str, path: str, body: object = None) -> None:
    address = urlsplit(github.url)
    connection = http.client.HTTPConnection(str(address.hostname), address.port, timeout=10)
    data = None if body is None else json.dumps(body)
    headers = {"Authorization": f"Bearer {TOKEN}", "User-Agent": "tests"}
    connection.request(method, path, data, headers)
    connection.getresponse().read()
    connection.close()


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
