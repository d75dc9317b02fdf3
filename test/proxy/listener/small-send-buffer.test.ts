import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { NamespaceLink } from "../../support/namespace-link.ts";

// A namespace has buffers of its own size, so that they are full where a slow network would fill them.
const made = await NamespaceLink.make(1);
if (typeof made === "string") console.warn(`SKIPPED: no network namespaces: ${made}.`);
const [link] = typeof made === "string" ? [] : made;
const setBuffers = `echo "4096 16384 32768" > /proc/sys/net/ipv4/tcp_wmem; exec "$@"`;

describe.skipIf(link === undefined)("a small send buffer", () => {
  let running: ChildProcess | null = null;

  afterAll(async () => {
    if (running !== null && running.exitCode === null) {
      running.kill("SIGKILL");
      await once(running, "close");
    }
    await link?.close();
  });

  test("a socket that is full between the frame of a chunk and its bytes loses nothing", async () => {
    const [pages, characters] = [300, 40_000];
    const { launcher, sound } = link ?? expect.fail();
    const program = join(import.meta.dirname, "pages-server.ts");
    const small = ["sh", "-c", setBuffers, "sh"];
    const server = [process.execPath, program, sound.inside, String(pages), String(characters)];
    const child = spawn("env", [...launcher, ...small, ...server], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    running = child;
    const [port] = (await once(child.stdout, "data")) as [Buffer];
    const answer = await fetch(`http://${sound.inside}:${String(port).trim()}/`);
    const text = await answer.text();
    const expected = Array.from({ length: pages }, (_, i) => `${i + 1}`.padEnd(characters));
    expect(text.length).toBe(pages * characters);
    expect(text === expected.join("")).toBe(true);
  });
});
