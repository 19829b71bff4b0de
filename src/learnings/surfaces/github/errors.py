"""What GitHub refuses, each in one sentence that says what to do about it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from learnings.core.errors import LearningsError
from learnings.core.text import printable

_LONGEST_REASON = 120  # characters of a server's text in one sentence


class GitHubError(LearningsError):
    """GitHub did not do what it was asked for."""


class UnknownOutcome(Exception):
    """A request was sent and no answer came: it may have been carried out, look before the next."""


def not_github(host: str = "the server") -> GitHubError:
    """Return the sentence for an answer of another shape than GitHub's."""
    return GitHubError(
        f"{host} does not answer as GitHub does; check GITHUB_API_URL, which ends in /api/v3 on a "
        "server of your own"
    )


def refusal(status: int, document: object, *, repository: str) -> GitHubError:
    """Return the sentence for an answer that is not a success."""
    if 300 <= status < 400:
        return GitHubError(
            f"GitHub has another address for {repository}, and nothing is written there; set "
            "GITHUB_REPOSITORY to the name that it has now"
        )
    grant = "give the job `permissions: issues: write`, or the token that right"
    sentences = {
        401: "GITHUB_TOKEN is not valid any more, or belongs to another server; set a new one",
        403: f"the token may not do this in {repository}; {grant}",
        404: f"there is no repository {repository} that this token can see; check "
        f"GITHUB_REPOSITORY and {grant}",
        410: f"issues are switched off in {repository}; switch them on in its settings, or use "
        "`learnings notify file`",
        422: f"GitHub refuses the content ({_fields(document)}); correct that in the settings of "
        "the issue",
    }
    default = f"GitHub answers {status} ({_message(document)}); try again later"
    return GitHubError(sentences.get(status, default))


def _message(document: object) -> str:
    message = document.get("message") if isinstance(document, Mapping) else None
    return _short(message) if isinstance(message, str) and message else "no reason given"


def _fields(document: object) -> str:
    """Return what is wrong with which field, as `assignees: invalid`."""
    errors = document.get("errors") if isinstance(document, Mapping) else None
    rows = errors if isinstance(errors, list) else []
    fields = [_field(error) for error in rows if isinstance(error, Mapping)]
    return _short(", ".join(fields)) if fields else _message(document)


def _field(error: Mapping[str, Any]) -> str:
    return f"{error.get('field', error.get('resource', 'request'))}: {error.get('code', 'invalid')}"


def _short(text: str) -> str:
    collapsed = printable(" ".join(text.split())).rstrip(".")
    return collapsed if len(collapsed) <= _LONGEST_REASON else collapsed[:_LONGEST_REASON] + "…"
