"""The hidden marker of an issue body."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from learnings.surfaces.issues.issues import Body, Marker, body_text, digest_of, read_body

FULL = Marker("a.md", "d1", run=7, since="2026-05-01 09:00 UTC", cleared=True, duplicate_of=3)
TEXT = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\r"))
SINCE = ("", "2026-05-01 09:00 UTC")
END = "<!-- learnings:end -->"
WITH_END = st.lists(TEXT | st.sampled_from([END, f"\n{END}", f"\n{END}\n"]), max_size=4).map(
    "".join
)
MARKERS = st.builds(
    Marker,
    TEXT.filter(bool),
    TEXT.filter(bool),
    st.integers(0),
    st.sampled_from(SINCE),
    st.booleans(),
)


@settings(deadline=None)
@given(MARKERS, WITH_END, TEXT)
def test_what_is_written_is_read_again(marker: Marker, generated: str, notes: str) -> None:
    body = Body(marker, generated, notes)
    assert read_body(body_text(body)) == body


def test_an_entry_that_shows_the_end_mark_does_not_end_generated_part() -> None:
    text = body_text(Body(Marker("a.md", "d"), f"one\n{END}\ntwo", "\nmine"))
    body, edited = read_body(text), read_body(text.replace("\n", "\r\n"))
    assert body
    assert edited
    assert (body.generated, body.notes) == (f"one\n{END}\ntwo", "\nmine")
    assert (edited.generated, edited.notes) == (f"one\n{END}\ntwo", "\r\nmine")
    again = body._replace(generated="short")
    assert read_body(body_text(again)) == again


def test_notes_stay_where_somebody_has_taken_such_an_end_out_of_generated_part() -> None:
    text = body_text(Body(Marker("a.md", "d"), f"one\n{END}\ntwo", "\nmine"))
    body = read_body(text.replace(f"one\n{END}\n", "one\n"))
    assert body
    assert (body.generated, body.notes) == ("one\ntwo", "\nmine")


def test_the_marker_is_one_comment_whatever_the_file_is_called() -> None:
    text = body_text(Body(Marker("a-->b--!>c.md", "d"), "task", "\n"))
    assert text.split("\n")[0].count("-->") == 1
    assert text.startswith('<!-- learnings:consolidation {"digest": "d", "file": "a-\\u002d')


@pytest.mark.parametrize(
    "text",
    [
        None,
        "",
        "plain",
        "hello\n" + body_text(Body(FULL, "", "")),
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
    marker = '{"file":"a","digest":"d","run":"x","new":1}'
    assert read_body(f"<!-- learnings:consolidation {marker} -->") == Body(Marker("a", "d"), "", "")
    full = body_text(Body(FULL, "one\ntwo", "\nours")).replace("\n", "\r\n")
    assert read_body(full) == Body(FULL, "one\ntwo", "\r\nours")


def test_a_digest_depends_on_where_a_part_ends() -> None:
    assert digest_of("ab", "c") != digest_of("a", "bc")
    assert digest_of("a", "\ud800") == digest_of("a", "\ud800")
    assert len(digest_of("a")) == 16


def test_what_goes_into_comments_is_not_believed_in_any_form() -> None:
    forged = body_text(Body(Marker("a.md", "d", since="--> @team <!--"), "task", "\n"))
    body = read_body(forged)
    assert body
    assert body.marker.since == ""
    assert read_body(body_text(Body(Marker("a" * 5_000, "d"), "task", "\n"))) is None
