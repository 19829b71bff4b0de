from __future__ import annotations

import pytest

from learnings.consolidation.checks.precheck import DROP, ESCALATE, Precheck
from learnings.consolidation.checks.prechecks import prechecks
from learnings.consolidation.checks.sentences import sentences_of_entry
from learnings.consolidation.checks.supersession import (
    BY_GIT,
    BY_POSITION,
    BY_STATED,
    Order,
    correction_of,
    superseded,
)
from learnings.core.entries.document import Document, read
from tests.consolidation.memory import memory, target

CACHE = ("Cache of access tokens", "Cache access tokens in memory.")
NO_CACHE = ("Access tokens without cache", "Never cache access tokens in memory.")


def superseded_in(document: Document, *, dated: bool = False) -> list[Precheck]:
    """Return what is superseded; dated entries came into git one a day, in their order."""
    entries = document.entries
    dates = {entry.identity: f"2026-01-{day:02}" for day, entry in enumerate(entries, start=1)}
    return superseded(Order(entries, dates if dated else {}))


def test_the_newer_one_denies_the_older_one() -> None:
    document = memory(CACHE, ("Other matter", "Nothing to see."), NO_CACHE)
    (finding,) = superseded_in(document, dated=True)
    assert (finding.entry, finding.against.entry) == (document.entries[0], document.entries[2])
    assert finding.action == DROP
    assert finding.evidence == (
        "titles share Access, tokens, cache",
        "line 13: Never cache access tokens in memory.",
        "line 5: Cache access tokens in memory.",
        "newer by git dates",
    )
    (finding,) = superseded_in(document)
    assert (finding.action, finding.evidence[-1]) == (ESCALATE, "newer by place in the file")


@pytest.mark.parametrize(
    ("older", "newer"),
    [
        ("Hook patterns (consolidated)", "Agent patterns (consolidated)"),
        ("Phase 3: Context `#priority:high` `#area:cli`", "Phase 13: Lint `#priority:high`"),
        ("2026-01-20 notes on lint", "2026-01-20 notes on tests"),
        ("F1 drops the last row", "F2 drops first column"),
        ("CI cache on Go", "CD cache on Rust"),
    ],
)
def test_what_is_no_subject_is_no_word_of_a_title(older: str, newer: str) -> None:
    assert not superseded_in(memory((older, "Drop rows."), (newer, "No longer drop rows.")))


@pytest.mark.parametrize(
    ("older", "newer", "actions"),
    [
        # Short names are words of a title.
        (("F1 in CI", "Run F1 in CI nightly."), ("F1 in CI", "Never run F1 nightly."), [DROP]),
        # The correction is of something else.
        (
            ("Claude Code skills format", "Skills are Markdown files with a prompt in their body."),
            (
                "Claude Code log format",
                "The slug field is no longer in a record, skills took its place.",
            ),
            [],
        ),
        # The newer one does not name all of the subject.
        (
            ("Cold starts of the image function", "Provisioned concurrency ends cold starts."),
            ("Cold starts of the mail function", "No provisioned concurrency: a mail can wait."),
            [ESCALATE],
        ),
        # Both deny it.
        (
            ("Paths of hooks", "Hooks take PATH. Never hardcode /home in hooks."),
            ("Paths in hooks", "Hooks take the project folder, never hardcode /home in hooks."),
            [],
        ),
        # A label takes nothing back.
        (
            ("Lock of jobs", "Jobs hold the lock for a minute."),
            ("Lock for jobs", "- Anti-pattern: jobs do not hold the lock for a minute"),
            [],
        ),
        # One matter without a correction.
        (("Webhook signature", "Verify first."), ("Webhook signature keys", "Two keys."), []),
        (("", "a"), ("", "not a"), []),
        # A title of one word is named by it alone.
        (("Retry", "a b"), ("Other thing", "Supersedes: the retry budget"), []),
        (("Retry", "a b"), ("Other thing", 'Supersedes: "Retry".'), [DROP]),
        # A mark in the older one is a question.
        (("New thing", "Supersedes: Old way"), ("Old way", "a b"), [ESCALATE]),
    ],
)
def test_what_takes_back_an_older_entry(
    older: tuple[str, str], newer: tuple[str, str], actions: list[str]
) -> None:
    assert [f.action for f in superseded_in(memory(older, newer), dated=True)] == actions


def test_a_mark_names_what_it_supersedes_by_title_or_time_stamp() -> None:
    by_title = memory(("Old way", "a b"), ("New thing", "Supersedes: old  WAY\nc d"))
    (finding,) = superseded_in(by_title)
    assert (finding.entry.title, finding.action, finding.score) == ("Old way", DROP, 1.0)
    assert finding.evidence == ("line 9 says that it supersedes it",)
    text = "## [2026-02-01-120000] Old\n\na\n\n## [2026-02-02-120000] New\n\n**Supersedes:** "
    (finding,) = superseded_in(read(f"{text}2026-02-01-120000\n".encode()))
    assert finding.entry.title == "Old"


@pytest.mark.parametrize(
    ("words", "older"),
    [("2026-01-20", []), ("2026-01-19", ["Alone"]), ('Previous learning "Gone" (2026-01-19)', [])],
)
def test_a_date_that_many_entries_have_names_none_of_them(words: str, older: list[str]) -> None:
    text = (
        "## [2026-01-20] One\n\na\n\n## [2026-01-20] Other\n\nb\n\n## [2026-01-19] Alone\n\nc\n\n"
        f"## [2026-01-21] New\n\n**Supersedes**: {words}\n"
    )
    assert [finding.entry.title for finding in superseded_in(read(text.encode()))] == older


def test_the_status_of_a_decision_record_is_a_mark() -> None:
    document = memory(
        ("Sessions on disk", "- **Status**: Superseded by Sessions in the journal\n"),
        ("Statuses", "Superseded entries have a status; the status: superseded ones go first."),
        ("Sessions in the journal", "a b"),
    )
    (finding,) = superseded_in(document)
    assert (finding.entry, finding.against.entry) == (document.entries[0], document.entries[2])
    assert (finding.action, finding.evidence) == (DROP, ("line 5 marks it as superseded",))


def test_what_is_marked_as_superseded_never_is_the_better_side() -> None:
    document = memory(CACHE, (NO_CACHE[0], f"~~Superseded~~\n{NO_CACHE[1]}"))
    (finding,) = superseded_in(document)
    assert (finding.entry, finding.against.entry) == (document.entries[1], None)
    assert finding.evidence == ("line 9 marks it as superseded",)


def test_the_mark_may_name_the_newer_one() -> None:
    document = memory(
        ("Old way", '~~Superseded by "New way to go"~~\na b'), ("New way to go", "c d")
    )
    (finding,) = superseded_in(document)
    assert (finding.entry, finding.against.entry) == document.entries


def test_each_entry_is_named_once_and_the_last_of_a_chain_is_the_better_side() -> None:
    again = (f"{CACHE[0]} again", NO_CACHE[1])
    twice = memory(CACHE, again, ("Final word", f"Supersedes: {CACHE[0]}"))
    assert [f.entry.title for f in superseded_in(twice)].count(CACHE[0]) == 1
    chain = memory(CACHE, again, ("Final word", f"Supersedes: {again[0]}"))
    last = chain.entries[2]
    assert [(f.entry.title, f.against.entry) for f in superseded_in(chain)] == [
        (CACHE[0], last),
        (again[0], last),
    ]


def test_two_that_supersede_each_other_are_not_both_dropped() -> None:
    document = memory(
        (CACHE[0], f"Supersedes: {CACHE[0]} again\nCache access tokens."),
        (f"{CACHE[0]} again", "Never cache any tokens; no longer."),
    )
    (finding,) = superseded_in(document, dated=True)
    assert (finding.entry, finding.against.entry) == document.entries
    assert superseded_in(memory()) == []


@pytest.mark.parametrize(
    ("title", "is_found"), [("Retry uploads", True), ("Retry all of it", False)]
)
def test_a_correction_contains_the_whole_older_title(title: str, *, is_found: bool) -> None:
    new = "Never retry uploads of invoices to the archive of another region by hand."
    older, newer = memory((title, "Text."), ("Invoices", new)).entries
    quotes = correction_of(sentences_of_entry(newer), sentences_of_entry(older))
    assert [sentence.text for sentence in quotes] == ([new, title] if is_found else [])


TAKEN_BACK = {
    "Read the rows of a report one by one.": "Do not read the rows of a report one by one.",
    "Send uploads of partners over FTP.": "Send uploads of partners over HTTPS instead of FTP.",
    "Keep access tokens on disk.": "Keeping access tokens on disk turned out to be wrong.",
    "Retry failed payments without a limit.": "Never retry failed payments without a limit.",
    "Run migrations of shards before rollouts.": "Do not run migrations of shards before rollouts.",
    "Warm the product cache before the import.": (
        "Warm the product cache after the import, not before."
    ),
    "Cut the weekly release on Monday.": "We stopped cutting the weekly release on Monday.",
    "Squash the commits of a branch.": "The commits of a branch must not be squashed any more.",
    "Lint the services with flake8.": "To lint the services with flake8 is obsolete.",
    "Put mail jobs on the Redis queue.": "We replaced the Redis queue of mail jobs by Postgres.",
}


@pytest.mark.parametrize("rule", TAKEN_BACK)
def test_a_rule_is_taken_back_in_its_own_words_under_any_title(rule: str) -> None:
    document = memory(("First", rule), ("Penguins", "They swim."), ("Third", TAKEN_BACK[rule]))
    (finding,) = superseded_in(document, dated=True)
    assert (finding.entry.title, finding.action) == ("First", DROP)
    assert superseded_in(document) == [], "the place in the file proves no order"


@pytest.mark.parametrize(
    ("older", "newer"),
    [
        (
            "Send uploads of partners over FTP.",
            "**Context**: Uploads of partners never came by FTP.",
        ),
        ("Send uploads of partners:\n\n- daily", "Never send uploads of partners."),
        ("**Anti-pattern**: Send uploads over FTP.", "Never send uploads over FTP."),
        ("Never send uploads over FTP.", "Do not send uploads over FTP."),
        ("Send uploads over FTP.", "No upload is larger than a gigabyte."),
    ],
)
def test_background_and_announcements_take_nothing_back(older: str, newer: str) -> None:
    assert superseded_in(memory(("First", older), ("Third", newer)), dated=True) == []


@pytest.mark.parametrize(
    "words", ["It supersedes First rule of all.", "This replaces: First rule of all"]
)
def test_a_mark_names_the_older_entry_anywhere(words: str) -> None:
    document = memory(("First rule of all", "Penguins swim."), ("Third", f"Owls fly. {words}"))
    (finding,) = superseded_in(document, dated=True)
    assert (finding.entry.title, finding.action) == ("First rule of all", DROP)


def stamped(*stamps: str) -> Document:
    return read("".join(f"## [{stamp}] Title {stamp}\n\ntext\n\n" for stamp in stamps).encode())


@pytest.mark.parametrize(
    ("stamps", "newer"),
    [
        (("2026-01-02-120000", "2026-01-01-120000"), 0),
        (("2026-01-01-120000", "2026-01-02-120000"), 1),
        (("2026-01-02-120000", "2026-01-02-130000"), 1),
    ],
)
def test_the_later_stated_date_wins_over_git(stamps: tuple[str, str], newer: int) -> None:
    entries = stamped(*stamps).entries
    dates = {entries[newer].identity: "2025-01-01", entries[1 - newer].identity: "2026-12-01"}
    found, _, basis = Order(entries, dates).newer(*entries)
    assert (found, basis) == (entries[newer], BY_STATED)


def test_without_stated_dates_the_later_one_in_git_wins() -> None:
    one, other = memory(("One", "a"), ("Other", "b")).entries
    order = Order([one, other], {one.identity: "2026-02-01", other.identity: "2026-01-01"})
    assert order.newer(one, other) == order.newer(other, one)
    assert order.newer(one, other)[0] is one
    assert order.newer(one, other)[2] == BY_GIT


@pytest.mark.parametrize(
    ("stamps", "newer"),
    [
        (("2026-03-01", "2026-02-01", "2026-02-01"), 1),
        (("2026-01-01", "2026-02-01", "2026-02-01"), 2),
    ],
)
def test_equal_dates_follow_the_direction_of_the_file(stamps: tuple[str, ...], newer: int) -> None:
    entries = stamped(*stamps).entries
    found, _, basis = Order(entries, {}).newer(entries[1], entries[2])
    assert (found, basis) == (entries[newer], BY_POSITION)


def test_a_month_and_a_day_in_it_are_equal() -> None:
    document = read(b"- 2026-02: one thing to keep\n- 2026-02-03: another thing to keep\n")
    assert Order(document.entries, {}).newer(*document.entries)[2] == BY_POSITION


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
    (finding,) = prechecks(entries, (), Order(entries, dates))
    assert (finding.check, finding.action) == ("supersession", "drop")
    assert (finding.entry, finding.against.entry) == entries[:2]


@pytest.mark.parametrize("language", CASES)
def test_a_section_that_is_denied_is_no_reason_to_drop(language: str) -> None:
    older, newer, other = CASES[language]
    entries = memory(("When it went wrong", newer[1])).entries
    targets = [target(older, other)]
    for finding in prechecks(entries, targets, Order(entries, {})):
        assert finding.action != "drop"
        assert finding.against.section == older[0]


def test_a_row_names_the_row_that_it_supersedes_by_its_id() -> None:
    rows = (
        "| D001 | Two knobs for the size | plain |",
        "| D010 | A third filter replaces nothing | D001 stays |",
        "| D002 | One knob for both (supersedes D001) | the host has one |",
    )
    head = ("# Decisions", "", "| # | Decision | Why |", "|---|---|---|")
    entries = read("\n".join((*head, *rows, "")).encode()).entries
    [found] = superseded(Order(entries, {}))
    assert (found.action, found.entry, found.against.entry) == (DROP, entries[0], entries[2])
