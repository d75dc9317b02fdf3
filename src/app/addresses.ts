import { renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { isLoopback } from "../config/address.ts";
import type { Configuration } from "../contract/configuration.ts";
import type { ServedHosts } from "../exchange/host-check.ts";

/** The base addresses at which a running gateway listens. */
export interface Addresses {
  readonly gateway: string;
  readonly keys: string;
}

/** The names by which clients may reach both listeners. */
export function servedHosts({ gateway, network }: Configuration): ServedHosts {
  return { loopbackOnly: isLoopback(gateway.host), allowed: network.allowedHosts };
}

/** The names besides addresses and `localhost` at which a browser may sign in to the dashboard. */
export function dashboardHosts({ dashboard, network }: Configuration): readonly string[] {
  const own = dashboard.origin === null ? [] : [new URL(dashboard.origin).hostname];
  return [...own, ...network.allowedHosts];
}

/** Writes `listening.json`, whole or not at all, because waiting programs read it as soon as it exists. */
export function announce(dataDir: string, addresses: Addresses): void {
  const file = announcementIn(dataDir);
  writeFileSync(`${file}.new`, `${JSON.stringify({ ...addresses, pid: process.pid })}\n`);
  renameSync(`${file}.new`, file);
}

/**
 * Removes `listening.json`, which a killed process leaves behind: its pid may belong to another program by
 * then. Call it only while this process holds the data directory.
 */
export function withdraw(dataDir: string): void {
  rmSync(announcementIn(dataDir), { force: true });
}

function announcementIn(dataDir: string): string {
  return join(dataDir, "listening.json");
}
