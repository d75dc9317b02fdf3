import { renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { isLoopback } from "../config/address.ts";
import type { Configuration } from "../contract/configuration.ts";
import type { ServedHosts } from "../exchange/host-check.ts";

/** Where a running gateway listens, as base addresses. */
export interface Addresses {
  readonly gateway: string;
  readonly keys: string;
}

/** By which names both listeners may be reached. */
export function servedHosts({ gateway, network }: Configuration): ServedHosts {
  return { loopbackOnly: isLoopback(gateway.host), allowed: network.allowedHosts };
}

/** Writes `listening.json`, whole or not at all: whoever waits for it reads it as soon as it is there. */
export function announce(dataDir: string, addresses: Addresses): void {
  const file = announcementIn(dataDir);
  writeFileSync(`${file}.new`, `${JSON.stringify({ ...addresses, pid: process.pid })}\n`);
  renameSync(`${file}.new`, file);
}

/**
 * Removes `listening.json`, which a process that was killed leaves behind: its pid may be another
 * program's by then. To be called by who holds the data directory.
 */
export function withdraw(dataDir: string): void {
  rmSync(announcementIn(dataDir), { force: true });
}

function announcementIn(dataDir: string): string {
  return join(dataDir, "listening.json");
}
