"""Our hooks in configurations of pre-commit that look like those people have."""

from __future__ import annotations

from copy import deepcopy
from dataclasses import dataclass, field
from textwrap import dedent
from typing import Any

import pytest
import yaml
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from learnings import REPOSITORY
from learnings.app.setup.edit import ManualEditRequired
from learnings.app.setup.hook_table import CHOSEN, HOOK_TYPES, REVISION, SHIPPED, is_own
from learnings.app.setup.hooks_step import with_hooks
from tests.support.checkout import manifest

OURS = {"repo": REPOSITORY, "rev": REVISION, "hooks": [{"id": hook} for hook in CHOSEN]}
TYPES = f"default_install_hook_types: [{', '.join(HOOK_TYPES)}]\n"
HOOKS = "".join(f"      - id: {hook}\n" for hook in CHOSEN)
ENTRY = f"  - repo: {REPOSITORY}\n    rev: {REVISION}\n    hooks:\n{HOOKS}"
RUFF = "  - repo: https://example.invalid/ruff\n    rev: v1\n    hooks:\n      - id: ruff\n"
HEAD = f"  - repo: {REPOSITORY}\n    rev: {REVISION}\n    hooks:\n"
FIRST, OTHERS = HOOKS.partition("\n")[0] + "\n", HOOKS.partition("\n")[2]
FLOW = "[" + ", ".join(f"{{id: {hook}}}" for hook in CHOSEN) + "]"
FLOW_ENTRY = f"{{repo: {REPOSITORY}, rev: {REVISION}, hooks: {FLOW}}}"
OFF = "      # - id: off\n\n  # - repo: off\n"
TYPES_KEY = "default_install_hook_types"
MULTIPLYING = "a: &a [x, x, x, x, x, x, x, x, x]\n" + "".join(
    f"{new}: &{new} [{', '.join([f'*{old}'] * 9)}]\n"
    for old, new in zip("abcdef", "bcdefg", strict=True)
)
FLAT = "".join(line[2:] for line in ENTRY.splitlines(keepends=True)).replace("    -", "  -")


def test_every_hook_of_the_manifest_is_in_the_table_in_its_order() -> None:
    assert list(SHIPPED) == list(manifest())
    assert CHOSEN


@pytest.mark.parametrize(
    ("url", "own"),
    [
        (REPOSITORY, True),
        (f"{REPOSITORY}.git", True),
        (f"{REPOSITORY}/", True),
        ("git@github.com:agent-learnings/learnings.git", True),
        ("https://GitHub.com/Agent-Learnings/learnings", True),
        ("https://github.com/other/learnings", False),
        ("https://github.com/agent-learnings/learnings-more", False),
        ("local", False),
        (None, False),
        (["x"], False),
    ],
)
def test_our_repository_is_known_in_every_form(url: object, own: bool) -> None:  # noqa: FBT001
    assert is_own(url) is own


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (None, f"{TYPES}repos:\n{ENTRY}"),
        ("", f"{TYPES}repos:\n{ENTRY}"),
        ("# Hooks\n", f"# Hooks\n{TYPES}repos:\n{ENTRY}"),
        ("---\n", f"---\n{TYPES}repos:\n{ENTRY}"),
        ("# Hooks", f"# Hooks\n{TYPES}repos:\n{ENTRY}"),
        ("repos: []\n", f"{TYPES}repos:\n{ENTRY}"),
        ("repos: [ ]  # none\n", f"{TYPES}repos:  # none\n{ENTRY}"),
        ("repos:\n  []\nci: {}\n", f"{TYPES}repos:\n{ENTRY}ci: {{}}\n"),
        ("repos:\nfail_fast: true\n", f"{TYPES}repos:\n{ENTRY}fail_fast: true\n"),
        ("repos:", f"{TYPES}repos:\n{ENTRY}"),
        ("fail_fast: true\n# end\n", f"{TYPES}fail_fast: true\n# end\nrepos:\n{ENTRY}"),
        (f"repos:\n{RUFF}", f"{TYPES}repos:\n{RUFF}{ENTRY}"),
        (f"repos:\n{RUFF[:-1]}", f"{TYPES}repos:\n{RUFF}{ENTRY}"),
        (f"---\nrepos:\n{RUFF}...\n", f"---\n{TYPES}repos:\n{RUFF}{ENTRY}...\n"),
        (f"# Top\nrepos:\n{RUFF}", f"# Top\n{TYPES}repos:\n{RUFF}{ENTRY}"),
        (
            f"# Top\n\n# All hooks\nrepos:\n{RUFF}",
            f"# Top\n\n{TYPES}# All hooks\nrepos:\n{RUFF}{ENTRY}",
        ),
        (f"repos:\n{RUFF}\n{RUFF}", f"{TYPES}repos:\n{RUFF}\n{RUFF}\n{ENTRY}"),
        # Comments that are indented belong to the list, those at the margin to what comes next.
        (
            f"repos:\n{RUFF}{OFF}\n# About ci\nci: {{}}\n",
            f"{TYPES}repos:\n{RUFF}{OFF}{ENTRY}\n# About ci\nci: {{}}\n",
        ),
        (
            "repos:\n- repo: meta\n  hooks:\n  - id: a\n# About ci\nci: {}\n",
            f"{TYPES}repos:\n- repo: meta\n  hooks:\n  - id: a\n{FLAT}# About ci\nci: {{}}\n",
        ),
        (
            "repos:\n- repo: meta\n  hooks:\n  - id: a\n# The end\n",
            f"{TYPES}repos:\n- repo: meta\n  hooks:\n  - id: a\n# The end\n{FLAT}",
        ),
        (
            "repos: [{repo: meta, hooks: [{id: a}]}]\n",
            f"{TYPES}repos: [{{repo: meta, hooks: [{{id: a}}]}}, {FLOW_ENTRY}]\n",
        ),
        (
            f"{TYPES_KEY}: [commit-msg, pre-push]\nrepos: []\n",
            f"{TYPES_KEY}: [commit-msg, pre-push, {', '.join(HOOK_TYPES[:2])}]\nrepos:\n{ENTRY}",
        ),
        (
            f"{TYPES_KEY}:\n- pre-commit  # yes\nrepos: []\n",
            f"{TYPES_KEY}:\n- pre-commit  # yes\n- pre-merge-commit\n- pre-push\nrepos:\n{ENTRY}",
        ),
        (f"{TYPES_KEY}: []\nrepos: []\n", f"{TYPES}repos:\n{ENTRY}"),
        (
            f"{TYPES}repos:\n{HEAD}{FIRST}        args: [--strict]\n      # more\n",
            f"{TYPES}repos:\n{HEAD}{FIRST}        args: [--strict]\n      # more\n{OTHERS}",
        ),
        (
            f"{TYPES}repos:\n{HEAD}      [{{id: {CHOSEN[0]}}}]\n",
            f"{TYPES}repos:\n{HEAD}      {FLOW}\n",
        ),
    ],
)
def test_what_comes_out(before: str | None, after: str) -> None:
    assert with_hooks(before).text == after
    assert with_hooks(after).text == after


@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r"])
def test_newlines_are_those_of_the_file(newline: str) -> None:
    before = f"\ufeffrepos:\n{RUFF}# end".replace("\n", newline)
    after = f"\ufeff{TYPES}repos:\n{RUFF}{ENTRY}# end".replace("\n", newline)
    assert with_hooks(before).text == after
    assert with_hooks(after).text == after


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (f"repos: []\n---\nrepos:\n{RUFF}", "several documents"),
        ("repos: [\n", "no valid YAML in line 2: "),
        ("repos:\n\t- x\n", "no valid YAML in line 2: "),
        ("repos: \udcff\n", "no valid YAML;"),
        ("- repo: x\n", "no list of repositories"),
        ("just text\n", "no list of repositories"),
        ("repos: all\n", "no list of repositories"),
        ("repos: [all]\n", "no list of repositories"),
        ("{repos: []}\n", "not edited"),
        ("{fail_fast: true}\n", "not edited"),
        ("repos: [  # none\n]\n", "not edited"),
        ("repos: []\nrepos: []\n", "not edited"),
        ("x: &x [{repo: meta}]\nrepos: *x\n", "not edited"),
        ("x: &x\n  repos: [{repo: meta}]\n<<: *x\n", "not edited"),
        ("x: &x []\nrepos: &y []\nz: *y\n", "not edited"),
        ("repos: []\ndefault_install_hook_types: pre-commit\n", "not edited"),
        (f"repos: [{{repo: {REPOSITORY}, rev: {REVISION}}}]\n", "not edited"),
        (
            f"x: &x {FLOW_ENTRY.replace(CHOSEN[-1], 'other')}\nrepos:\n  - *x\n",
            "not edited",
        ),
        ("rev: 2026-13-45\nrepos: []\n", "cannot be read"),
        ("repos: &x [*x]\n", "no list of repositories"),
        ("[" * 5000 + "]" * 5000, "cannot be read"),
        (f"{MULTIPLYING}repos: []\n", "aliases multiply"),
    ],
)
def test_what_is_left_to_the_user(text: str, reason: str) -> None:
    with pytest.raises(ManualEditRequired, match=reason) as raised:
        with_hooks(text)
    assert str(raised.value).endswith("; put the lines above in by hand")
    assert yaml.safe_load("\n".join(raised.value.lines)) == {
        "default_install_hook_types": list(HOOK_TYPES),
        "repos": [OURS],
    }


def test_another_version_stays_and_is_told() -> None:
    text = f"{TYPES}repos:\n{HEAD}{FIRST}".replace(REVISION, "v0.0.1")
    edited = with_hooks(text)
    assert edited.text == text
    (note,) = edited.notes
    assert "autoupdate" in note
    assert all((hook in note) is (hook != CHOSEN[0]) for hook in CHOSEN)


def test_hooks_from_elsewhere_are_not_added_twice() -> None:
    local = f"{TYPES}repos:\n  - repo: local\n    hooks:\n      - id: {CHOSEN[0]}\n"
    edited = with_hooks(local)
    assert edited.text == local + HEAD + OTHERS
    assert edited.notes == (f".pre-commit-config.yaml has {CHOSEN[0]} from local, which stays",)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("repos: []\n", False),
        (f"repos:\n{RUFF}", True),
        (f"default_stages: [pre-commit]\nrepos:\n{RUFF}", False),
        (f"repos:\n{HEAD}{FIRST}", False),
        (f"repos:\n{RUFF}{HEAD}{FIRST}", True),
        (f"{TYPES}repos:\n{RUFF}", False),
    ],
)
def test_what_new_hook_types_do_to_other_hooks_is_told(text: str, told: bool) -> None:  # noqa: FBT001
    assert any("default_stages" in note for note in with_hooks(text).notes) is told


@dataclass
class Style:
    dash: int
    gap: int
    hooks: int
    blank: bool
    quote: str


@dataclass
class Config:
    lines: list[str] = field(default_factory=list)

    def add(self, *lines: str) -> None:
        self.lines += lines


def scalars(quote: str) -> st.SearchStrategy[str]:
    words = ["ruff", "mypy", "v1.2.3", "https://example.invalid/a", "a b", "é", "1.0"]
    return st.sampled_from([f"{quote}{word}{quote}" for word in words])


COMMENTS = ["# note", "#", "# - repo: off", "#   hooks: [x]", '# it\'s "quoted": [', "# é ✓"]
BODIES = [
    ["args: [--fix, --exit-non-zero-on-fix]"],
    ["args: [", "  --fix,", "  # a comment", "]"],
    ["entry: |", "  # no comment", "  - repo: no", "", "  last"],
    ["entry: |+", "  text", "", ""],
    ["entry: >-", "  folded", "  text"],
    ["exclude: |", "  (?x)^(", "      a/.*|", "      b", "  )$"],
    ["name: 'a: b # c'  # why"],
    ["additional_dependencies:", "- x==1", "-   y"],
    ["stages: [pre-commit]", "verbose: true", "", "# gap"],
    ['name: "over', "", '  lines"'],
]


@st.composite
def repositories(draw: st.DrawFn, style: Style, number: int) -> list[str]:
    pad, dash = " " * (style.dash + style.gap), " " * style.dash + "-".ljust(style.gap)
    url = draw(scalars(style.quote))
    lines = [f"{dash}repo: {url}{draw(st.sampled_from(['', '  # why']))}"]
    lines += draw(st.sampled_from([[f"{pad}rev: v{number}"], [f"{pad}# frozen", f"{pad}rev: 'x'"]]))
    if draw(st.booleans()):
        return [*lines, f"{pad}hooks: [{{id: a}}, {{id: 'b', args: [x]}}]"]
    anchor = draw(st.sampled_from(["", f" &a{number}"]))
    lines.append(f"{pad}hooks:{anchor}")
    start = pad + " " * style.hooks
    for name in range(draw(st.integers(1, 3))):
        lines.append(f"{start}{'-'.ljust(style.gap)}id: h{name}")
        for line in draw(st.sampled_from([[], *BODIES])):
            lines.append(f"{start}{' ' * style.gap}{line}" if line else "")
    return lines


@st.composite
def configurations(draw: st.DrawFn) -> str:
    dash = draw(st.sampled_from([0, 2, 4]))
    style = Style(
        dash=dash,
        gap=draw(st.sampled_from([2, 4])),
        hooks=draw(st.sampled_from([0, 2])),
        blank=draw(st.booleans()),
        quote=draw(st.sampled_from(["", "'", '"'])),
    )
    config = Config()
    sections = [["repos:"]]
    for number in range(draw(st.integers(1, 3))):
        if number and style.blank:
            sections[0].append("")
        sections[0] += draw(comments(style.dash))
        sections[0] += draw(repositories(style, number))
    sections[0] += draw(comments(style.dash + 2)) + draw(comments(style.dash))
    others = [
        ["ci:", "  autoupdate_schedule: monthly", "  skip: [a]  # why"],
        ["default_language_version: {python: python3.11}"],
        ["exclude: |", "  (?x)^(", "  # no comment", "  )$"],
        ["fail_fast: true"],
        draw(
            st.sampled_from(
                [
                    ["default_install_hook_types: [pre-commit]"],
                    ["default_install_hook_types:", "- commit-msg", "- pre-push  # last"],
                    ["default_install_hook_types: [", "    'pre-commit',  # one", "]"],
                ]
            )
        ),
    ]
    sections += draw(st.lists(st.sampled_from(others), max_size=3, unique_by=lambda each: each[0]))
    config.add(*draw(st.sampled_from([[], ["---"], ["# Top", "---"], ["# Top", "", "# of it"]])))
    for section in draw(st.permutations(sections)):
        config.add(*draw(comments(0)), *section)
    if draw(st.booleans()):
        config.add("", "# The end")
    newline = draw(st.sampled_from(["\n", "\r\n"]))
    return newline.join(config.lines) + draw(st.sampled_from(["", newline, newline * 3]))


def comments(indent: int) -> st.SearchStrategy[list[str]]:
    lines = [" " * indent + comment for comment in COMMENTS]
    return st.lists(st.sampled_from([*lines, ""]), max_size=2)


def expected(data: dict[str, Any]) -> dict[str, Any]:
    wanted = deepcopy(data)
    types = wanted.setdefault("default_install_hook_types", [])
    types += [each for each in HOOK_TYPES if each not in types]
    wanted["repos"].append(OURS)
    return wanted


def is_kept(old: list[str], new: list[str]) -> bool:
    """Whether all old lines are among the new ones, in order."""
    rest = iter(new)
    return all(line in rest for line in old)


@given(text=configurations())
@settings(max_examples=150, deadline=None)
def test_only_what_is_ours_is_added(text: str) -> None:
    data = yaml.safe_load(text)
    # A block scalar at the very end would grow by the newline that anything below it needs.
    assume(yaml.safe_load(f"{text}\n") == data)
    edited = with_hooks(text).text
    assert yaml.safe_load(edited) == expected(data)
    changed = [line for line in text.splitlines() if "default_install_hook_types: [pre" not in line]
    changed = [line for line in changed if "'pre-commit',  # one" not in line]
    assert is_kept(changed, edited.splitlines())
    assert with_hooks(edited).text == edited
    assert ("\r\n" in text) == ("\r\n" in edited)
    assert edited.count("\n") == edited.count("\r\n") or "\r\n" not in text


@given(text=st.text(alphabet=" \n-:#[]{}&*!|>'\"%@`,?rep\tos\u0085\ufeff", max_size=60))
@settings(max_examples=300, deadline=None)
def test_any_text_is_extended_or_left_alone(text: str) -> None:
    try:
        edited = with_hooks(text).text
    except ManualEditRequired:
        return
    found = yaml.safe_load(edited)
    assert OURS in found["repos"]
    assert with_hooks(edited).text == edited


def test_examples_are_real() -> None:
    assert yaml.safe_load(dedent(RUFF))[0]["hooks"] == [{"id": "ruff"}]
