from __future__ import annotations

import time

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from learnings.core.markdown import parser
from learnings.core.markdown.blocks import outline_of
from learnings.core.markdown.outline import Block, Heading, Outline, guess, scan
from learnings.core.markdown.parser import parse
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


SEEN = {
    "# a\n## b\n###### f\n": outline(headings=((1, 1), (2, 2), (3, 6))),
    "#\n## \n### ###\n": outline(headings=((1, 1), (2, 2), (3, 3))),
    "-\n  ## b\n": outline(items=(1,)),
    "\ufeff## a\n## b\n": outline(headings=((2, 2),)),
    "```py x=1\n```\n~~~ a`b~\n~~~\n": outline(fences=((1, 2, True), (3, 4, True))),
    "a\n```\n## b\n\n": outline(fences=((2, 4, False),)),
    "1. a\n  ```\n   ## b\n  ```\n": outline(items=(1,), fences=((2, 4, True),)),
    "<!--\n## a\n\n- b\n--> c\n## d\n": outline(comments=((1, 5, True),), headings=((6, 2),)),
    "<!-- a\n## b\n\n": outline(comments=((1, 3, False),)),
    "<br>\n\n<hr/>\n## a\n\n<div/ x\n## b\n": outline(headings=((7, 2),)),
    "<script>\n## a\n\n## b\n</script>\n## c\n": outline(headings=((6, 2),)),
    "1. a\n2. b\n3) c\n123456789. d\n": outline(items=(1, 2, 3, 4)),
    "> a\nb\n2. c\n*\n": outline(items=(3, 4)),
    "- a\n - b\n  - c\n": outline(items=(1, 2, 3)),
    "## a\r\r- b\r```\r```": outline(headings=((1, 2),), items=(3,), fences=((4, 5, True),)),
    decode(b"[\xff]: <\xff>\n\xff\n## \xff\n"): outline(headings=((3, 2),)),
}

# Both read these alike, whatever the outline is.
ALIKE = [
    *("", "####### a\n", "##a\n", "## a ##\n## b #\n", "\\## a\n", "   ## a\n", "    ## a\n"),
    *("\t## a\n", "a\n## b\nc\n", "a\n    ## b\n", "a\n===\n\nb\n---\n\nc\n-\n"),
    *("a\n---\n## b\n", "> ## a\n> > ## b\n", "> a\n## b\n", "- a\n\n  ## b\n", "- a\n## b\n"),
    *("1. a\n  ## b\n", "- a\n\nb\n\n  ## c\n"),
    *("```\n## a\n```\n## b\n", "~~~\n## a\n```\n~~~\n", "``` a`b\n## c\n"),
    *("```\n````\n## c\n", "````\n```\n## c\n````\n", "```\n``` x\n```\n", "```\n   ```\n"),
    *("```\n    ```\n", "   ```\n## a\n```\n", "    ```\n## a\n"),
    *("- a\n  ```\n  ## b\n  ```\n- c\n", "1. a\n\n   ```\n   ## b\n\n   - c\n   ```\n2. d\n"),
    "- ```\n- b\n",
    *("<!-- a -->\n## b\n", "<!-->\n## b\n", "   <!--\n## a\n-->\n", "a\n<!--\n## b\n-->\n"),
    *("```\n<!--\n```\n## a\n", "<!--\n```\n-->\n## a\n", "- a\n\n  <!--\n  ## b\n  -->\n"),
    *("<div>\n## a\n\n## b\n", "<DIV class=x\n## a\n \t\n## b\n", "a\n<p>\n## b\n"),
    *("<divx\n## a\n<div-x\n## b\n", "<a href='x' b c=\"d\" e=f>\n## a\n\n## b\n"),
    *("</b >\n## a\n", "a\n<b>\n## c\n", "- a\n===\n<b>\n## c\n", "<b>a</b>\n## c\n"),
    *("<a b=`>\n## c\n<1>\n## d\n", "<pre\n\n## a\n</Style>\n## c\n"),
    *("<script/>\n## a\n\n## b\n", "<?php\n## a\n\n?>\n## b\n", "<!DOCTYPE\n## a\n\n>\n## b\n"),
    *("<![CDATA[\n## a\n>\n]]>\n## b\n", "   <div>\n## a\n"),
    *("- a\n* b\n+ c\n", "1234567890. a\n", "-a\n*b*\n1.5\n2026-01-01\n"),
    *("1. a\n  - b\n2. c\n   - d\n", "-\n*\n1.\n- \n", "a\n- b\nc\n", "a\n1. b\n"),
    *("a\n2. b\n\n2. c\n", "a\n*\n1.\n", "a\n-\n*\n", "- a\nb\n2. c\n", "- a\n\nb\n2. c\n"),
    *("> a\n>\nb\n2. c\n", "```\n```\n2. b\n", "- - -\n***\n* * *\n___\n---\n"),
    *("- a\n---\n- b\n", "- a\n\n  b\n\n- c\n", "> a\n\n    > b\n-c\n2. d\n"),
    *(">    a\nb\n2. c\n", "> a\n>\n    > b\nc\n2. d\n", "    - a\n", "\t- a\n- b\n\t- c\n"),
    *("-    a\n     - b\n   - c\n", "100. a\n    b\n2. c\n"),
    *("```\r\n## a\r\n```\r\n\r\n## b\r\n", "a\r\n\n## b\n- c\r\n", "a\r## b\n## c\n"),
    *("- a\n \r \n## b\r\r\n", "<a b=\0>\n## c\n", "<div>\n\x0c\n## a\n"),
]

# What the scanner leaves to the parser: a line turns on a paragraph that is open perhaps.
UNCERTAIN = {
    "[a]: b\n2. c\n": outline(items=(2,)),
    "[a\n2. c\n": outline(),
    "[a]: b\n-\n": outline(items=(2,)),
    "[a]: b\n<b>\n## c\n": outline(),
    "- a\n  ```\n  ```\nb\n2. c\n": outline(items=(1,)),
    "- a\n  ```\n  ```\nb\n\n  ## c\n": outline(items=(1,), headings=((6, 2),)),
    "- [a\n  b]: c\nd\n2. e\n": outline(items=(1,)),
    "1.  10.  1. a\n        - b\nc\n2. d\n": outline(items=(1,)),
    "> ~~~\n> a\nb\n2. c\n": outline(),
    "> > a\nb\n> c\n     2. d\n</b>\n - e\n": outline(),
    ">\t\ta\nb\n2. c\n": outline(),
    "100. a\n    ## b\n": outline(items=(1,)),
    "-    a\n    - b\n": outline(items=(1,)),
    "- a\n  ```\nb\n  ```\n## c\n": outline(items=(1,), fences=((4, 5, False),)),
    "- - - - - - - - - - a\n\n## b\n": outline(items=(1,)),
}


@pytest.mark.parametrize("text", [*SEEN, *ALIKE])
def test_parser_and_scanner_see_the_same(text: str) -> None:
    lines = split_lines(text)
    expected = SEEN.get(text, parse(lines))
    assert parse(lines) == scan(lines) == outline_of(lines) == expected


@pytest.mark.parametrize("text", UNCERTAIN)
def test_the_parser_decides_where_the_scanner_is_not_certain(text: str) -> None:
    lines = split_lines(text)
    assert (scan(lines), outline_of(lines)) == (None, UNCERTAIN[text])


@pytest.mark.parametrize("line", ["<!a\n", "<search>\n", "</source\n", "<lin\u212a>\n"])
def test_what_versions_of_the_parser_disagree_about_is_uncertain(line: str) -> None:
    assert scan([line]) is None


def test_the_scanner_needs_no_parser(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parser, "parse", pytest.fail)

    assert outline_of(["- a\n", "## b\n"]) == outline(items=(1,), headings=((2, 2),))


BEGINNINGS = st.sampled_from(["", "", "", " ", "  ", "   ", "    ", "      ", "\t", " \t", "\t\t"])
MARKERS = st.sampled_from(["- ", "* ", "-\t", "-     ", "1. ", "2. ", "10.  ", "> ", "> > "])
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
NESTED = st.tuples(BEGINNINGS, st.lists(MARKERS, max_size=3).map("".join), CONTENTS, ENDS)
LINE = st.tuples(CONTENTS, ENDS).map("".join) | NESTED.map("".join)
# A few lines that come again and again meet each other more often than ever new ones.
DOCUMENTS = st.lists(LINE, min_size=1, max_size=5).flatmap(
    lambda lines: st.lists(st.sampled_from([*lines, "\n", "a\n"]), max_size=9).map("".join)
)
JOINED_CASES = st.lists(st.sampled_from([*SEEN, *ALIKE, *UNCERTAIN]), max_size=5).map("".join)
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
    assert scan(lines) in (guess(lines), None)
    assert outline_of(lines) == expected


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
