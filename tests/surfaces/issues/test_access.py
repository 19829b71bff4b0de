"""The address of the API and the token: invalid ones are refused."""

from __future__ import annotations

import pytest

from learnings.core.errors import UsageProblem
from learnings.surfaces.issues.access import Token, checked_address, token_from


@pytest.mark.parametrize(
    ("api", "message"),
    [
        ("", "is not a URL"),
        ("api.github.com", "is not a URL"),
        ("https://", "is not a URL"),
        ("https://me:secret@api.example", "is not a URL"),
        ("https://api.example?x", "is not a URL"),
        ("https://api%example", "is not a URL"),
        ("https://api..example", "is not a URL"),
        ("https://api.example:99999", "is not a URL"),
        (f"https://{'x' * 300}.example", "is not a URL"),
        ("ftp://api.example", "is not a URL"),
        ("http://api.example", "would send the token unencrypted"),
    ],
)
def test_an_address_that_is_refused(api: str, message: str) -> None:
    with pytest.raises(UsageProblem, match=message) as caught:
        checked_address(api, "GITHUB_API_URL")
    assert "secret" not in str(caught.value)


@pytest.mark.parametrize(
    "api",
    [
        "https://api.example/",
        "https://x/api/v3",
        "http://localhost:1",
        "https://[::1]:8443/api/v3",
        "https://bücher.example.",
    ],
)
def test_an_address_that_is_accepted(api: str) -> None:
    assert checked_address(api, "GITHUB_API_URL") == api.rstrip("/")


@pytest.mark.parametrize("text", ["two words", "new\nline", "ümlaut"])
def test_what_is_not_a_token_is_refused_without_showing_it(text: str) -> None:
    with pytest.raises(UsageProblem) as caught:
        Token(text, "GITHUB_TOKEN")
    assert text not in str(caught.value)


def test_a_token_comes_from_one_variable_only() -> None:
    assert token_from({"GH_TOKEN": "x"}, "GITHUB_TOKEN") is None
    assert token_from({"GITHUB_TOKEN": " "}, "GITHUB_TOKEN") is None
    token = token_from({"GITHUB_TOKEN": "abc\n"}, "GITHUB_TOKEN")
    assert token
    assert token.header("Bearer ") == "Bearer abc"
