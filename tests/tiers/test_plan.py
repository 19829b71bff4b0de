"""A plan of themes: edited, carried out, and refused."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest

from learnings.tiers.plan import RefusedTierPlan, carried_out, tier_plan_text
from learnings.tiers.tier_files import INDEX_LINES, THEME_WORDS, ThemeFile, TierIndex
from tests.support.tier_stores import INDEX, NOW, Files, after, raw_file, tier_files, written

CACHE = ["Put the tenant into the cache key", "Put the locale into the cache key of a page"]
CLOCK = ["Freeze the clock in tests that expire", "Never read the real clock in tests"]
STORE = {
    "a.json": raw_file("a", [(CACHE[0],), (CLOCK[0],)]),
    "b.json": raw_file("b", [(CACHE[1],), (CLOCK[1],)]),
    "c.json": raw_file("c", [("Ask for a sample order",)]),
}


def plan(files: Files) -> str:
    return tier_plan_text(tier_files(files))


def steps_of(files: Files, text: str) -> list[dict[str, bytes]]:
    """Return a folder before a plan is carried out and after each file that this writes."""
    compaction = carried_out(tier_files(files), text.encode(), NOW)
    return written(files, compaction) if compaction else [dict(files)]


def applied(files: Files, text: str) -> dict[str, bytes]:
    return steps_of(files, text)[-1]


def refused(files: Files, text: str) -> str:
    """Return the one thing that is wrong with a plan, with its line."""
    with pytest.raises(RefusedTierPlan) as refusal:
        carried_out(tier_files(files), text.encode(), NOW)
    (problem,) = refusal.value.problems
    return f"{problem.line}: {problem.message}"


def line_of(text: str, part: str) -> int:
    return next(n for n, line in enumerate(text.splitlines(), start=1) if part in line)


def test_a_plan_lists_each_finding_below_its_theme_and_unedited_is_the_compaction() -> None:
    assert GOOD.partition("\n## ")[2] == (
        "cache-key: Cache Key\n\n"
        f"- a.json#1 {CACHE[0]}\n- b.json#1 {CACHE[1]}\n\n"
        f"## clock-tests: Clock Tests\n\n- a.json#2 {CLOCK[0]}\n- b.json#2 {CLOCK[1]}\n\n"
        "## none\n\n<!-- near no other -->\n- c.json#1 Ask for a sample order\n"
    )
    assert applied(STORE, GOOD) == after(STORE)
    rest = applied(STORE, GOOD.replace("## none", "## other"))
    assert rest == applied(rest, plan(rest))
    assert sorted({*rest} - {*STORE}) == [
        INDEX,
        *(f"themes/{name}.md" for name in ("cache-key", "clock-tests", "other")),
    ]


def test_findings_without_a_theme_are_grouped_by_nearness() -> None:
    totals = ["Rounding of totals: invoices differ", "Invoices with other rounding, other totals"]
    texts = ["Escape each field", "Sort rows twice", *totals, "Totals differ, invoices: rounding"]
    files = {f"{n}.json": raw_file(f"u{n}", [(text,)]) for n, text in enumerate(texts)}
    groups = plan(files).partition("## none\n")[2].split("<!--")[1:]
    found = [re.findall(r"^- (\d)", group, re.MULTILINE) for group in groups]
    assert found == [["2", "4", "3"], ["0", "1"]]


@pytest.mark.parametrize("files", [STORE, after(STORE)], ids=["new", "drafts"])
def test_themes_are_joined_renamed_and_given_a_finding(files: Files) -> None:
    text = plan(files).replace("## cache-key: Cache Key", "## keys: All Keys")
    text = re.sub(r"\n## (clock-tests|none).*\n|<!-- near .*\n", "", text)
    end = applied(files, text)
    assert [name for name in end if name.startswith("themes/")] == ["themes/keys.md"]
    theme = ThemeFile("keys", end["themes/keys.md"])
    assert (theme.title, theme.items, theme.is_draft) == ("All Keys", 5, True)
    assert [row.name for row in TierIndex(end[INDEX]).rows] == ["keys"]
    assert applied(end, text) == end  # nothing is left to do
    assert [n for n, state in enumerate(steps_of(files, text)) if applied(state, text) != end] == []
    assert after(end, NOW + timedelta(days=1))["themes/keys.md"] == end["themes/keys.md"]


OWN = b"# Orders\n\nAsk first.\n\n## Related Work Units\n- z\n"


def test_a_draft_without_a_finding_is_removed_with_or_without_its_heading() -> None:
    files = after(STORE)
    text = plan(files)
    moved = "\n".join(line for line in text.splitlines() if "json#2" not in line)
    lines = "".join(f"{line}\n" for line in text.splitlines() if "json#2" in line)
    end = applied(files, moved.replace("## cache-key: Cache Key", f"## cache-key\n{lines}"))
    assert [name for name in end if name.startswith("themes/")] == ["themes/cache-key.md"]
    assert [row.name for row in TierIndex(end[INDEX]).rows] == ["cache-key"]


def test_a_finding_goes_below_what_somebody_wrote_and_leaves_it_again() -> None:
    files = {**STORE, "themes/orders.md": OWN}
    text = plan(files)
    assert "\n## orders: Orders\n\n<!-- somebody wrote this theme: " in text
    text = text.replace("## none", "").replace("## orders: Orders", "## none")
    text = text.replace("## none", "## orders") + "\n## none\n"
    line = "- c.json#1 Ask for a sample order\n"
    text = text.replace(line, "").replace("## orders\n", f"## orders\n{line}")
    end = applied(files, text)
    assert b"this line -->\n\n- Ask for a sample order\n\n## Rel" in end["themes/orders.md"]
    assert end["themes/orders.md"].endswith(b"- c\n- z\n")
    assert applied(end, text) == end
    text = plan(end)
    assert f"<!-- items in it -->\n{line}" in text
    assert applied(end, text) == end
    moved = text.replace(line, "") + f"\n## samples\n{line}"
    assert [
        n for n, s in enumerate(steps_of(end, moved)) if applied(s, moved) != applied(end, moved)
    ] == []
    assert applied(end, moved)["themes/orders.md"] == OWN
    assert "themes/samples.md" in applied(end, moved)
    waits = text.replace(line, "") + f"\n## none\n{line}"
    assert applied(end, waits)["themes/orders.md"] == OWN


def test_what_a_text_covers_is_listed_and_can_move_but_not_wait() -> None:
    own = OWN.replace(b"first.", b"for a sample of an order.").replace(b"- z", b"- c")
    files = {**STORE, "themes/orders.md": own}
    text, line = plan(files), "- c.json#1 Ask for a sample order\n"
    assert f"<!-- its text covers -->\n{line}" in text
    said = refused(files, text.replace("## orders: Orders", "## none"))
    assert said.endswith("the text of orders covers it; move it below `## orders` or a theme")
    end = applied(files, text.replace(line, "") + f"\n## samples\n{line}")
    assert (end["themes/orders.md"], b"Ask" in end["themes/samples.md"]) == (own, True)
    assert applied(end, plan(end)) == end
    said = refused(files, text.replace("## orders: Orders", "## orders: Other"))
    assert "somebody wrote this theme" in said


def test_a_theme_of_a_plan_has_each_finding_whole_and_the_rest_has_its_budget() -> None:
    findings = [(f"Rule{n} rule{n}x", " ".join(f"w{n}x{i}" for i in range(40))) for n in range(9)]
    files = {f"{n}.json": raw_file(f"u{n}", [one]) for n, one in enumerate(findings)}
    text = plan(files)
    end = applied(files, text.replace("## none", "## rules"))
    theme = ThemeFile("rules", end["themes/rules.md"])
    assert all(seen in theme.text for _, seen in findings)
    assert theme.words > THEME_WORDS
    assert after(end)["themes/rules.md"] == end["themes/rules.md"]
    assert "other would have more than 225 words" in refused(
        files, text.replace("## none", "## other")
    )


GOOD = plan(STORE)


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ("- x.json#1: what", 'unknown finding "x.json#1"'),
        ("- a.json#7 what", 'unknown finding "a.json#7"'),
        ("- a.json#2 again", '"a.json#2" is already on line'),
        ("## none", '"none" is already on line'),
        ("## ../x", '"../x" is not a theme name'),
        ("what", "neither a heading nor a finding"),
    ],
)
def test_a_line_that_is_wrong_is_named(line: str, problem: str) -> None:
    said = refused(STORE, f"{GOOD}{line}\n")
    assert said.startswith(f"{len(GOOD.splitlines()) + 1}: {problem}")


def test_waiting_findings_get_no_theme_by_a_lost_heading() -> None:
    label = "<!-- near no other -->"
    lost = GOOD.replace("## none\n\n", "")
    said = refused(STORE, lost)
    assert said.startswith(f"{line_of(lost, label)}: put `## none` above `near no other`")
    assert "clock-tests" in said
    named = GOOD.replace("## none\n", "## orders\n")
    assert applied(STORE, named) == applied(STORE, named.replace(f"{label}\n", ""))


def test_each_line_that_is_nothing_is_named_as_such() -> None:
    with pytest.raises(RefusedTierPlan) as caught:
        steps_of(STORE, f"{GOOD}what\nand what\n")
    assert {one.message for one in caught.value.problems} == {
        "neither a heading nor a finding; correct or remove the line"
    }


def test_a_plan_that_is_incomplete_stale_or_none_is_refused() -> None:
    assert refused(STORE, re.sub(r"- b.json#1.*\n", "", GOOD)).startswith("1: lacks b.json#1; put")
    assert refused(STORE, "# Notes\n").startswith("1: is not a plan")
    for change in (
        {"d.json": raw_file("d", [("Something else",)])},
        {"c.json": raw_file("c", [("Ask for another order",)])},
        {"themes/cache-key.md": b"# Cache Key\n\nMine.\n"},
    ):
        said = refused({**STORE, **change}, GOOD)
        assert said.startswith(f"{line_of(GOOD, 'learnings:tiers-plan')}: the raw files or a theme")


def test_a_theme_and_an_index_without_room_are_refused() -> None:
    long = {
        f"{n:02}.json": raw_file(f"u{n}", [(" ".join(f"w{n}x{i}" for i in range(30)),)])
        for n in range(INDEX_LINES + 1)
    }
    text = plan(long)
    one = text.replace("## none", "## other")
    said = refused(long, one)
    assert said.startswith(f"{line_of(one, '## other')}: other would have more than 225 words")
    findings = (line for line in text.splitlines() if line.startswith("- "))
    head = text.partition("\n## ")[0]
    each = head + "".join(f"\n## t{n}\n{line}\n" for n, line in enumerate(findings))
    said = refused(long, each)
    assert said == "1: INDEX.md is limited to 20 lines and has no room for t9; merge themes"
