import { renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** Where a running gateway listens, as base addresses. */
export interface Addresses {
  readonly gateway: string;
  readonly keys: string;
}

export function isLoopback(host: string): boolean {
  return host === "localhost" || host === "::1" || host.startsWith("127.");
}

/** An address that a client on this machine can use. */
export function address(host: string, port: number): string {
  const reachable = host === "0.0.0.0" || host === "::" ? "127.0.0.1" : host;
  return `http://${reachable.includes(":") ? `[${reachable}]` : reachable}:${port}`;
}

/** Writes `listening.json`, whole or not at all: whoever waits for it reads it as soon as it is there. */
export function announce(dataDir: string, addresses: Addresses): void {
  const file = join(dataDir, "listening.json");
  writeFileSync(`${file}.new`, `${JSON.stringify({ ...addresses, pid: process.pid })}\n`);
  renameSync(`${file}.new`, file);
}
