"""The results that a step passes to the next ones."""

from __future__ import annotations

import http.client
import json
import re
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from learnings.core.due.verdicts import Verdict
from learnings.core.settings.setting_values import FileSettings
from learnings.surfaces.reporters import append_text, output_text, outputs_for, save_report
from tests.support.github.contract import Contract
from tests.support.github.description import as_json_schema
from tests.support.github.server import BASE, TOKEN, GitHub, serving
from tests.support.runner import outputs_in
from tests.support.stand_in import Answer
from tests.surfaces.verdicts import verdict

ENTRIES = [(f"When {number}", "text") for number in range(1, 9)]
DUE = verdict(ENTRIES)
STARVED = verdict(
    ENTRIES[:2], file="b.md", settings=FileSettings(soft_limit=0, starved_escalates_after=99)
)
CALM = verdict(ENTRIES, file="c.md", consolidated=2)


@pytest.mark.parametrize(
    ("verdicts", "word", "size"),
    [
        ([], "not-due", "0"),
        ([CALM], "not-due", "0"),
        ([CALM, STARVED], "starved", "0"),
        ([CALM, STARVED, DUE], "due", "5"),
        ([DUE, DUE], "due", "10"),
    ],
)
def test_the_worst_verdict_is_that_of_the_step(
    verdicts: list[Verdict], word: str, size: str
) -> None:
    outputs = outputs_for(verdicts)
    assert (outputs["verdict"], outputs["batch-size"]) == (word, size)
    assert len(outputs["reasons"].splitlines()) == len(verdicts)
    assert (CALM in verdicts) == ("c.md: no trigger holds" in outputs["reasons"])


def test_no_value_ends_early() -> None:
    values = {"a": "x\nEOF\nb<<y\nz", "b": "", "c": "end_"}
    text = output_text(values)
    assert outputs_in(text) == values
    delimiters = re.findall(r"<<(end_\w{32})$", text, re.MULTILINE)
    assert len(set(delimiters)) == 3


def test_files_that_the_runner_names(tmp_path: Path) -> None:
    path = tmp_path / "out"
    append_text(str(path), "ä")
    append_text(str(path), "\udce9")
    append_text(None, "nothing")
    assert path.read_bytes() == "ä\\udce9".encode()
    assert save_report(None, "x") == ""
    saved = save_report(str(tmp_path), "ä")
    assert Path(saved).read_text(encoding="utf-8") == "ä"


def test_no_reason_is_a_command_in_the_log_of_a_step_that_prints_it() -> None:
    reasons = outputs_for([verdict(ENTRIES, file="::add-mask::x ##[group]y.md")])["reasons"]
    assert reasons.startswith(r"\x3a:add-mask::x ##\x5bgroup]y.md: ")


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
