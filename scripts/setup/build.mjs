import { createHash } from "node:crypto";
import {
  cpSync,
  existsSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import { writeBuildIdentity } from "./build-identity.mjs";
import { distDir, modulesDir, rootDir } from "./paths.mjs";
import { runProgram } from "./program.mjs";
import { SetupError, say } from "./progress.mjs";

const stampName = ".built-from";

/** dist/, compiled from src/, with the dashboard from ui/. */
export class Build {
  /** @param {import("./node-runtime.mjs").NodeRuntime} runtime */
  constructor(runtime) {
    this.runtime = runtime;
  }

  isDone() {
    const stampPath = path.join(distDir, stampName);
    return existsSync(stampPath) && readFileSync(stampPath, "utf8") === sourceHash();
  }

  async run() {
    say("building");
    removeLeftovers();
    // The hash is taken before the compiler reads, so that an edit during the build causes another build.
    const builtFrom = sourceHash();
    const freshDir = `${distDir}.fresh`;
    const compiler = path.join(modulesDir, "typescript", "bin", "tsc");
    const { ok } = await runProgram(
      [this.runtime.nodePath, compiler, "-p", "tsconfig.json", "--outDir", freshDir],
      { cwd: rootDir },
    );
    if (!ok) throw new SetupError("the build failed; dist/ is as it was.");
    copyMigrations(freshDir);
    if (hasDashboard()) await this.#buildDashboard(path.join(freshDir, "ui"));
    writeBuildIdentity(freshDir);
    writeFileSync(path.join(freshDir, stampName), builtFrom);
    // The whole folder is replaced, so output of removed sources disappears with the old one.
    if (existsSync(distDir)) renameSync(distDir, `${distDir}.stale`);
    renameSync(freshDir, distDir);
    removeLeftovers();
  }

  /**
   * Into the fresh folder, so that program and dashboard change together.
   * @param {string} folder
   */
  async #buildDashboard(folder) {
    const vite = path.join(modulesDir, "vite", "bin", "vite.js");
    const { ok } = await runProgram(
      [this.runtime.nodePath, vite, "build", "ui", "--outDir", folder],
      // A test runner says "test" here, and the builder would take that for development.
      { cwd: rootDir, env: { ...process.env, NODE_ENV: "production" } },
    );
    if (!ok) throw new SetupError("the dashboard's build failed; dist/ is as it was.");
  }
}

/** The clones that tests of this file make have none. */
function hasDashboard() {
  return existsSync(path.join(rootDir, "ui"));
}

/** The compiler leaves SQL files behind. */
function copyMigrations(/** @type {string} */ folder) {
  const migrations = path.join("store", "shared", "migrations");
  const from = path.join(rootDir, "src", migrations);
  if (existsSync(from)) cpSync(from, path.join(folder, migrations), { recursive: true });
}

function removeLeftovers() {
  for (const suffix of [".fresh", ".stale"]) {
    rmSync(distDir + suffix, { recursive: true, force: true });
  }
}

function sourceHash() {
  const sum = createHash("sha256");
  const files = [...filesUnder("src"), ...(hasDashboard() ? filesUnder("ui") : [])];
  for (const file of ["package-lock.json", "tsconfig.json", ...files]) {
    const content = readFileSync(path.join(rootDir, file));
    sum.update(`${file}\0${content.length}\0`).update(content);
  }
  return sum.digest("hex");
}

/**
 * @param {string} folder relative to the root
 * @returns {string[]} relative to the root, in a fixed order
 */
function filesUnder(folder) {
  return readdirSync(path.join(rootDir, folder), { withFileTypes: true })
    .flatMap((entry) => {
      const name = `${folder}/${entry.name}`;
      return entry.isDirectory() ? filesUnder(name) : [name];
    })
    .sort();
}
