from __future__ import annotations

import pytest

from learnings.consolidation.checks.prechecks import prechecks
from learnings.consolidation.checks.supersession import Order
from tests.consolidation.memory import memory, target

# The older entry, the newer one that takes it back, and one of the same field that does not.
CASES = {
    "Russian": (
        ("Кэш профилей пользователей", "Профили пользователей храним в Redis один час."),
        ("Кэш профилей пользователей отключён", "Профили пользователей больше не храним в Redis."),
        ("Кэш картинок пользователей", "Картинки не сжимаем при загрузке."),
    ),
    "Portuguese": (
        (
            "Janela de implantação",
            "Implantar na sexta-feira à tarde é permitido com testes verdes.",
        ),
        ("Janela de implantação menor", "Não implantar na sexta-feira à tarde: houve incidentes."),
        ("Registro de implantação", "O registro nunca mostra senhas."),
    ),
    "Arabic": (
        ("ذاكرة رموز الوصول", "نخزن رموز الوصول في الذاكرة عشر دقائق."),
        (
            "ذاكرة رموز الوصول معطلة",
            "لم نعد نخزن رموز الوصول في الذاكرة، ولا نخزن رموز الوصول أبدا.",
        ),
        ("سجل رموز الخطأ", "لا نعرض تفاصيل الخادم للمستخدم."),
    ),
    "Chinese": (
        ("用户资料缓存", "用户资料缓存在 Redis 中一小时。"),
        ("用户资料缓存取消", "用户资料不再缓存在 Redis 中。"),
        ("用户头像上传", "不要在上传时压缩头像。"),
    ),
    "Japanese": (
        ("アクセストークンの保存", "アクセストークンはメモリに十分間保存する。"),
        ("アクセストークンの保存禁止", "アクセストークンはメモリに保存しない。"),
        ("エラーログの保存", "ログに顧客の名前を出さない。"),
    ),
}


@pytest.mark.parametrize("language", CASES)
def test_the_older_entry_is_superseded(language: str) -> None:
    entries = memory(*CASES[language]).entries
    dates = {entry.identity: f"2026-01-0{day}" for day, entry in enumerate(entries, start=1)}
    (finding,) = prechecks(entries, (), entries=entries, order=Order(entries, dates))
    assert (finding.check, finding.action) == ("supersession", "drop")
    assert (finding.entry, finding.against.entry) == entries[:2]


@pytest.mark.parametrize("language", CASES)
def test_a_section_that_is_denied_is_no_reason_to_drop(language: str) -> None:
    older, newer, other = CASES[language]
    entries = memory(("When it went wrong", newer[1])).entries
    targets = [target(older, other)]
    (finding,) = prechecks(entries, targets, entries=entries, order=Order(entries, {}))
    assert finding.action != "drop"
    assert finding.against.section == older[0]
