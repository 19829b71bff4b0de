from __future__ import annotations

from learnings.consolidation.plan.drafts import cut_lines, draft_of
from learnings.consolidation.text.keywords import recurring_labels
from learnings.core.entries.document import ReadOptions, read

SHORT, LONG = (
    "First is short. Second too.",
    "The third is long enough to stop at, it really and truly is.",
)
FIELDS = "**Context**: It broke.\n\n**Lesson**: Pin the\nversion.\n\n**Application**: Always.\n"
CASES = {
    f"## One\n\n{SHORT} {LONG} Fourth.\n": f"- One: {SHORT} {LONG}",
    f"## One\n\n{FIELDS}": "- One: Pin the version.",
    "## One.\n\n```sh\nls\n```\n\n- First of a list\n- second\n": "- One: First of a list",
    "## One\n\n### Summary\n\n> Quoted words.\n": "- One: Quoted words.",
    "## One\n\n---\n": "- One",
    "## One\n\n**Context**: x\n\n**Lesson**:\n- Build.\n- Test.\n": "- One: Build; Test",
    "## One\n\nUse a lock, e.g. a file. (Not i.e. a flag.)\n": "- One: Use a lock, e.g. a file. "
    "(Not i.e. a flag.)",
    "## One\n\nDo both:\n\n1. Build.\n2. Test;\n\nEnd.\n": "- One: Do both: Build; Test",
    "## One\n\nRun this:\n\n```sh\nls\n```\n": "- One: Run this:",
    "## One\n\n| a | b |\n|---|---|\n\nText.\n": "- One: Text.",
    "## One\n\nRetry at > 3 errors, a - b.\n": "- One: Retry at > 3 errors, a - b.",
    "## 一\n\n不要缓存。第二句。\n": "- 一: 不要缓存。第二句。",
    "## One\n\n**Урок**: Не кэшировать.\n": "- One: Не кэшировать.",
}


def test_the_draft_of_an_entry_is_what_it_says_to_do() -> None:
    wrong = {}
    for text, known in CASES.items():
        draft = draft_of(read(text.encode(), ReadOptions("heading", 2)).entries)
        if draft != known:
            wrong[text] = draft
    assert wrong == {}


def test_the_last_label_that_recurs_and_tells_no_circumstances_has_the_rule() -> None:
    body = (
        "**Vorfall**: Queue stood still.\n**Merke**: Watch the queue.\n"
        "**Beleg**: ticket 4711.\n**Context**: In march.\n"
    )
    entries = read(f"## One\n\n{body}\n## Two\n\n{body}".encode()).entries
    labels = recurring_labels([entry.body for entry in entries])
    assert labels == {"vorfall", "merke", "beleg", "context"}
    assert draft_of(entries[:1], labels - {"beleg"}) == "- One: Watch the queue."
    assert draft_of(entries[:1]) == "- One: **Vorfall**: Queue stood still."
    once = read(b"## One\n\nText.\n\n**Merke**: Once.\n\n## Two\n\nText.\n").entries
    assert draft_of(once[:1], recurring_labels([e.body for e in once])) == "- One: Text."


def test_an_item_gives_what_follows_its_title() -> None:
    items = b"- **Freeze the clock.** It failed\n  in a release.\n- Plain item alone\n"
    entries = read(items, ReadOptions("bullet")).entries
    assert draft_of(entries) == "- Freeze the clock: It failed in a release.\n- Plain item alone"


def test_a_draft_never_ends_within_a_sentence() -> None:
    long = f"{'word ' * 60}end."
    cases = {
        f"Short. {long}": "- One: Short.",
        f"{long} Next.": f"- One: {long}",
        "word " * 200: "- One: …",
    }
    for text, known in cases.items():
        [entry] = read(f"## One\n\n{text}\n".encode()).entries
        assert draft_of([entry]) == known


def test_a_line_that_was_cut_is_found_as_long_as_nobody_completes_it() -> None:
    [entry] = read(f"## One\n\n{'word ' * 200}\n".encode()).entries
    [other] = read(b"## Two\n\nWait for the queue; it is empty at noon.\n").entries
    assert list(cut_lines(draft_of([entry]), [entry])) == ["- One: …"]
    assert list(cut_lines("- Two: Wait for the queue; it is…", [other])) != [], "an older draft"
    for text in ("- One: Use short words.", "- Two: And so on…", ""):
        assert list(cut_lines(text, [entry, other])) == []
