from __future__ import annotations

from learnings.consolidation.plan.drafts import draft_of, fault_of_draft, fault_of_name
from learnings.consolidation.text.titles import name_from
from learnings.core.entries.document import ReadOptions, read
from learnings.core.labels import recurring_labels

FIELDS = "**Context**: It broke.\n\n**Lesson**: Pin the\nversion.\n\n**Application**: In CI, too.\n"
WHY = "**Rationale**: Floating tags changed under us twice.\n"
CASES = {
    f"## One\n\n{FIELDS}": "- One: Pin the version. In CI, too.",
    "## One.\n\n- First item\n  - inner\n- second\n": "- One\n  - First item\n    - inner\n"
    "  - second",
    "## One\n\n### Summary\n\n> Quoted words here.\n": "- One: Quoted words here.",
    "## One\n\n---\n": "- One",
    "## One\n\n**Context**: x\n\n**Lesson**:\n- Build.\n- Test.\n": "- One\n  - Build.\n  - Test.",
    "## One\n\nUse a lock, e.g. a file. (Not i.e. a flag.)\n": "- One: Use a lock, e.g. a file. "
    "(Not i.e. a flag.)",
    "## One\n\nDo both:\n\n1. Build.\n2. Test;\n\nEnd.\n": "- One: Do both:\n  1. Build.\n"
    "  2. Test;\n\n  End.",
    "## One\n\nRun this:\n\n```sh\nls -a\n```\n": "- One: Run this:\n\n  ```sh\n  ls -a\n  ```",
    "## One\n\n| a | b |\n|---|---|\n\nText below a table.\n": "- One\n\n  | a | b |\n  |---|---|"
    "\n\n  Text below a table.",
    "## One\n\nRetry at > 3 errors, a - b.\n": "- One: Retry at > 3 errors, a - b.",
    "## 一\n\n不要缓存。第二句。\n": "- 一: 不要缓存。第二句。",
    "## One\n\n**Урок**: Не кэшировать.\n": "- One: Не кэшировать.",
    # The title again is no rule: the reasons say more.
    f"## Pin the image\n\n**Decision**: Pin the image.\n\n{WHY}": "- Pin the image: Floating tags "
    "changed under us twice.",
    "## Deploys\n\n- Wrong: deploy on Friday.\n- Correct pattern: deploy on Monday.\n": "- "
    "Deploys: deploy on Monday.",
    "## Store\n\n**Alternatives**: Keep all in Redis.\n\n**Date**: 2026-01-02\n\nWe keep rows in "
    "files.\n": "- Store: We keep rows in files.",
    "## Deploys\n\n**Author**: Trinity Jones\n\nRun `make check` first.\n": "- Deploys: Run `make "
    "check` first.",
    "## 2026-01-02: One\n\nBoth:\n\n- first:\n\n  ```sh\n  ls\n  ```\n- second\n": "- One: "
    "Both:\n  - first:\n\n  ```sh\n  ls\n  ```\n\n  - second",
    "## One (2026-01-02)\n\nDo this:\n\n```sh\nls\n```\n\n1. Then that.\n": "- One: Do this:\n\n"
    "  ```sh\n  ls\n  ```\n\n  1. Then that.",
    "## One\n\n<details>\n<summary>More</summary>\n\nWords of the rule.\n\n</details>\n": "- One: "
    "Words of the rule.",
    "## One\n\n**Status**: All eight of the tests pass.\n": "- One: **Status**: All eight "
    "of the tests pass.",
    f"## One\n\n{'word ' * 90}\n": f"- One: {('word ' * 90).strip()}",
}


def test_the_draft_of_an_entry_is_what_it_says_to_do() -> None:
    wrong = {}
    for text, known in CASES.items():
        draft = draft_of(read(text.encode(), ReadOptions("heading", 2)).entries)
        if draft != known:
            wrong[text] = draft
    assert wrong == {}


def test_labels_that_recur_are_left_out_with_the_circumstances() -> None:
    body = (
        "**Vorfall**: Queue stood still.\n**Merke**: Watch the queue.\n"
        "**Beleg**: ticket 4711.\n**Context**: In march.\n"
    )
    entries = read(f"## One\n\n{body}\n## Two\n\n{body}".encode()).entries
    labels = recurring_labels([entry.body for entry in entries])
    assert labels == {"vorfall", "merke", "beleg", "context"}
    rule = "Queue stood still. Watch the queue."
    assert draft_of(entries[:1], labels - {"beleg"}) == f"- One: {rule} **Beleg**: ticket 4711."
    assert draft_of(entries[:1]).startswith("- One: **Vorfall**: Queue stood still.")
    once = read(b"## One\n\nText.\n\n**Merke**: Once.\n\n## Two\n\nText.\n").entries
    both = "- One: Text. **Merke**: Once."
    assert draft_of(once[:1], recurring_labels([e.body for e in once])) == both


def test_an_item_gives_what_follows_its_title() -> None:
    items = (
        b"- **Freeze the clock.** It failed\n  in a release.\n"
        b"- **Never push a tag**, not even\n  a small one.\n"
        b"- A first sentence that is longer than the eighty letters of a title\n  wraps here.\n"
    )
    entries = read(items, ReadOptions("bullet")).entries
    assert draft_of(entries) == (
        "- Freeze the clock: It failed in a release.\n"
        "- **Never push a tag**, not even a small one.\n"
        "- A first sentence that is longer than the eighty letters of a title wraps here."
    )


def test_items_of_one_line_become_one_line() -> None:
    entries = read(
        b"- [ ] Pin the runner\n- 2026-01-02: Pin the image.\n- Pin the runner\n"
    ).entries
    assert draft_of(entries) == "Pin the runner. Pin the image."


def test_a_field_that_all_share_is_carried() -> None:
    text = "## {}\n\n**Status**: Accepted\n\n**Decision**: Keep it in {}.\n\n"
    entries = read((text.format("One", "files") + text.format("Two", "rows")).encode()).entries
    assert draft_of(entries).split("\n")[:3] == [
        "**Status**: Accepted",
        "",
        "- One: Keep it in files.",
    ]
    assert "Status" not in draft_of([*entries, *read(b"## Three\n\nText of it.\n").entries])


def test_what_two_entries_say_stands_once() -> None:
    same, code = "The pool closes every idle connection after {} seconds.", "```sh\nmake pool\n```"
    texts = {
        "Pools": f"**Context:** The queue\n\n{same.format(30)} Ping it.",
        "Idle connections": f'**Context:** The queue\n\nAs in "Pools". {same.format(30)} Log it.',
        "Long waits": f"**Context:** The queue\n\n{same.format(90)}",
        "Build": f"**Context:** The queue\n\n{code}",
    }
    text = "".join(f"## {title}\n\n{body}\n\n" for title, body in texts.items())
    assert draft_of(read(text.encode()).entries).split("\n") == [
        "**Context:** The queue",
        "",
        "- Pools: Ping it.",
        f"- Idle connections: {same.format(30)} Log it.",
        f"- Long waits: {same.format(90)}",
        "- Build",
        "",
        *(f"  {line}" for line in code.split("\n")),
    ]


def test_entries_of_one_title_are_one_item_and_reasons_count_if_the_title_is_the_rule() -> None:
    text = (
        "## Use one queue\n\n**Decision**: Use one queue.\n\n**Rationale**: Two lost the order.\n\n"
        "## Use one queue\n\n**Decision**: Read it in one worker.\n\n**Rationale**: It is small.\n"
    )
    entries = read(text.encode()).entries
    assert draft_of(entries) == "- Use one queue: Two lost the order. Read it in one worker."


def test_a_cut_line_or_name_is_a_fault() -> None:
    [entry] = read(
        b"## Wait for queues\n\nWait for the queue until it is empty. Use `make`.\n"
    ).entries
    for text in (
        "- Wait for the queue until it is",
        "- Wait for the queue until it is empty. Use `make",
    ):
        assert fault_of_draft(text, [entry]) != ""
    whole = "- Wait for the queue until it is empty.\n\n  ```sh\n  make\n  ```"
    for text in (whole, "- Use `make`", "- Wait", ""):
        assert fault_of_draft(text, [entry]) == ""
    assert fault_of_name("Wait for que", [entry]) != ""
    for name in ("Wait for queues", "Wait for", "Queues"):
        assert fault_of_name(name, [entry]) == ""


def test_a_name_is_cut_where_a_reader_would() -> None:
    code = "`curl --retry 3 --retry-all-errors --max-time 60 --fail-with-body URL`"
    long = f"Retry large uploads with {code}"
    cases = {
        "Short title.": "Short title",
        f"First sentence of it. {long}": "First sentence of it",
        f"Retry each upload three times, and {'then ' * 20}": "",
        long: "",
        f"Flush caches before a deploy, e.g. by {'hand and ' * 9}": "Flush caches before a deploy",
        f"`{'code ' * 30}`": "",
        "wordswithoutablank" * 10: "",
    }
    assert {title: name_from(title) for title in cases} == cases
