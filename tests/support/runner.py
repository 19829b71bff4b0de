"""Run a composite action as a runner of GitHub Actions does: its own steps, one by one."""

from __future__ import annotations

import json
import os
import re
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml

SHELLS = {"bash": ("bash", "--noprofile", "--norc", "-e", "-o", "pipefail")}
SECONDS = 300
_EXPRESSION = re.compile(r"\$\{\{ *(.*?) *\}\}")
_TERM = re.compile(r"'([^']*)'|([\w.-]+)")


@dataclass
class Step:
    """A finished step: its output, its exit code, its results."""

    name: str
    code: int = 0
    printed: str = ""
    outputs: dict[str, str] = field(default_factory=dict)
    summary: str = ""
    env: dict[str, str] = field(default_factory=dict)


@dataclass
class Ran:
    """A finished action: its executed steps in order, and its outputs."""

    steps: list[Step]
    outputs: dict[str, str]

    @property
    def last(self) -> Step:
        return self.steps[-1]

    @property
    def printed(self) -> str:
        return "".join(step.printed for step in self.steps)


class Runner:
    """Runs an action for an event; `temp` is the folder that lives as long as the runner.

    `once` names steps with the same result every time; they run once for all runs.
    """

    def __init__(
        self, action: Path, temp: Path, *, token: str = "", once: Sequence[str] = ()
    ) -> None:
        self._action: dict[str, Any] = yaml.safe_load(
            (action / "action.yml").read_text(encoding="utf-8")
        )
        self._path = action
        self._temp = temp
        self._token = token
        self._once = set(once)
        self._done: dict[str, Step] = {}

    def run(
        self,
        workspace: Path,
        *,
        event: str,
        payload: Mapping[str, Any],
        environ: Mapping[str, str],
        inputs: Mapping[str, str] | None = None,
    ) -> Ran:
        """Run the steps in a checkout, as for an event; stop at the first that fails."""
        (self._temp / "event.json").write_text(json.dumps(payload), encoding="utf-8")
        own = {
            "CI": "true",
            "GITHUB_ACTIONS": "true",
            "GITHUB_ACTION_PATH": str(self._path),
            "GITHUB_EVENT_NAME": event,
            "GITHUB_EVENT_PATH": str(self._temp / "event.json"),
            "GITHUB_WORKSPACE": str(workspace),
            "RUNNER_TEMP": str(self._temp),
        }
        known = {f"inputs.{name}": value for name, value in self._inputs(inputs or {}).items()}
        known["github.token"] = self._token
        known["github.event_name"] = event
        known["github.event.before"] = payload.get("before", "")
        steps: list[Step] = []
        for step in self._action["runs"]["steps"]:
            if "if" in step and not self._evaluated(step["if"], known):
                continue
            done = self._done.get(step["name"]) or self._step(
                step, known, workspace, {**os.environ, **own, **environ}
            )
            if step["name"] in self._once and not done.code:
                self._done[step["name"]] = done
            steps.append(done)
            for name, value in done.outputs.items():
                known[f"steps.{step.get('id')}.outputs.{name}"] = value
            if done.code:
                break
        told_outputs = self._action["outputs"].items()
        outputs = {name: self._filled(step["value"], known) for name, step in told_outputs}
        return Ran(steps, outputs)

    def _inputs(self, given: Mapping[str, str]) -> dict[str, str]:
        unknown = set(given) - set(self._action["inputs"])
        assert not unknown, f"no inputs of the action: {unknown}"
        usual = {"github.token": self._token}
        defaults = {
            name: self._filled(definition["default"], usual)
            for name, definition in self._action["inputs"].items()
        }
        return {**defaults, **given}

    def _step(
        self,
        definition: Mapping[str, Any],
        known: Mapping[str, str],
        workspace: Path,
        environ: Mapping[str, str],
    ) -> Step:
        step = Step(definition["name"])
        if "uses" in definition:  # Python is already there
            return step
        assert "${{" not in definition["run"], "an input pasted into a script is run as code"
        files = {name: self._temp / name for name in ("GITHUB_OUTPUT", "GITHUB_STEP_SUMMARY")}
        for path in files.values():
            path.write_bytes(b"")
        own = {
            name: self._filled(value, known) for name, value in definition.get("env", {}).items()
        }
        script = self._temp / "script.sh"
        script.write_text(definition["run"], encoding="utf-8")
        folder = workspace / self._filled(definition.get("working-directory", "."), known)
        done = subprocess.run(
            [*SHELLS[definition["shell"]], script],
            cwd=folder,
            env={**environ, **own, **{name: str(path) for name, path in files.items()}},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            timeout=SECONDS,
            check=False,
        )
        step.code, step.printed = done.returncode, done.stdout.decode("utf-8", "replace")
        step.outputs = outputs_in(files["GITHUB_OUTPUT"].read_text(encoding="utf-8"))
        step.summary = files["GITHUB_STEP_SUMMARY"].read_text(encoding="utf-8")
        step.env = own
        return step

    def _filled(self, text: str, known: Mapping[str, str]) -> str:
        return _EXPRESSION.sub(lambda match: self._evaluated(match[1], known), text)

    def _evaluated(self, expression: str, known: Mapping[str, str]) -> str:
        """Evaluate an expression of the action's kind: terms, `==`, `!=`, `&&` and `||`."""
        for alternative in expression.split(" || "):
            value = ""
            for part in alternative.split(" && "):
                value = self._compared(part, known)
                if not value:
                    break
            if value:
                return value
        return ""

    def _compared(self, part: str, known: Mapping[str, str]) -> str:
        match = re.fullmatch(r"(\S+) (==|!=) (\S+)", part.strip())
        if match is None:
            return self._term(part.strip(), known)
        is_same = self._term(match[1], known) == self._term(match[3], known)
        return "true" if is_same == (match[2] == "==") else ""

    def _term(self, text: str, known: Mapping[str, str]) -> str:
        match = _TERM.fullmatch(text)
        assert match, f"no expression that is understood here: {text}"
        if match[2] is None:
            return match[1]
        is_output = match[2].startswith("steps.")
        return known.get(match[2], "") if is_output else known[match[2]]


def outputs_in(text: str) -> dict[str, str]:
    """Return the outputs that a step has set, as a runner reads them."""
    outputs = {}
    while text:
        head, _, text = text.partition("\n")
        name, _, word = head.partition("<<")
        value, _, text = text.partition(f"\n{word}\n")
        outputs[name] = value
    return outputs
