from __future__ import annotations

import pytest

from learnings.confidence.overlap import may_be_opposites
from tests.confidence.memory import curated, memory, observation, principle, story

SHARED = "Share one browser session between end-to-end tests."
NEVER = "Never share a browser session between end-to-end tests."


@pytest.mark.parametrize(
    ("one", "other", "opposites"),
    [
        (SHARED, NEVER, True),
        ("Store sessions in Redis.", "Sessions are no longer stored in Redis.", True),
        (SHARED, SHARED, False),
        (NEVER, NEVER, False),
        # The same in other words, which a negation helps to say.
        (
            "Use the shared pool from db.py instead of opening a connection per request.",
            "Opening a database connection per request is slow; use the shared pool in db.py.",
            False,
        ),
        # Both deny it, each beside another word.
        ("Never write raw tokens into the log", "Raw tokens must not be logged", False),
        ("", "", False),
    ],
)
def test_a_negation_of_the_same_words_is_seen(one: str, other: str, opposites: bool) -> None:  # noqa: FBT001
    assert may_be_opposites(one, other) is opposites
    assert may_be_opposites(other, one) is opposites


def test_it_is_said_and_the_arithmetic_stays() -> None:
    entry = principle(text=SHARED, guidance=(SHARED,))
    result = curated(memory(entry), story(1, observation(NEVER, "tests")))
    (change,) = result.changes
    assert (change.action, str(change.after)) == ("reinforced", "0.68")
    assert (
        change.reason == "only one of the two is negated; check whether they contradict each other"
    )
