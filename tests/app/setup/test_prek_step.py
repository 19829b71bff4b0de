"""The hooks in prek.toml, as text and as prek itself reads them."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from learnings import REPOSITORY, REVISION
from learnings.app.setup.hooks import CHOSEN, HOOK_TYPES
from learnings.app.setup.text_steps import ManualEditRequired, types_in, with_prek_hooks
from learnings.core.errors import BadSettings
from tests.support.command import Program

OTHER = '[[repos]]\nrepo = "builtin"\nhooks = [{ id = "check-toml" }]  # as it is\n'
TYPES = 'default_install_hook_types = ["pre-commit", "pre-merge-commit", "pre-push"]\n'
TEXTS = {
    "empty": "",
    "another repository": OTHER,
    "other line ends": OTHER.replace("\n", "\r\n"),
    "a mark": f"\ufeff{OTHER}",
    "no last newline": OTHER.rstrip("\n"),
    "types": TYPES + OTHER,
}


@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS)
def test_our_hooks_are_added_and_nothing_else_changes(text: str) -> None:
    new = with_prek_hooks(text).text
    table, before = (tomllib.loads(part.removeprefix("\ufeff")) for part in (new, text))
    *others, own = table["repos"]
    assert others == before.get("repos", [])
    assert (own["repo"], own["rev"]) == (REPOSITORY, REVISION)
    assert [hook["id"] for hook in own["hooks"]] == [*CHOSEN]
    assert types_in(new, "prek.toml") == [*HOOK_TYPES]
    assert {*text.removeprefix("\ufeff").splitlines()} <= {*new.removeprefix("\ufeff").splitlines()}
    assert new.startswith("\ufeff") is text.startswith("\ufeff")
    assert new.count("\r\n") in (0, new.count("\n"))
    again = with_prek_hooks(new)
    assert (again.text, again.notes) == (new, ())


def test_what_is_there_and_lacks_something_is_said() -> None:
    fewer = f'[[repos]]\nrepo = "{REPOSITORY}"\nrev = "v0.0.1"\nhooks = [{{ id = "agent-core" }}]\n'
    new = with_prek_hooks(f'default_install_hook_types = ["pre-commit"]\n{fewer}')
    assert new.text.endswith(fewer)
    assert len(new.notes) == 2
    assert f"run `prek autoupdate --repo {REPOSITORY}`, then this again" in new.notes[0]
    assert new.notes[1] == (
        "prek.toml: default_install_hook_types lacks pre-merge-commit, pre-push; add them"
    )


@pytest.mark.parametrize("text", ['repos = [{ repo = "builtin", hooks = [] }]\n', "repos = 3\n"])
def test_another_form_is_left_to_the_user(text: str) -> None:
    with pytest.raises(ManualEditRequired, match=r"^prek\.toml was not changed, because") as info:
        with_prek_hooks(text)
    added = tomllib.loads("\n".join(info.value.lines))
    assert [hook["id"] for hook in added["repos"][0]["hooks"]] == [*CHOSEN]


def test_prek_accepts_what_is_written(tmp_path: Path) -> None:
    text = f'default_language_version = {{ python = "python3.9" }}\n{OTHER}'
    new = with_prek_hooks(text).text
    own = tomllib.loads(new)["repos"][-1]
    assert all(hook["language_version"].startswith("python3.1") for hook in own["hooks"])
    (tmp_path / "prek.toml").write_text(new, encoding="utf-8")
    done = Program("prek")("validate-config", "prek.toml", cwd=tmp_path)
    assert (done.code, done.stderr) == (0, b"success: All configs are valid\n")
    with pytest.raises(BadSettings, match=r"^prek\.toml is not valid TOML"):
        with_prek_hooks("repos = [\n")
