import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { modulesDir, rootDir } from "./paths.mjs";
import { runNpm, runProgram } from "./program.mjs";
import { SetupError, say } from "./progress.mjs";

const stampPath = path.join(modulesDir, ".weir-installed");
const lockFilePath = path.join(rootDir, "package-lock.json");
// npm's own list of the packages it installed, rewritten whenever anyone installs or removes something.
const npmAccountPath = path.join(modulesDir, ".package-lock.json");
// A package that npm unpacked but whose compile or prebuilt binary failed is found by loading it.
const nativePackages = [
  "re2",
  "lmdb",
  "uWebSockets.js",
  "fs-native-extensions",
  "@duckdb/node-api",
];

/**
 * `runtime`: the packages that a start needs, including the compiler of dist/. `development`: also linters,
 * the test runner, clients and the rest.
 * @typedef {"runtime" | "development"} Level
 */

/**
 * node_modules with at least the packages of one level. Packages that are already there are never
 * removed.
 */
export class Dependencies {
  /**
   * @param {import("./node-runtime.mjs").NodeRuntime} runtime
   * @param {Level} level
   */
  constructor(runtime, level) {
    this.runtime = runtime;
    this.level = level;
  }

  isDone() {
    return this.#isStamped("development") || this.#isStamped(this.level);
  }

  async run() {
    const installed = packagesOf(npmAccountPath);
    const hasMore = Object.values(installed).some(({ dev }) => dev === true);
    const level = hasMore ? "development" : this.level;
    if (!(await this.#isThere(level, installed))) await this.#install(level);
    writeFileSync(stampPath, this.stamp(level));
  }

  /**
   * A text that changes with the lock file, the Node that add-ons were compiled for, and
   * node_modules itself.
   * @param {Level} level
   */
  stamp(level) {
    return [
      this.runtime.abi,
      hash(readFileSync(lockFilePath, "utf8")),
      hash(readOr(npmAccountPath, "")),
      level,
      "",
    ].join("\n");
  }

  /** @param {Level} level */
  #isStamped(level) {
    return readOr(stampPath, undefined) === this.stamp(level);
  }

  /**
   * True if somebody ran `npm ci`, or if a change of the lock file changed no version.
   * @param {Level} level
   * @param {Readonly<Record<string, NpmPackage>>} installed
   */
  async #isThere(level, installed) {
    const stamped = readOr(stampPath, undefined);
    // An add-on that was compiled for another Node may load without an error.
    if (stamped !== undefined && !stamped.startsWith(`${this.runtime.abi}\n`)) return false;
    const wanted = Object.entries(packagesOf(lockFilePath)).filter(
      ([place, { dev, optional, devOptional }]) =>
        place !== "" && !optional && !devOptional && (level === "development" || !dev),
    );
    const isComplete =
      wanted.length > 0 &&
      wanted.every(([place, { version }]) => installed[place]?.version === version);
    return isComplete && (await this.#loads({ isQuiet: true }));
  }

  /** @param {Level} level */
  async #install(level) {
    // `npm ci` would remove the packages and compile re2 again.
    const completes = level === "development" && this.#isStamped("runtime");
    if (completes) say("installing what development needs besides (the first time)");
    else say("installing dependencies (the first time this compiles re2: one to two minutes)");
    const include = level === "development" ? "--include=dev" : "--omit=dev";
    await runNpm({
      cwd: rootDir,
      nodePath: this.runtime.nodePath,
      // `npm ci` removes node_modules first, and the stamp with it.
      args: completes ? ["install", "--no-save", include] : ["ci", include],
      env: this.runtime.gypEnv,
    });
    if (await this.#loads({ isQuiet: false })) return;
    throw new SetupError(
      "a native dependency was installed but does not load (see above). Usual causes: npm's `ignore-scripts` is on, or `nodedir` in an .npmrc names another Node.",
    );
  }

  /** @param {{ isQuiet: boolean }} how */
  async #loads({ isQuiet }) {
    const load = nativePackages.map((name) => `await import(${JSON.stringify(name)});`).join("");
    const command = [this.runtime.nodePath, "--input-type=module", "-e", load];
    const { ok } = await runProgram(command, { cwd: rootDir, isQuiet });
    return ok;
  }
}

/** @typedef {{ version?: string, dev?: boolean, optional?: boolean, devOptional?: boolean }} NpmPackage */

/**
 * By path; empty if the file can't be read.
 * @param {string} lockFile
 * @returns {Readonly<Record<string, NpmPackage>>}
 */
function packagesOf(lockFile) {
  try {
    return JSON.parse(readFileSync(lockFile, "utf8")).packages ?? {};
  } catch {
    return {};
  }
}

/** @param {string} text */
function hash(text) {
  return createHash("sha256").update(text).digest("hex");
}

/**
 * @template T
 * @param {string} file
 * @param {T} fallback
 */
function readOr(file, fallback) {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return fallback;
  }
}
