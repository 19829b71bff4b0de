// Opens a page from the disk in Chromium and prints what it did there, as JSON: what it asked the
// network for, what axe finds, how wide it is, and what the keyboard reaches.
// Arguments: the folder with node_modules, the browser, the page, a folder for pictures (or "").
import { createRequire } from "node:module";
import { readFileSync } from "node:fs";
import { join } from "node:path";

const [modules, browserPath, page, pictures] = process.argv.slice(2);
const require = createRequire(join(modules, "node_modules", "x"));
const { chromium } = require("playwright-core");
const axe = readFileSync(require.resolve("axe-core/axe.min.js"), "utf8");
const quiet = [
  "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking",
  "--disable-component-update", "--disable-sync", "--disable-quic",
];
const views = [
  { name: "light", width: 1100, colorScheme: "light" },
  { name: "dark", width: 1100, colorScheme: "dark" },
  { name: "telephone", width: 360, colorScheme: "light" },
];

const browser = await chromium.launch({ executablePath: browserPath, args: quiet });
const report = {};
for (const { name, width, colorScheme } of views) {
  const tab = await browser.newPage({ viewport: { width, height: 900 }, colorScheme });
  const requests = [];
  const messages = [];
  tab.on("request", (request) => requests.push(request.url()));
  tab.on("console", (message) => messages.push(message.text()));
  tab.on("dialog", (dialog) => { messages.push(dialog.message()); dialog.dismiss(); });
  await tab.goto(`file://${page}`);
  if (pictures) await tab.screenshot({ path: join(pictures, `${name}.png`), fullPage: true });
  const focused = [];
  for (let step = 0; step < 40; step += 1) {
    await tab.keyboard.press("Tab");
    const tag = await tab.evaluate(() => document.activeElement.tagName.toLowerCase());
    if (tag === "body") break;
    focused.push(tag);
  }
  const size = await tab.evaluate(() => document.documentElement.scrollWidth);
  await tab.evaluate(axe);
  const violations = await tab.evaluate(async () =>
    (await window.axe.run()).violations.map((rule) => `${rule.id}: ${rule.nodes[0].target}`));
  report[name] = { requests, messages, focused, size, violations };
  if (name === "light") report.pdf = (await tab.pdf({ format: "A4" })).length;
  await tab.close();
}
await browser.close();
console.log(JSON.stringify(report));
