"""examples/vscode is packaged by its own tool, holds all it needs, and starts our server."""

from __future__ import annotations

import json
import shutil
import zipfile
from pathlib import Path
from typing import Any

import pytest

from tests.support.guard import ROOT
from tests.support.language_client import language_client
from tests.support.npm import NotAvailable, installed, node

EXTENSION = ROOT / "examples/vscode"
OWN = {"extension.js", "package.json", "README.md", "LICENSE", ".vscodeignore", ".gitignore"}
# Answers for the editor, as far as the client asks when it is loaded; prints what it would start.
ACTIVATE = """
const modules = require("module"), load = modules._load;
const settings = JSON.parse(process.argv[1]);
const workspace = { getConfiguration: (section) => ({
  get: (key) => settings[`${section}.${key}`].default }) };
const vscode = new Proxy({ workspace, version: "1.82.0" }, {
  get: (known, name) => known[name] ?? class {} });
modules._load = (name, ...rest) => name === "vscode" ? vscode : load(name, ...rest);
const client = require(require.resolve("vscode-languageclient/node", { paths: [process.cwd()] }));
if (typeof client.LanguageClient !== "function") throw new Error("no client");
const recorded = class { constructor(...given) { console.log(JSON.stringify(given)); } start() {} };
modules._load = (name, ...rest) => name === "vscode" ? vscode
  : name === "vscode-languageclient/node" ? { LanguageClient: recorded } : load(name, ...rest);
require(process.cwd() + "/extension.js").activate();
"""


def manifest() -> dict[str, Any]:
    fields: dict[str, Any] = json.loads((EXTENSION / "package.json").read_text(encoding="utf-8"))
    return fields


def test_it_is_not_published_and_has_our_licence() -> None:
    fields = manifest()
    assert fields["private"] is True, "it is not published"
    assert (EXTENSION / "LICENSE").read_bytes() == (ROOT / "LICENSE").read_bytes()
    readme = (EXTENSION / "README.md").read_text(encoding="utf-8")
    assert f"{fields['name']}-{fields['version']}.vsix" in readme
    settings = fields["contributes"]["configuration"]["properties"]
    assert {name for name in settings if f"`{name}`" not in readme} == set()
    # A folder that somebody sends must not choose the program that is started.
    assert settings["learnings.command"]["scope"] == "machine"


@pytest.fixture(scope="module")
def unpacked(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Package a copy with the tool of the editor, as the README says, and unpack the result."""
    client = "vscode-languageclient@" + manifest()["dependencies"]["vscode-languageclient"]
    tool = "@vscode/vsce@" + manifest()["devDependencies"]["@vscode/vsce"]
    try:
        modules = installed("vscode-client", client) / "node_modules"
        program = installed("vscode-vsce", tool) / "node_modules/@vscode/vsce/vsce"
    except NotAvailable as reason:
        pytest.skip(str(reason))
    folder = tmp_path_factory.mktemp("vscode") / "extension"
    shutil.copytree(modules, folder / "node_modules", symlinks=True)
    for name in OWN:
        shutil.copy(EXTENSION / name, folder)
    version = node(program, "--version", cwd=folder, HOME=str(folder.parent))
    if version.returncode != 0:
        pytest.skip(f"this node is too old for the tool: {version.stderr.strip()[-200:]}")
    package = node(
        program, "package", "--out", "learnings.vsix", cwd=folder, HOME=str(folder.parent)
    )
    assert package.returncode == 0, package.stdout + package.stderr
    target = folder.parent / "unpacked"
    with zipfile.ZipFile(folder / "learnings.vsix") as archive:
        archive.extractall(target)
    return target / "extension"


@pytest.mark.soak
@pytest.mark.network
def test_the_package_holds_what_it_needs_and_starts_the_server(
    unpacked: Path, tmp_path: Path
) -> None:
    names = {path.name for path in unpacked.iterdir()}
    assert names == {"extension.js", "package.json", "readme.md", "LICENSE.txt", "node_modules"}
    assert (unpacked / "node_modules/vscode-languageclient/package.json").is_file()
    assert not any(unpacked.rglob("*.map"))
    settings = json.dumps(manifest()["contributes"]["configuration"]["properties"])
    run = node("-e", ACTIVATE, settings, cwd=unpacked)
    assert run.returncode == 0, run.stderr
    _, _, server, client = json.loads(run.stdout)
    assert server == {"command": "learnings", "args": ["lsp"]}
    assert client == {"documentSelector": [{"scheme": "file", "language": "markdown"}]}
    with language_client(tmp_path, *server["args"]) as editor:
        assert editor.initialize()["capabilities"]["hoverProvider"] is True
        assert editor.end() == 0
