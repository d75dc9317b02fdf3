import { spawn, spawnSync, type ChildProcess } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startGateway, type TestGateway } from "../support/gateway.ts";

/* Behind nginx as it is on this machine; nothing here where it has none. */

const hasNginx = spawnSync("nginx", ["-v"]).status === 0;
const mib = 1024 * 1024;

let gateway: TestGateway;
let nginx: ChildProcess;
let url: string;
const folder = mkdtempSync(join(tmpdir(), "weir-nginx-"));

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** Rejects where nginx does not come up. */
async function isServing(): Promise<void> {
  for (let attempt = 0; attempt < 200; attempt += 1) {
    const { ok } = await fetch(`${url}/healthz`).catch(() => ({ ok: false }));
    if (ok) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error("nginx does not serve");
}

/** nginx's defaults, which close the connection to the gateway behind each request. */
function configuration(port: number, upstream: string, more: string): string {
  // Its workers run as another user where it is started by root.
  chmodSync(folder, 0o755);
  mkdirSync(join(folder, "temp"), { recursive: true });
  const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map(
    (name) => `${name}_temp_path ${folder}/temp/${name};`,
  );
  return `daemon off; pid ${folder}/nginx.pid; error_log stderr warn; worker_processes 1;
events { worker_connections 128; }
http { access_log off; ${temporary.join(" ")}
  server { listen 127.0.0.1:${port}; client_max_body_size 64m;
    location / { proxy_pass ${upstream}; proxy_http_version 1.1; ${more} } } }
`;
}

describe.skipIf(!hasNginx)("behind nginx", () => {
  beforeAll(async () => {
    gateway = await startGateway({ env: { GATEWAY_MAX_BODY_SIZE: String(mib) } });
  });
  afterAll(async () => {
    await gateway.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  describe.each([
    ["that sends a body once it is whole", ""],
    ["that passes a body on as it comes", "proxy_request_buffering off;"],
  ])("%s", (_name, more) => {
    beforeAll(async () => {
      const port = await freePort();
      const file = join(folder, "nginx.conf");
      writeFileSync(file, configuration(port, gateway.url, more));
      nginx = spawn("nginx", ["-c", file, "-p", folder, "-e", "stderr"], { stdio: "ignore" });
      url = `http://127.0.0.1:${port}`;
      await isServing();
    });
    afterAll(async () => {
      const exit = new Promise((resolve) => nginx.on("exit", resolve));
      nginx.kill("SIGTERM");
      await exit;
    });

    test.each([
      ["too large", 413, () => gateway.key],
      ["with a key that is not valid", 401, () => `sk-gw-${"0".repeat(48)}`],
    ] as const)("40 uploads %s get their %i", { timeout: 60_000 }, async (_, status, key) => {
      const body = Buffer.alloc(4 * mib, 0x20);
      const seen: number[] = [];
      for (let i = 0; i < 40; i += 1) {
        const response = await fetch(`${url}/v1/chat/completions`, {
          method: "POST",
          headers: { authorization: `Bearer ${key()}` },
          body,
        });
        await response.text();
        seen.push(response.status);
      }
      expect(seen).toEqual(seen.map(() => status));
    });
  });
});
