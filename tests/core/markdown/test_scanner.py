from __future__ import annotations

import time

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from learnings.core.markdown import parser
from learnings.core.markdown.blocks import outline_of
from learnings.core.markdown.outline import Block, Heading, Outline
from learnings.core.markdown.parser import parse
from learnings.core.markdown.scanner import guess, scan
from learnings.core.text import decode, split_lines


def outline(
    *,
    headings: tuple[tuple[int, int], ...] = (),
    items: tuple[int, ...] = (),
    fences: tuple[tuple[int, int, bool], ...] = (),
    comments: tuple[tuple[int, int, bool], ...] = (),
) -> Outline:
    return Outline(
        headings=tuple(Heading(line, level) for line, level in headings),
        items=items,
        fences=tuple(Block(first, last, closed) for first, last, closed in fences),
        comments=tuple(Block(first, last, closed) for first, last, closed in comments),
    )


HEADINGS = {
    "nothing": ("", outline()),
    "levels": ("# a\n## b\n###### f\n", outline(headings=((1, 1), (2, 2), (3, 6)))),
    "seven": ("####### a\n", outline()),
    "no space": ("##a\n", outline()),
    "no words": ("#\n## \n### ###\n", outline(headings=((1, 1), (2, 2), (3, 3)))),
    "closed": ("## a ##\n## b #\n", outline(headings=((1, 2), (2, 2)))),
    "escaped": ("\\## a\n", outline()),
    "three blanks": ("   ## a\n", outline(headings=((1, 2),))),
    "four blanks": ("    ## a\n", outline()),
    "tab before": ("\t## a\n", outline()),
    "under text": ("a\n## b\nc\n", outline(headings=((2, 2),))),
    "continues text": ("a\n    ## b\n", outline()),
    "setext": ("a\n===\n\nb\n---\n\nc\n-\n", outline()),
    "underline and heading": ("a\n---\n## b\n", outline(headings=((3, 2),))),
    "quoted": ("> ## a\n> > ## b\n", outline()),
    "ends a quote": ("> a\n## b\n", outline(headings=((2, 2),))),
    "in an item": ("- a\n\n  ## b\n", outline(items=(1,))),
    "ends an item": ("- a\n## b\n", outline(items=(1,), headings=((2, 2),))),
    "left of an item's text": ("1. a\n  ## b\n", outline(items=(1,), headings=((2, 2),))),
    "after a closed item": ("- a\n\nb\n\n  ## c\n", outline(items=(1,), headings=((5, 2),))),
    "in an item with an empty line": ("-\n  ## b\n", outline(items=(1,))),
    "byte order mark": ("\ufeff## a\n## b\n", outline(headings=((2, 2),))),
}

FENCES = {
    "backticks": ("```\n## a\n```\n## b\n", outline(fences=((1, 3, True),), headings=((4, 2),))),
    "tildes": ("~~~\n## a\n```\n~~~\n", outline(fences=((1, 4, True),))),
    "info": ("```py x=1\n```\n~~~ a`b~\n~~~\n", outline(fences=((1, 2, True), (3, 4, True)))),
    "backtick in info": ("``` a`b\n## c\n", outline(headings=((2, 2),))),
    "longer end": ("```\n````\n## c\n", outline(fences=((1, 2, True),), headings=((3, 2),))),
    "shorter end": ("````\n```\n## c\n````\n", outline(fences=((1, 4, True),))),
    "end with words": ("```\n``` x\n```\n", outline(fences=((1, 3, True),))),
    "end before three blanks": ("```\n   ```\n", outline(fences=((1, 2, True),))),
    "end before four blanks": ("```\n    ```\n", outline(fences=((1, 2, False),))),
    "never closed": ("a\n```\n## b\n\n", outline(fences=((2, 4, False),))),
    "three blanks": ("   ```\n## a\n```\n", outline(fences=((1, 3, True),))),
    "four blanks": ("    ```\n## a\n", outline(headings=((2, 2),))),
    "in an item": ("- a\n  ```\n  ## b\n  ```\n- c\n", outline(items=(1, 5))),
    "in a numbered item": (
        "1. a\n\n   ```\n   ## b\n\n   - c\n   ```\n2. d\n",
        outline(items=(1, 8)),
    ),
    "as an item, by an item": ("- ```\n- b\n", outline(items=(1, 2))),
    "left of an item's text": (
        "1. a\n  ```\n   ## b\n  ```\n",
        outline(items=(1,), fences=((2, 4, True),)),
    ),
}

COMMENTS = {
    "one line": ("<!-- a -->\n## b\n", outline(comments=((1, 1, True),), headings=((2, 2),))),
    "lines": (
        "<!--\n## a\n\n- b\n--> c\n## d\n",
        outline(comments=((1, 5, True),), headings=((6, 2),)),
    ),
    "never closed": ("<!-- a\n## b\n\n", outline(comments=((1, 3, False),))),
    "shortest": ("<!-->\n## b\n", outline(comments=((1, 1, True),), headings=((2, 2),))),
    "three blanks": ("   <!--\n## a\n-->\n", outline(comments=((1, 3, True),))),
    "under text": ("a\n<!--\n## b\n-->\n", outline(comments=((2, 4, True),))),
    "in a fence": ("```\n<!--\n```\n## a\n", outline(fences=((1, 3, True),), headings=((4, 2),))),
    "holds a fence": (
        "<!--\n```\n-->\n## a\n",
        outline(comments=((1, 3, True),), headings=((4, 2),)),
    ),
    "in an item, indented": ("- a\n\n  <!--\n  ## b\n  -->\n", outline(items=(1,))),
}

HTML = {
    "block": ("<div>\n## a\n\n## b\n", outline(headings=((4, 2),))),
    "block, capitals": ("<DIV class=x\n## a\n \t\n## b\n", outline(headings=((4, 2),))),
    "block, both": ("<br>\n\n<hr/>\n## a\n\n<div/ x\n## b\n", outline(headings=((7, 2),))),
    "block under text": ("a\n<p>\n## b\n", outline()),
    "no tag of a block": ("<divx\n## a\n<div-x\n## b\n", outline(headings=((2, 2), (4, 2)))),
    "lone tag": ("<a href='x' b c=\"d\" e=f>\n## a\n\n## b\n", outline(headings=((4, 2),))),
    "lone end tag": ("</b >\n## a\n", outline()),
    "lone tag under text": ("a\n<b>\n## c\n", outline(headings=((3, 2),))),
    "lone tag under a lazy line": (
        "- a\n===\n<b>\n## c\n",
        outline(items=(1,), headings=((4, 2),)),
    ),
    "tag and words": ("<b>a</b>\n## c\n", outline(headings=((2, 2),))),
    "no tag": ("<a b=`>\n## c\n<1>\n## d\n", outline(headings=((2, 2), (4, 2)))),
    "script": ("<script>\n## a\n\n## b\n</script>\n## c\n", outline(headings=((6, 2),))),
    "other end tag": ("<pre\n\n## a\n</Style>\n## c\n", outline(headings=((5, 2),))),
    "empty script": ("<script/>\n## a\n\n## b\n", outline(headings=((4, 2),))),
    "instruction": ("<?php\n## a\n\n?>\n## b\n", outline(headings=((5, 2),))),
    "declaration": ("<!DOCTYPE\n## a\n\n>\n## b\n", outline(headings=((5, 2),))),
    "data": ("<![CDATA[\n## a\n>\n]]>\n## b\n", outline(headings=((5, 2),))),
    "indented": ("   <div>\n## a\n", outline()),
}

ITEMS = {
    "bullets": ("- a\n* b\n+ c\n", outline(items=(1, 2, 3))),
    "numbers": ("1. a\n2. b\n3) c\n123456789. d\n", outline(items=(1, 2, 3, 4))),
    "too long a number": ("1234567890. a\n", outline()),
    "no blank": ("-a\n*b*\n1.5\n2026-01-01\n", outline()),
    "hardly indented": ("- a\n - b\n  - c\n", outline(items=(1, 2, 3))),
    "indented under a number": ("1. a\n  - b\n2. c\n   - d\n", outline(items=(1, 2, 3))),
    "empty": ("-\n*\n1.\n- \n", outline(items=(1, 2, 3, 4))),
    "under text": ("a\n- b\nc\n", outline(items=(2,))),
    "one under text": ("a\n1. b\n", outline(items=(2,))),
    "two under text": ("a\n2. b\n\n2. c\n", outline(items=(4,))),
    "empty under text": ("a\n*\n1.\n", outline()),
    "underline, not empty": ("a\n-\n*\n", outline(items=(3,))),
    "two under a lazy line": ("- a\nb\n2. c\n", outline(items=(1, 3))),
    "two under a later line": ("- a\n\nb\n2. c\n", outline(items=(1,))),
    "two under a quote": ("> a\nb\n2. c\n*\n", outline(items=(3, 4))),
    "empty quote before": ("> a\n>\nb\n2. c\n", outline()),
    "two under a fence": ("```\n```\n2. b\n", outline(fences=((1, 2, True),), items=(3,))),
    "rules": ("- - -\n***\n* * *\n___\n---\n", outline()),
    "rule after an item": ("- a\n---\n- b\n", outline(items=(1, 3))),
    "after a paragraph of it": ("- a\n\n  b\n\n- c\n", outline(items=(1, 5))),
    "code after a quote": ("> a\n\n    > b\n-c\n2. d\n", outline()),
    "two under an indented quote": (">    a\nb\n2. c\n", outline(items=(3,))),
    "two under a far indented quote": ("> a\n>\n    > b\nc\n2. d\n", outline(items=(5,))),
    "four blanks": ("    - a\n", outline()),
    "tab": ("\t- a\n- b\n\t- c\n", outline(items=(2,))),
    "wide marker": ("-    a\n     - b\n   - c\n", outline(items=(1, 3))),
    "four blanks left of the text": ("100. a\n    b\n2. c\n", outline(items=(1, 3))),
}

LINES = {
    "crlf": (
        "```\r\n## a\r\n```\r\n\r\n## b\r\n",
        outline(fences=((1, 3, True),), headings=((5, 2),)),
    ),
    "mixed": ("a\r\n\n## b\n- c\r\n", outline(headings=((3, 2),), items=(4,))),
    "cr only": (
        "## a\r\r- b\r```\r```",
        outline(headings=((1, 2),), items=(3,), fences=((4, 5, True),)),
    ),
    "cr in a line": ("a\r## b\n## c\n", outline(headings=((2, 2),))),
    "cr as blank": ("- a\n \r \n## b\r\r\n", outline(items=(1,), headings=((3, 2),))),
    "nul in a tag": ("<a b=\0>\n## c\n", outline()),
    "form feed is no blank": ("<div>\n\x0c\n## a\n", outline()),
    "no bytes of utf-8": (decode(b"[\xff]: <\xff>\n\xff\n## \xff\n"), outline(headings=((3, 2),))),
}

CASES = {
    f"{group}: {name}": case
    for group, cases in {
        "heading": HEADINGS,
        "fence": FENCES,
        "comment": COMMENTS,
        "html": HTML,
        "item": ITEMS,
        "lines": LINES,
    }.items()
    for name, case in cases.items()
}

# What the scanner leaves to the parser: a line turns on a paragraph that is open perhaps.
UNCERTAIN = {
    "number under a definition": ("[a]: b\n2. c\n", outline(items=(2,))),
    "number under a bracket": ("[a\n2. c\n", outline()),
    "underline under a definition": ("[a]: b\n-\n", outline(items=(2,))),
    "tag under a definition": ("[a]: b\n<b>\n## c\n", outline()),
    "number after a fence in an item": ("- a\n  ```\n  ```\nb\n2. c\n", outline(items=(1,))),
    "heading after a fence in an item": (
        "- a\n  ```\n  ```\nb\n\n  ## c\n",
        outline(items=(1,), headings=((6, 2),)),
    ),
    "definition in an item": ("- [a\n  b]: c\nd\n2. e\n", outline(items=(1,))),
    "deep code in an item": ("1.  10.  1. a\n        - b\nc\n2. d\n", outline(items=(1,))),
    "quoted fence": ("> ~~~\n> a\nb\n2. c\n", outline()),
    "quote in a quote": ("> > a\nb\n> c\n     2. d\n</b>\n - e\n", outline()),
    "quoted code by tabs": (">\t\ta\nb\n2. c\n", outline()),
    "code left of an item's text": ("100. a\n    ## b\n", outline(items=(1,))),
    "item left of an item's text": ("-    a\n    - b\n", outline(items=(1,))),
    "fence cut off in an item": (
        "- a\n  ```\nb\n  ```\n## c\n",
        outline(items=(1,), fences=((4, 5, False),)),
    ),
    "ten lists": ("- - - - - - - - - - a\n\n## b\n", outline(items=(1,))),
}


@pytest.mark.parametrize(("text", "expected"), CASES.values(), ids=CASES)
def test_parser_and_scanner_see_the_same(text: str, expected: Outline) -> None:
    lines = split_lines(text)

    assert parse(lines) == expected
    assert scan(lines) == expected
    assert outline_of(lines) == expected


@pytest.mark.parametrize(("text", "expected"), UNCERTAIN.values(), ids=UNCERTAIN)
def test_the_parser_decides_where_the_scanner_is_not_certain(text: str, expected: Outline) -> None:
    lines = split_lines(text)

    assert scan(lines) is None
    assert outline_of(lines) == expected


@pytest.mark.parametrize("line", ["<!a\n", "<search>\n", "</source\n", "<lin\u212a>\n"])
def test_what_versions_of_the_parser_disagree_about_is_uncertain(line: str) -> None:
    assert scan([line]) is None


def test_the_scanner_needs_no_parser(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parser, "parse", pytest.fail)

    assert outline_of(["- a\n", "## b\n"]) == outline(items=(1,), headings=((2, 2),))


BEGINNINGS = st.sampled_from(
    ["", "", "", "", " ", "  ", "   ", "    ", "      ", "        ", "\t", " \t", "\t\t"]
)
MARKERS = st.sampled_from(
    [
        "- ",
        "* ",
        "-\t",
        "-     ",
        "1. ",
        "2. ",
        "10.  ",
        "> ",
        "> > ",
    ]
)
CONTENTS = st.sampled_from(
    [
        *["", "a", "a", "b c", "**b** c", "*", "-", "+", "1.", "2.", "- a", "2026-01-01 a", "2.5"],
        *["# a", "## a", "#", "#a", "####### a", "# a #\t", "\\# a", "\ufeff# a", "    a", "  - a"],
        *["---", "- - -", "***", "--- ", "--", "-", "===", "=", "=== a", "a | b", "~~a~~"],
        *["```", "````", "``` a", "``` \t", "~~~", "~~~~", "``` a`b", "`a`", "`` a"],
        *["<!--", "-->", "<!-- a -->", "<!-->", "a <!--", "<div>", "</p", "<a>", "</a>"],
        *["<a b='c'", "<https://a.b>", "<?a", "?>", "<!A", "<![CDATA[", "]]>", "<pre>", "</pre>"],
        *["[a]: b", "[a]: b 'c", "[a]:", "[a", "a]: b", "'d'", "[x] a", "[a](b)", "\\"],
        *["\x0c", "\u00a0", "\u2028", "\0", "<a b=\0>", "\udcff", "\ra"],
    ]
)
ENDS = st.sampled_from(["\n"] * 12 + ["\n\n"] * 3 + [" \n", "\t\n", "\r\n", "\r"])
PLAIN_LINE = st.builds("".join, st.tuples(CONTENTS, ENDS))
NESTED_LINE = st.builds(
    lambda blank, markers, content, end: "".join([blank, *markers, content, end]),
    BEGINNINGS,
    st.lists(MARKERS, max_size=3),
    CONTENTS,
    ENDS,
)
LINE = PLAIN_LINE | NESTED_LINE
# A few lines that come again and again meet each other more often than ever new ones.
DOCUMENTS = st.lists(LINE, min_size=1, max_size=5).flatmap(
    lambda lines: st.lists(st.sampled_from([*lines, "\n", "a\n"]), max_size=9).map("".join)
)
JOINED_CASES = st.lists(
    st.sampled_from([text for text, _ in [*CASES.values(), *UNCERTAIN.values()]]), max_size=5
).map("".join)
TEXTS = st.text(st.sampled_from(" \t\n\r#`~<>-+*_=![]():'\"/a12.\0\u2028\udcff"), max_size=60)


@pytest.mark.slow
@settings(deadline=None, max_examples=150)
@given(DOCUMENTS | st.lists(LINE, max_size=8).map("".join) | JOINED_CASES | TEXTS)
@example("> - [a]: b\n\t> - a\n-\n2. b\n")
@example(" > - a\n\n \t  > b\n-\n2. c\n")
@example("1.\t10.  1. a\n        - - b\n  c\n   10. d\n   2. e")
@example("> > a\nb\n> c\n     2. d\n</b>\n - e\n")
@example("- - ```\n\n    a\nb\n2. c\n")
def test_a_certain_scanner_is_right(text: str) -> None:
    lines = split_lines(text)
    expected = parse(lines)

    assert scan(lines) in (expected, None)
    assert outline_of(lines) == expected


@pytest.mark.slow
@settings(deadline=None, max_examples=100)
@given(DOCUMENTS | JOINED_CASES | TEXTS)
def test_a_guess_is_what_the_scanner_says(text: str) -> None:
    lines = split_lines(text)

    assert scan(lines) in (guess(lines), None)


INTERRUPTED_QUOTES = ["[a]: b\n", "2. c\n", *["> # d\n", "e\n"] * 20_000, "\n", "## f\n"]


SOAK = pytest.mark.soak


@pytest.mark.slow
@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        pytest.param(["[" + "a" * 1_000_000 + "\n"], outline(), id="bracket", marks=SOAK),
        pytest.param(["<a" + " b" * 200_000 + "\n"], outline(), id="tag", marks=SOAK),
        pytest.param(
            ["`" * 1_000_000 + "\n", "`" * 999_999], outline(fences=((1, 2, False),)), id="fence"
        ),
        pytest.param(["- " * 200_000 + "a\n"], outline(items=(1,)), id="markers", marks=SOAK),
        pytest.param(["> > > >\n"] * 100_000, outline(), id="quotes", marks=SOAK),
        pytest.param(["> " * 1_000 + "\n"] * 1_000, outline(), id="deep quotes", marks=SOAK),
        pytest.param(
            ["  " * n + "- a\n" for n in range(1_000)], outline(items=(1,)), id="lists", marks=SOAK
        ),
        pytest.param(["[a]: b 'c\n"] * 2_000, outline(), id="definitions"),
        pytest.param(
            INTERRUPTED_QUOTES,
            outline(items=(2,), headings=((len(INTERRUPTED_QUOTES), 2),)),
            id="interrupted quotes",
        ),
    ],
)
def test_hostile_lines_take_no_long_time(lines: list[str], expected: Outline) -> None:
    begin = time.process_time()

    assert outline_of(lines) == expected
    assert time.process_time() - begin < 10


def test_interrupted_quotes_are_left_to_a_guess(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parser, "parse", pytest.fail)

    assert scan(INTERRUPTED_QUOTES) is None
    assert outline_of(INTERRUPTED_QUOTES) == guess(INTERRUPTED_QUOTES)


def test_quotes_with_blank_lines_between_are_parsed() -> None:
    lines = ["[a\n", "2. b\n", "\n", *["> c\n", "\n"] * 1500]

    assert guess(lines) == outline(items=(2,))
    assert outline_of(lines) == outline()
