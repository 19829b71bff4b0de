// Starts `learnings lsp` for Markdown files on disk; the server decides which of them are memory.
"use strict";

const { workspace } = require("vscode");
const { LanguageClient } = require("vscode-languageclient/node");

let client;

function activate() {
  const command = workspace.getConfiguration("learnings").get("command", "learnings");
  client = new LanguageClient(
    "learnings",
    "learnings",
    { command, args: ["lsp"] },
    { documentSelector: [{ scheme: "file", language: "markdown" }] },
  );
  return client.start();
}

function deactivate() {
  return client === undefined ? undefined : client.stop();
}

module.exports = { activate, deactivate };
