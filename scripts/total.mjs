// `node scripts/total.mjs FOLDER`: `N passed, M failed` over the commands that .ci/run ran. Each command
// left its exit status there as NAME.status. A run of tests also left vitest's NAME.json.
import { existsSync, readFileSync, readdirSync } from "node:fs";
import path from "node:path";

const [folder = "."] = process.argv.slice(2);
let passed = 0;
let failed = 0;

for (const file of readdirSync(folder).filter((name) => name.endsWith(".status"))) {
  const status = readFileSync(path.join(folder, file), "utf8").trim();
  const found = failuresIn(path.join(folder, file.replace(/status$/, "json")));
  // A command that failed although none of its tests failed.
  failed += status === "0" ? found : Math.max(found, 1);
}
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = passed > 0 && failed === 0 ? 0 : 1;

/**
 * @typedef {{ status: string, assertionResults: readonly unknown[] }} TestFile
 * @typedef {{ numPassedTests: number, numFailedTests: number, testResults: readonly TestFile[] }} Report
 * @param {string} reportFile
 */
function failuresIn(reportFile) {
  if (!existsSync(reportFile)) return 0;
  /** @type {Report} */
  const report = JSON.parse(readFileSync(reportFile, "utf8"));
  passed += report.numPassedTests;
  // A file that vitest could not load ran no test of its own: it counts as one that failed.
  const unloaded = report.testResults.filter(
    ({ status, assertionResults }) => status === "failed" && assertionResults.length === 0,
  );
  return report.numFailedTests + unloaded.length;
}
