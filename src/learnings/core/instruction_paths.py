"""Files with instructions for coding agents, recognised by their paths."""

from __future__ import annotations

from learnings.core.file_names import (
    IMPORTING,
    LOADED_FOLDERS,
    LOADED_INDEXES,
    LOADED_NAME,
    LOADED_WHOLE_NAMES,
    LOADED_WHOLE_PATHS,
    SESSION_INSTRUCTIONS,
)
from learnings.core.roles import is_loaded_whole, is_memory_place

MOST_HOPS = 5  # number of import hops that Claude Code follows
# Files that loops around an agent give it at every turn.
_PROMPTS = ("PROMPT.md", "prompt.md")
INSTRUCTION_NAMES = LOADED_WHOLE_NAMES | {LOADED_NAME, *_PROMPTS}
"""Names of files that agents load, in any folder."""

_STARTED_FOLDERS = tuple(
    f"{home}/{inner}"
    for home in (".claude", ".agents", ".agent", ".codex", ".cursor", ".gemini", ".github")
    for inner in ("agents", "commands", "hooks", "prompts", "skills")
)
_SETTINGS = (
    *(".claude/settings.json", ".claude/settings.local.json", ".gemini/settings.json"),
    *(".codex/config.toml", ".codex/hooks.json", ".cursor/hooks.json"),
    *("opencode.json", "opencode.jsonc", ".opencode/opencode.json", ".aider.conf.yml"),
)
# Hidden folders with memories of any tool. All other hidden folders belong to tools that read their
# files by themselves, such as `.serena`, `.jules` and `.planning`, and Cline's.
_COMMON_FOLDERS = frozenset(
    (".agent", ".agents", ".ai", ".claude", ".context", ".cursor", ".github", ".learnings")
)
_TOOL_FOLDER = "memory-bank"
# A skill can also contain pictures and archives.
_TEXT_SUFFIXES = (
    *(".md", ".mdc", ".mdx", ".markdown", ".txt", ".json", ".toml", ".yaml", ".yml"),
    *(".sh", ".bash", ".zsh", ".ps1", ".py", ".js", ".mjs", ".cjs", ".ts"),
)

ROOT_PATTERNS = (
    *("CLAUDE.md", "AGENTS.md", ".claude/CLAUDE.md"),
    *sorted(INSTRUCTION_NAMES),
    *LOADED_WHOLE_PATHS,
    f".claude/**/{LOADED_NAME}",
    *(f"{folder}/**/*" for folder in LOADED_FOLDERS),
    *_SETTINGS,
    *(f"{folder}/**/*" for folder in _STARTED_FOLDERS),
)
"""Globs from the root for the files that tell an agent what to read, likely ones first."""

TRACKED_PATTERNS = (
    *(f"*{name}" for name in sorted(INSTRUCTION_NAMES)),
    *(f"*{path}" for path in (*LOADED_WHOLE_PATHS, *_SETTINGS)),
    *(f"*/{folder}/*" for folder in (*LOADED_FOLDERS, *_STARTED_FOLDERS)),
    *("*SKILL.md", "*.mdc"),
)
"""Pathspecs of git for the same files in any folder, and for skills; `*` also matches a `/`."""


def reads_itself(path: str) -> bool:
    """Return True if an agent or its tool loads the file without being told to."""
    folders = path.split("/")[:-1]
    hidden = {folder for folder in folders if folder[:1] == "."}
    is_of_tool = bool(hidden - _COMMON_FOLDERS) or _TOOL_FOLDER in folders
    is_place = is_memory_place(path) and not hidden
    return is_of_tool or is_place or is_instructions(path)


def import_line(path: str) -> str:
    """Return the line that imports a file; the path is relative to the instructions."""
    return "@" + path.replace(" ", "\\ ")


def is_instructions(path: str) -> bool:
    """Return True if an agent loads the file at a POSIX path, in any folder."""
    is_named = path.rpartition("/")[2] in INSTRUCTION_NAMES or path.endswith(".mdc")
    return is_named or is_loaded_whole(path) or _is_in(path, LOADED_FOLDERS)


def agent_of(path: str) -> str | None:
    """Return the name of the agent that loads instructions at a POSIX path, in any folder."""
    for agent, globs in SESSION_INSTRUCTIONS.items():
        for glob in globs:
            folder, is_below, _ = glob.partition("/**/")
            if glob == LOADED_INDEXES:
                continue
            if _is_in(path, (folder,)) if is_below else f"/{path}".endswith(f"/{glob}"):
                return agent
    return None


def follows_imports(path: str) -> bool:
    """Return True for instructions of an agent that replaces `@path` with that file."""
    return agent_of(path) in IMPORTING


def has_paths(path: str) -> bool:
    """Return True if front matter can limit the paths for which agents load the file."""
    return _is_in(path, LOADED_FOLDERS)


def is_started(path: str) -> bool:
    """Return True for skills, sub-agents, commands, hooks and settings: they may run programs."""
    is_named = any(f"/{path}".endswith(f"/{name}") for name in (*_SETTINGS, "SKILL.md"))
    return is_named or _is_in(path, _STARTED_FOLDERS)


def is_text(path: str) -> bool:
    """Return True if the name of a file means text."""
    return path.endswith(_TEXT_SUFFIXES) or "." not in path.rpartition("/")[2].lstrip(".")


def _is_in(path: str, folders: tuple[str, ...]) -> bool:
    return is_text(path) and any(f"/{folder}/" in f"/{path}" for folder in folders)
