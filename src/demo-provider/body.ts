import { createHash, type Hash } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { isPlainObject, type PlainObject } from "../contract/plain-object.ts";
import { fail, succeed, type Result } from "./provider-error.ts";
import { Skimmer } from "./skimmer.ts";

/** The parts of a request body that the provider reads. */
export interface ReceivedBody {
  /** The top-level members; for a large body, only the small ones. */
  readonly fields: PlainObject;
  /** Names of members that were too large to be read. */
  readonly oversized: ReadonlySet<string>;
  readonly byteCount: number;
  /** SHA-256 of the bytes as received, lower-case hex; null if the model does not need it. */
  sha256(): string | null;
}

/** Ten megabytes more than the largest body in the gateway's tests. */
const bodyBytesMax = 110 * 1024 * 1024;
/**
 * Bodies up to this size are kept and parsed as a whole. Larger ones are skimmed while they arrive.
 */
const wholeBytesMax = 1024 * 1024;

/** The model whose answer is the hash of the request body. */
export const hashModel = "echo-hash";

/**
 * Reads and parses a request body in flat memory. `capture` gets every chunk. Null: the client
 * left. Errors: `request_too_large` beyond 110 MiB, as soon as it is known; `invalid_request` if
 * the body is not a JSON object.
 */
export function receiveBody(
  request: IncomingMessage,
  capture: ((chunk: Buffer) => void) | null,
): Promise<Result<ReceivedBody> | null> {
  return new Promise((resolve) => {
    let whole: Buffer[] = [];
    let byteCount = 0;
    let skim: SkimmedBody | null = null;
    request.on("data", (chunk: Buffer) => {
      byteCount += chunk.length;
      if (byteCount > bodyBytesMax) {
        whole = [];
        skim = null;
        resolve(fail("request_too_large", "Request exceeds the maximum allowed number of bytes."));
        return;
      }
      capture?.(chunk);
      if (skim !== null) {
        skim.push(chunk);
        return;
      }
      whole.push(chunk);
      if (byteCount > wholeBytesMax) {
        skim = new SkimmedBody(whole);
        whole = [];
      }
    });
    request.on("end", () => {
      resolve(skim === null ? parseWhole(whole, byteCount) : skim.end(byteCount));
    });
    request.on("close", () => {
      resolve(null);
    });
    request.on("error", () => {
      resolve(null);
    });
  });
}

const nothingOversized: ReadonlySet<string> = new Set();

function parseWhole(chunks: readonly Buffer[], byteCount: number): Result<ReceivedBody> {
  const bytes = chunks.length === 1 && chunks[0] !== undefined ? chunks[0] : Buffer.concat(chunks);
  let fields: unknown;
  try {
    fields = JSON.parse(bytes.toString());
  } catch {
    fields = undefined;
  }
  if (!isPlainObject(fields)) return notJson();
  const sha256 = () => createHash("sha256").update(bytes).digest("hex");
  return succeed({ fields, oversized: nothingOversized, byteCount, sha256 });
}

class SkimmedBody {
  readonly #skimmer = new Skimmer();
  readonly #hash: Hash | null;

  constructor(head: readonly Buffer[]) {
    for (const chunk of head) this.#skimmer.push(chunk);
    // Hashing 100 MB would be most of the provider's work, so it is skipped if the model is already
    // known to be another one. `includes`, because parameters may follow the name.
    const model = this.#skimmer.member("model");
    this.#hash = model === undefined || model.includes(hashModel) ? createHash("sha256") : null;
    for (const chunk of head) this.#hash?.update(chunk);
  }

  push(chunk: Buffer): void {
    this.#skimmer.push(chunk);
    this.#hash?.update(chunk);
  }

  end(byteCount: number): Result<ReceivedBody> {
    const skimmed = this.#skimmer.end();
    if (skimmed === null) return notJson();
    const fields: [string, unknown][] = [];
    for (const [name, json] of skimmed.members) {
      try {
        fields.push([name, JSON.parse(json)]);
      } catch {
        return notJson();
      }
    }
    const digest = this.#hash?.digest("hex") ?? null;
    return succeed({
      fields: Object.fromEntries(fields),
      oversized: skimmed.oversized,
      byteCount,
      sha256: () => digest,
    });
  }
}

function notJson(): Result<ReceivedBody> {
  return fail("invalid_request", "We could not parse the JSON body of your request.");
}
