"""Labels of the parts of an entry, as people write them: `- **Correct pattern:** text`.

The one list of the words for what a part is, in all languages that the product reads.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Sequence
from functools import lru_cache

from learnings.core.markdown.line_kinds import BULLET_MARKER
from learnings.core.patterns import lazy_pattern

RULE, WRONG, WHY, CIRCUMSTANCE, FACT = "rule", "wrong", "why", "circumstance", "fact"
"""Kinds of labels: what to do; what was wrong, was before or was not chosen; the reason; what
happened or serves as an example; and facts about the entry, such as its status."""

_RULE = lazy_pattern(
    r"(?:the |key )?(?:lesson|rule|fix|solution|resolution|takeaway|learning|application|decision"
    r"|action|correct pattern|do|insight|урок|правило|решение|教训|规则|教訓|ルール|lição|regra)s?"
)
_WRONG = lazy_pattern(
    r"was|.*\b(?:anti-?patterns?|wrong|bad|mistakes?|incorrect|prior|beliefs?|assumptions?|previously"
    r"|original|before|alternatives?|options?|rejected|considered)\b.*"
)
_WHY = frozenset(("rationale", "reason", "reasons", "why"))
_CIRCUMSTANCES = """
context,when,evidence,problem,background,root cause,cause,example,examples,impact,symptom,symptoms
incident,note,notes,how,what happened,summary of problem
contexto,problema,evidência,контекст,проблема,пример,背景,问题,原因
"""
_CIRCUMSTANCE = frozenset(_CIRCUMSTANCES.strip().replace("\n", ",").split(","))
# A label of a fact consists only of these words.
_FACTS = """
author agent by owner who participant branch commit version id severity priority area subject date
status tag file see also related source reference ref link logged created supersedes superseded
consolidated from session discovered added updated changed in of and the on дата статус
источник 日期 状态 来源 出典
"""
_FACT_WORDS = frozenset(_FACTS.split())
# Words of labels of any kind: they structure an entry and are not its content.
_VOCABULARY = """
action after alternative alternatives anti antipattern application apply area author background bad
before category cause consequence consequences consolidated context correct correction created date
decision details error evidence example examples expected files fix fixed from good id impact
implementation insight issue key learned lesson logged metadata mistake note notes owner pattern
priority problem rationale reason resolution result root rule scope see session severity situation
solution source status suggested summary supersedes symptom symptoms tags takeaway tldr type what
when where why wrong
contexto decisao licao aplicacao problema solucao causa regra exemplo
контекст урок решение проблема причина пример правило вывод статус
背景 教训 经验 决定 问题 原因 解决 方案 解决方案 应用 状态 规则 结论 示例 文脈 教訓 決定 問題 解決策
السياق الدرس القرار المشكلة الحل السبب القاعدة المثال
"""
LABEL_WORDS = frozenset(_VOCABULARY.split())
"""Casefolded words; a label of boilerplate consists only of these."""

# Up to 40 characters and a colon at the start of a line, also in a list or quote and in bold or
# italics, with the colon inside or outside of them.
_LABEL = lazy_pattern(
    rf"[ \t>]*(?:{BULLET_MARKER}[ \t]+)?(?P<mark>\*\*|__|\*|_)?"
    r"(?P<label>[^\s*_:：|`\[\]()<>][^*:：|`]{0,38}?)"
    r"(?:(?(mark)(?P=mark))[ \t]*[:：]|[:：](?(mark)(?P=mark)))(?=\s|$|[^\x00-\x7f])"
)
# An ATX heading; its closing marks are not part of the label.
_HEADING = lazy_pattern(r" {0,3}#{1,6}[ \t]+(?P<label>.+)", re.DOTALL)
# A run of letters.
_WORD = lazy_pattern(r"[^\W\d_]+")
_PLAIN = str.maketrans("áàâãäéèêëíìîïóòôõöúùûüç", "aaaaaeeeeiiiiooooouuuuc", "'’")


@lru_cache(maxsize=1024)
def kind_of(label: str) -> str:
    """Return the kind of a casefolded label, empty if it is none of them."""
    words = _WORD.findall(label)
    if words and all(
        word in _FACT_WORDS or word.removesuffix("s") in _FACT_WORDS for word in words
    ):
        return FACT
    if label in _WHY:
        return WHY
    if label in _CIRCUMSTANCE:
        return CIRCUMSTANCE
    if _RULE.fullmatch(label):
        return RULE
    return WRONG if _WRONG.fullmatch(label) else ""


def is_label(text: str) -> bool:
    """Return True if a text consists only of label words, at most four."""
    words = _WORD.findall(text.casefold().translate(_PLAIN))
    return 0 < len(words) <= 4 and LABEL_WORDS.issuperset(words)


def labels_in(text: str) -> list[str]:
    """Return the casefolded labels at the start of the lines of a text, in its order."""
    lines = (line for line in text.split("\n") if ":" in line or "：" in line)
    return [match["label"].casefold() for match in filter(None, map(_LABEL.match, lines))]


def without_labels(text: str, own: Collection[str] = ()) -> str:
    """Return the text without labels at the start of its lines; line breaks stay.

    `**Context**: a hook` and `- Root cause: a hook` lose everything before the hook; `Go: a hook`
    keeps it unless `go` is among own. A heading `### Summary` is a label as well.
    """
    lines = text.split("\n")
    for number, line in enumerate(lines):
        if ":" in line or "：" in line or "#" in line:  # a tenth of the time of the patterns
            for pattern in (_LABEL, _HEADING):
                match = pattern.match(lines[number])
                if match and (is_label(match["label"]) or match["label"].casefold() in own):
                    lines[number] = lines[number][match.end() :]
    return "\n".join(lines)


_RECURRING = 10
"""A label recurs if one in this many texts has it, and at least two; chosen, not measured."""


def recurring_labels(texts: Sequence[str]) -> frozenset[str]:
    """Return the casefolded labels that structure the texts of a file."""
    counts = Counter(label for text in texts for label in {*labels_in(text)})
    least = max(2, len(texts) / _RECURRING)
    return frozenset(label for label, count in counts.items() if count >= least)


def conclusion_in(line: str) -> str:
    """Return the text of a line behind a label for what to do; empty without one."""
    match = _LABEL.match(line) if ":" in line or "：" in line else None
    is_rule = match is not None and kind_of(match["label"].casefold()) == RULE
    return line[match.end() :].strip() if match and is_rule else ""
