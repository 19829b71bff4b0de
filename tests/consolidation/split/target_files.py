"""Target files to be split: sections of known sizes, and files of any shape."""

from __future__ import annotations

from collections.abc import Iterable

from hypothesis import strategies as st

WORDS = ("queue", "retry", "trace", "cache", "token", "clock", "lock", "build", "login", "parser")
BODIES = (
    "- {word} item {number}\n",
    "The {word} of case {number}, see [it](#{word}).\n",
    "```sh\n## no {word}\n[no]: link\n```\n",
    "<!--\n## hidden {word}\n-->\n",
    "\n#### Deeper {word}\n\n",
    "> a quote of the {word}\n\n",
    "Uses [{word}][l1], a note[^n1] and `[code](#{word})`.\n",
    "As in [there](FILE.md#{word}) and <https://example.invalid/{word}#x>.\n",
    "    indented {word}\n\n",
    "  \n\n",
)


def section(title: str, lines: int, *, level: int = 2, text: str = "") -> str:
    """Return a section of so many lines without the blank one at its end."""
    head = f"{'#' * level} {title}\n\n{text}"
    rest = lines - len(head.splitlines())
    return head + "".join(f"- {title} {number}\n" for number in range(rest)) + "\n"


def file_of(sections: Iterable[str], *, top: str = "# Services\n\nWhat we know.\n\n") -> str:
    """Return a file with a title."""
    return top + "".join(sections)


@st.composite
def target_files(draw: st.DrawFn) -> bytes:
    """Give files of some 400 to 1,500 lines with any kind of sections, headings and line ends."""
    tops = ["# Services\n\n", "", "---\nname: x\n---\n# S\n\ntext\n\n", "\ufeff# S\n\n"]
    parts = [draw(st.sampled_from(tops))]
    count = draw(st.integers(2, 12))
    for number in range(count):
        word = draw(st.sampled_from(WORDS))
        title = draw(st.sampled_from([word, f"{word} {number}", f"确认 {number}", "🙂", word]))
        is_setext = draw(st.integers(0, 5)) == 0
        parts.append(f"{title}\n---\n\n" if is_setext else f"## {title}\n\n")
        for _ in range(draw(st.sampled_from([1, 1, 1, 2, 4]))):
            if draw(st.booleans()):
                parts.append(f"\n### {draw(st.sampled_from(WORDS))} part\n\n")
            body = draw(st.sampled_from(BODIES)).format(word=word, number=number)
            parts.append(body)
            parts.append("- line\n" * draw(st.sampled_from([3, 30, 60, 110])) + "\n")
    missing = 401 - sum(part.count("\n") for part in parts)
    parts.append("- filler\n" * max(missing, 0))
    parts.append(draw(st.sampled_from(["", "\n[l1]: https://example.invalid\n[^n1]: a note\n"])))
    text = "".join(parts)
    if draw(st.booleans()):
        text = text.rstrip("\n")
    return text.replace("\n", draw(st.sampled_from(["\n", "\n", "\r\n"]))).encode()
