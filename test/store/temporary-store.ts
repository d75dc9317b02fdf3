import { atOnce } from "../support/at-once.ts";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import type { Outcome } from "../../src/contract/outcome.ts";
import type { FreeBytes } from "../../src/store/embedded/files/disk-room.ts";
import { openStore, type Store } from "../../src/store/embedded/store.ts";

/** A directory that lives as long as the test. */
export function temporaryDirectory(): string {
  const path = mkdtempSync(join(tmpdir(), "weir-store-"));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

/** Closed with the test; a test that closes it itself opens it with `openedStore`. */
export async function temporaryStore(): Promise<Store> {
  const store = await openedStore(temporaryDirectory());
  onTestFinished(() => store.close());
  return store;
}

export async function openedStore(dataDir: string, freeBytes?: FreeBytes): Promise<Store> {
  const opened = await openStore(freeBytes === undefined ? { dataDir } : { dataDir, freeBytes });
  if (!opened.ok) throw new Error(opened.fault);
  return opened.value;
}

/** For `openKeys`, where the store is to be readable all the time. */
export function onCheckFailed(error: unknown): void {
  throw error;
}

/** Of what is answered at once. */
export function valueOf<T>(answered: Outcome<T> | Promise<Outcome<T>>): T {
  const outcome = atOnce(answered);
  if (!outcome.ok) throw new Error(`${outcome.refusal.code}: ${outcome.refusal.message}`);
  return outcome.value;
}

export function codeOf(answered: Outcome<unknown> | Promise<Outcome<unknown>>): string {
  const outcome = atOnce(answered);
  return outcome.ok ? "accepted" : outcome.refusal.code;
}
