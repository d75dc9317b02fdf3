import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { existsSync, lstatSync } from "node:fs";
import { cp, mkdir, mkdtemp, readFile, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";

const repository = path.resolve(import.meta.dirname, "../..");

export interface Finished {
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** What scripts/setup.mjs is asked for. */
export type Asked = "" | "build" | "runtime" | "runtime build";

/** What the stand-in for npm does wrong. */
export type Fault = "offline" | "fail" | "broken add-on" | "hang";

/** Packages as npm's lock file has them: one for a start, one for development alone. */
export function lockFile(runtimeVersion = "1.0.0"): string {
  const packages = {
    "": {},
    "node_modules/re2": { version: runtimeVersion },
    "node_modules/vitest": { version: "1.0.0", dev: true },
    "node_modules/for-another-platform": { version: "1.0.0", optional: true },
  };
  return JSON.stringify({ packages });
}

/** A fresh clone with the project's own scripts, one source file, and a stand-in for npm. */
export class ScratchClone {
  readonly root: string;

  private constructor(root: string) {
    this.root = root;
  }

  /** @param engines the Node that its package.json asks for */
  static async create(engines = "^22.0.0"): Promise<ScratchClone> {
    const root = await realpath(await mkdtemp(path.join(tmpdir(), "weir-setup-")));
    const clone = new ScratchClone(root);
    await cp(path.join(repository, "scripts"), path.join(root, "scripts"), { recursive: true });
    await cp(path.join(repository, "tsconfig.json"), path.join(root, "tsconfig.json"));
    await clone.write(
      "package.json",
      JSON.stringify({ type: "module", engines: { node: engines } }),
    );
    await clone.write("package-lock.json", lockFile());
    await clone.write("src/main.ts", 'console.log("up");\n');
    return clone;
  }

  start(asked: Asked, fault?: Fault): ChildProcess {
    return this.node(["scripts/setup.mjs", ...asked.split(" ").filter(Boolean)], fault);
  }

  /** Node on a file of the clone. */
  node(args: readonly string[], fault?: Fault): ChildProcess {
    return spawn(process.execPath, args, {
      cwd: this.root,
      stdio: ["ignore", "pipe", "pipe"],
      env: {
        PATH: process.env["PATH"],
        npm_execpath: path.join(this.root, "npm-cli.js"),
        STAND_IN: fault,
        STAND_IN_LOG: path.join(this.root, "npm.log"),
        REAL_MODULES: path.join(repository, "node_modules"),
      },
    });
  }

  async setUp(asked: Asked = "build", fault?: Fault): Promise<Finished> {
    return finished(this.start(asked, fault));
  }

  /** What npm was asked to install so far: `toolchain` or `dependencies`, in order. */
  async installs(): Promise<readonly string[]> {
    if (!this.has("npm.log")) return [];
    const lines = (await this.read("npm.log")).trimEnd().split("\n");
    return lines.map((line) => line.split(" ")[0] ?? "");
  }

  has(file: string): boolean {
    return existsSync(path.join(this.root, file));
  }

  /** Which file it is: another one after it was replaced. */
  identity(file: string): number {
    return lstatSync(path.join(this.root, file)).ino;
  }

  async read(file: string): Promise<string> {
    return readFile(path.join(this.root, file), "utf8");
  }

  async write(file: string, content: string): Promise<void> {
    await mkdir(path.dirname(path.join(this.root, file)), { recursive: true });
    await writeFile(path.join(this.root, file), content);
  }

  async remove(file: string): Promise<void> {
    await rm(path.join(this.root, file), { recursive: true });
  }
}

export async function finished(child: ChildProcess): Promise<Finished> {
  const output = { stdout: "", stderr: "" };
  for (const name of ["stdout", "stderr"] as const) {
    child[name]?.setEncoding("utf8").on("data", (text: string) => (output[name] += text));
  }
  await once(child, "close");
  return { exitCode: child.exitCode, ...output };
}
