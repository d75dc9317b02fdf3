import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { unshare, type Shared } from "./share.ts";

/** What agents have sent: `npm run record:agents` makes the files (test/agents/README.md). */

export interface RecordedRequest {
  readonly method: string;
  /** Path and query. */
  readonly url: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** `JSON.stringify` of it has the members in the client's order. */
  readonly body: Readonly<Record<string, unknown>>;
}

export interface RecordedSession {
  /** What happens in it, such as `files` or `compaction`. */
  readonly name: string;
  /** In the order in which they were sent. */
  readonly requests: readonly RecordedRequest[];
}

export interface Recording {
  readonly client: string;
  /** The client's package and version. */
  readonly package: string;
  readonly sessions: readonly RecordedSession[];
}

export const recordingsDir = join(import.meta.dirname, "../../fixtures/agents");

/** Names of the clients that there are recordings of. */
export function recordedClients(): readonly string[] {
  return readdirSync(recordingsDir)
    .filter((file) => file.endsWith(".json"))
    .map((file) => file.slice(0, -".json".length))
    .sort();
}

/** All that a client was recorded to send. */
export function recordingOf(client: string): Recording {
  const text = readFileSync(join(recordingsDir, `${client}.json`), "utf8");
  const { shared, value } = JSON.parse(text) as Shared;
  return unshare({ shared, value }) as Recording;
}
