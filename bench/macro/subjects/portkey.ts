import { existsSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { freePort, pidOf, until, type Children } from "../children.ts";
import { ProcessTree } from "../process-tree.ts";
import { pathOf } from "../provider/behaviour.ts";
import { isAnswered } from "./is-answered.ts";
import { noThreads, pathOfWire, providerCredential, type Subject } from "./subject.ts";

const peersFolder = join(import.meta.dirname, "../../peers");
const program = join(peersFolder, "node_modules/@portkey-ai/gateway/build/start-server.js");

export const portkeyHint =
  "Portkey's gateway is not installed (npm ci --ignore-scripts --prefix bench/peers)";

export function portkeyIsInstalled(): boolean {
  return existsSync(program);
}

/**
 * Portkey's gateway as its package starts it, without its console. Headers tell it the provider's
 * address.
 */
export async function startPortkey(children: Children, providerPort: number): Promise<Subject> {
  const port = await freePort();
  const loopbackOnly = pathToFileURL(join(import.meta.dirname, "loopback-only.mjs")).href;
  const args = ["--import", loopbackOnly, program, "--headless", `--port=${port}`];
  const child = children.spawn(process.execPath, args, {
    cwd: children.folder,
    stdio: "ignore",
    env: { PATH: process.env["PATH"], NODE_ENV: "production" },
  });
  await until(child, "Portkey's gateway", () => isAnswered(port, "/"));
  return {
    name: "portkey",
    tree: new ProcessTree(pidOf(child)),
    verbatim: false,
    scanThreads: noThreads,
    target: (behaviour, wire = "chat") => ({
      port,
      path: pathOfWire[wire],
      headers: {
        Authorization: `Bearer ${providerCredential}`,
        "x-portkey-provider": wire === "chat" ? "openai" : "anthropic",
        "x-portkey-custom-host": `http://127.0.0.1:${providerPort}${pathOf(behaviour)}/v1`,
      },
    }),
    model: () => "bench",
  };
}
