"""Field labels: the words before the colon that structure an entry and are not its content."""

from __future__ import annotations

import re

from learnings.core.markdown.line_kinds import BULLET_MARKER
from learnings.core.patterns import lazy_pattern

_WORDS = """
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
LABEL_WORDS = frozenset(_WORDS.split())
"""Casefolded words; a label consists of nothing else."""

# Up to 40 characters and a colon at the start of a line, also in a list or quote and in bold or
# italics, with the colon inside or outside of them.
_LABEL = lazy_pattern(
    rf"^[ \t>]*(?:{BULLET_MARKER}[ \t]+)?(?P<mark>\*\*|__|\*|_)?"
    r"(?P<label>[^\s*_:：|`\[\]()<>][^*:：|`\n]{0,38}?)"
    r"(?:(?(mark)(?P=mark))[ \t]*[:：]|[:：](?(mark)(?P=mark)))(?=\s|$|[^\x00-\x7f])",
    re.MULTILINE,
)
# An ATX heading; what closes it is no word of the label.
_HEADING = lazy_pattern(r"^ {0,3}#{1,6}[ \t]+(?P<label>[^\n]+)$", re.MULTILINE)
# A run of letters.
_WORD = lazy_pattern(r"[^\W\d_]+")
_PLAIN = str.maketrans("áàâãäéèêëíìîïóòôõöúùûüç", "aaaaaeeeeiiiiooooouuuuc")


def without_labels(text: str) -> str:
    """Return the text without the labels at the start of its lines; it keeps its line breaks.

    `**Context**: a hook` and `- Root cause: a hook` lose what is before the hook; `Go: a hook`
    keeps it. A heading `### Summary` is a label as well.
    """
    for pattern, signs in ((_LABEL, ":："), (_HEADING, "#")):
        if any(sign in text for sign in signs):  # most sentences have none, and there are many
            text = pattern.sub(lambda match: "" if is_label(match["label"]) else match[0], text)
    return text


def is_label(text: str) -> bool:
    """Return True if a text consists of words of labels only, four at most."""
    words = _WORD.findall(text.casefold().translate(_PLAIN).replace("'", "").replace("’", ""))
    return 0 < len(words) <= 4 and LABEL_WORDS.issuperset(words)
