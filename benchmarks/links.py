"""Compare our reader of links with markdown-it-py, over folders of Markdown files and random texts.

    python benchmarks/links.py FOLDER … --random 20000 --seed 1

Both read CommonMark with tables. The destinations of links and images are compared, in their
order, and those of definitions. Footnotes, which the parser reads as definitions, are renamed
before. Prints the texts that they read differently, and the time of each. Random texts leave out
the shapes in _KNOWN, which the two read differently for a reason.
"""

from __future__ import annotations

import argparse
import random
import re
import time
from collections.abc import Iterator
from pathlib import Path

from markdown_it import MarkdownIt
from markdown_it.token import Token

from learnings.core.markdown.blocks import front_matter_end
from learnings.core.markdown.links import DEFINITION, INLINE, REFERENCE, links_in
from learnings.core.text import decode, split_lines

Found = tuple[list[tuple[str, bool]], set[str]]
_PARTS = (
    *("[", "]", "](", ")", "![", "][", "]:", "[[", "]]", "(", "<", ">", "`", "``", "\\", "|"),
    *("[a]", "[b]: x.md", "a.md", "<b c.md>", ' "t"', "'t'", "k_(v2).md"),
    *("[a](b.md)", "![i](i.png)"),
    *("<!-- ", " -->", '<a href="x.md">', "</a>", "<div>", "</div>", "&amp;", "\\]", "é", "*", "_"),
    *("\n", "\n", "\n", "\n\n", "\n- ", "\n  ", "\n    "),
    *("\n> ", "\n1. ", "\n# ", "\n```\n", "\n---\n"),
    *("\n| a | b |\n|---|---|\n| ", " | ", "\n***\n", "\n\t", "word", "word", " ", " ", " "),
)
_KNOWN = re.compile(
    # An indented line below a definition is code for the parser, text for the specification;
    r"\]:[^\n]*\n(?:[^\n]+\n)*(?:\t|    )"
    # below an empty quote it is the other way round.
    r"|>[ \t]*\n {4,}"
    # HTML can be the header of a table for the parser.
    r"|^ {0,3}</?div>[^\n]*\n---"
    # We read cells that are more than the header has, which GitHub hides.
    r"|^---\n[^\n]*\||^\|(?:[^\n|]*\|){2}[^\n]*\S",
    re.MULTILINE,
)


class AnyScheme(MarkdownIt):
    """The parser, without its refusal of links such as `javascript:`."""

    def validateLink(self, url: str) -> bool:  # noqa: N802, ARG002  (the parser calls it)
        return True


def main() -> int:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("folders", nargs="*", type=Path)
    arguments.add_argument("--random", type=int, default=0, help="how many random texts")
    arguments.add_argument("--seed", type=int, default=1)
    arguments.add_argument("--show", type=int, default=5, help="how many differences to print")
    options = arguments.parse_args()
    parser = AnyScheme("commonmark").enable("table")
    ours = theirs = 0.0
    counts = [0, 0, 0]
    for name, source in (*_files(options.folders), *_random(options.random, options.seed)):
        text = source.replace("[^", "[_").replace("\0", "").removeprefix("\ufeff")
        lines = split_lines(text)
        inner = lines[front_matter_end(lines) :]
        started = time.perf_counter()
        found = _ours(inner, parser)
        between = time.perf_counter()
        expected = _theirs(inner, parser)
        ours, theirs = ours + between - started, theirs + time.perf_counter() - between
        counts[0] += 1
        counts[1] += len(found[0])
        if found != expected:
            counts[2] += 1
            if counts[2] <= options.show:
                _show(name, text, found, expected)
    print(f"{counts[0]} texts, {counts[1]} links, {counts[2]} texts read differently")
    print(f"{ours:.2f} s; markdown-it-py {theirs:.2f} s")
    return 1 if counts[2] else 0


def _files(folders: list[Path]) -> Iterator[tuple[str, str]]:
    for path in sorted({path for folder in folders for path in folder.rglob("*.md")}):
        if path.is_file() and not path.is_symlink():
            yield str(path), decode(path.read_bytes()).encode("utf-8", "replace").decode()


def _random(count: int, seed: int) -> Iterator[tuple[str, str]]:
    for number in range(seed, seed + count):
        chance = random.Random(number)
        size = chance.randint(2, 24)
        text = "".join(chance.choices(_PARTS, k=size)) + "\n"
        if not _KNOWN.search(text):
            yield f"random text {number}", text


def _ours(lines: list[str], parser: MarkdownIt) -> Found:
    links = links_in(lines)
    shown = [link for link in links if link.form in (INLINE, REFERENCE)]
    return (
        [(parser.normalizeLink(link.destination), link.is_image) for link in shown],
        {parser.normalizeLink(link.destination) for link in links if link.form == DEFINITION},
    )


def _theirs(lines: list[str], parser: MarkdownIt) -> Found:
    env: dict[str, dict[str, dict[str, str]]] = {}
    tokens = parser.parse("".join(lines), env)
    children = (child for token in tokens for child in token.children or ())
    links = [_target(token) for token in children if token.type in ("link_open", "image")]
    every = [*env.get("references", {}).values(), *env.get("duplicate_refs", ())]
    return (
        [(target, is_image) for target, is_image, markup in links if markup != "autolink"],
        {reference["href"] for reference in every},
    )


def _target(token: Token) -> tuple[str, bool, str]:
    is_image = token.type == "image"
    return str(token.attrs["src" if is_image else "href"]), is_image, token.markup


def _show(name: str, text: str, found: Found, expected: Found) -> None:
    print(f"--- {name}")
    if len(text) < 400:
        print(repr(text))
    print("ours:  ", [one for one in found[0] if one not in expected[0]], found[1] - expected[1])
    print("theirs:", [one for one in expected[0] if one not in found[0]], expected[1] - found[1])


if __name__ == "__main__":
    raise SystemExit(main())
