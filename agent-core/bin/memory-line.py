#!/usr/bin/env python3
"""Print one line about the memory for a hook of an agent's host; nothing without a memory.

Without arguments: the ages of the entries, and what is due. With `lost`: the entries that the
working tree lost since the last commit, and the command that recovers them, else nothing. `lost
--json` prints the line as {"systemMessage": …}, for hosts that read JSON from a hook. Nothing else
is printed and the exit code is always 0, so that no session waits or fails.
"""

from __future__ import annotations

import contextlib
import importlib.util
import io
import json
import os
import sys
import threading
import time
from pathlib import Path
from typing import Any

DUE, AGES = ("due", "--format", "json"), ("ages", "--summary")
LOST = ("verify", "--base", "HEAD", "--quiet", "--format", "json")
KNOWN = (0, 1, 2)  # exit codes with output about other files
SECONDS = 8  # for the answers; one more, and the time-out in hooks.json
# Files to name; characters of the line, and of a path or command in it: an agent reads the line,
# and a path may hold sentences written for it. All chosen.
NAMED, LONGEST, LONGEST_PATH, LONGEST_COMMAND = 3, 300, 60, 150


def main() -> int:
    """Print the line, if any, and return 0."""
    # A repository can slow down the answers, and not every host ends a hook. Windows lacks signals,
    # and a wait for git or a file would delay an exception.
    timer = threading.Timer(SECONDS + 1, os._exit, (0,))
    timer.daemon = True
    timer.start()
    # The session must start whatever fails here, and the locale may lack our characters.
    with contextlib.suppress(Exception):
        if sys.argv[1:2] == ["lost"]:
            text = lost_line(*answers(LOST))
            if text and "--json" in sys.argv:
                text = json.dumps({"systemMessage": text.rstrip("\n")}) + "\n"
        else:
            text = line(*answers(DUE, AGES))
        os.write(1, text.encode())
    return 0


def answers(*commands: tuple[str, ...]) -> list[str]:
    """Return the output of the commands, run from the package, else from PATH."""
    package = importlib.util.find_spec("learnings")
    if package is not None and package.origin is not None:
        return [inside(*words) for words in commands]
    program = found_program("learnings")
    return outside(program, commands) if program else [""] * len(commands)


# Both scripts in this folder have this function: each must work if copied alone.
def found_program(name: str) -> str | None:
    """Return the absolute path of a program on PATH, or None.

    The current folder, which Windows searches first, and the repository around it do not count,
    because they could contain a program of that name.
    """
    here = Path.cwd()
    tops = [top for top in (here, *here.parents[:-1]) if os.path.lexists(top / ".git")][:1]
    for entry in os.environ.get("PATH", os.defpath).split(os.pathsep):
        program = Path(entry.strip('"'), f"{name}.exe" if os.name == "nt" else name)
        inside = any(top in (program.parent / "x").resolve().parents for top in tops)
        is_there = program.is_absolute() and program.is_file() and os.access(program, os.X_OK)
        if is_there and not inside:
            return str(program)
    return None


def inside(*words: str) -> str:
    """Run a command of learnings in this process and return its standard output."""
    from learnings.surfaces.cli.main import main as learnings  # noqa: PLC0415  (may be missing)

    out = io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(io.StringIO()):
        code = learnings(words)
    return out.getvalue() if code in KNOWN else ""


def outside(program: str, commands: tuple[tuple[str, ...], ...]) -> list[str]:
    """Run the commands as parallel processes, and end them when the time is up."""
    import subprocess  # noqa: PLC0415  (takes a while to load)

    end = time.monotonic() + SECONDS
    env = {**os.environ, "GIT_TERMINAL_PROMPT": "0"}
    started = [
        subprocess.Popen(
            [program, *words],
            env=env,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
        for words in commands
    ]
    try:
        texts = [
            process.communicate(timeout=max(0, end - time.monotonic()))[0].decode()
            for process in started
        ]
    finally:
        for process in started:
            process.kill()
    codes = [process.returncode for process in started]
    return [text if code in KNOWN else "" for code, text in zip(codes, texts)]  # noqa: B905  (3.9 too)


def line(due: str, summary: str) -> str:
    """Return the line with its newline, or "" without a memory or an answer."""
    document = json.loads(due) if due else {"files": []}
    files, about = document["files"], ""
    if len(files) > 1 or (files and summary):
        about = about_one(files[0], summary) if len(files) == 1 else about_several(files)
    others = [about_other(form) for form in document.get("forms", []) if form["needs_action"]]
    return one_line("; ".join(filter(None, (about, *others))))


def one_line(text: str) -> str:
    """Return a text as one line with its newline, even if a name has line breaks; "" for ""."""
    line = "".join(character for character in text if character.isprintable())[:LONGEST]
    return f"{line}\n" if line else ""


def lost_line(answer: str) -> str:
    """Return the line on the losses of the working tree, from the JSON of verify; "" for none."""
    losses = json.loads(answer)["losses"] if answer else []
    entries = [loss for loss in losses if loss["kind"] != "row"]
    what = ("entry", "entries") if entries else ("index row", "index rows")
    lost = entries or losses
    if not lost:
        return ""
    paths = list(dict.fromkeys(loss["before"]["path"] for loss in lost))
    more = f" and {len(paths) - 1} more" if len(paths) > 1 else ""
    count = f"{len(lost)} {what[len(lost) != 1]}"
    first = shown(paths[0]).replace("`", "'")
    return one_line(f"{count} lost from `{first}`{more} since the last commit; {cure(lost)}")


def cure(losses: list[dict[str, Any]]) -> str:
    """Return the command that recovers all losses, else the command that explains how."""
    commands = {loss["command"] for loss in losses}
    command = commands.pop() if len(commands) == 1 else None
    if not command or len(command) > LONGEST_COMMAND or not command.isprintable():
        return f"to see how to recover them: {' '.join(['learnings', *LOST[:3]])}"
    return f"to recover them: {command}"


def about_other(form: dict[str, Any]) -> str:
    """Return the part of the line on memory of another form that needs action."""
    path = shown(form["path"])
    step = f"; next: {form['next']}" if form["next"] and path == form["path"] else ""
    return f"{path}: {form['reason'].replace(form['path'], path)}{step}"


def about_one(file: dict[str, Any], summary: str) -> str:
    """Return the line on a single memory file."""
    decided = f"; {file['decided_summary']}" if file.get("decided_summary") else ""
    verdict = f"; consolidation is due{next_step(file)}" if file["verdict"] == "due" else ""
    # Beside files without data, the summary already has the name.
    numbers = summary.strip().removeprefix(f"{file['file']}: ")
    return f"{shown(file['file'])}: {numbers}{decided}{verdict}"


def about_several(files: list[dict[str, Any]]) -> str:
    """Return the line on several memory files: their number, and the files that are due."""
    due = [file for file in files if file["verdict"] == "due"]
    more = f" and {len(due) - NAMED} more" if len(due) > NAMED else ""
    names = ", ".join(shown(file["file"]) for file in due[:NAMED])
    verdict = f"; consolidation is due for {names}{more}{next_step(due[0])}" if due else ""
    return f"{len(files)} learnings files{verdict}"


def next_step(file: dict[str, Any]) -> str:
    """Return the command for a memory file that is due; older versions do not name it."""
    is_short = shown(file["file"]) == file["file"]
    command = file.get("next") if is_short else "learnings due"
    return f"; next, at a handoff: {command}" if command else ""


def shown(path: str) -> str:
    """Return a path, or the end of a long path."""
    return path if len(path) <= LONGEST_PATH else f"…{path[1 - LONGEST_PATH :]}"


if __name__ == "__main__":
    raise SystemExit(main())
