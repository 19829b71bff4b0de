"""The address of the API and the token: invalid ones are refused."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from learnings.core.errors import UsageProblem
from learnings.surfaces.hosts import GITHUB
from learnings.surfaces.issues.client import Token, checked_address, token_from
from learnings.surfaces.issues.issues import (
    Body,
    Issue,
    body_text,
    digest_of,
    read_body,
    snoozed_until,
)


@pytest.mark.parametrize(
    ("api", "message"),
    [
        ("", "is not a URL"),
        ("api.github.com", "is not a URL"),
        ("https://", "is not a URL"),
        ("https://me:secret@api.example", "is not a URL"),
        ("https://api.example?x", "is not a URL"),
        ("https://api%example", "is not a URL"),
        ("https://api..example", "is not a URL"),
        ("https://api.example:99999", "is not a URL"),
        (f"https://{'x' * 300}.example", "is not a URL"),
        ("ftp://api.example", "is not a URL"),
        ("http://api.example", "would send the token unencrypted"),
    ],
)
def test_an_address_that_is_refused(api: str, message: str) -> None:
    with pytest.raises(UsageProblem, match=message) as caught:
        checked_address(api, "GITHUB_API_URL")
    assert "secret" not in str(caught.value)


@pytest.mark.parametrize(
    "api",
    [
        "https://api.example/",
        "https://x/api/v3",
        "http://localhost:1",
        "https://[::1]:8443/api/v3",
        "https://bücher.example.",
    ],
)
def test_an_address_that_is_accepted(api: str) -> None:
    assert checked_address(api, "GITHUB_API_URL") == api.rstrip("/")


@pytest.mark.parametrize("text", ["two words", "new\nline", "ümlaut"])
def test_what_is_not_a_token_is_refused_without_showing_it(text: str) -> None:
    with pytest.raises(UsageProblem) as caught:
        Token(text, "GITHUB_TOKEN")
    assert text not in str(caught.value)


def test_a_token_comes_from_one_variable_only() -> None:
    assert token_from({"GH_TOKEN": "x"}, "GITHUB_TOKEN") is None
    assert token_from({"GITHUB_TOKEN": " "}, "GITHUB_TOKEN") is None
    token = token_from({"GITHUB_TOKEN": "abc\n"}, "GITHUB_TOKEN")
    assert token
    assert token.header("Bearer ") == "Bearer abc"


@pytest.mark.parametrize(
    ("labels", "until"),
    [
        ((), ""),
        (("snooze",), ""),
        (("snooze:soon",), ""),
        (("snooze:2026-05-01", "snooze:2026-06-01", "snooze:2026-04-01"), "2026-06-01"),
        (("snooze: 2026-05-01",), "2026-05-01"),
        (("snooze:2026-05-01x",), ""),
        (("Snooze:2026-05-01",), "2026-05-01"),
        (("snooze:2026-99-99", "snooze:2026-02-30", "snooze:2026-02-40"), ""),
        (("snooze:٢٠٢٦-٠٥-٠١",), ""),
    ],
)
def test_until_when_an_issue_is_snoozed(labels: tuple[str, ...], until: str) -> None:
    assert snoozed_until(labels) == until


def test_only_issues_with_our_marker_are_issues() -> None:
    parts = Body("a.md", "d", generated="task", notes="\n")
    body = body_text(parts)
    document = {"number": 3, "state": "open", "state_reason": None, "labels": ["a", {"name": "b"}]}
    issue = GITHUB.as_issue(document | {"body": body})
    assert issue == Issue(
        3, "open", None, ("a", "b"), Body("a.md", "d", generated="task", notes="\n"), body
    )
    assert GITHUB.as_issue(document | {"body": "by hand"}) is None
    assert GITHUB.as_issue(document | {"body": None}) is None
    assert GITHUB.as_issue(document | {"body": body, "pull_request": {}}) is None


FULL = Body("a.md", "d1", run=7, since="2026-05-01 09:00 UTC", cleared=True, duplicate_of=3)
TEXT = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\r"))
SINCE = ("", "2026-05-01 09:00 UTC")
END = "<!-- learnings:end -->"
WITH_END = st.lists(TEXT | st.sampled_from([END, f"\n{END}", f"\n{END}\n"]), max_size=4).map(
    "".join
)
BODIES = st.builds(
    Body,
    TEXT.filter(bool),
    TEXT.filter(bool),
    st.integers(0),
    st.sampled_from(SINCE),
    st.booleans(),
    generated=WITH_END,
    notes=TEXT,
)


@settings(deadline=None)
@given(BODIES)
def test_what_is_written_is_read_again(body: Body) -> None:
    assert read_body(body_text(body)) == body


def test_an_entry_that_shows_the_end_mark_does_not_end_generated_part() -> None:
    text = body_text(Body("a.md", "d", generated=f"one\n{END}\ntwo", notes="\nmine"))
    body, edited = read_body(text), read_body(text.replace("\n", "\r\n"))
    assert body
    assert edited
    assert (body.generated, body.notes) == (f"one\n{END}\ntwo", "\nmine")
    assert (edited.generated, edited.notes) == (f"one\n{END}\ntwo", "\r\nmine")
    again = body._replace(generated="short")
    assert read_body(body_text(again)) == again


def test_notes_stay_where_somebody_has_taken_such_an_end_out_of_generated_part() -> None:
    text = body_text(Body("a.md", "d", generated=f"one\n{END}\ntwo", notes="\nmine"))
    body = read_body(text.replace(f"one\n{END}\n", "one\n"))
    assert body
    assert (body.generated, body.notes) == ("one\ntwo", "\nmine")


def test_the_marker_is_one_comment_whatever_the_file_is_called() -> None:
    text = body_text(Body("a-->b--!>c.md", "d", generated="task", notes="\n"))
    assert text.split("\n")[0].count("-->") == 1
    assert text.startswith('<!-- learnings:consolidation {"digest": "d", "file": "a-\\u002d')


@pytest.mark.parametrize(
    "text",
    [
        None,
        "",
        "plain",
        "hello\n" + body_text(FULL),
        "<!-- learnings:consolidation {} -->",
        '<!-- learnings:consolidation {"file": 3, "digest": "d"} -->',
        '<!-- learnings:consolidation {"file": "a.md"} -->',
        '<!-- learnings:consolidation {"file": "a.md", "digest" -->',
        f"<!-- learnings:consolidation {'{' * 9999}}} -->",
    ],
)
def test_what_is_not_a_body_with_our_marker(text: str | None) -> None:
    assert read_body(text) is None


def test_fields_of_the_wrong_kind_are_skipped() -> None:
    marker = '{"file":"a","digest":"d","run":"x","new":1,"notes":"n","generated":"g"}'
    assert read_body(f"<!-- learnings:consolidation {marker} -->") == Body("a", "d")
    full = FULL._replace(generated="one\ntwo", notes="\nours")
    edited = body_text(full).replace("\n", "\r\n")
    assert read_body(edited) == full._replace(notes="\r\nours")


def test_a_digest_depends_on_where_a_part_ends() -> None:
    assert digest_of("ab", "c") != digest_of("a", "bc")
    assert digest_of("a", "\ud800") == digest_of("a", "\ud800")
    assert len(digest_of("a")) == 16


def test_what_goes_into_comments_is_not_believed_in_any_form() -> None:
    forged = body_text(Body("a.md", "d", since="--> @team <!--", generated="task", notes="\n"))
    body = read_body(forged)
    assert body
    assert body.since == ""
    assert read_body(body_text(Body("a" * 5_000, "d", generated="task", notes="\n"))) is None
