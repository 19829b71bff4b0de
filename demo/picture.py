"""Draw a terminal session for the README, `make picture`: commands and what they print."""

from __future__ import annotations

import re
import shlex
import subprocess
import sysconfig
import tempfile
from collections.abc import Iterator
from html import escape
from pathlib import Path

from demo import story
from demo.repository import NAME, Repository, build_to_last_day
from demo.scenes import decided

PICTURE = Path(__file__).resolve().parents[1] / "docs" / "terminal.svg"
PLAN = "tmp/consolidation-plan.md"
NOW = f"{story.NEXT_DAY}T10:00:00"
SUMMARY = ("learnings",)
PROPOSE = ("learnings", "plan", story.MEMORY, "--output", PLAN)
APPLY = ("learnings", "apply", PLAN, "--stage")
PROVE = ("learnings", "verify")
EDITED = "# you or an agent edit the plan: merge, move, drop or keep each entry"

# Pixels. The width of a character is set for each line, so that every font fits.
SIZE, CHARACTER, LINE, MARGIN = 14, 8.4, 20, 20
COLUMNS = 104
STYLE = """\
.box { fill: #ffffff; stroke: #d1d9e0 }
text { fill: #1f2328; font: 14px ui-monospace, SFMono-Regular, Menlo, Consolas, monospace }
.c1 { font-weight: 600 } .c2 { fill: #59636e }
.c31 { fill: #cf222e } .c32 { fill: #1a7f37 } .c33 { fill: #9a6700 } .c36 { fill: #1b7c83 }
@media (prefers-color-scheme: dark) {
.box { fill: #0d1117; stroke: #3d444d }
text { fill: #e6edf3 } .c2 { fill: #9198a1 }
.c31 { fill: #f85149 } .c32 { fill: #3fb950 } .c33 { fill: #d29922 } .c36 { fill: #39c5cf }
}
"""
_CODE = re.compile(r"\x1b\[(\d*)m")


def main() -> None:
    """Write the picture."""
    with tempfile.TemporaryDirectory() as folder:
        PICTURE.write_text(picture(Path(folder)), encoding="utf-8", newline="\n")


def picture(folder: Path) -> str:
    """Return the SVG of a session in the repository of the demonstration, built in a folder."""
    return as_svg(list(session(build_to_last_day(folder / NAME))))


def session(repository: Repository) -> Iterator[str]:
    """Yield the lines of the session, with the colours of a terminal: due, plan, apply, proof."""
    yield from _run(repository, *SUMMARY)
    yield ""
    yield from _run(repository, *PROPOSE)
    yield f"\x1b[2m{EDITED}\x1b[0m"
    repository.write(PLAN, decided(repository.read(PLAN)))
    yield ""
    yield from _run(repository, *APPLY, hidden=("--now", NOW))
    yield ""
    yield from _run(repository, *PROVE)
    yield ""
    yield from _run(repository, *SUMMARY, first=1)


def _run(
    repository: Repository, *words: str, hidden: tuple[str, ...] = (), first: int = 99
) -> Iterator[str]:
    scripts = Path(sysconfig.get_path("scripts"))
    done = subprocess.run(
        [scripts / words[0], *words[1:], *hidden],
        cwd=repository.path,
        env=repository.environment() | {"FORCE_COLOR": "1", "NO_COLOR": ""},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        check=True,
    )
    yield f"\x1b[36m$\x1b[0m \x1b[1m{shlex.join(words)}\x1b[0m"
    for line in done.stdout.splitlines()[:first]:
        plain = _CODE.sub("", line)
        yield line if len(plain) <= COLUMNS else f"{plain[: COLUMNS - 1]}…"


def as_svg(lines: list[str]) -> str:
    """Return lines with the colours of a terminal as SVG, for light and dark pages."""
    width = round(COLUMNS * CHARACTER) + 2 * MARGIN
    height = len(lines) * LINE + 2 * MARGIN
    rows = "".join(_row(number, line) for number, line in enumerate(lines) if line)
    spoken = escape("\n".join(_CODE.sub("", line) for line in lines))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
        f'width="{width}" height="{height}" role="img">\n'
        f"<title>A terminal session with learnings</title>\n<desc>{spoken}</desc>\n"
        f"<style>\n{STYLE}</style>\n"
        f'<rect class="box" x="0.5" y="0.5" width="{width - 1}" height="{height - 1}" rx="8"/>\n'
        f"{rows}</svg>\n"
    )


def _row(number: int, line: str) -> str:
    y = MARGIN + number * LINE + SIZE
    length = round(len(_CODE.sub("", line)) * CHARACTER, 1)
    text, code = "", ""
    for index, part in enumerate(_CODE.split(line)):
        if index % 2:
            code = part
        elif part:
            text += (
                f'<tspan class="c{code}">{escape(part)}</tspan>'
                if code.strip("0")
                else escape(part)
            )
    return f'<text xml:space="preserve" x="{MARGIN}" y="{y}" textLength="{length}">{text}</text>\n'


if __name__ == "__main__":
    main()
