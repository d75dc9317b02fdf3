import { readlinkSync } from "node:fs";
import { cp } from "node:fs/promises";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { finished, lockFile, ScratchClone, type Fault } from "./scratch-clone.ts";

let clone: ScratchClone;
async function freshClone(engines?: string): Promise<void> {
  clone = await ScratchClone.create(engines);
  await cp(path.join(import.meta.dirname, "stand-in-npm.mjs"), path.join(clone.root, "npm-cli.js"));
}
beforeEach(() => freshClone());
afterEach(() => clone.remove("."));

test("the first set-up installs and builds; the second does nothing", async () => {
  const first = await clone.setUp();
  expect(first).toMatchObject({ exitCode: 0, stdout: "" });
  expect(first.stderr).toMatch(/installing dependencies.*\n.*building\n$/);
  expect(await clone.read("dist/main.js")).toContain("up");
  expect(readlinkSync(path.join(clone.root, ".toolchain/bin/node"))).toBe(process.execPath);

  const built = clone.identity("dist/main.js");
  expect(await clone.setUp("build", "fail")).toEqual({ exitCode: 0, stdout: "", stderr: "" });
  expect(await clone.installs()).toEqual(["dependencies"]);
  expect(clone.identity("dist/main.js")).toBe(built);
});

test("without `build` nothing is built", async () => {
  expect(await clone.setUp("")).toMatchObject({ exitCode: 0 });
  expect(clone.has("dist")).toBe(false);
});

describe("dependencies", () => {
  test.each([
    { when: "the lock file changed", file: "package-lock.json", content: lockFile("1.0.1") },
    { when: "npm changed node_modules", file: "node_modules/.package-lock.json", content: "less" },
  ])("are installed again when $when", async ({ file, content }) => {
    await clone.setUp("");
    await clone.write(file, content);
    await clone.setUp("");
    await clone.setUp("");
    expect(await clone.installs()).toEqual(["dependencies", "dependencies"]);
  });

  test("are installed again for another version of Node", async () => {
    await clone.setUp("");
    const stamp = await clone.read("node_modules/.weir-installed");
    await clone.write("node_modules/.weir-installed", stamp.replace("node 22", "node 20"));
    await clone.setUp("");
    expect(await clone.installs()).toEqual(["dependencies", "dependencies"]);
  });

  test("are installed again when node_modules is gone", async () => {
    await clone.setUp("");
    await clone.remove("node_modules");
    await clone.setUp("");
    expect(await clone.installs()).toEqual(["dependencies", "dependencies"]);
  });

  const faults: readonly (readonly [Fault, RegExp])[] = [
    ["fail", /npm error something else\nweir: npm failed/],
    ["offline", /weir: the npm registry could not be reached/],
    ["broken add-on", /not built[^]*\nweir: a native dependency was installed but does not load/],
  ];
  test.each(faults)("%s: says why, and is not taken for installed", async (fault, message) => {
    const failed = await clone.setUp("", fault);
    expect(failed.exitCode).toBe(1);
    expect(failed.stderr).toMatch(message);

    expect(await clone.setUp("")).toMatchObject({ exitCode: 0 });
    expect(await clone.installs()).toEqual(["dependencies", "dependencies"]);
  });
});

describe("what a start needs", () => {
  const npmRuns = async (): Promise<readonly string[]> =>
    (await clone.read("npm.log"))
      .trimEnd()
      .split("\n")
      .map((line) => /(ci|install) (--no-save )?--(omit|include)=dev/.exec(line)?.[0] ?? line);

  test("is all that it installs, and development adds the rest without a new start", async () => {
    expect(await clone.setUp("runtime build")).toMatchObject({ exitCode: 0 });
    expect(await clone.read("dist/main.js")).toContain("up");
    expect(await npmRuns()).toEqual(["ci --omit=dev"]);
    expect(await clone.setUp("runtime build", "fail")).toMatchObject({ exitCode: 0, stderr: "" });

    await clone.setUp("");
    expect(await npmRuns()).toEqual(["ci --omit=dev", "install --no-save --include=dev"]);
    expect(await clone.setUp("build", "fail")).toMatchObject({ exitCode: 0, stderr: "" });
  });

  test("is part of a whole install, which a start leaves whole", async () => {
    await clone.setUp("");
    expect(await clone.setUp("runtime", "fail")).toMatchObject({ exitCode: 0, stderr: "" });
    // Also where something has to be installed anew.
    await clone.write("package-lock.json", lockFile("1.0.1"));
    await clone.setUp("runtime");
    expect(await npmRuns()).toEqual(["ci --include=dev", "ci --include=dev"]);
  });

  test.each(["", "runtime"] as const)(
    "somebody's own npm ci is taken as it is: set-up %j",
    async (asked) => {
      await finished(clone.node(["npm-cli.js", "ci"]));
      expect(await clone.setUp(asked, "fail")).toMatchObject({ exitCode: 0, stderr: "" });
      expect(await clone.installs()).toEqual(["dependencies"]);
    },
  );

  test("somebody's own npm ci that left an add-on unbuilt is repeated", async () => {
    await finished(clone.node(["npm-cli.js", "ci"], "broken add-on"));
    expect(await clone.setUp("")).toMatchObject({ exitCode: 0 });
    expect(await clone.installs()).toEqual(["dependencies", "dependencies"]);
  });
});

describe("a command", () => {
  const command = (fault?: Fault) =>
    finished(clone.node(["scripts/run.mjs", "runtime", "src/main.ts", "7"], fault));

  test("makes a bare clone ready, then runs with its exit code", async () => {
    await clone.write(
      "src/main.ts",
      "console.log('ran'); process.exitCode = Number(process.argv[2]);",
    );
    const ran = await command();
    expect(ran).toMatchObject({ exitCode: 7, stdout: "ran\n" });
    expect(ran.stderr).toContain("installing dependencies");
    expect(await command("fail")).toEqual({ exitCode: 7, stdout: "ran\n", stderr: "" });
  });

  test("does not run where that fails", async () => {
    expect(await command("offline")).toMatchObject({
      exitCode: 1,
      stdout: "",
      stderr: expect.stringContaining("the npm registry could not be reached") as string,
    });
  });
});

describe("the build", () => {
  test("follows the sources: changed, added, removed", async () => {
    await clone.setUp();
    // As long as the text before.
    await clone.write("src/main.ts", 'console.log("UP");\n');
    await clone.setUp();
    expect(await clone.read("dist/main.js")).toContain("UP");

    await clone.write("src/deep/added.ts", "export const added = 1;\n");
    await clone.setUp();
    expect(clone.has("dist/deep/added.js")).toBe(true);

    await clone.remove("src/deep");
    await clone.setUp();
    expect(clone.has("dist/deep")).toBe(false);
  });

  test("that fails leaves dist/ as it was, and is tried again", async () => {
    await clone.setUp();
    await clone.write("src/main.ts", "const wrong: number = 'text';\n");
    for (let attempt = 0; attempt < 2; attempt++) {
      const failed = await clone.setUp();
      expect(failed.exitCode).toBe(1);
      expect(failed.stderr).toMatch(/TS2322[^]*weir: the build failed/);
      expect(await clone.read("dist/main.js")).toContain("up");
    }
    expect(clone.has("dist.fresh")).toBe(false);
  });
});

describe("a machine whose Node is too old", () => {
  beforeEach(async () => {
    await clone.remove(".");
    await freshClone("^99.0.0");
  });

  test("gets one, once, with npm's install scripts off", async () => {
    const first = await clone.setUp("");
    expect(first.stderr).toMatch(/Weir needs \^99\.0\.0: installing Node 22\.\d+\.\d+ into/);
    const target = readlinkSync(path.join(clone.root, ".toolchain/bin/node"));
    expect(target).toMatch(/\.toolchain\/node-[a-z0-9-]+-22\.\d+\.\d+\/bin\/node$/);
    expect(await clone.read("npm.log")).toMatch(/^toolchain ci .*--ignore-scripts/);

    await clone.remove(".toolchain/bin");
    await clone.setUp("");
    expect(clone.has(".toolchain/bin/node")).toBe(true);
    expect(await clone.installs()).toEqual(["toolchain", "dependencies"]);
  });

  test("a failed download leaves nothing behind", async () => {
    expect(await clone.setUp("", "fail")).toMatchObject({ exitCode: 1 });
    expect(clone.has(".toolchain/bin/node")).toBe(false);
    expect(await clone.setUp("")).toMatchObject({ exitCode: 0 });
    expect(await clone.installs()).toEqual(["toolchain", "toolchain", "dependencies"]);
  });
});

describe("at the same time", () => {
  test("three set-ups install and build once", async () => {
    const all = await Promise.all([clone.setUp(), clone.setUp(), clone.setUp()]);
    expect(all.map(({ exitCode }) => exitCode)).toEqual([0, 0, 0]);
    expect(await clone.installs()).toEqual(["dependencies"]);
    expect(all.filter(({ stderr }) => stderr.includes("building"))).toHaveLength(1);
  });

  test("the lock of a process that died is taken over", async () => {
    const dead = clone.start("", "offline");
    await finished(dead);
    await clone.write(".toolchain/setup.lock", String(dead.pid));
    expect(await clone.setUp("")).toMatchObject({ exitCode: 0 });
    expect(clone.has(".toolchain/setup.lock")).toBe(false);
  });

  test("SIGTERM stops npm too and frees the lock", async () => {
    const child = clone.start("", "hang");
    const end = finished(child);
    while ((await clone.installs()).length === 0) await sleep(10);
    child.kill("SIGTERM");
    const stopped = await end;
    expect(stopped.exitCode).toBe(1);
    expect(stopped.stderr).toContain("weir: stopped by SIGTERM");
    expect(await clone.read("npm.log")).toContain("stopped");
    expect(clone.has(".toolchain/setup.lock")).toBe(false);
  });
});
