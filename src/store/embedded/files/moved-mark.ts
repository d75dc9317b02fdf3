import { closeSync, existsSync, fsyncSync, openSync, renameSync, writeSync } from "node:fs";
import { join } from "node:path";

/** The file of a data directory whose content was moved into a database. */
function pathIn(dataDir: string): string {
  return join(dataDir, "moved-to-postgres.txt");
}

/** Why a gateway may not serve from the directory; undefined: it was not moved. */
export function movedFault(dataDir: string): string | undefined {
  const path = pathIn(dataDir);
  if (!existsSync(path)) return undefined;
  return `it was moved to PostgreSQL: configure that store and an empty directory. ${path} tells how to go back`;
}

/** Marks the directory as moved. Durable when it returns. Throws if it can't be written. */
export function markAsMoved(dataDir: string, logName: string, events: number): void {
  const path = pathIn(dataDir);
  const partial = `${path}.new`;
  const descriptor = openSync(partial, "w", 0o600);
  try {
    writeSync(descriptor, textOf(path, logName, events));
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
  renameSync(partial, path);
  const folder = openSync(dataDir, "r");
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
}

function textOf(path: string, logName: string, events: number): string {
  return `Everything in this directory was moved to PostgreSQL at ${new Date().toISOString()}:
the log ${logName} with ${events} events, and all that belongs to it.
No gateway starts on this directory as long as this file is there.

To go back, stop all gateways on that database for good, and remove this file:
${path}
What was written on that database since then is not here: what was spent there is not debited here, keys
that were revoked there work here, and the log goes on under the name and the key of the other one, so the
two contradict each other.
`;
}
