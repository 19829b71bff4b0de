"""The language server: the messages of an editor, with pygls, which an extra installs.

The editor sends changed documents as a whole, so a text is never assembled from parts. Each
document is checked when it is opened, changed or saved. Everything runs in one thread, in order.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, cast

from lsprotocol import types
from pygls.lsp.server import LanguageServer
from pygls.uris import from_fs_path, to_fs_path, urlparse

import learnings
from learnings.app import buffers
from learnings.app.buffers import Buffers, CheckedBuffer, checked_buffer
from learnings.core.errors import LearningsError
from learnings.core.findings.finding import Finding, Severity
from learnings.core.text import decode, printable
from learnings.surfaces.editor import answers
from learnings.surfaces.editor.answers import UTF_16, Position, TextPlaces
from learnings.surfaces.render.findings import rule_link
from learnings.workspace.disk import content_of

if TYPE_CHECKING:
    from learnings.agents.file_facts import Commands


ARCHIVE = "learnings.archive"
"""The command of the server that archives an entry: address, identity, reason."""
# Seconds. A check that takes longer waits as long for the next key; chosen so that a usual file is
# checked on every key.
_PROMPT = 0.1
_SEVERITIES = {
    Severity.ERROR: types.DiagnosticSeverity.Error,
    Severity.NOTICE: types.DiagnosticSeverity.Information,
}
_KINDS = [
    types.CodeActionKind.QuickFix,
    types.CodeActionKind.Refactor,
    types.CodeActionKind.SourceFixAll,
]
CommandTable = Callable[[], "Commands"]
Archive = Callable[[Path, str, str, str], str]
"""`learnings archive`: from the root of a repository, a memory in it, an identity and a reason to
its output; raises LearningsError.
"""


class _Document:
    """An open text of the editor, and its last check; buffer is None if it is no memory file."""

    def __init__(self, uri: str, text: str, version: int) -> None:
        self.uri = uri
        self.text = text
        self.version = version
        self.checked_version: int | None = None
        self.places = TextPlaces("")
        self.buffer: CheckedBuffer | None = None
        self.seconds = 0.0
        self.waiting: asyncio.TimerHandle | None = None

    def stop_waiting(self) -> None:
        if self.waiting is not None:
            self.waiting.cancel()


class _Server(LanguageServer):
    """A pygls server that reports its own bugs in the editor's log."""

    def report_server_error(self, error: Exception, source: Any) -> None:  # noqa: ANN401, ARG002  (as pygls declares it)
        sentence = f"this is a bug in learnings; please report it: {error!r}"
        self.window_log_message(types.LogMessageParams(types.MessageType.Error, sentence))


class EditorSession:
    """The documents of one editor, and the diagnostics it was sent."""

    def __init__(self, server: LanguageServer, commands: CommandTable, archive: Archive) -> None:
        self._server = server
        self._commands = commands
        self._run_archive = archive
        # By address as the editor sends it; pygls normalises addresses.
        self._documents: dict[str, _Document] = {}
        self._said: dict[str, str] = {}
        self._diagnostics: dict[str, dict[str, list[types.Diagnostic]]] = {}
        self.is_shut_down = False

    # From here on: messages of the editor.

    def opened(self, params: types.DidOpenTextDocumentParams) -> None:
        document = params.text_document
        self._documents[document.uri] = _Document(document.uri, document.text, document.version)
        self.check(document.uri)

    def changed(self, params: types.DidChangeTextDocumentParams) -> None:
        uri, *_, last = params.text_document.uri, *params.content_changes
        document = self._documents.get(uri)
        if document is None or hasattr(last, "range"):
            self._say(uri, f"{uri} changed partially, or before it was opened; reopen it")
            return
        document.text, document.version = last.text, params.text_document.version
        document.stop_waiting()
        if document.seconds < _PROMPT:
            self.check(uri)
        else:
            loop = asyncio.get_running_loop()
            document.waiting = loop.call_later(document.seconds, self.check, uri)

    def saved(self, _: types.DidSaveTextDocumentParams) -> None:
        """Check all documents again, because a memory index is compared with the files it lists."""
        for uri in self._documents:
            self.check(uri)

    def closed(self, params: types.DidCloseTextDocumentParams) -> None:
        uri = params.text_document.uri
        document = self._documents.pop(uri, None)
        if document is not None:
            document.stop_waiting()
        self._said.pop(uri, None)
        self._publish(uri, {})

    def hovered(self, params: types.HoverParams) -> types.Hover | None:
        current = self._current(params.text_document.uri)
        if current is None:
            return None
        document, buffer = current
        line = document.places.line_at(params.position.line)
        findings = [f for f in buffer.own_findings if f.line == line]
        parts = [answers.about_rule(rule) for rule in dict.fromkeys(f.rule for f in findings)]
        try:
            entry = buffers.entry_at(buffer, line)
            if entry is not None:
                parts.append(answers.about_entry(buffers.entry_facts(buffer, entry)))
        except LearningsError as error:
            self._say(params.text_document.uri, str(error))
        if not parts:
            return None
        content = types.MarkupContent(types.MarkupKind.Markdown, "\n---\n\n".join(parts))
        return types.Hover(content)

    def offered(self, params: types.CodeActionParams) -> list[types.CodeAction]:
        current = self._current(params.text_document.uri)
        if current is None:
            return []
        document, buffer = current
        first, last = map(document.places.line_at, (params.range.start.line, params.range.end.line))
        findings = [f for f in buffer.own_findings if first <= f.line <= last]
        only = params.context.only
        offers: tuple[tuple[types.CodeActionKind, Iterator[answers.Offer]], ...] = (
            (types.CodeActionKind.QuickFix, answers.fixes(buffer, findings)),
            (types.CodeActionKind.SourceFixAll, answers.fix_all(buffer)),
            (types.CodeActionKind.QuickFix, answers.ignores(buffer, findings)),
            (types.CodeActionKind.Refactor, answers.archive_offers(buffer, first)),
        )
        actions = (
            self._action(document, kind, offer)
            for kind, offered in offers  # each is computed only if it is wanted
            if not only or any(f"{kind.value}.".startswith(f"{wanted}.") for wanted in only)
            for offer in offered
        )
        return [action for action in actions if action is not None]

    def archived(self, uri: str, identity: str, reason: str) -> None:
        """Archive an entry of a saved document, and report the result or the error."""
        try:
            message, level = self._archive(uri, identity, reason), types.MessageType.Info
        except LearningsError as error:
            message, level = printable(str(error)), types.MessageType.Error
        self._server.window_show_message(types.ShowMessageParams(level, message))

    # From here on: answers.

    def check(self, uri: str) -> None:
        """Check a document and send its findings, or log why it cannot be checked."""
        document = self._documents.get(uri)
        if document is None:
            return
        document.stop_waiting()
        begun = time.monotonic()
        places = TextPlaces(document.text, self._encoding)
        checked, problem = None, ""
        try:
            checked = checked_buffer(_path_of(uri), self._buffers())
        except LearningsError as error:
            problem = str(error)
        if checked is not None and not checked.file.is_text:
            problem = f"{checked.file.path} is not a text file, so it has no entries"
        self._say(uri, problem)
        document.places, document.buffer = places, checked
        document.checked_version = document.version
        self._publish(uri, self._found(uri, checked) if checked else {})
        document.seconds = time.monotonic() - begun

    def _current(self, uri: str) -> tuple[_Document, CheckedBuffer] | None:
        """Return a document with the check of its text, or None if it is no open memory file."""
        document = self._documents.get(uri)
        if document is not None and document.checked_version != document.version:
            self.check(uri)
        return (document, document.buffer) if document and document.buffer else None

    def _found(self, uri: str, checked: CheckedBuffer) -> dict[str, list[types.Diagnostic]]:
        """Return diagnostics by address; the check of an index also has findings in its files."""
        found: dict[str, list[types.Diagnostic]] = {uri: []}
        places: dict[str, TextPlaces] = {}
        for finding in checked.findings:
            home = uri
            if finding.path != checked.file.path:
                home = self._uri_of(checked.root / finding.path)
            if home not in places:
                places[home] = self._places_of(home)
            found.setdefault(home, []).append(_diagnostic(finding, places[home]))
        return found

    def _publish(self, uri: str, found: dict[str, list[types.Diagnostic]]) -> None:
        """Send the findings of one document, merged with those of other checks for its files."""
        before = self._diagnostics.pop(uri, {})
        if found:
            self._diagnostics[uri] = found
        for home in dict.fromkeys((uri, *before, *found)):
            known = [d for by_home in self._diagnostics.values() for d in by_home.get(home, ())]
            document = self._documents.get(home)
            self._server.text_document_publish_diagnostics(
                types.PublishDiagnosticsParams(home, known, document.version if document else None)
            )

    def _action(
        self, document: _Document, kind: types.CodeActionKind, offer: answers.Offer
    ) -> types.CodeAction | None:
        uri, title = document.uri, offer.title
        if isinstance(offer, answers.ArchiveOffer):
            arguments = [uri, offer.identity, offer.reason]
            command = types.Command(title=title, command=ARCHIVE, arguments=arguments)
            return types.CodeAction(title, kind=kind, command=command)
        if (edit := document.places.edit_to(offer.text)) is None:
            return None
        *lines, text = edit
        versioned = types.OptionalVersionedTextDocumentIdentifier(uri, document.version)
        text_edit = types.TextEdit(_range(*lines), text)
        workspace = self._server.client_capabilities.workspace
        can = workspace.workspace_edit if workspace else None
        if can and can.document_changes:
            changes = [types.TextDocumentEdit(versioned, [text_edit])]
            workspace_edit = types.WorkspaceEdit(document_changes=changes)
        else:
            workspace_edit = types.WorkspaceEdit(changes={uri: [text_edit]})
        about = [_diagnostic(offer.finding, document.places)] if offer.finding else None
        return types.CodeAction(title, kind=kind, diagnostics=about, edit=workspace_edit)

    def _archive(self, uri: str, identity: str, reason: str) -> str:
        current = self._current(uri)
        if current is None:
            raise LearningsError(f"{printable(uri)} is not an open memory file; open it first")
        _, buffer = current
        if not buffers.is_saved(buffer.path, buffer.file.data):
            name = printable(buffer.file.path)
            raise LearningsError(f"{name} has unsaved changes; save it, then archive")
        memory = buffers.memory_name(buffer)
        return self._run_archive(buffer.root, memory, identity, reason).rstrip()

    def _say(self, uri: str, sentence: str) -> None:
        """Log a sentence about a document once while it holds; an empty sentence ends it."""
        is_said = self._said.get(uri, "") == sentence
        self._said[uri] = sentence
        if sentence and not is_said:
            message = types.LogMessageParams(types.MessageType.Warning, printable(sentence))
            self._server.window_log_message(message)

    @property
    def _encoding(self) -> str:
        return types.PositionEncodingKind(self._server.workspace.position_encoding or UTF_16).value

    def _buffers(self) -> Buffers:
        contents = {}
        for uri, document in self._documents.items():
            with suppress(LearningsError):
                contents[_path_of(uri)] = buffers.bytes_of(document.text)
        workspace = self._server.workspace
        uris = [folder.uri for folder in workspace.folders.values()] or [workspace.root_uri]
        folders = (to_fs_path(uri) for uri in uris if uri)
        paths = tuple(Path(folder) for folder in folders if folder)
        return Buffers(contents, paths, self._commands)

    def _uri_of(self, path: Path) -> str:
        """Return the address of a file; for an open file, as the editor writes it."""
        for uri in self._documents:
            with suppress(LearningsError):
                if _path_of(uri) == path:
                    return uri
        return from_fs_path(str(path)) or path.as_uri()

    def _places_of(self, uri: str) -> TextPlaces:
        document = self._documents.get(uri)
        if document is not None:
            return TextPlaces(document.text, self._encoding)
        return TextPlaces(decode(content_of(_path_of(uri))), self._encoding)


def _path_of(uri: str) -> Path:
    """Return the path of a document. Raises LearningsError if it is no file."""
    scheme = urlparse(uri)[0]
    path = to_fs_path(uri) if scheme == "file" else None
    if not path or not Path(path).is_absolute():
        raise LearningsError(f"{uri} is not a file on disk and was not checked; save it first")
    return Path(path)


def _diagnostic(finding: Finding, places: TextPlaces) -> types.Diagnostic:
    link = rule_link(finding.rule)
    return types.Diagnostic(
        _range(*places.range_of(finding.line, finding.column)),
        printable(finding.message),
        severity=_SEVERITIES[finding.severity],
        code=finding.rule,
        code_description=types.CodeDescription(link) if link else None,
        source="learnings",
    )


def _range(start: Position, end: Position) -> types.Range:
    return types.Range(types.Position(*start), types.Position(*end))


def server_for(commands: CommandTable, archive: Archive) -> tuple[LanguageServer, EditorSession]:
    """Return a server with all its features, and its session."""
    server = _Server(
        "learnings", learnings.__version__, text_document_sync_kind=types.TextDocumentSyncKind.Full
    )
    session = EditorSession(server, commands, archive)
    handlers: dict[str, Callable[..., object]] = {
        types.TEXT_DOCUMENT_DID_OPEN: session.opened,
        types.TEXT_DOCUMENT_DID_CHANGE: session.changed,
        types.TEXT_DOCUMENT_DID_SAVE: session.saved,
        types.TEXT_DOCUMENT_DID_CLOSE: session.closed,
        types.TEXT_DOCUMENT_HOVER: session.hovered,
    }
    for name, handle in handlers.items():  # pygls sets attributes, which methods do not allow
        server.feature(name)(partial(handle))
    options = types.CodeActionOptions(_KINDS)
    server.feature(types.TEXT_DOCUMENT_CODE_ACTION, options)(partial(session.offered))
    server.command(ARCHIVE)(partial(session.archived))

    @server.feature(types.SHUTDOWN)
    def shut_down(*_: object) -> None:
        session.is_shut_down = True

    return server, session


class _Unclosed:
    """Standard output that pygls must not close; the command line does."""

    def __init__(self, stream: BinaryIO) -> None:
        self.write = stream.write
        self.flush = stream.flush

    def close(self) -> None:
        self.flush()


def serve(commands: CommandTable, archive: Archive, stdin: BinaryIO, stdout: BinaryIO) -> bool:
    """Serve one editor until it ends; return True if it shut the server down first."""
    server, session = server_for(commands, archive)
    server.start_io(stdin, cast("BinaryIO", _Unclosed(stdout)))
    return session.is_shut_down
