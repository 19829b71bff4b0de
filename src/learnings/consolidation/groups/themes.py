"""Themes of the work that memory files are about, and the words that speak of each.

Two entries about tests may share no word at all: one says `fixture`, the other `mock`. The table
was written by hand for this: kinds of work on software that memories speak of, not the words of one
project. It is English: entries in other languages have themes only as far as they use its words,
`cache` or `commit`, and are compared by their words alone otherwise.

It was made with the six passes at hand in view (benchmarks/README.md, Groups), where with the step
for the same day it is worth 0.14 of F1; on five other passes both together were worth nothing.
"""

from __future__ import annotations

from functools import cache

from learnings.consolidation.text.stems import stem

_TABLE = """
testing: test testing coverage fixture mock mocking assert assertion pytest unittest jest flaky
    regression golden snapshot testdata stub hypothesis
linting: lint linter linting golangci gosec errcheck ruff flake8 eslint mypy pylint nolint
    prettier formatter typecheck vet
version control: git commit branch merge rebase worktree checkout stash repo repository clone push
    pull upstream remote submodule squash diff blame
documentation: doc documentation readme changelog guide tutorial recipe reference page manual wiki
    glossary
publishing: blog post article publish publishing audience narrative arc writing draft
security: security secret encrypt encrypted encryption key credential token password crypto
    vulnerability sanitize sandbox injection attack threat
permissions: permission chmod execute executable allow deny allowlist whitelist blacklist wildcard
    grant access
hygiene: gitignore gitignored ignore ignored untracked artifact cleanup stale
hooks: hook pretooluse posttooluse sessionend sessionstart userpromptsubmit trigger event callback
sessions: session transcript jsonl conversation message history subagent
archives: journal export import archive entry
rendering: render rendering html css markdown fence fenced heading escape syntax highlight site
    stylesheet pre
configuration: config configuration setting flag option default yaml toml json env variable profile
paths: path directory folder absolute relative cwd home symlink filesystem
building: build compile compiler pipeline release version versioning binary install installer
    package dependency linker cgo
command line: cli command subcommand argument stdin stdout stderr terminal tty shell bash script
failures: error exception failure fail crash panic retry timeout warning silent silently
prompting: prompt instruction imperative directive compliance framing llm model reasoning persona
    tone
agents: agent subagent orchestrator autonomous parallel delegate delegation worker swarm
skills: skill plugin marketplace slash namespace
context: context window token budget compaction compact load loading inject injection memory
tasks: task todo plan planning milestone phase subtask backlog deliverable exit criteria completion
records: decision adr record learning lesson convention constitution
specifications: spec specification design proposal requirement scope
architecture: architecture module layer interface abstraction coupling boundary monolith dependency
refactoring: refactor refactoring rename renaming migration migrate extract split dead duplicate
    duplication duplicated
naming: name naming prefix suffix filename identifier title slug
parsing: parse parser parsing regex regexp grep pattern tokenizer ast grammar match matching
templates: template placeholder boilerplate scaffold sprintf format
notifications: notify notification webhook alert nudge reminder remind message
time: time date timestamp timezone clock duration schedule cron ttl expiry
concurrency: concurrency concurrent race lock mutex goroutine thread async await deadlock parallel
    atomic
caching: cache caching cached invalidation memoize ttl
performance: performance slow fast latency throughput profiling benchmark memory leak optimize
    optimization
databases: database sql query schema index migration transaction postgres sqlite orm table row
network: network http api request response endpoint server client url proxy socket dns rest graphql
interfaces: ui frontend component react browser dom button layout accessibility screen
data: data dataset csv json serialization serialize deserialize marshal encoding unicode utf charset
types: type typing generic struct interface enum nil null cast
platforms: windows macos linux darwin platform portable arm64 docker container kubernetes
reviews: review reviewer audit auditing verify verification validate validation check drift
    consistency
backups: backup restore overwrite destructive delete deletion remove removal recovery undo
references: link reference anchor citation url broken
observability: log logging logger debug debugging trace verbose metric telemetry observability
constants: constant magic literal hardcoded hardcode centralize enum string
"""


def themes_of(key: str) -> tuple[str, ...]:
    """Return the themes that a keyword belongs to, by its key; empty for most keywords."""
    return _by_key().get(key, ())


@cache
def _by_key() -> dict[str, tuple[str, ...]]:
    themes: dict[str, tuple[str, ...]] = {}
    for line in _TABLE.replace("\n    ", " ").strip().splitlines():
        theme, _, words = line.partition(":")
        for key in sorted({stem(word) for word in words.split()}):
            themes[key] = (*themes.get(key, ()), theme)
    return themes
