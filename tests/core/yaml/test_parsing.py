"""YAML texts become trees with places; what is no YAML, or a trap, is refused with its line."""

from __future__ import annotations

import pytest
import yaml

from learnings.core.yaml.nodes import (
    YamlList,
    YamlMapping,
    YamlNode,
    boolean_of,
    is_nothing,
    number_of,
    text_of,
    whole_of,
    wrong_tag,
)
from learnings.core.yaml.parsing import BadYaml, load, parse

BOMB = "a: &a [1, 1, 1, 1, 1, 1, 1, 1]\n" + "".join(
    f"{after}: &{after} [{', '.join([f'*{before}'] * 8)}]\n"
    for before, after in zip("abcdefgh", "bcdefghi", strict=True)
)


@pytest.fixture(params=["libyaml", "pure Python"], autouse=True)
def parser(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Run each test with both parsers of PyYAML."""
    if request.param == "pure Python":
        monkeypatch.setattr(yaml, "CSafeLoader", yaml.SafeLoader, raising=False)


def root(text: str) -> YamlMapping:
    node = parse(text)
    assert isinstance(node, YamlMapping)
    return node


def value(text: str) -> YamlNode:
    node = root(f"a: {text}").get("a")
    assert node is not None
    return node


@pytest.mark.parametrize(
    ("text", "line", "reason"),
    [
        ("a: 1\nb: [1\n", 3, "not valid YAML"),
        ("a: 1\nb: *c\n", 2, "no anchor"),
        ("a: 1\nb: &b\n  - *b\n", 3, "its own parent"),
        ("a: 1\n---\nb: 2\n", 2, "several documents"),
        ("a: 1\nb: " + "[" * 100_000, 2, "levels deep"),
        ("a: 1\nb: \x07\n", 2, "forbids"),
        (BOMB, 7, "expand to more"),
        ("%YAML 9.9\n---\na: 1\n", 1, "not valid YAML"),
    ],
)
def test_it_is_refused_with_its_line(text: str, line: int, reason: str) -> None:
    with pytest.raises(BadYaml, match=reason) as error:
        parse(text)
    assert error.value.line == line


def test_values_stand_where_they_say() -> None:
    text = "\ufeffä: 𝄞 x # c\r\nlist: [1, 'two']\nmap:\n  deep: |\n    text\nend: &e !!str 3\n"
    node = root(text)
    pieces = {
        name: text[value.start : value.end] for name in node.names() if (value := node.own(name))
    }
    assert pieces["ä"] == "𝄞 x"
    assert pieces["list"] == "[1, 'two']"
    assert pieces["map"].startswith("deep: |")
    assert pieces["end"] == "&e !!str 3"
    assert [value.line for _, value in node.pairs] == [1, 2, 4, 6]


def test_merged_values_are_read_and_a_second_key_of_one_name_is_known() -> None:
    merged = root("base: &b {status: active, tags: [a]}\nentry:\n  <<: *b\n  tags: [c]\n")
    node = merged.get("entry")
    assert isinstance(node, YamlMapping)
    assert (text_of(node.get("status")), node.get("missing")) == ("active", None)
    tags = node.get("tags")
    assert isinstance(tags, YamlList)
    assert [text_of(item) for item in tags.items] == ["c"]
    inner = value("{c: 1, d: 2,\n  c: 3}")
    assert isinstance(inner, YamlMapping)
    assert inner.duplicate is not None
    assert (inner.duplicate.text, inner.duplicate.line, node.duplicate) == ("c", 2, None)
    assert not any(parse(text) for text in ("", "\n", "# only a comment\n", "---\n", "\ufeff"))


def test_scalars_mean_what_they_mean_in_yaml_1_2() -> None:
    numbers = {"0.60": "0.60", "1": "1", ".5": "0.5", "-2.": "-2", "1e-1": "0.1"}
    assert {text: str(number_of(value(text))) for text in numbers} == numbers
    no_numbers = ("'1'", "0x1f", "1_000", "1:30", "nan", ".inf", "yes", "1e999999999", "9" * 40)
    assert [text for text in no_numbers if number_of(value(text)) is not None] == []
    booleans = {"true": True, "False": False, "yes": None, "'true'": None}
    assert {text: boolean_of(value(text)) for text in booleans} == booleans
    assert (whole_of(value("7")), whole_of(value("7.0"))) == (7, None)
    empty = ("", "~", "null", "''")
    assert [text for text in empty if not is_nothing(value(text))] == ["''"]
    texts = {"no": "no", "2026-01-01": "2026-01-01", "''": "", "~": None}
    assert {text: text_of(value(text)) for text in texts} == texts


def test_tags_that_do_something_are_wrong() -> None:
    wrong = ["!!python/object:os.system x", "!mine x", "!!int x", "!!binary aGk=", "!!timestamp x"]
    assert [text for text in wrong if wrong_tag(value(text)) is None] == []
    right = ["x", "!!str 1", "!!int 1", "!!float 1.5", "!!bool true", "!!seq [a]", "! x"]
    assert [text for text in right if wrong_tag(value(text)) is not None] == []


def test_values_are_those_of_yaml_1_1() -> None:
    assert load("a: no\nb: [1, x]\n<<: {c: 1:30}\n") == {"a": False, "b": [1, "x"], "c": 90}
    assert load("# nothing\n") is None


@pytest.mark.parametrize(
    ("text", "line", "reason", "detail"),
    [
        ("a: b: c\n", 1, "is not valid YAML", "mapping values are not allowed here"),
        ("a:\n  *b c\n", 2, "is not valid YAML", "found undefined alias 'b'"),
        ("a: !mine x\n", 1, "is not valid YAML", "could not determine a constructor for the tag"),
        ("a: \x07\n", 0, "is not valid YAML", "unacceptable character #x0007"),
        ("a: 2026-13-45\n", 0, "contains a value that cannot be read", "month must be in 1..12"),
        ("a: " + "[" * 40, 1, "is nested more than 32 levels deep", ""),
        (BOMB, 7, "has aliases that expand to more nodes than a memory can have", ""),
    ],
)
def test_values_are_refused_in_the_same_words_by_both_parsers(
    text: str, line: int, reason: str, detail: str
) -> None:
    with pytest.raises(BadYaml) as error:
        load(text)
    assert (error.value.line, error.value.reason) == (line, reason)
    assert error.value.detail.startswith(detail)
    assert bool(error.value.detail) is bool(detail)
