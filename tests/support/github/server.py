"""The stand-in for GitHub: a server on loopback with the state of a repository, and with faults."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from urllib.parse import unquote

from tests.support.github.contract import Contract
from tests.support.github.forge import NAME, OWNER, Forge, gone, not_found, refused
from tests.support.stand_in import Answer, Request, StandIn, running

TOKEN = "ghs_of-the-tests-and-nothing-else"
BASE = f"/repos/{OWNER}/{NAME}"


@dataclass
class GitHub(StandIn):
    """The running stand-in: its state, and a contract for requests and responses."""

    forge: Forge = field(default_factory=Forge)
    contract: Contract | None = None
    token: str = TOKEN

    @property
    def url(self) -> str:
        """Return the address that a client gets for the API."""
        return self.forge.address

    def judged(self, request: Request) -> Answer:
        method, path, query, headers, body = request
        contract, problems = self.contract, self.problems
        if not headers.get("user-agent"):
            problems.append(f"{method} {path} has no User-Agent, which GitHub refuses")
        operation = contract.operation(method, path) if contract else None
        if contract and operation is None:
            problems.append(f"{method} {path} is nothing that is described")
        if contract and operation:
            problems += contract.wrong_request(operation, query, body)
        answer = super().judged(request)
        if contract and operation and path != BASE:  # a repository serves only one field
            problems += contract.wrong_answer(operation, answer.status, answer.body)
        return answer

    def answer(self, request: Request) -> Answer:  # noqa: C901, PLR0911  (a line for each operation)
        method, path, query, headers, body = request
        forge = self.forge
        if headers.get("authorization") != f"Bearer {self.token}":
            return refused(401, "Bad credentials")
        if not path.startswith(BASE):
            return not_found()
        match method, path.removeprefix(BASE).strip("/").split("/"):
            case "GET", [""]:
                return forge.repository()
            case "POST" | "PATCH", ["issues", *_] if not forge.has_issues:
                return gone()
            case "GET", ["issues"]:
                return forge.list_issues(query)
            case "POST", ["issues"]:
                return forge.create_issue(body)
            case _, ["issues", number, *rest] if int(number) in forge.issues:
                return self._about(request, int(number), rest)
            case "POST", ["labels"]:
                return forge.create_label(body)
            case "GET", ["git", "ref", name]:
                return forge.branch(unquote(name))
            case "GET", ["labels", name]:
                return forge.find_label(unquote(name))
        return not_found()

    def _about(self, request: Request, number: int, rest: list[str]) -> Answer:
        forge, issue = self.forge, self.forge.issues[number]
        match request.method, rest:
            case "GET", []:
                return Answer(200, forge.as_issue(issue))
            case "PATCH", []:
                return forge.change_issue(issue, request.body)
            case "GET", ["comments"]:
                return forge.list_comments(issue, request.query)
            case "POST", ["comments"]:
                return forge.create_comment(issue, request.body)
        return not_found()


@contextmanager
def serving(contract: Contract | None = None) -> Iterator[GitHub]:
    """Run a stand-in while the context lasts."""
    github = GitHub(contract=contract)
    with running(github) as address:
        github.forge.address = address
        yield github
