"""An observation that denies an entry never reinforces it."""

from __future__ import annotations

import pytest

from learnings.confidence.values import CONTRADICTED, QUESTION, REINFORCED, Memory
from tests.confidence.memory import curated, memory, observation, principle, scores, story

SHARED = "Share one browser session between end-to-end tests."
NEVER = "Never share a browser session between end-to-end tests."
POOL = "Requests use the shared pool of connections"


@pytest.mark.parametrize(
    ("one", "other", "effect"),
    [
        (SHARED, SHARED, REINFORCED),
        (NEVER, "Do not share a browser session between end-to-end tests", REINFORCED),
        (SHARED, NEVER, CONTRADICTED),
        ("Store sessions in Redis.", "Sessions are no longer stored in Redis.", CONTRADICTED),
        ("Enable retries of uploads", "Disable retries of uploads", CONTRADICTED),
        ("Retries of uploads are safe", "Retries of uploads are unsafe", CONTRADICTED),
        ("Seed the database before a test", "Seed the database after a test", CONTRADICTED),
        # More than the negation differs.
        (SHARED, f"{NEVER} It hides state.", QUESTION),
        ("Lint before the tests run", "The tests run after the lint", QUESTION),
        (f"{POOL}, it is fast", f"{POOL}. This is not fast", CONTRADICTED),
        ("Caching all prices is enough", "Caching all prices was a mistake", QUESTION),
        ("Only documented calls are stable", "Undocumented calls are stable", QUESTION),
        # Things change places, and numbers.
        ("Prefer tabs to spaces", "Prefer spaces to tabs", QUESTION),
        ("Use tabs instead of spaces", "Use spaces instead of tabs", QUESTION),
        (
            "Instead of tabs indent code with spaces",
            "Indent code with tabs, never spaces",
            QUESTION,
        ),
        ("Calls time out after 30 seconds", "Calls time out after 5 seconds", QUESTION),
        ("Payment calls time out in 1,000 ms", "Payment calls time out in 1000 ms", REINFORCED),
        ("The 3 calls of ST-7 time out", "Calls of ST-12 time out", REINFORCED),
        # A reason that the other text does not give.
        (POOL, f"{POOL}, because nothing else sheds load", REINFORCED),
        (f"{POOL}. Wrong", POOL, CONTRADICTED),
    ],
)
def test_the_effect_of_a_text_on_another(one: str, other: str, effect: str) -> None:
    result = curated(
        memory(principle(text=one, categories=("cost",))), story(1, observation(other, "cost"))
    )
    changes = {REINFORCED: "0.68", CONTRADICTED: "0.40", QUESTION: "0.60"}
    assert scores(result) == {"PR-001": (changes[effect], "active")}
    assert [change.action for change in result.changes] == [effect]
    back = curated(
        memory(principle(text=other, categories=("cost",))), story(1, observation(one, "cost"))
    )
    assert [change.action for change in back.changes] == [effect]


def test_opposites_stay_apart_and_the_one_that_agrees_matches() -> None:
    both = memory(
        principle(1, "0.90", text=SHARED, guidance=(SHARED,), categories=("cost",)),
        principle(2, "0.50", text=NEVER, guidance=(NEVER,), categories=("cost",)),
    )
    result = curated(both, story(1, observation(NEVER, "cost")))
    assert scores(result) == {"PR-001": ("0.90", "active"), "PR-002": ("0.58", "active")}


@pytest.mark.parametrize("kind", ["quality-loop-finding", "observation"])
def test_evidence_that_denies_other_evidence_makes_no_entry(kind: str) -> None:
    texts = [SHARED, NEVER, SHARED]
    stories = [story(n, observation(text, "a b", type=kind)) for n, text in enumerate(texts, 1)]
    entries = curated(Memory(), *stories[:2]).memory.entries
    assert entries == ()


def test_a_question_is_asked_once() -> None:
    before = memory(principle(text=SHARED, categories=("cost",)))
    asking = story(1, observation(f"{NEVER} It hides state.", "cost"))
    first = curated(before, asking)
    assert "consistency check" in first.changes[0].reason
    again = curated(first.memory, asking, applied=first.applied)
    assert (again.memory, again.changes) == (before, ())
