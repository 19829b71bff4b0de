"""The time of `learnings verify` on a memory of 10,000 lines, beside git showing both versions.

Each change is compared with `python -c pass` and two runs of `git show`, timed in turn.
"""

from __future__ import annotations

import random
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

from benchmarks.timing import LEARNINGS, in_turn, run

FILE = "agents/learnings.md"
LINES = 10_000
WORDS = [
    f"{a}{b}{c}" for a in ("ba", "ke", "li", "mo", "su") for b in "bdglmnprstvz" for c in "aeiou"
]
RUNS = 7


def entry(number: int, choose: random.Random) -> str:
    """Return an entry of seven lines."""
    lines = (" ".join(choose.choices(WORDS, k=14)) for _ in range(4))
    return f"## When {number} {choose.choice(WORDS)} fails\n\n{chr(10).join(lines)}\n\n"


def versions(choose: random.Random) -> Iterator[tuple[str, Sequence[str]]]:
    """Yield the names of changes and the entries after them; the first is the original."""
    entries = [entry(number, choose) for number in range(LINES // 7)]
    yield "before", entries
    yield "an entry added", [*entries, entry(9_999_999, choose)]
    yield "an entry edited", [*entries[:700], f"{entries[700]}More.\n\n", *entries[701:]]
    yield "an entry lost", entries[:500] + entries[501:]
    yield "200 entries lost", entries[:500] + entries[700:]
    renamed = (text.replace("When", "How") for text in entries[100:300])
    yield "200 entries under other titles", [*entries[:100], *renamed, *entries[300:]]
    others = (entry(1_000_000 + number, choose) for number in range(200))
    yield "200 entries replaced", [*entries[:100], *others, *entries[300:]]


RESET, DOCUMENTS = 725, 300


def reset_memory(folder: Path, choose: random.Random) -> None:
    """Commit a memory of 10,877 lines beside documents, and its reset to the title."""
    texts = {FILE: "# Learnings\n\n" + "".join(longer(n, 12, choose) for n in range(RESET))}
    for number in range(DOCUMENTS):
        parts = "".join(longer(n, 8, choose) for n in range(10))
        texts[f"docs/{number}.md"] = f"# Document {number}\n\n{parts}"
    (folder / "docs").mkdir()
    for path, text in texts.items():
        (folder / path).write_text(text, encoding="utf-8")
    run(["git", "add", "--all"], folder)
    run(["git", "commit", "-q", "-m", "many documents"], folder)
    run(["git", "tag", "-f", "before"], folder)
    (folder / FILE).write_text("# Learnings\n", encoding="utf-8")
    run(["git", "commit", "-q", "-a", "-m", "reset"], folder)
    run(["git", "tag", "-f", "after"], folder)


def longer(number: int, lines: int, choose: random.Random) -> str:
    body = "\n".join(" ".join(choose.choices(WORDS, k=14)) for _ in range(lines))
    return f"## When {number} {choose.choice(WORDS)} fails\n\n{body}\n\n"


def main() -> None:
    """Print a row for each change."""
    python, compare = [sys.executable, "-c", "pass"], ["--base", "before", "--head", "after"]
    verify = [*LEARNINGS, "verify", *compare]
    show = [["git", "show", f"{tag}:{FILE}"] for tag in ("before", "after")]
    print(
        "| change | `verify` | `git show` of both and `python -c pass` | ratio |\n|---|--:|--:|--:|"
    )
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        run(["git", "init", "-q"], folder)
        (folder / "agents").mkdir()
        for number, (what, entries) in enumerate(versions(random.Random(1))):
            (folder / FILE).write_text(f"# Learnings\n\n{''.join(entries)}", encoding="utf-8")
            run(["git", "add", FILE], folder)
            if number:
                run(["git", "reset", "-q", "--soft", "before"], folder)
            run(["git", "commit", "-q", "-m", what], folder)
            run(["git", "tag", "-f", "after" if number else "before"], folder)
            if not number:
                continue
            commands = [(command, folder) for command in (verify, *show, python)]
            own, *others = in_turn(RUNS, *commands, codes=(0, 1))
            base = sum(other.median for other in others)
            print(f"| {what} | {own} | {1000 * base:.0f} ms | {own.median / base:.1f} |")
        reset_memory(folder, random.Random(2))
        own, alone = in_turn(RUNS, (verify, folder), (python, folder), codes=(0, 1))
        what = f"{RESET} entries lost, {DOCUMENTS} documents"
        print(f"| {what} | {own} | {alone} (`python` alone) | {own.median / alone.median:.1f} |")


if __name__ == "__main__":
    main()
