from __future__ import annotations

import pytest

from learnings.core.markdown.escapes import unescaped


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        (r"\[2026-03-11\] 1\. a\_b \~ \* \# \\d", r"[2026-03-11] 1. a_b ~ * # \d"),
        (r"C:\temp \d and a lone \ ", r"C:\temp \d and a lone \ "),
        ("a hard\\\nbreak", "a hard\nbreak"),
        ("&lt;T&gt; &amp;amp; &#91;x&#x5D; a&nbsp;b", "<T> &amp; [x] a b"),
        ("AT&T; &unknown; &lt &#x110000000;", "AT&T; &unknown; &lt &#x110000000;"),
        ("a&#10;b", "a b"),
        (r"`\[` and ``\_ ` &lt;`` but \[", r"`\[` and ``\_ ` &lt;`` but ["),
        (r"\`not \[ code\` and an open ` \[", "`not [ code` and an open ` ["),
        (r"``` \[ ` \] ``", "``` [ ` ] ``"),
    ],
)
def test_only_escapes_and_references_outside_code_go(text: str, shown: str) -> None:
    assert unescaped(text) == shown
