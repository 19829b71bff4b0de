"""Names of memory files, folders and archives, and names that lead into git's own folder."""

from __future__ import annotations

import re

from learnings.core.patterns import lazy_pattern

OWN_FILE = "learnings.toml"  # configuration file for nothing else
DEFAULT_FILE = "agents/learnings.md"
"""The learnings file of a command if none is named, configured or discovered."""

PLAN = "tmp/consolidation-plan.md"  # default path of a plan; nobody commits it
ARCHIVE_FOLDER = "archive"
"""The archive folder beside a learnings file, or in a memory folder."""

REPORT = "tmp/consolidation-report.md"
"""The report that each consolidation overwrites; nobody commits it."""

LEFTOVERS = "tmp/consolidation-*.md"
"""A git pattern for plan, further plans and report."""

PAGE = "tmp/learnings-report.html"
"""The page that `learnings report` overwrites."""

BADGE = "tmp/learnings-badge.svg"
"""The badge that `learnings report --badge` overwrites."""

PAGES = "tmp/learnings-*"
"""A git pattern for page and badge; nobody commits them there."""

MARKDOWN_ENDINGS = (".md", ".mdc", ".mdx", ".markdown")
"""Endings of Markdown file names; such files have links and anchors and may receive entries."""

MEMORY_ENDINGS = (*MARKDOWN_ENDINGS, ".txt")
"""Endings of files that can contain memory; a text file needs a tool's name or a setting.

`progress.txt` is the name of a tool's file; `requirements.txt` is not Markdown.
"""

LEARNINGS_NAMES = (
    *("learnings.md", "LEARNINGS.md", "lessons.md", "LESSONS.md"),
    *("lessons-learned.md", "lessons_learned.md", "LESSONS-LEARNED.md", "LESSONS_LEARNED.md"),
    *("gotchas.md", "GOTCHAS.md"),
)
LEARNINGS_FOLDERS = (
    *("", "agents", "docs", ".claude", ".agents", ".agent", ".ai", ".context", ".learnings"),
    *(".planning", "tasks", "memory", ".claude/memory", ".claude/rules", "docs/agents"),
    *("docs/learnings", "docs/ai", "learning", ".cursor", ".cursor/agents"),
)
MEMORY_PLACES = (
    "MEMORY.md",
    *(".claude/**/MEMORY.md", ".gsd/KNOWLEDGE.md", ".gsd/DECISIONS.md", ".wolf/cerebrum.md"),
    *(".jules/*.md", ".Jules/*.md"),
    *(".squad/decisions.md", ".squad/agents/*/history.md"),
    *(".ai-team/decisions.md", ".ai-team/agents/*/history.md"),
    *("progress.txt", "ralph/progress.txt", "scripts/ralph/progress.txt", ".ralph/progress.txt"),
    *("scripts/ralph/progress.md", ".ralph/progress.md"),
    *("DECISIONS.md", "docs/DECISIONS.md", "docs/decisions.md", "docs/project_notes/*.md"),
    *("docs/decision-log.md", "docs/decision_log.md"),
    *("docs/**/gotchas.md", "docs/solutions/patterns/*.md", ".planning/RETROSPECTIVE.md"),
    *(".learnings/*.md", ".squad/decisions/*.md", ".xtrm/memory.md", "memory/20*-*-*.md"),
)
"""Places where agent tools keep a memory under their own names; the content decides."""
HIDDEN_PLACES = tuple(f"{folder}/{name}" for folder in (".*", ".*/*") for name in LEARNINGS_NAMES)
"""The names above in hidden folders, which are those of tools, and in folders of these."""
FOLDER_PLACES = (
    *(".claude/memory/learnings", ".claude/memory", ".claude/agent-memory/*"),
    *(".serena/memories", "docs/solutions", ".claude/projects/*/memory"),
)
"""Folders in which agents keep one file per entry; the files may be in subfolders."""
EXPLAINING_NAMES = ("INDEX.md", "index.md", "_index.md", "README.md")
"""Files that list or explain the others of their folder."""
FOLDER_INDEXES = ("MEMORY.md", "memory.md", *EXPLAINING_NAMES)
"""Files of such a folder that list or explain the others; they are not entries."""
LESSON_FOLDERS = ("learnings", "lessons", "lessons-learned", "lessons_learned")
"""Names of folders with lessons, in the folders above; whether a file is one is not known."""
MANIFESTS = ("pyproject.toml", "package.json", "Cargo.toml", "go.mod")
"""A folder with one of these files is a package, in which the folders above are searched, too."""

# Folders with these names contain third-party or generated copies.
FOREIGN_COPIES = frozenset(
    (*("node_modules", "vendor", "third_party", "fixtures", "testdata"), *("template", "templates"))
)
# Names, in lower case, of folders with examples, test data and archives.
FOREIGN_FOLDERS = FOREIGN_COPIES | {
    *("test", "tests", "data", "example", "examples", "demo", ARCHIVE_FOLDER),
    *("skills", "references", "prompts", "issue_template"),
}

# Copies and samples of a memory file: `template.md`, `_example.md`, `decisions.sample.md`,
# `learning-template.md`, and what agents are told: `bolt_prompt.md`. Other names are topics:
# `template-cache.md`, `fix-jinja-template.md`.
_KINDS = r"(?:learnings?|lessons?|decisions?|gotchas?|entry|entries|memory|solutions?|notes?|adr)"
_TEMPLATE_NAME = lazy_pattern(
    rf"(?:[._]*|.*\.|[._]*{_KINDS}[-_. ])(?:templates?|examples?|samples?)\.\w+"
    r"|(?:.*[-_.])?prompt\.\w+",
    re.IGNORECASE,
)


def is_foreign_folder(name: str) -> bool:
    """Return True if files below a folder of this name are copies, examples or references.

    This includes `_templates`, and `{{cookiecutter.name}}`, a source of generated projects.
    """
    return name.strip("_").lower() in FOREIGN_FOLDERS or "{{" in name


def is_template_name(name: str) -> bool:
    return _TEMPLATE_NAME.fullmatch(name) is not None


# Other names people use for such a file: `Learnings.md`, `learning.md`, `lessons-learnt.md`. They
# are reported but not read, since most of them are notes for people.
SIMILAR_NAME = lazy_pattern(
    r"(?i:(?:(?:ai|agents?|claude|project|session|dev)[-_])?"
    r"(?:learnings?|lessons?(?:[-_]?learn(?:ed|t))?|learned)|decision[-_]?logs?|decisions"
    r"|retrospectives?|post-?mortems?|incidents|pitfalls|mistakes|corrections|knowledge|til"
    r"|(?:ai|agents?|claude)[-_](?:memory|notes)|(?:[\w-]+[-_])?memory\.instructions)\.md"
)
MEMORY_RULES = "memory.instructions.md"  # how Copilot's names end that are memories by those
# A learnings file if it is beside one with time stamps.
COMPANION_NAME = "DECISIONS.md"
# The index that Claude Code keeps and loads at start.
LOADED_FOLDER = ".claude"
LOADED_NAME = "MEMORY.md"
LOADED_INDEXES = f"{LOADED_FOLDER}/**/{LOADED_NAME}"
NESTED_INSTRUCTIONS = ("CLAUDE.md", "AGENTS.md")
"""Files that agents load from any folder they work in."""

DEFAULT_TARGETS = (
    *("agents/decisions/*.md", "agent-core/fragments/*.md", "docs/decisions/*.md"),
    *(".context/learnings/*.md", ".context/decisions/*.md", ".context/conventions/*.md"),
    *(*NESTED_INSTRUCTIONS, ".claude/CLAUDE.md", "CLAUDE.local.md", ".claude/rules/**/*.md"),
    *("GEMINI.md", ".github/copilot-instructions.md", ".github/instructions/**/*.md"),
    ".cursor/rules/**/*.mdc",
)

SHARED_READERS = "AGENTS.md readers"
"""Stands for agents that read only AGENTS.md, such as Codex."""

SESSION_INSTRUCTIONS = {
    "Claude Code": (
        *("CLAUDE.md", "CLAUDE.local.md", ".claude/CLAUDE.md", ".claude/rules/**/*.md"),
        LOADED_INDEXES,
    ),
    SHARED_READERS: ("AGENTS.override.md", "AGENTS.md", "AGENT.md"),
    "Gemini": ("GEMINI.md",),
    "Qwen": ("QWEN.md",),
    "Copilot": (".github/copilot-instructions.md", ".github/instructions/**/*.instructions.md"),
    "Cursor": (".cursorrules", ".cursor/rules/**/*.mdc"),
    "Windsurf": (".windsurfrules", ".windsurf/rules/**/*.md"),
    "Cline": (".clinerules", ".clinerules/**/*.md"),
    "Roo": (".roo/rules/**/*.md",),
    "Kiro": (".kiro/steering/**/*.md",),
    "Junie": (".junie/guidelines.md",),
    "Goose": (".goosehints",),
    "Antigravity": (".agents/rules/**/*.md", ".agent/rules/**/*.md"),
}
"""Globs for the files that an agent loads from the root at session start, by agent name."""

WITHOUT_SHARED = frozenset(("Claude Code", "Gemini", "Qwen"))
"""The agents that do not read AGENTS.md besides their own instructions."""

IMPORTING = WITHOUT_SHARED
"""The agents that replace `@path` in instructions with that file; the same three."""

_GLOBS = [glob for globs in SESSION_INSTRUCTIONS.values() for glob in globs]
LOADED_WHOLE_NAMES = frozenset(glob for glob in _GLOBS if "/" not in glob)
LOADED_WHOLE_PATHS = tuple(glob for glob in _GLOBS if "/" in glob and "*" not in glob)
"""Files that agents load as a whole: names in any folder, and ends of paths."""
LOADED_FOLDERS = tuple(
    glob.partition("/**/")[0] for glob in _GLOBS if "/**/" in glob and glob != LOADED_INDEXES
)
"""Folders of rules, of which agents load every file."""

STATE_PLACES = ("memory-bank/*.md", ".planning/STATE.md")
"""Files in which agents keep their current state: each session overwrites them."""

CONFIDENCE_FOLDER = ".shaktra"  # the folder of a confidence memory
TIER_FOLDER = ".specwright/learnings"  # the folder of the raw files of learning tiers


# Archives and decisions about the entries of a learnings file, in the archive folder beside it.

_DECISIONS = "-decisions.md"
# `2026-05-01`, at the end of an archive name.
_DATE = lazy_pattern(r"\d{4}-\d\d-\d\d")
# Archive names of other tools: `archive/2026.jsonl`, `lessons-archive.md`.
_OTHER_ARCHIVE = lazy_pattern(r"(?:^|/)[._]?archives?/|[-_.]archived?\.\w+$", re.IGNORECASE)
_ARCHIVE_ENDINGS = (*MEMORY_ENDINGS, ".json", ".jsonl")


def archive_folder(learnings_file: str) -> str:
    folder, slash, _ = learnings_file.rpartition("/")
    return f"{folder}{slash}{ARCHIVE_FOLDER}"


def home_of_folder(folder: str) -> str:
    """Return the path in a memory folder that determines the paths of its archive and decisions."""
    return f"{folder}/{folder.rpartition('/')[2]}.md"


def archive_path(learnings_file: str, date: str) -> str:
    name = f"{_stem(learnings_file).lower()}-consolidated-{date}.md"
    return f"{archive_folder(learnings_file)}/{name}"


def is_archive_name(name: str, learnings_file: str) -> bool:
    folded = name.casefold()
    beginning = f"{_stem(learnings_file).casefold()}-consolidated-"
    return folded.startswith(beginning) and folded.endswith(".md")


def is_archive_like(path: str) -> bool:
    """Return True for a plain file that may be the archive of another tool."""
    return _OTHER_ARCHIVE.search(path) is not None and path.lower().endswith(_ARCHIVE_ENDINGS)


def archive_date(path: str) -> str:
    date = path.removesuffix(".md")[-10:]
    return date if _DATE.fullmatch(date) else ""


def decisions_path(learnings_file: str) -> str:
    stem = learnings_file.rpartition("/")[2].removesuffix(".md").lower()
    return f"{archive_folder(learnings_file)}/{stem}{_DECISIONS}"


def is_decisions_name(name: str) -> bool:
    """Return True for the name of a decision file, which other documents may have, too."""
    return name.endswith(_DECISIONS)


def _stem(learnings_file: str) -> str:
    name = learnings_file.rpartition("/")[2]
    return name.rpartition(".")[0] or name


# Characters that HFS+ ignores in a name: zero width and direction marks, the byte order mark. The
# same list as in git's own test (utf8.c), which refuses to check out such names.
_PASSED_OVER_IN_NAMES = lazy_pattern("[\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff]")
# `.git`, and its short name on Windows; characters that NTFS ignores may follow: dots, blanks, a
# stream.
_GIT_FOLDER = lazy_pattern(r"(?:\.git|git~1)[. ]*(?::.*)?", flags=re.IGNORECASE | re.DOTALL)


def leads_into_git(path: str) -> bool:
    """Return True if a part of a path (both slashes) is git's own folder on some system."""
    parts = re.split(r"[/\\]", _PASSED_OVER_IN_NAMES.sub("", path))
    return any(_GIT_FOLDER.fullmatch(part) for part in parts)
