import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { modulesDir, rootDir } from "./paths.mjs";
import { npmCi, runProgram } from "./program.mjs";
import { SetupError, say } from "./progress.mjs";

const stampPath = path.join(modulesDir, ".weir-installed");
// npm's own account of what it installed, rewritten whenever anyone installs or removes something.
const npmAccountPath = path.join(modulesDir, ".package-lock.json");
// A package that npm unpacked but whose compile or prebuilt binary failed is found by loading it.
const nativePackages = ["re2", "lmdb", "uWebSockets.js", "fs-native-extensions"];

/** node_modules, development tools included (the build needs the compiler). */
export class Dependencies {
  /** @param {import("./node-runtime.mjs").NodeRuntime} runtime */
  constructor(runtime) {
    this.runtime = runtime;
  }

  isDone() {
    return readOr(stampPath, undefined) === this.stamp();
  }

  async run() {
    say("installing dependencies (the first time this compiles re2: one to two minutes)");
    // npm ci removes node_modules first, and the stamp with it.
    await npmCi({
      cwd: rootDir,
      nodePath: this.runtime.nodePath,
      args: ["--include=dev"],
      env: this.runtime.gypEnv,
    });
    await this.#verify();
    writeFileSync(stampPath, this.stamp());
  }

  /** Changes with the lock file, the Node that add-ons were compiled for, and node_modules itself. */
  stamp() {
    return [
      this.runtime.abi,
      hash(readFileSync(path.join(rootDir, "package-lock.json"), "utf8")),
      hash(readOr(npmAccountPath, "")),
      "",
    ].join("\n");
  }

  async #verify() {
    const load = nativePackages.map((name) => `await import(${JSON.stringify(name)});`).join("");
    const { ok } = await runProgram([this.runtime.nodePath, "--input-type=module", "-e", load], {
      cwd: rootDir,
    });
    if (ok) return;
    throw new SetupError(
      "a native dependency was installed but does not load (see above). Usual causes: npm's `ignore-scripts` is on, or `nodedir` in an .npmrc names another Node.",
    );
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
