"""Our hooks in realistic pre-commit configurations."""

from __future__ import annotations

import re
from textwrap import indent
from typing import Any

import pytest
import yaml
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

from learnings.app.setup.hooks import (
    CHOSEN,
    HOOK_TYPES,
    OLDEST_PYTHON,
    PRE_COMMIT_FILE,
    PREK_FILE,
    SHIPPED,
    HookList,
    install_command,
    is_own,
    suitable_python,
)
from learnings.app.setup.origin import Origin
from learnings.app.setup.text_steps import (
    EditedText,
    ManualEditRequired,
    hook_values,
    types_in,
    with_hooks,
)
from tests.support.checkout import manifest, pyproject
from tests.support.frameworks import ORIGIN, REPOSITORY, REVISION

OURS = {"repo": REPOSITORY, "rev": REVISION, "hooks": [{"id": hook} for hook in CHOSEN]}
TYPES_KEY = "default_install_hook_types"
TYPES = f"{TYPES_KEY}: [{', '.join(HOOK_TYPES)}]\n"
HOOKS = "".join(f"      - id: {hook}\n" for hook in CHOSEN)
HEAD = f"  - repo: {REPOSITORY}\n    rev: {REVISION}\n    hooks:\n"
ENTRY = HEAD + HOOKS
FIRST, OTHERS = HOOKS.partition("\n")[0] + "\n", HOOKS.partition("\n")[2]
FLAT = "".join(line[2:] for line in ENTRY.splitlines(keepends=True)).replace("    -", "  -")
RUFF = "  - repo: https://example.invalid/ruff\n    rev: v1\n    hooks:\n      - id: ruff\n"
OFF = "      # - id: off\n\n  # - repo: off\n"
META = "- repo: meta\n  hooks:\n  - id: a\n"
KEPT = "  - repo: local\n    hooks:\n      - id: a\n        entry: |+\n          text\n\n\n\n"
ITEM = "{repo: meta, hooks: [{id: a}]}"
USING = "  - repo: local\n    hooks:\n      - id: b\n        args: *x\n"
ALIASED = f"  - repo: local\n    hooks:\n      - id: a\n        args: &x [-v]\n{USING}"
MULTIPLYING = "a: &a [x, x, x, x, x, x, x, x, x]\n" + "".join(
    f"{new}: &{new} [{', '.join([f'*{old}'] * 9)}]\n"
    for old, new in zip("abcdef", "bcdefg", strict=True)
)


def with_pre_commit_hooks(text: str | None, origin: Origin = ORIGIN) -> EditedText:
    return with_hooks(text, HookList(origin, CHOSEN), PRE_COMMIT_FILE)


def test_every_hook_of_the_manifest_is_in_the_table_in_its_order() -> None:
    message = "SHIPPED in app/setup/hooks.py has the hooks of the manifest, in its order"
    assert list(SHIPPED) == list(manifest()), message
    assert CHOSEN


@pytest.mark.parametrize(
    ("repo", "own"),
    [
        ({"repo": REPOSITORY, "hooks": [{"id": "agent-core"}]}, True),
        ({"repo": "git@host:a/b.git", "hooks": [{"id": "x"}, {"id": "learnings-check"}]}, True),
        ({"repo": "C:\\clones\\learnings", "hooks": [{"id": "learnings-check"}]}, True),
        ({"repo": REPOSITORY, "hooks": [{"id": "x"}]}, False),
        ({"repo": "local", "hooks": [{"id": "learnings-check"}]}, False),
        ({"hooks": None}, False),
    ],
)
def test_our_hooks_are_known_from_any_address(repo: dict[str, Any], *, own: bool) -> None:
    assert is_own(repo) is own


@pytest.mark.parametrize(
    "address",
    [
        *("/srv/it's a clone/learnings", "C:/Users/ada/learnings", "file:///srv/a%20b.git"),
        *("git@host:a/b.git", "ssh://git@host:22/b", "/a: b", "/a #b", "/a\tb", "'", "é/b"),
    ],
)
@pytest.mark.parametrize("revision", ["1" * 40, "1e" + "5" * 38, REVISION, "v1.0.0"])
def test_any_address_and_commit_is_written_as_text(address: str, revision: str) -> None:
    for before, name in (("", PRE_COMMIT_FILE), ("", PREK_FILE)):
        origin = Origin(address, revision)
        text = with_hooks(before, HookList(origin, CHOSEN), name).text
        (item,) = hook_values(text, name)["repos"]
        assert (item["repo"], item["rev"]) == origin


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (None, f"{TYPES}repos:\n{ENTRY}"),
        ("# Hooks\n", f"# Hooks\n{TYPES}repos:\n{ENTRY}"),
        (f"repos:\n{RUFF}", f"repos:\n{RUFF}{ENTRY}{TYPES}"),
        (f"---\nrepos:\n{RUFF}...\n", f"---\nrepos:\n{RUFF}{ENTRY}{TYPES}...\n"),
        (f"# Top\n{TYPES}repos:\n{RUFF}", f"# Top\n{TYPES}repos:\n{RUFF}{ENTRY}"),
        (f"repos:\n{RUFF}\n{RUFF}", f"repos:\n{RUFF}\n{RUFF}\n{ENTRY}{TYPES}"),
        (
            f"{TYPES_KEY}: [pre-push]\nrepos:\n{META}",
            f"{TYPES_KEY}: [pre-push]\nrepos:\n{META}{FLAT}",
        ),
        (
            "repos:\n- {repo: meta, hooks: [{id: a}]}\n",
            f"repos:\n- {{repo: meta, hooks: [{{id: a}}]}}\n{FLAT.replace('  -', '    -')}{TYPES}",
        ),
        # An empty list in brackets, and aliases.
        ("repos: [ ]  # none", f"repos:  # none\n{ENTRY}{TYPES}"),
        (f"repos:\n{ALIASED}# The end\n", f"repos:\n{ALIASED}{ENTRY}{TYPES}# The end\n"),
        # Comments that are indented belong to the list, those at the margin to what comes next.
        (
            f"repos:\n{RUFF}{OFF}\n# About ci\nci: {{}}\n",
            f"repos:\n{RUFF}{OFF}{ENTRY}{TYPES}\n# About ci\nci: {{}}\n",
        ),
        # A literal block keeps its blank lines, or does without them.
        (f"repos:\n{KEPT}# The end", f"repos:\n{KEPT}{ENTRY}{TYPES}# The end"),
        (f"repos:\n{KEPT}{KEPT}", f"repos:\n{KEPT}{KEPT}{ENTRY}{TYPES}"),
        (
            f"repos:\n{KEPT.replace('+', '-')}ci: {{}}\n",
            f"repos:\n{KEPT.replace('+', '-')[:-3]}{ENTRY}{TYPES}\n\n\nci: {{}}\n",
        ),
    ],
)
def test_the_new_text(before: str | None, after: str) -> None:
    assert with_pre_commit_hooks(before).text == after
    assert with_pre_commit_hooks(after).text == after


@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r"])
def test_newlines_are_those_of_the_file(newline: str) -> None:
    before = f"repos:\n{RUFF}# end".replace("\n", newline)
    after = f"repos:\n{RUFF}{ENTRY}{TYPES}# end".replace("\n", newline)
    assert with_pre_commit_hooks(before).text == after
    assert with_pre_commit_hooks(after).text == after


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (f"repos: []\n---\nrepos:\n{RUFF}", "several documents"),
        ("repos:\n\t- x\n", "not valid YAML on line 2: "),
        ("repos: \udcff\n", "not valid YAML;"),
        ("- repo: x\n", "not a list of repositories"),
        ("repos:\n", "not a list of repositories"),
        ("repos: &all []\n", "cannot edit its layout"),
        (KEPT.replace("+", "").rstrip().join(["repos:\n", ""]), "cannot edit its layout"),
        ("x: &x [{repo: meta}]\nrepos: *x\n", "cannot edit its layout"),
        ("repos: &x [*x]\n", "has an alias that refers to its own parent"),
        (f"{MULTIPLYING}repos: []\n", "aliases"),
        ("rev: 2026-13-45\nrepos: []\n", "cannot be read"),
        ("[" * 5000 + "]" * 5000, "nested more than 32 levels deep"),
        ("#" * 100_001, "too large"),
    ],
)
def test_what_is_left_to_the_user(text: str, reason: str) -> None:
    with pytest.raises(ManualEditRequired, match=reason) as raised:
        with_pre_commit_hooks(text)
    advice = "; add the lines above yourself, then run `learnings init --no-hooks`"
    assert str(raised.value).endswith(advice)
    assert yaml.safe_load("\n".join(raised.value.lines)) == {
        TYPES_KEY: list(HOOK_TYPES),
        "repos": [OURS],
    }


@pytest.mark.parametrize(
    "text",
    [
        f"repos: [{ITEM}]\n",
        f"repos: [{ITEM},]\nfail_fast: true",
        f"repos: [\n  {ITEM},  # ours\n  {ITEM}  # theirs\n]  # all\nfail_fast: true\n",
    ],
)
def test_a_list_in_brackets_gets_an_item_in_braces(text: str) -> None:
    new, before = with_pre_commit_hooks(text).text, yaml.safe_load(text)
    after = yaml.safe_load(new)
    assert after["repos"][:-1] == before["repos"]
    assert [hook["id"] for hook in after["repos"][-1]["hooks"]] == [*CHOSEN]
    assert {line for line in text.splitlines() if "#" in line} <= {*new.splitlines()} | {
        f"  {ITEM}  # theirs"
    }


def test_hooks_that_were_left_out_stay_out_and_are_reported() -> None:
    for revision, said in ((REVISION, "has our hooks without"), ("v0.0.1", "autoupdate")):
        text = f"{TYPES}repos:\n{HEAD}{FIRST}".replace(REVISION, revision)
        new = with_pre_commit_hooks(text)
        assert new.text == text
        (note,) = new.notes
        assert said in note
        assert all((hook in note) is (hook != CHOSEN[0]) for hook in CHOSEN)


@pytest.mark.parametrize(
    ("version", "is_old"),
    [
        ("python3.10", True),
        ("python39", True),
        ("/usr/bin/python2.7", True),
        ("python3.11", False),
        ("default", False),
        ("/opt/2.7/bin/python3.13", False),
    ],
)
def test_a_python_is_asked_for_where_the_default_is_too_old(version: str, is_old: bool) -> None:
    for style, repos in (("{{python: {}}}", f"\n{RUFF}"), ("\n  python: {}", " []\n")):
        head = f"default_language_version: {style.format(version)}\nrepos:"
        text = with_pre_commit_hooks(head + repos).text
        hooks = yaml.safe_load(text)["repos"][-1]["hooks"]
        pythons = {hook.get("language_version") for hook in hooks}
        assert pythons == ({suitable_python()} if is_old else {None})
        assert with_pre_commit_hooks(text).text == text
    assert pyproject()["project"]["requires-python"] == f">={OLDEST_PYTHON[0]}.{OLDEST_PYTHON[1]}"
    assert re.fullmatch(r"python3\.1[1-9]", suitable_python())
    with pytest.raises(ManualEditRequired) as raised:
        with_pre_commit_hooks(f"default_language_version: {{python: {version}}}\nrepos: all\n")
    (ours,) = yaml.safe_load("\n".join(raised.value.lines))["repos"]
    pythons = {hook.get("language_version") for hook in ours["hooks"]}
    assert pythons == ({suitable_python()} if is_old else {None})


def test_hooks_from_elsewhere_are_not_added_twice() -> None:
    local = f"{TYPES}repos:\n  - repo: local\n    hooks:\n      - id: {CHOSEN[0]}\n"
    new = with_pre_commit_hooks(local)
    assert new.text == local + HEAD + OTHERS
    assert new.notes == (f".pre-commit-config.yaml has {CHOSEN[0]} from local, which stays",)


@pytest.mark.parametrize(
    ("text", "notes"),
    [
        (None, []),
        (f"{TYPES}repos:\n{RUFF}", []),
        (f"repos:\n{RUFF}", ["other hooks without `stages` will also run at merges and pushes; "]),
        (f"default_stages: [pre-commit]\nrepos:\n{RUFF}", []),
        (f"repos:\n{ENTRY}", [f" lacks {', '.join(HOOK_TYPES)}; add them"]),
        (f"{TYPES_KEY}: [pre-push]\nrepos:\n{RUFF}", [" lacks pre-commit, pre-merge-commit; add"]),
        (f"{TYPES_KEY}:\nrepos:\n{ENTRY}", [f" lacks {', '.join(HOOK_TYPES)}; add them"]),
    ],
)
def test_notes_about_hook_types(text: str | None, notes: list[str]) -> None:
    new = with_pre_commit_hooks(text)
    assert len(new.notes) == len(notes)
    assert all(part in note for part, note in zip(notes, new.notes, strict=True))


COMMENTS = ["", "# note", "# - repo: off", "#   hooks: [x]", '# it\'s "quoted": [']
BODIES = [
    "args: [\n  --fix,\n  # a comment\n]",
    "entry: |\n  # no comment\n  - repo: no\n\n  last",
    "entry: |+\n  text\n\n",
    "exclude: |\n  (?x)^(\n      a/.*|\n      b\n  )$",
    "additional_dependencies:\n- x==1\n-   y",
    'name: "over\n\n  lines"\nstages: [pre-commit]\n\n# gap',
]
SECTIONS = [
    "ci:\n  skip: [a]  # why",
    "exclude: |\n  (?x)^(\n  # no comment\n  )$",
    f"{TYPES_KEY}:\n- commit-msg\n- pre-push  # last",
    f"{TYPES_KEY}: [\n    'pre-commit',  # one\n]",
]


@st.composite
def configurations(draw: st.DrawFn) -> str:
    dash = draw(st.sampled_from(["- ", "-   "]))

    def item(text: str) -> str:
        return dash + indent(text, " " * len(dash)).lstrip()

    def noted(text: str, margin: str) -> str:
        return indent(draw(st.sampled_from(COMMENTS)), margin) + f"\n{text}"

    repos = []
    for number in range(draw(st.integers(1, 3))):
        hooks = [
            item(f"id: h{name}\n{draw(st.sampled_from(BODIES))}")
            for name in range(draw(st.integers(1, 3)))
        ]
        listed = indent("\n".join(hooks), draw(st.sampled_from(["", "  "])))
        hooks_text = draw(st.sampled_from([f"hooks:\n{listed}", "hooks: [{id: a}, {id: 'b'}]"]))
        repos.append(item(f"repo: 'https://example.invalid/{number}'\nrev: v1\n{hooks_text}"))
    margin = draw(st.sampled_from(["", "  ", "    "]))
    own = "".join(noted(indent(repo, margin), margin) + "\n" for repo in repos)
    sections = [f"repos:\n{own}{noted('', margin)}".rstrip(" ")]
    sections += draw(
        st.lists(st.sampled_from(SECTIONS), max_size=2, unique_by=lambda text: text[:4])
    )
    head = draw(st.sampled_from(["", "---\n", "# Top\n---\n", "# Top\n\n# of it\n"]))
    text = head + "\n".join(noted(section, "") for section in draw(st.permutations(sections)))
    text += draw(st.sampled_from(["", "\n", "\n\n\n", "\n\n# The end"]))
    return text.replace("\n", draw(st.sampled_from(["\n", "\r\n"])))


def expected(data: dict[str, Any]) -> dict[str, Any]:
    return {TYPES_KEY: list(HOOK_TYPES), **data, "repos": [*data["repos"], OURS]}


@given(text=configurations())
@example(text=f"repos:\n{KEPT}# The end")
@settings(max_examples=60, deadline=None)
@pytest.mark.slow
def test_only_what_is_ours_is_added(text: str) -> None:
    data = yaml.safe_load(text)
    # A block scalar at the very end would grow by the newline that anything below it needs.
    assume(yaml.safe_load(f"{text}\n") == data)
    new = with_pre_commit_hooks(text).text
    assert yaml.safe_load(new) == expected(data)
    rest = iter(new.splitlines())
    assert [line for line in text.splitlines() if line not in rest] == []
    assert with_pre_commit_hooks(new).text == new
    assert ("\r\n" in text) == ("\r\n" in new)
    assert new.count("\n") == new.count("\r\n") or "\r\n" not in text


@given(text=st.text(alphabet=" \n-:#[]{}&*!|>'\"%@`,?rep\tos\u0085\ufeff", max_size=60))
@settings(max_examples=100, deadline=None)
def test_any_text_is_extended_or_left_alone(text: str) -> None:
    try:
        new = with_pre_commit_hooks(text).text
    except ManualEditRequired:
        return
    assert OURS in yaml.safe_load(new)["repos"]
    assert with_pre_commit_hooks(new).text == new


@pytest.mark.parametrize(
    ("types", "options"),
    [
        ("", ""),
        ("[pre-push, pre-merge-commit, pre-commit, commit-msg]", ""),
        ("[commit-msg, pre-commit]", " commit-msg pre-commit pre-merge-commit pre-push"),
        ("[]", " pre-commit pre-merge-commit pre-push"),
    ],
)
def test_the_command_that_installs_all_types(types: str, options: str) -> None:
    head = f"{TYPES_KEY}: {types}\n" if types else ""
    default = types_in(with_pre_commit_hooks(f"{head}repos:\n{RUFF}").text, PRE_COMMIT_FILE)
    command = install_command("pre-commit", default)
    assert command == "pre-commit install" + options.replace(" ", " --hook-type ")
