"""A pipeline of GitLab, its API and its issues.

https://docs.gitlab.com/api/issues/
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any
from urllib.parse import parse_qsl, quote, urlencode, urlsplit

from learnings.core.errors import UsageProblem
from learnings.core.patterns import lazy_pattern
from learnings.surfaces.issues import access, steps
from learnings.surfaces.issues.client import Client, JsonObject
from learnings.surfaces.issues.issues import CLOSED, OPEN, Issue, read_body

_STATES = {"opened": OPEN, "closed": CLOSED}
_EVENTS = {OPEN: "reopen", CLOSED: "close"}
_RATE_LIMIT_WAIT = 60.0  # seconds; limits of GitLab count by the minute
_ASSIGNEES = "assignee_ids"
# A quick action: a line such as `/close`. GitLab carries it out and removes the line from the text,
# in older versions also in a code block with a shorter fence.
_QUICK_ACTION = lazy_pattern(r"(?m)^/(?=\w+(?:\s|$))")
PUBLIC_API = "https://gitlab.com/api/v4"
_API_PATH = "/api/v4"
_MERGE_REQUEST_SOURCES = ("merge_request_event", "external_pull_request_event")
# Values of CI_PIPELINE_SOURCE for pipelines of a branch.
_WRITING_SOURCES = (
    *("", "push", "schedule", "web", "webide", "api", "chat"),
    *("trigger", "pipeline", "parent_pipeline"),
)
# The number of a project, or its path with at least one group.
_PROJECT = lazy_pattern(r"\d{1,20}|[\w.-]+(?:/[\w.-]+)+")


class GitLab(steps.Platform):
    name = "GitLab"
    token_variable = "GITLAB_TOKEN"  # noqa: S105  (a name)
    address_variable = "CI_API_V4_URL"
    headers: Mapping[str, str] = {"Accept": "application/json"}
    token_header = ("PRIVATE-TOKEN", "")
    placeholder = "PROJECT"
    branch_setting = "CI_COMMIT_BRANCH=NAME"
    history_setting = "GIT_DEPTH: 0"

    def read_run(self, environ: Mapping[str, str]) -> access.CiRun:
        """Return the pipeline of the environment; outside GitLab, almost nothing is known."""
        source = environ.get("CI_PIPELINE_SOURCE", "")
        branch, tag = environ.get("CI_COMMIT_BRANCH", ""), environ.get("CI_COMMIT_TAG", "")
        api = environ.get("CI_API_V4_URL") or PUBLIC_API
        number = access.run_number(environ, "CI_PIPELINE_ID")
        path, pages = environ.get("CI_PROJECT_PATH", ""), environ.get("CI_PROJECT_URL", "")
        if path and not pages:
            pages = f"{api.rstrip('/').removesuffix(_API_PATH)}/{path}"
        runs_url = f"{pages}/-/pipelines/" if pages else ""
        is_merge_request = source in _MERGE_REQUEST_SOURCES or "CI_MERGE_REQUEST_IID" in environ
        base = "CI_MERGE_REQUEST_DIFF_BASE_SHA" if is_merge_request else "CI_COMMIT_BEFORE_SHA"
        return access.CiRun(
            event=source,
            ref=f"refs/heads/{branch}" if branch else f"refs/tags/{tag}" if tag else "",
            repository=environ.get("CI_PROJECT_ID") or path,
            number=int(number or 0),
            url=f"{runs_url}{number}" if runs_url and number else None,
            api=api,
            default_branch=environ.get("CI_DEFAULT_BRANCH", ""),
            base="" if tag else access.known_commit(environ.get(base, "")),
            runs_url=runs_url,
            is_pull_request=is_merge_request,
            event_writes=source in _WRITING_SOURCES,
        )

    def checked_repository(self, run: access.CiRun) -> str:
        if not _PROJECT.fullmatch(run.repository) or ".." in run.repository.split("/"):
            raise UsageProblem(
                "the project for the issues is unknown; set CI_PROJECT_PATH=group/name, or "
                "CI_PROJECT_ID to its number"
            )
        return run.repository

    def missing_token(self, environ: Mapping[str, str]) -> str:
        job_token = "CI_JOB_TOKEN" in environ
        instead = "; CI_JOB_TOKEN cannot write issues" if job_token else ""
        return (
            f"GITLAB_TOKEN is not set{instead}; set it, as a masked variable, "
            "to an access token with the role Reporter and the scope api, or use --dry-run"
        )

    def base(self, address: str, repository: str) -> str:
        return f"{address}/projects/{quote(repository, safe='')}"

    def next_page(self, url: str, headers: Mapping[str, str]) -> str | None:
        page = headers.get("x-next-page")
        if page is None:  # keyset pagination numbers no pages
            return super().next_page(url, headers)
        if not page.isdecimal():
            return None
        split = urlsplit(url)
        query = dict(parse_qsl(split.query)) | {"page": page}
        return split._replace(query=urlencode(query)).geturl()

    def wait(
        self,
        status: int,
        document: object,  # noqa: ARG002  (others read it)
        headers: Mapping[str, str],
        now: float,
    ) -> float | None:
        if status != 429:
            return None
        requested = access.limit_wait(headers, now, prefix="ratelimit")
        return _RATE_LIMIT_WAIT if requested is None else requested

    def unexpected(self, host: str = "the server") -> access.PlatformError:
        return access.PlatformError(
            f"{host} does not respond like GitLab; check CI_API_V4_URL, which ends in /api/v4"
        )

    def refusal(self, status: int, document: object, *, repository: str) -> access.PlatformError:
        project, reason = f"project {repository}", _reason(document)
        if 300 <= status < 400 or status == 405:  # GitLab's answer for a moved project
            return access.PlatformError(
                f"GitLab redirects {project}, so nothing was written; set CI_PROJECT_ID to "
                f"its number"
            )
        if status == 403 and "insufficient_scope" in reason:
            return access.PlatformError("GITLAB_TOKEN lacks the scope api; set a token that has it")
        need = "it needs the role Reporter and the scope api"
        other_way = "enable issues there, or use `learnings notify file`"
        content = f"GitLab refuses the content ({reason}); correct the issue settings"
        sentences = {
            400: content,
            401: "GITLAB_TOKEN is invalid or belongs to another server; set a new one",
            403: f"the token is not allowed to do this in {project}, or issues are "
            f"disabled; {need}; {other_way}",
            404: f"cannot find {project} with issues enabled with this token; check CI_PROJECT_ID; "
            f"{need}; {other_way}",
            422: content,
        }
        default = f"GitLab returned {status} ({reason}); try again later"
        return access.PlatformError(sentences.get(status, default))

    def query(self, label: str) -> Mapping[str, str]:
        return {"labels": label, "state": "all", "order_by": "created_at", "sort": "asc"}

    def as_issue(self, document: Mapping[str, Any]) -> Issue | None:
        text = document.get("description")
        if not isinstance(text, str | None):
            raise self.unexpected()
        body = read_body(text)
        if text is None or body is None:
            return None
        number, state, labels = (document.get(key) for key in ("iid", "state", "labels"))
        if type(number) is not int or not isinstance(state, str) or state not in _STATES:
            raise self.unexpected()
        if not isinstance(labels, list) or not all(isinstance(label, str) for label in labels):
            raise self.unexpected()
        # GitLab has no reason for closing.
        return Issue(number, _STATES[state], None, tuple(labels), body, text)

    def requests_for(self, step: steps.IssueStep, label: str) -> list[steps.Request]:
        match step:
            case steps.CreateIssue(desired, body):
                labels = ",".join(dict.fromkeys((label, *desired.labels)))  # new ones are made
                fields = {"title": desired.title, "description": body, "labels": labels}
                people = {_ASSIGNEES: list(desired.assignees)} if desired.assignees else {}
                look_ups = [steps.Request("GET", _members(name), {}) for name in desired.assignees]
                return [*look_ups, steps.Request("POST", "issues", fields | people)]
            case steps.ChangeIssue(issue, body, state, _):
                event = {} if state is None else {"state_event": _EVENTS[state]}
                fields = {"description": body, **event}
                return [steps.Request("PUT", f"issues/{issue.number}", fields)]
            case steps.CommentOnIssue(issue, marker, text):
                path = f"issues/{issue.number}/notes"
                fields = {"body": f"{text}\n\n{marker}"}
                return [steps.Request("POST", path, fields, "the comment does not exist")]

    def create(self, client: Client, requests: Sequence[steps.Request], label: str) -> JsonObject:  # noqa: ARG002
        method, path, fields, _ = requests[-1]
        names = fields.get(_ASSIGNEES, ())
        people = {_ASSIGNEES: [self._member(client, name) for name in names]} if names else {}
        return client.write(method, path, {**fields, **people})

    def _member(self, client: Client, name: str) -> int:
        """Return the id of a member. Raises PlatformError if the project has no such member."""
        for member in client.pages("members/all", {"query": name}):
            account, number = member.get("username"), member.get("id")
            if not isinstance(account, str) or type(number) is not int:
                raise self.unexpected()
            if account.casefold() == name.casefold():
                return number
        raise access.PlatformError(
            f"{name} is not a member of project {client.repository}; correct `assignees` in "
            f"the issue settings"
        )

    def harmless(self, text: str) -> str:
        """Return text without quick actions; a line that looks like one gets a space before it."""
        return _QUICK_ACTION.sub(" /", text)

    def newest_commit(self, client: Client, branch: str) -> str | None:
        path = f"repository/branches/{quote(branch, safe='')}"
        newest = (client.get_or_none(path) or {}).get("commit")
        commit = newest.get("id") if isinstance(newest, dict) else None
        return commit if isinstance(commit, str) else None


def _members(name: str) -> str:
    return f"members/all?{urlencode({'query': name})}"


def _reason(document: object) -> str:
    """Return the reason in an answer, as `title: is too long`."""
    fields = document if isinstance(document, Mapping) else {}
    message = fields.get("message", fields.get("error"))
    if isinstance(message, Mapping):
        parts = (
            f"{name}: {', '.join(map(str, words)) if isinstance(words, list) else words}"
            for name, words in message.items()
        )
        message = "; ".join(parts)
    if not isinstance(message, str) or not message:
        return "no reason given"
    return access.shortened_reason(message)


GITLAB = GitLab()
