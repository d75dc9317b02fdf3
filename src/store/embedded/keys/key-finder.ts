import type { ApiKey } from "../../../contract/identity.ts";
import { keySnapshotCheckMs, keyUsesPerWrite } from "../../../contract/limits.ts";
import type { Outcome } from "../../../contract/outcome.ts";
import { systemClock } from "../../../runtime/clock.ts";
import { KeySnapshot, type KeySnapshotChange } from "./key-snapshot.ts";
import { KeyUses, type KeyLastUse } from "../../keys/key-uses.ts";
import { lmdbBackend } from "./lmdb-keys.ts";
import type { Store } from "../store.ts";

/** Looks up service keys in a thread that does not change them. */
export interface KeyFinder {
  readonly available: boolean;
  /** As `Keys.findBySecret`. */
  findBySecret(secret: string): Outcome<ApiKey>;
  /** As `Keys.keyUnderPolicy`. */
  keyUnderPolicy(policyId: string): string | undefined;
  /** Keys that were used since the last call, a bounded number. */
  takeUses(): readonly KeyLastUse[];
  /** Stops checking the store. */
  close(): void;
}

/**
 * Takes over the changes that the store's writer reports, and also checks the store, as `Keys` does.
 * `used` is called when there are uses to take.
 */
export function openKeyFinder(
  store: Store,
  onCheckFailed: (error: unknown) => void,
  used: () => void,
): KeyFinder {
  const uses = new KeyUses(used);
  const snapshot = new KeySnapshot(lmdbBackend(store.tables), systemClock, uses);
  store.changes.keeps("keysGeneration", (change) => {
    // `LmdbKeys` sends only changes of this type.
    const { record, generation } = change as KeySnapshotChange;
    snapshot.changed(record, generation);
  });
  const check = (): void => {
    try {
      snapshot.check();
    } catch (error) {
      onCheckFailed(error);
    }
  };
  check();
  const checks = setInterval(check, keySnapshotCheckMs).unref();
  return {
    get available() {
      return snapshot.available;
    },
    findBySecret: (secret) => snapshot.find(secret),
    keyUnderPolicy: (policyId) => snapshot.keyUnderPolicy(policyId),
    takeUses: () => uses.take(keyUsesPerWrite).map(({ keyId, lastMs }) => ({ keyId, lastMs })),
    close: () => clearInterval(checks),
  };
}
