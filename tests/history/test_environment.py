"""One history gives one report, whatever surrounds it: settings of git, variables, zone, locale."""

from __future__ import annotations

import contextlib
from pathlib import Path

import pytest

from tests.history.memory import (
    FILE,
    Json,
    active_days,
    added,
    ages,
    basis,
    body,
    configure,
    count_every_removal,
    day,
    forget,
    keep,
    memory,
    run,
)
from tests.history.oracle.histories import random_history
from tests.support.repository import GitRepository

pytestmark = pytest.mark.slow

# Those of a line are set together.
SETTINGS = """
log.date=iso
format.pretty=oneline
color.ui=always
log.showSignature=true
blame.ignoreRevsFile=/nowhere/missing
log.follow=true
diff.external=false
diff.noprefix=true diff.mnemonicPrefix=true
diff.relative=true
diff.orderFile=/nowhere/missing
core.quotePath=false
i18n.logOutputEncoding=UTF-16 i18n.commitEncoding=latin1
blame.showRoot=true blame.blankBoundary=true blame.date=relative blame.showEmail=true
blame.markIgnoredLines=true blame.markUnblamableLines=true blame.coloring=highlightRecent
color.blame.highlightRecent=red color.branch=always color.diff=always core.pager=false
core.abbrev=4 log.abbrevCommit=true log.date=relative log.decorate=full pretty.short=%h
core.commitGraph=false core.ignoreCase=true core.precomposeUnicode=false
core.fsmonitor=/nowhere/missing core.untrackedCache=true core.whitespace=cr-at-eol
diff.algorithm=patience diff.renames=copies diff.renameLimit=1 diff.context=0
diff.algorithm=minimal diff.renames=false diff.indentHeuristic=false diff.interHunkContext=50
diff.autoRefreshIndex=false diff.colorMoved=zebra diff.ignoreSubmodules=all diff.submodule=log
diff.suppressBlankEmpty=true diff.wsErrorHighlight=all feature.manyFiles=true
format.pretty=fuller grep.patternType=perl log.diffMerges=first-parent log.mailmap=true
log.showRoot=false log.excludeDecoration=refs/heads/* mailmap.file=/nowhere/missing
pager.blame=false pager.log=false safe.bareRepository=explicit submodule.recurse=true
""".splitlines()[1:]

VARIABLES = """
GIT_CONFIG=/nowhere/missing COLUMNS=10 LANGUAGE=de LESS=-X PAGER=false GIT_PAGER=false
GIT_CONFIG_PARAMETERS='log.date=iso'
GIT_DIFF_OPTS=-u0 GIT_EXTERNAL_DIFF=false GIT_FLUSH=0 GIT_ATTR_NOSYSTEM=1
GIT_DIR=/nowhere/.git
GIT_WORK_TREE=/nowhere
GIT_INDEX_FILE=/nowhere/index
GIT_PREFIX=agents/ GIT_REFLOG_ACTION=merge GIT_QUARANTINE_PATH=/nowhere GIT_NAMESPACE=elsewhere
GIT_OBJECT_DIRECTORY=/nowhere/objects
GIT_SHALLOW_FILE=/nowhere/shallow
GIT_LITERAL_PATHSPECS=1
GIT_GLOB_PATHSPECS=1
GIT_NOGLOB_PATHSPECS=1
GIT_ICASE_PATHSPECS=1
GIT_TRACE=1 GIT_TRACE2=1 GIT_TRACE_PACK_ACCESS=1
TZ=America/Los_Angeles
TZ=Pacific/Kiritimati
TZ=nonsense
""".splitlines()[1:]

LIVED = "agents/learnings.md"


@pytest.fixture(scope="module")
def lived(tmp_path_factory: pytest.TempPathFactory) -> GitRepository:
    """A repository that lived through merges, renames, rewordings and every kind of zone."""
    path = tmp_path_factory.mktemp("lived") / "repository"
    with contextlib.chdir(path.parent):
        random_history(path, seed=2, commits=120)
    return GitRepository(path)


@pytest.fixture(scope="module")
def said(lived: GitRepository) -> Json:
    return ages(lived, file=LIVED)


def settings_of(line: str) -> dict[str, str]:
    """The variables that give git settings."""
    env: dict[str, str] = {}
    for number, setting in enumerate(line.split()):
        env[f"GIT_CONFIG_KEY_{number}"], env[f"GIT_CONFIG_VALUE_{number}"] = setting.split("=", 1)
    return env | {"GIT_CONFIG_COUNT": str(len(env) // 2)}


def test_settings_of_git_change_nothing(lived: GitRepository, said: Json) -> None:
    assert set(basis(said).values()) == {"commit", "renamed-heading"}
    assert said["last_consolidation"]
    for settings in SETTINGS:
        forget(lived)
        assert ages(lived, file=LIVED, env=settings_of(settings)) == said, settings


def test_variables_change_nothing(
    lived: GitRepository, said: Json, repository: GitRepository
) -> None:
    keep(repository, 0, memory("A"))
    repository.write(FILE, memory("A", "B"))
    repository.git("add", "--all")
    uncommitted = ages(repository)
    for variables in VARIABLES:
        env = dict(variable.split("=", 1) for variable in variables.split())
        forget(lived)
        assert ages(lived, file=LIVED, env=env) == said, variables
        assert ages(repository, env=env) == uncommitted, variables


@pytest.mark.soak
def test_a_trace_of_git_does_not_fill_a_pipe(lived: GitRepository, said: Json) -> None:
    forget(lived)
    env = {"GIT_TRACE_PACK_ACCESS": "1", "GIT_TRACE_PACKET": "1", "GIT_TRACE_SETUP": "1"}
    assert ages(lived, file=LIVED, env=env) == said


def test_configuration_files_and_attributes_change_nothing(
    lived: GitRepository, said: Json, global_git_config: Path
) -> None:
    attributes = global_git_config.with_name("attributes")
    attributes.write_text("*.md diff=odd text eol=crlf\n*.md merge=ours\n")
    own = f"[log]\n\tdate = iso\n[core]\n\tattributesFile = {attributes}\n"
    own += '[diff "odd"]\n\ttextconv = tr a-z A-Z\n\tbinary = true\n\tcommand = false\n'
    global_git_config.write_text(global_git_config.read_text() + own)
    forget(lived)
    assert ages(lived, file=LIVED) == said


def test_a_file_of_ignored_revisions_in_the_configuration_is_not_consulted(
    repository: GitRepository, global_git_config: Path
) -> None:
    keep(repository, 0, memory("A", A="one two three"))
    reworded = keep(repository, 1, memory("B", B="four five six"))
    ignored = global_git_config.with_name("ignored")
    ignored.write_text(reworded + "\n")
    text = global_git_config.read_text() + f"[blame]\n\tignoreRevsFile = {ignored}\n"
    global_git_config.write_text(text)
    assert added(ages(repository)) == {"B": day(1)}


def test_line_ends_that_git_converts_are_no_change(
    repository: GitRepository, global_git_config: Path
) -> None:
    keep(repository, 0, memory("A", "B"))
    repository.write(FILE, memory("A", "B").replace("\n", "\r\n"))
    for value in ("true", "input", "false"):
        global_git_config.write_text(f"[core]\n\tautocrlf = {value}\n")
        document = ages(repository)
        assert added(document) == {"A": day(0), "B": day(0)}, value
        assert set(basis(document).values()) == {"commit"}, value


@pytest.mark.parametrize("subfolder", [".", "docs/deep"])
def test_the_folder_it_is_run_from_changes_nothing(
    lived: GitRepository, said: Json, subfolder: str, tmp_path: Path
) -> None:
    folder = lived.path / subfolder
    folder.mkdir(parents=True, exist_ok=True)
    forget(lived)
    assert ages(folder, file="../" * len(Path(subfolder).parts) + LIVED) == said
    link = tmp_path / "link"
    link.symlink_to(lived.path)
    assert ages(tmp_path, file=lived.path / LIVED) == said
    assert ages(tmp_path, file=f"link/{LIVED}") == said
    assert ages(link / subfolder, file=lived.path / LIVED) == said


ASCII_ONLY = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0", "LANG": None}


def test_titles_folders_and_files_beyond_ascii_in_an_ascii_locale(tmp_path: Path) -> None:
    repository = GitRepository(tmp_path / "größe 大きさ")
    file = "notes/prüfen.md"
    keep(repository, 0, memory("Überprüfen — 確認 ✓", "naïve ≥ 7"), file=file)
    for format_name in ("json", "markdown"):
        words = ("ages", file, f"--format={format_name}")
        plain, ascii_only = run(repository, *words), run(repository, *words, env=ASCII_ONLY)
        assert (ascii_only.code, ascii_only.stdout) == (0, plain.stdout)
        assert "Überprüfen — 確認 ✓" in plain.out
    name = b"caf\xe9.md".decode("utf-8", "surrogateescape")
    keep(repository, 0, memory("A"), file=name)
    assert added(ages(repository, file=name)) == {"A": day(0)}


@pytest.mark.parametrize(
    "name",
    [
        'it\'s "a\\b".md',
        "tab\there.md",
        "prüfen/確認.md",
        "-dash.md",
        "[a]*?.md",
        ":(top)x.md",
        "HEAD",
        "line\nbreak.md",
    ],
)
def test_any_path_that_a_file_can_have(repository: GitRepository, name: str) -> None:
    repository.write("other.md", "x\n")
    count_every_removal(repository)
    keep(repository, 0, memory("A"), file=f"old {name.replace('/', '-')}")
    repository.rename(f"old {name.replace('/', '-')}", name)
    repository.commit(date=day(1))
    removing = keep(repository, 2, memory("B", B=body("A")), file=name)
    document = ages(repository, file=repository.path / name)
    assert added(document) == {"B": day(0)}
    keep(repository, 3, memory("B", "C", B=body("A")), file=name)
    emptied = keep(repository, 4, memory("C"), file=name)
    document = ages(repository, file=repository.path / name)
    assert document["last_consolidation"]["commit"] == emptied != removing
    assert added(document) == {"C": day(3)}


def test_bytes_that_are_no_utf8_in_old_history_and_names_of_authors(
    repository: GitRepository,
) -> None:
    texts = [b"# L\n\n## Caf\xe9\n\n" + body("C").encode() + b" \xff\xfe\n"]
    texts += [texts[0] + b"\n## B\n\nb\n", "# L\n\n## Café\n\n{}\n".format(body("C")).encode()]
    stream = b"reset refs/heads/main\n"
    for number, text in enumerate(texts):
        stream += b"commit refs/heads/main\nauthor Ren\xe9 \xff <r\xe9@x> %d +0000\n" % (
            1735732800 + 86400 * number
        )
        stream += b"committer A <a@b> 1735732800 +0000\ndata 4\n\xe9\xff\n\n"
        stream += b"M 100644 inline learnings.md\ndata %d\n%s\n" % (len(text), text)
    repository.git("fast-import", "--quiet", stdin=stream)
    repository.git("reset", "--quiet", "--hard")
    count_every_removal(repository)
    document = ages(repository)
    assert added(document) == {"Café": day(0)}
    assert basis(document) == {"Café": "renamed-heading"}
    assert document["last_consolidation"]["removed"] == 1
    configure(repository, ignore_authors=("nobody",), consolidation_min_removed=1)
    assert active_days(ages(repository)) == {"Café": 2}
