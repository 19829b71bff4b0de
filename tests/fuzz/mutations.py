"""Files changed at random, as editors, merges, tools and people do it, and as nobody does."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from random import Random

Mutation = Callable[[bytes, Random], bytes]

MOST = 200_000  # bytes of a result: the time of a case, and above 4 MB a file is refused anyway
# What takes effect somewhere: in Markdown, YAML, TOML, git, a terminal or a regular expression.
# fmt: off
PIECES = (
    b"\x00", b"\xff", b"\xc3", b"\xed\xa0\x80", b"\xef\xbb\xbf", b"\xf4\x90\x80\x80", b"\x1b[31m",
    "\u2028", "\u2029", "\x85", "\x0b", "\x0c", "\u200b", "\u202e", "\u00a0", "\u3164", "İ", "ﬁ",
    "\U000e0041", "e\u0301", "\ud7ff", "確認", "ß", "\x1c", "\t", "\\", "%s", "{0}", "$(x)",
    "#", "##", "## ", "###### ", "####### ", "##\t", "## #", "##When", "- ", "* ", "1. ", "](",
    "```", "~~~", "````", "> ", "<!--", "-->", "--->", "<!-->", "---", "===", "+++", "|", "`", "[",
    "<<<<<<< HEAD", "=======", ">>>>>>> x", "~~Superseded", "~~Superseded by When a~~", "**", "@a",
    "<!-- learnings: ignore[duplicate-entry] why -->", "<!-- learnings: ignore-file -->", "{file}",
    "[9999-99-99-999999] ", "[2026-02-16-120000] ", "2026-02-30", "[L-1] ", "[L-1x] ",
    "&#35;# When", "\\## When", "<details>", "</details>", "<script>", "[a]: b", "[^1]: c", "#1",
    "::error::x", "\\x1b", "(2026-01-01)", "...", "=", '"', "'", "[x]\n", "= 1\n",
)
# fmt: on
ENDS = (b"\n", b"\r\n", b"\r", b"\n\n\n\n", b"")


def piece(random: Random) -> bytes:
    chosen = random.choice(PIECES)
    return chosen if isinstance(chosen, bytes) else chosen.encode("utf-8", "surrogatepass")


def flip_bits(data: bytes, random: Random) -> bytes:
    changed = bytearray(data)
    for _ in range(random.choice((1, 1, 3, 30)) if data else 0):
        changed[random.randrange(len(changed))] ^= 1 << random.randrange(8)
    return bytes(changed)


def insert_pieces(data: bytes, random: Random) -> bytes:
    for _ in range(random.choice((1, 2, 5))):
        at = random.randrange(len(data) + 1)
        data = data[:at] + piece(random) * random.choice((1, 1, 1, 2, 50)) + data[at:]
    return data


def begin_lines(data: bytes, random: Random) -> bytes:
    """Insert something at the start of some lines, where it matters most."""
    lines = data.splitlines(keepends=True)
    chance = random.choice((0.02, 0.2, 1.0))
    mark = piece(random)
    return b"".join(mark + line if random.random() < chance else line for line in lines)


def end_lines(data: bytes, random: Random) -> bytes:
    chance = random.choice((0.1, 1.0, 1.0))
    end = random.choice(ENDS)
    lines = data.splitlines(keepends=True)
    return b"".join(x.rstrip(b"\r\n") + end if random.random() < chance else x for x in lines)


def shuffle_lines(data: bytes, random: Random) -> bytes:
    """Duplicate, remove, move or swap lines, or blocks of them."""
    lines = data.splitlines(keepends=True)
    for _ in range(random.choice((1, 2, 8))):
        if not lines:
            break
        first = random.randrange(len(lines))
        last = min(len(lines), first + random.choice((1, 1, 3, 20)))
        at, block = random.randrange(len(lines) + 1), lines[first:last]
        match random.randrange(4):
            case 0:
                lines[at:at] = block
            case 1:
                del lines[first:last]
            case 2:
                del lines[first:last]
                lines[at:at] = block
            case _:
                lines.insert(at, piece(random) + b"\n")
    return b"".join(lines)


def cut(data: bytes, random: Random) -> bytes:
    """Keep only the beginning or the end, as after a disk was full."""
    at = random.randrange(len(data) + 1)
    return random.choice((data[:at], data[at:], b"", data.rstrip(b"\n")))


def grow(data: bytes, random: Random) -> bytes:
    """Repeat something many times: a huge line, a long file, deep nesting."""
    number = random.choice((10, 100, 2000))
    at = random.randrange(len(data) + 1)
    grown = (
        piece(random) * number,
        b"".join(b" " * depth + b"- a\n" for depth in range(min(number, 300))),
        b"> " * number + b"deep\n",
        b"a" * (number * 50),
        (piece(random) + b"\n") * number,
        (piece(random) + b"\n\n" + piece(random) + b"\n\n") * number,
    )
    return data[:at] + random.choice(grown) + data[at:]


def repeat(data: bytes, random: Random) -> bytes:
    return data * random.choice((2, 3, 10))


def break_headings(data: bytes, random: Random) -> bytes:
    """Remove the space after `##`, indent it, change the level, underline it, empty it."""
    ways = rb"\1\2| \1 \2|#\1 \2|\2\n---|\1|\1 \2 \1|\1\t\2|> \1 \2".split(b"|")
    way, chance = random.choice(ways), random.choice((0.2, 1.0))
    return re.sub(
        rb"(?m)^(#+)[ \t]+(.*)$",
        lambda match: match.expand(way) if random.random() < chance else match[0],
        data,
    )


def encode_anew(data: bytes, random: Random) -> bytes:
    """Store the text in another encoding, as some editors do."""
    text = data.decode("utf-8", "replace")
    encoding = random.choice(("utf-16", "utf-8-sig", "latin-1", "cp1252", "utf-32", "utf-16-be"))
    return text.encode(encoding, "replace")


MUTATIONS: Sequence[Mutation] = (
    *(flip_bits, insert_pieces, insert_pieces, begin_lines, begin_lines, end_lines, shuffle_lines),
    *(shuffle_lines, cut, grow, repeat, break_headings, encode_anew),
)


def mutated(data: bytes, others: Sequence[bytes], random: Random) -> bytes:
    for _ in range(random.choice((1, 1, 2, 3, 5))):
        if random.random() < 0.1:
            other = random.choice(others)
            at, cut_at = random.randrange(len(data) + 1), random.randrange(len(other) + 1)
            data = data[:at] + other[cut_at:]
        else:
            data = random.choice(MUTATIONS)(data, random)
    return data[:MOST]
