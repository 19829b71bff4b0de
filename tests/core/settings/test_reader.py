"""From a table to settings: what is accepted, what is refused and with which sentence."""

from __future__ import annotations

import math
from collections.abc import Mapping
from datetime import date, datetime, time

import pytest

from learnings.core.errors import BadSettings
from learnings.core.settings import keys
from learnings.core.settings.keys import FILE_KEYS, GENERAL_KEYS
from learnings.core.settings.reader import settings_from
from learnings.core.settings.setting_values import FileSettings, KeyPath, Settings, SettingsSource
from learnings.core.settings.types import LARGEST_NUMBER

ALL_KEYS = FILE_KEYS | GENERAL_KEYS


def values_of(settings: Settings) -> Settings:
    """Return settings without the places where they were set."""
    files = tuple(file_values_of(file) for file in settings.files)
    return settings._replace(file=file_values_of(settings.file), files=files, origins={})


def file_values_of(settings: FileSettings) -> FileSettings:
    return settings._replace(origins={})


LINES: dict[KeyPath, int] = {
    ("size-trigger",): 2,
    ("freshness",): 3,
    ("staleness-trigger",): 4,
    ("targets",): 5,
    ("targets", 1): 7,
    ("path",): 9,
    ("file",): 10,
    ("file", 0): 10,
    ("file", 0, "path"): 11,
    ("file", 0, "freshness"): 12,
    ("file", 1): 20,
    ("file", 1, "path"): 21,
}
SOURCE = SettingsSource("pyproject.toml", "", LINES.get)

FROM_ZERO = ("keep-recent", "starved-escalates-after", "keep-days")
FROM_ONE = (
    "size-trigger",
    "min-batch",
    "soft-limit",
    "oversize",
    "consolidation-min-removed",
    "line-limit",
)
WRONG_FOR_ALL = [math.nan, 1.0, 1.5, date(2026, 1, 2), datetime(2026, 1, 2), time(1), {}, {"a": 1}]  # noqa: DTZ001
WHOLE = ["1", "", "x", True, False, [], [1], -1, LARGEST_NUMBER + 1, 10**40]
TEXT = [1, 0, -1, True, False, [], ["agents/a.md"], "", " "]
LIST = [1, True, "agents/*.md", "", [1], [""], ["a.md", " "], [True], [["a.md"]], [{}]]
PATHS = ["/a.md", "../a.md", "a/../../b.md", "C:/a.md", "c:a.md", "a\\b.md", "docs/", ".", "a\0b"]
WRONG: Mapping[str, list[object]] = {
    "path": [*TEXT, *PATHS, "docs/.", "docs/.."],
    "dialect": [*TEXT, "none", "Heading", "headings"],
    "entry-level": [*WHOLE, 0, 7, "Auto"],
    "preamble-lines": [*WHOLE, "none"],
    "insert": [*TEXT, "none", "Top", "end"],
    "preset": [*TEXT, "When-how", "how-when"],
    "title-prefixes": [1, True, "When ", "", [1], [""], ["When ", " "], [True], [["a"]], [{}]],
    "title-max-words": [*WHOLE, 0, "Off", "auto"],
    "token-budget": [*WHOLE, 0, "Off", "auto"],
    "title-min-content-words": [*WHOLE, "off"],
    "due": [0, 1, "true", "yes", "", [], [True]],
    **{key: [*WHOLE, 0] for key in FROM_ONE},
    **dict.fromkeys(FROM_ZERO, WHOLE),
    "staleness-trigger": [*WHOLE, 0, 7],
    "freshness": [*WHOLE, 14],
    "targets": [*LIST, *([path] for path in PATHS), ["*/../a.md"]],
    "split-min": [*WHOLE, 0, 301],
    "split-max": [*WHOLE, 0, 99],
    "index": [1, True, {}, *PATHS, *([path] for path in PATHS), ["a.md", 1]],
    "indexed": [*LIST, *([path] for path in PATHS), ["*/../a.md"]],
    "index-form": [*TEXT, "none", "Rows", "row"],
    "extra-rules": [*LIST, ["final-newline"], ["section-without-content", "x"]],
    "exclude": [*LIST, *([path] for path in PATHS if path != "docs/"), ["/"], ["*/../a.md"]],
    "coverage": [*WHOLE, 0, 1, 0.0, -0.5, "off", "0.5"],
    "covered": [*WHOLE, 0, 1, 0.0, -0.5, "off", "0.5", 0.1],
    "coverage-perhaps": [*WHOLE, 0, 1, 0.0, -0.5, "off", "0.5", 0.41],
    "eagerness": [*WHOLE, 0, 1, 0.0, 1.5, "off", "0.5"],
    **{key: [*TEXT, *PATHS] for key in ("baseline", "ignore-revs-file")},
    "ignore-authors": LIST,
}
RIGHT: Mapping[str, list[tuple[object, object]]] = {
    "path": [("./agents//learnings.md", "agents/learnings.md"), ("a/../é.md", "é.md")],
    "dialect": [(name, name) for name in keys.DIALECTS],
    "entry-level": [("auto", None), (1, 1), (6, 6)],
    "preamble-lines": [("auto", None), (0, 0), (10, 10)],
    "insert": [(name, name) for name in keys.INSERTIONS],
    "preset": [(name, name) for name in keys.PRESETS],
    "title-prefixes": [([], ()), (["When ", "How to "], ("When ", "How to "))],
    "title-max-words": [("off", "off"), (1, 1)],
    "token-budget": [("off", "off"), (1, 1)],
    "title-min-content-words": [(0, 0)],
    "due": [(True, True), (False, False)],
    **{key: [(1, 1), (LARGEST_NUMBER, LARGEST_NUMBER)] for key in FROM_ONE},
    **{key: [(0, 0)] for key in FROM_ZERO},
    "staleness-trigger": [(8, 8)],
    "freshness": [(0, 0), (13, 13)],
    "targets": [([], ()), (["docs/**/*.md", "./A.md"], ("docs/**/*.md", "A.md"))],
    "split-min": [(1, 1), (300, 300)],
    "split-max": [(100, 100)],
    "index": [
        ("./memory//index.md", ("memory/index.md",)),
        (["a.md", "./b//c.md", "./a.md"], ("a.md", "b/c.md")),
        ([], ()),
    ],
    "indexed": [([], ()), (["docs/**/*.md", "./A.md"], ("docs/**/*.md", "A.md"))],
    "index-form": [(name, name) for name in keys.INDEX_FORMS],
    "extra-rules": [([], ()), (["section-without-content"], ("section-without-content",))],
    "exclude": [([], ()), (["docs/**", "./old/", "a.md"], ("docs/**", "old", "a.md"))],
    "baseline": [("a/known.json", "a/known.json")],
    "coverage": [(0.15, 0.15), (0.9, 0.9)],
    "covered": [(0.15, 0.15), (0.9, 0.9)],
    "coverage-perhaps": [(0.01, 0.01), (0.4, 0.4)],
    "eagerness": [(0.3, 0.3), (0.99, 0.99)],
    "ignore-revs-file": [(".git-blame-ignore-revs", ".git-blame-ignore-revs")],
    "ignore-authors": [([], ()), (["*[bot]*", "a"], ("*[bot]*", "a"))],
}


def test_the_tables_of_this_test_know_every_key() -> None:
    assert set(WRONG) == set(RIGHT) == set(ALL_KEYS), "add the key to WRONG and RIGHT above"


def refusal(table: Mapping[str, object], **overrides: object) -> str:
    """The sentence with which a table is refused, empty where it is accepted."""
    try:
        settings_from(table, source=SOURCE, overrides=overrides)
    except BadSettings as error:
        return str(error)
    return ""


def is_sentence(text: str, name: str) -> bool:
    return text.startswith("pyproject.toml") and name in text and text.isprintable()


def accepted(name: str, written: object) -> object:
    settings = settings_from({name: written}, source=SOURCE)
    if name == "path":
        assert settings.file.path is None
        (file,) = settings.files
        return file.path
    owner = settings.file if name in FILE_KEYS else settings
    return getattr(owner, ALL_KEYS[name].field)


def test_a_wrong_value_is_refused_in_one_sentence() -> None:
    of_one_file = [(name, value) for name in FILE_KEYS for value in WRONG[name]]
    for name, value in of_one_file:
        assert name in refusal({"file": [{"path": "a.md", name: value}]}), value
    cases = [(name, value) for name in WRONG for value in WRONG_FOR_ALL + WRONG[name]]
    failures = [
        f"{name} = {value!r}: {text or 'accepted'}"
        for name, value in cases
        if not is_sentence(text := refusal({name: value}), name)
    ]
    assert not failures, "\n".join(failures)


def test_a_right_value_is_accepted() -> None:
    cases = [(name, *pair) for name in RIGHT for pair in RIGHT[name]]
    failures = [
        f"{name} = {written!r}: {value!r}"
        for name, written, expected in cases
        if (value := accepted(name, written)) != expected or type(value) is not type(expected)
    ]
    assert not failures, "\n".join(failures)


TWICE = {"file": [{"path": "a.md"}, {"path": "b/../a.md"}]}


@pytest.mark.parametrize(
    ("table", "sentence"),
    [
        ({"size-trigger": True}, "pyproject.toml:2: size-trigger takes a whole number"),
        ({"entry-level": 16**6000}, "a whole number from 1 to 6, not a number this large"),
        ({"dialect": "\x1b[31mred" * 99}, "paragraph, not '\\x1b[31mred\\x1b[31m"),
        ({"dialect": "bullets"}, "team-log, paragraph, not 'bullets'; did you mean bullet?"),
        ({"files": []}, "unknown key 'files'; did you mean file?"),
        ({"file": {}}, "pyproject.toml:10: file must be a list of tables"),
        ({"file": ["a.md"]}, "pyproject.toml:10: file must be a list of tables"),
        ({"file": [{}]}, "pyproject.toml:10: a file table has no path; add one"),
        ({"file": [{"path": "a.md", "line-limit": 3}]}, "line-limit applies to all files"),
        (TWICE, "pyproject.toml:21: 'a.md' is also configured at pyproject.toml:11; keep one"),
        ({"path": "a.md", "file": [{"path": "b.md"}]}, "pyproject.toml:9: path names one file"),
    ],
)
def test_the_sentence_says_where_and_what_to_do(table: dict[str, object], sentence: str) -> None:
    assert sentence in refusal(table)


@pytest.mark.parametrize(
    ("table", "overrides", "location"),
    [
        ({"staleness-trigger": 7}, {}, "pyproject.toml:4: "),
        ({"freshness": 14}, {}, "pyproject.toml:3: "),
        ({"file": [{"path": "a.md", "freshness": 14}]}, {}, "pyproject.toml:12: "),
        ({}, {"freshness": 14}, "command line: "),
        ({"freshness": 9}, {"staleness-trigger": 9}, "command line: "),
        ({"file": [{"path": "a.md", "freshness": 9}]}, {"staleness-trigger": 9}, "command line: "),
    ],
)
def test_staleness_has_to_exceed_freshness(
    table: dict[str, object], overrides: dict[str, object], location: str
) -> None:
    sentence = refusal(table, **overrides)
    assert location in sentence
    assert "must exceed freshness" in sentence


def test_command_line_wins_over_one_file_over_all_files_over_defaults() -> None:
    table = {
        "size-trigger": 100,
        "min-batch": 5,
        "file": [{"path": "a.md", "size-trigger": 90, "keep-recent": 0}, {"path": "b.md"}],
    }
    settings = settings_from(table, source=SOURCE, overrides={"min-batch": 2, "line-limit": 9})
    assert values_of(settings) == Settings(
        file=FileSettings(size_trigger=100, min_batch=2),
        files=(
            FileSettings(path="a.md", size_trigger=90, min_batch=2, keep_recent=0),
            FileSettings(path="b.md", size_trigger=100, min_batch=2),
        ),
        line_limit=9,
    )
    first = settings.files[0]
    origins = {name: str(first.origins.get(name, "default")) for name in FILE_KEYS}
    assert origins["path"] == "pyproject.toml:11"
    assert origins["size-trigger"] == "pyproject.toml"
    assert origins["min-batch"] == "command line"
    assert origins["freshness"] == "default"
    assert str(settings.files[1].origins["size-trigger"]) == "pyproject.toml:2"
    assert str(settings.origins["line-limit"]) == "command line"
    assert "size-trigger" not in settings.origins


def test_lines_are_looked_up_only_when_an_origin_is_read() -> None:
    requested: list[KeyPath] = []

    def line_of(keys: KeyPath) -> int:
        requested.append(keys)
        return 3

    settings = settings_from({"freshness": 2}, source=SettingsSource("a.toml", "", line_of))
    assert not requested
    assert str(settings.file.origins["freshness"]) == "a.toml:3"
    assert requested == [("freshness",)]


def test_a_limit_must_not_exceed_the_one_it_belongs_to() -> None:
    sentence = refusal({"covered": 0.3, "coverage-perhaps": 0.31})
    assert "coverage-perhaps (0.31) must not exceed covered (0.3)" in sentence
    assert "must not exceed" in refusal({"covered": 0.1})
    sentence = refusal({"split-min": 60, "split-max": 50})
    assert "split-min (60) must not exceed split-max (50); lower it" in sentence
    assert "must not exceed" in refusal({"split-max": 99})
    repaired = settings_from({"freshness": 20}, source=SOURCE, overrides={"staleness-trigger": 21})
    assert (repaired.file.freshness, repaired.file.staleness_trigger) == (20, 21)


def test_the_folder_of_a_glob_is_meant_literally() -> None:
    source = SettingsSource("pkg[1]/learnings.toml", "pkg[1]")
    settings = settings_from({"targets": ["*.md"], "path": "a.md"}, source=source)
    assert settings.targets == ("pkg[[]1]/*.md",)
    assert settings.files[0].path == "pkg[1]/a.md"
    assert settings == settings_from({"targets": ["*.md"], "path": "a.md"}, source=source)


def test_lists_longer_than_any_real_one_are_refused() -> None:
    names = [f"a{number}.md" for number in range(1_001)]
    for key in ("targets", "index", "indexed", "exclude"):
        assert refusal({key: names[1:]}) == ""
        assert f"{key} takes at most 1000 values, not 1001" in refusal({key: names})
    tables = [{"path": name} for name in names]
    assert refusal({"file": tables[1:]}) == ""
    assert "1001 file tables, but the limit is 1000" in refusal({"file": tables})


def test_a_preset_fills_what_is_not_set_and_one_file_leaves_it_out() -> None:
    tables = [{"path": "a.md", "freshness": 3}, {"path": "b.md", "preset": "none"}]
    table = {"preset": "when-how", "title-max-words": 9, "file": tables}
    first, second = settings_from(table, source=SOURCE, overrides={"freshness": 2}).files
    assert first.title_prefixes == ("When ", "How to ")
    assert (first.title_max_words, first.title_min_content_words) == (9, 2)
    assert first.origins["title-prefixes"] == first.origins["preset"]
    assert first.origins["title-max-words"] == second.origins["title-max-words"]
    assert (first.freshness, str(first.origins["freshness"])) == (2, "command line")
    assert file_values_of(second) == FileSettings(path="b.md", title_max_words=9, freshness=2)
