"""Light stemming: only the endings that inflect a word are removed."""

from __future__ import annotations

from learnings.core.patterns import lazy_pattern

# Before the first vowel there are only these, so that a long word is tried in one way, not in many.
_CONSONANT = "[b-df-hj-np-tv-xz]"
_CYRILLIC = "[а-яёіїєґ]"
# Endings of case, number and person.
_CASES = "[иыая]ми|[оеы]го|[оеы]му|[иыоеаюя]х|[аоеиыюя][еияюй]|[аоея]м|[оие]в|[аеиоуыэюяйь]"
_PARTICLES = "에서|으로|에게|까지|부터|보다|[은는이가을를의에로와과도만]"  # of Korean
# One after another. Two or three letters of a word stay: fewer join words of different meanings.
_ENDINGS = {
    r"(?<=[a-z]{2})(?:ies|ied)$": "y",  # entries, retried
    r"(?<=[cs])oes$": "ao",  # decisoes (Portuguese)
    r"(?<=[a-z]{2})(?:(?<=ss|sh|ch|zz)es|(?<=x)es|(?<=[a-z]{2}[^isu])s)$": "",  # boxes, hooks
    rf"^({_CONSONANT}*[aeiouy][a-z]*)([bdgmnprt])\2(?:ing|ed)$": r"\1\2",  # stopped
    rf"^({_CONSONANT}*[aeiouy][a-z]+)(?:ing|ed)$": r"\1",  # hooking
    r"(?<=[a-z]{3})e$": "",  # cache
    rf"(?<={_CYRILLIC}{{3}})(?:ся|сь)$": "",
    rf"(?<={_CYRILLIC}{{3}})(?:{_CASES})$": "",
    r"^(?:[وبكف]?ال|لل)(?=\w{3})": "",  # the article of Arabic
    r"(?<=\w{3})(?:ات|ين|ون|[ةه])$": "",
    rf"(?<=[가-힣]{{2}})(?:{_PARTICLES})$": "",
}
_RULES = tuple((lazy_pattern(pattern), replacement) for pattern, replacement in _ENDINGS.items())


def stem(word: str) -> str:
    """Return the stem of a casefolded word, which most of its inflected forms share."""
    for ending, replacement in _RULES:
        word = ending.sub(replacement, word)
    return word
