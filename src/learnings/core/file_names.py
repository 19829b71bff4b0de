"""Names of files and folders: those of memory files, and those that lead into git's own folder."""

from __future__ import annotations

import re

from learnings.core.patterns import lazy_pattern

OWN_FILE = "learnings.toml"  # the configuration file that holds nothing else
DEFAULT_FILE = "agents/learnings.md"
"""The learnings file that a command means where none is named, configured or discovered."""

PLAN = "tmp/consolidation-plan.md"  # where commands and instructions put a plan; nobody commits it
ARCHIVE_FOLDER = "archive"
"""The folder beside a learnings file, or in a memory folder, that keeps what left it."""

REPORT = "tmp/consolidation-report.md"
"""The report that each consolidation writes anew; nobody commits it."""

LEFTOVERS = "tmp/consolidation-*.md"
"""Both, and further plans beside the first, as a pattern of git."""

PAGE = "tmp/learnings-report.html"
"""The page that `learnings report` writes anew."""

BADGE = "tmp/learnings-badge.svg"
"""The badge that `learnings report --badge` writes anew."""

PAGES = "tmp/learnings-*"
"""Both, as a pattern of git; nobody commits them there."""

MARKDOWN_ENDINGS = (".md", ".mdc", ".mdx", ".markdown")
"""How the names of Markdown files end: those with links and anchors, which may receive entries."""

MEMORY_ENDINGS = (*MARKDOWN_ENDINGS, ".txt")
"""How the names of files end that can hold memory. A text file does if its name is one that a tool
gives it (`progress.txt`) or the configuration names it; `requirements.txt` is no Markdown."""

LEARNINGS_NAMES = (
    *("learnings.md", "LEARNINGS.md", "lessons.md", "LESSONS.md"),
    *("lessons-learned.md", "lessons_learned.md", "LESSONS-LEARNED.md", "LESSONS_LEARNED.md"),
    *("gotchas.md", "GOTCHAS.md"),
)
LEARNINGS_FOLDERS = (
    *("", "agents", "docs", ".claude", ".agents", ".agent", ".ai", ".context", ".learnings"),
    *(".planning", "tasks", "memory", ".claude/memory", ".claude/rules", "docs/agents"),
    *("docs/learnings", "learning", ".cursor", ".cursor/agents"),
)
MEMORY_PLACES = (
    "MEMORY.md",
    *(".claude/**/MEMORY.md", ".gsd/KNOWLEDGE.md", ".gsd/DECISIONS.md", ".wolf/cerebrum.md"),
    *(".jules/*.md", ".Jules/*.md"),
    *(".squad/decisions.md", ".squad/agents/*/history.md"),
    *(".ai-team/decisions.md", ".ai-team/agents/*/history.md"),
    *("progress.txt", "ralph/progress.txt", "scripts/ralph/progress.txt", ".ralph/progress.txt"),
    *("docs/DECISIONS.md", "docs/decisions.md", "docs/project_notes/*.md"),
    *("docs/**/gotchas.md", "docs/solutions/patterns/*.md"),
)
"""Where the tools of agents keep a memory under a name of their own; what it holds decides."""
FOLDER_PLACES = (
    *(".claude/memory/learnings", ".claude/memory", ".claude/agent-memory/*"),
    *(".serena/memories", "docs/solutions", ".claude/projects/*/memory"),
)
"""Folders in which agents keep a file for each entry; the files may lie in folders below them."""
FOLDER_INDEXES = ("MEMORY.md", "memory.md", "INDEX.md", "index.md", "_index.md", "README.md")
"""Files of such a folder that list or explain the others; those are no entries."""
MANIFESTS = ("pyproject.toml", "package.json", "Cargo.toml", "go.mod")
"""A folder that holds one of these is a package; the folders above are looked for in it, too."""

# Copies of what others wrote, and what is copied, are in folders of these names.
FOREIGN_COPIES = frozenset(
    (*("node_modules", "vendor", "third_party", "fixtures", "testdata"), *("template", "templates"))
)
# So are examples, test data and archives; in lower case.
FOREIGN_FOLDERS = FOREIGN_COPIES | {
    *("test", "tests", "data", "example", "examples", "demo", ARCHIVE_FOLDER),
    *("skills", "references"),
}

# What copies or shows the form of a memory file: `template.md`, `_example.md`,
# `decisions.sample.md`, `learning-template.md`. Other names are topics: `template-cache.md`,
# `fix-jinja-template.md`.
_KINDS = r"(?:learnings?|lessons?|decisions?|gotchas?|entry|entries|memory|solutions?|notes?|adr)"
_TEMPLATE_NAME = lazy_pattern(
    rf"(?:[._]*|.*\.|[._]*{_KINDS}[-_. ])(?:templates?|examples?|samples?)\.\w+", re.IGNORECASE
)


def is_foreign_folder(name: str) -> bool:
    """Return True if files below a folder of this name are copies, examples or references.

    `_templates` is one, too, and `{{cookiecutter.name}}`, from which projects are generated.
    """
    return name.strip("_").lower() in FOREIGN_FOLDERS or "{{" in name


def is_template_name(name: str) -> bool:
    return _TEMPLATE_NAME.fullmatch(name) is not None


# What people name such a file besides: `Learnings.md`, `learning.md`, `lessons-learnt.md`. Not
# taken, since most of them are notes for people, but named.
SIMILAR_NAME = lazy_pattern(r"(?i:learnings?|lessons?(?:[-_]?learn(?:ed|t))?)\.md")
# Read as a learnings file where it stands beside one with time stamps.
COMPANION_NAME = "DECISIONS.md"
# The index that Claude Code keeps, and loads when it starts.
LOADED_FOLDER = ".claude"
LOADED_NAME = "MEMORY.md"
LOADED_INDEXES = f"{LOADED_FOLDER}/**/{LOADED_NAME}"
NESTED_INSTRUCTIONS = ("CLAUDE.md", "AGENTS.md")
"""What agents load from any folder that they work in."""

# Names with something else before these endings are sorted out by who asks: this is three times as
# fast as `:(glob)**/name` over 20,000 files.
TRACKED_PATTERNS = (
    *map(":(icase)*{}.md".format, ("learning", "learnings", "lesson", "lessons")),
    *map(":(icase)*{}.md".format, ("learned", "learnt")),
    *map("*{}".format, (LOADED_NAME, *NESTED_INSTRUCTIONS, *MANIFESTS)),
)
"""Pathspecs of git for memory files, nested instructions and the manifests of packages; `*` also
means a `/`."""

DEFAULT_TARGETS = (
    *("agents/decisions/*.md", "agent-core/fragments/*.md", "docs/decisions/*.md"),
    *(".context/learnings/*.md", ".context/decisions/*.md", ".context/conventions/*.md"),
    *(*NESTED_INSTRUCTIONS, ".claude/CLAUDE.md", "CLAUDE.local.md", ".claude/rules/**/*.md"),
    *("GEMINI.md", ".github/copilot-instructions.md", ".github/instructions/**/*.md"),
    ".cursor/rules/**/*.mdc",
)

LOADED_WHOLE_NAMES = frozenset(
    (
        *("CLAUDE.md", "CLAUDE.local.md", "AGENTS.md", "AGENTS.override.md", "AGENT.md"),
        *("GEMINI.md", "QWEN.md", ".cursorrules", ".windsurfrules", ".clinerules", ".goosehints"),
    )
)
LOADED_WHOLE_PATHS = (".github/copilot-instructions.md", ".junie/guidelines.md")
"""Files that agents load as a whole: names in any folder, and ends of paths."""

SESSION_INSTRUCTIONS = {
    "Claude Code": ("CLAUDE.md", "CLAUDE.local.md", ".claude/CLAUDE.md", ".claude/rules/**/*.md"),
    "Codex": ("AGENTS.md",),
    "Gemini": ("GEMINI.md",),
    "Copilot": (".github/copilot-instructions.md",),
}
"""Globs for what agents load from the root when a session begins, by the name of the agent."""

STATE_PLACES = ("memory-bank/*.md", ".planning/STATE.md")
"""Files in which agents keep where they are: each session overwrites them, so nothing ages."""

CONFIDENCE_FOLDER = ".shaktra"  # the folder of a confidence memory


# Characters that HFS+ passes over in a name: zero width and direction marks, the byte order mark.
# The same as in git's own test (utf8.c), which refuses to check out such names.
_PASSED_OVER_IN_NAMES = lazy_pattern("[\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff]")
# `.git`, and its short name on Windows; what NTFS passes over may follow: dots, blanks, a stream.
_GIT_FOLDER = lazy_pattern(r"(?:\.git|git~1)[. ]*(?::.*)?", flags=re.IGNORECASE | re.DOTALL)


def leads_into_git(path: str) -> bool:
    """Return True if a part of a path (both slashes) is git's own folder on some system."""
    parts = re.split(r"[/\\]", _PASSED_OVER_IN_NAMES.sub("", path))
    return any(_GIT_FOLDER.fullmatch(part) for part in parts)
