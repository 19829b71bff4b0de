"""A change of a YAML text touches the values that change, and nothing else."""

from __future__ import annotations

from decimal import Decimal
from pathlib import Path

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from learnings.core.text import number_text
from learnings.core.yaml.editing import AddItem, EditRefused, PlainText, SetValue, YamlEdit, prove
from learnings.core.yaml.round_trip import edited_yaml

CASES = Path(__file__).parents[2] / "data" / "yaml_edits.md"
ENTRY = {"id": PlainText("PR-009"), "text": "Cap: it # now", "tags": ["a", "no"]}
ADD = AddItem(("principles",), ENTRY)
FIRST, SECOND = ("principles", 0), ("principles", 1)


def changed(text: str, *edits: YamlEdit) -> str:
    """Return the text with edits, proven to hold the same but for these."""
    after = edited_yaml(text, edits)
    prove(text, edits, after)
    return after


def test_comments_order_quotes_and_blank_lines_stay() -> None:
    before, after = (
        block.split("\n```")[0].removeprefix("yaml\n")
        for block in CASES.read_text(encoding="utf-8").split("```yaml")[1:]
    )
    first = {"confidence": Decimal("0.68"), "status": "archived", "tags": ["a", "b", "c"]}
    second = {"tags": ["x", "y"], "confidence": Decimal("0.125")}
    edits = [SetValue(FIRST, key, value) for key, value in first.items()]
    edits += [SetValue(SECOND, key, value) for key, value in second.items()]
    assert changed(before.lstrip("\n"), *edits, ADD) == after.lstrip("\n")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", "principles:\n  - id: PR-009\n"),
        ("principles:\n", "principles:\n  - id: PR-009\n"),
        ("principles: []  # none\n", "principles:     # none\n  - id: PR-009\n"),
        ("{principles: []}", "{principles: [id: PR-009]}"),
        ("{}", "principles:\n  - id: PR-009"),
        ("principles:\n  - id: a\n  # it\n", "principles:\n  - id: a\n  # it\n  - id: PR-009\n"),
        ("principles:\r\n- id: a\r\n", "principles:\r\n- id: a\r\n- id: PR-009\r\n"),
        ("principles:\n-   id: a", "principles:\n-   id: a\n-   id: PR-009"),
        ("principles:\n  -\n    id: a\n", "principles:\n  - id: a\n  - id: PR-009\n"),
        ("\ufeffprinciples: []\n", "\ufeffprinciples:\n  - id: PR-009\n"),
        ("principles:\n- a\n\n- b\n", "principles:\n- a\n\n- b\n- id: PR-009\n"),
    ],
)
def test_an_item_is_added_in_the_form_of_the_file(text: str, expected: str) -> None:
    assert changed(text, AddItem(("principles",), {"id": PlainText("PR-009")})) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", "done: true\n"),
        ("done: false # yet\n", "done: true  # yet\n"),
        ("a: 1\n# end\n", "a: 1\n# end\ndone: true\n"),
        ("---\na: 1\n...\n", "---\na: 1\ndone: true\n"),
        ("a: |\n  text\n\n\n", "a: |\n  text\n\n\ndone: true\n"),
        ("a: |\n  text", "a: |-\n  text\ndone: true"),
        ('{"a": 1, "done": false}', '{"a": 1, "done": true}'),
        ("done: |\n  no\n\nb: 1\n", "done: true\nb: 1\n"),
    ],
)
def test_a_key_is_set_in_the_form_of_the_file(text: str, expected: str) -> None:
    assert changed(text, SetValue((), "done", True)) == expected  # noqa: FBT003


@pytest.mark.parametrize(
    ("text", "edit"),
    [
        ("principles: 3\n", ADD),
        ("base: &b {id: a}\nprinciples: [*b]\n", SetValue(FIRST, "status", "archived")),
        ("principles: &p [{id: a}]\ncopy: *p\n", ADD),
        ("principles:\n- confidence:\n    high: 1\n", SetValue(FIRST, "confidence", Decimal(1))),
        ("a: &b |\n  text\nc: *b\n", SetValue((), "a", "x")),
    ],
)
def test_what_would_change_more_is_refused(text: str, edit: YamlEdit) -> None:
    with pytest.raises(EditRefused):
        changed(text, edit)


@given(st.text())
def test_a_text_is_read_back_by_both_readers(text: str) -> None:
    encodable = text.encode("utf-8", "replace").decode("utf-8")
    after = changed("a: 1\n", SetValue((), "b", encodable))
    assert yaml.safe_load(after) == {"a": 1, "b": encodable}


def test_numbers_have_two_places_or_what_they_need() -> None:
    numbers = {"0.6": "0.60", "1": "1.00", "0": "0.00", "0.125": "0.125", "0.6000": "0.60"}
    assert {number: number_text(Decimal(number)) for number in numbers} == numbers


@pytest.mark.parametrize(
    "value",
    [
        *("~", "null", "", "yes", "True", "+1", "-0", "0o17", "0x1F", "1_000", "1e3", ".inf"),
        *("2026-02-30", "2026-01-01 10:00:00 +02:00", "1:30", "'it''s'", "!mine x", "&a 1"),
    ],
)
def test_what_is_not_changed_is_written_as_it_was(value: str) -> None:
    text = f"principles:\n  - note: {value}\n    confidence: 0.5\n".replace(": \n", ":\n")
    edit = SetValue(FIRST, "confidence", Decimal("0.58"))
    assert changed(text, edit) == text.replace("0.5", "0.58")


@pytest.mark.parametrize(
    "text", ["no", "Y", "null", "~", "1", "0x1", "1:30", "2026-01-01", ".5", "a: b", "- a"]
)
def test_a_text_is_no_other_value_and_a_number_is_not_shared(text: str) -> None:
    assert yaml.safe_load(changed("", SetValue((), "a", text))) == {"a": text}
    number = Decimal("0.60")
    items = [{"id": PlainText(text), "confidence": number} for text in ("a", "b")]
    edits = [AddItem(("principles",), item) for item in items]
    assert changed("", *edits).count("confidence: 0.60\n") == 2


TAGGED = "principles:\n-   id: a\n    tags:\n    -   x"


@pytest.mark.parametrize("text", ["", "# top", "principles: []\r\n", TAGGED, "\ufeffprinciples:\n"])
def test_many_items_are_written_as_one_by_one(text: str) -> None:
    tags = ["no", "it is: so", "", "- a", "# b", "é漢 \u2028"]
    items: list[dict[str, object]] = [
        {"id": PlainText(f"PR-{n}"), "text": tag} for n, tag in enumerate(tags)
    ]
    items += [
        {"tags": tags, "created": PlainText("2026-01-02"), "confidence": Decimal("0.50")},
        {"tags": [], "x": None, "y": True, "z": 7},
    ]
    edits = [AddItem(("principles",), item) for item in (*items, *items)]
    slowly = text
    for edit in edits:
        slowly = changed(slowly, edit)
    assert changed(text, *edits) == slowly


def test_what_ends_at_one_place_is_added_from_the_inside_out() -> None:
    text = "principles:\n  - id: a\n    tags:\n      - x\n"
    tagged: list[YamlEdit] = [SetValue(FIRST, "status", "archived"), SetValue(FIRST, "tags", ["z"])]
    first, second = yaml.safe_load(changed(text, *tagged, ADD))["principles"]
    assert first == {"id": "a", "tags": ["z"], "status": "archived"}
    assert second == {"id": "PR-009", "text": "Cap: it # now", "tags": ["a", "no"]}
