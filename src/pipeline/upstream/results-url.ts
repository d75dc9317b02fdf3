import { responseBytesMaxDefault } from "../../contract/limits.ts";
import { JsonReader } from "../../json/reader.ts";
import { JsonScanner } from "../../json/scanner.ts";
import { splice, type Edit } from "../../json/splice.ts";
import { decodeString, encodeString } from "../../json/string.ts";
import { decodedAnswer } from "../../exchange/answer-encoding.ts";
import type { Attempt, NamedUpstream, RequestHead } from "../../exchange/exchange.ts";

/** Why clients fetch a batch's results without the gateway, and send the service key to the provider. */
export type LeadsPast = "no_public_url" | "another_origin";

/** The paths on which one batch or a list of batches is answered: create, retrieve, cancel, list. */
const batchPath = /\/v1\/messages\/batches(?:\/[^/]+(?:\/cancel)?)?$/;

/**
 * `results_url` of message batches. The Anthropic SDK fetches it with all of its default headers, including
 * the service key. So a URL that points at the named upstream is changed to point at the gateway, which
 * forwards the fetch like any other request. All other bytes stay unchanged.
 */
export class ResultsUrls {
  readonly #publicUrl: string | null;
  readonly #leadsPast: (why: LeadsPast) => void;
  readonly #told = new Set<LeadsPast>();

  /**
   * `publicUrl` has no trailing slash; null if it is not configured, and then nothing is changed. `leadsPast`
   * is called once for each reason.
   */
  constructor(publicUrl: string | null, leadsPast: (why: LeadsPast) => void = () => undefined) {
    this.#publicUrl = publicUrl;
    this.#leadsPast = leadsPast;
  }

  /** True if the answer to such a request has to be read. */
  concerns({ method, path }: RequestHead): boolean {
    if ((method !== "GET" && method !== "POST") || !batchPath.test(path)) return false;
    if (this.#publicUrl === null) this.#tell("no_public_url");
    return this.#publicUrl !== null;
  }

  /** The answer of `upstream` as it goes on. A body that is no JSON object goes on unchanged. */
  async rewritten(attempt: Attempt, upstream: NamedUpstream): Promise<Attempt> {
    if (attempt.kind !== "buffered" || attempt.status >= 300) return attempt;
    const buffered = await decodedAnswer(attempt, responseBytesMaxDefault);
    const edits = this.#editsOf(buffered.body, upstream);
    return edits.length === 0
      ? buffered
      : { ...buffered, body: Buffer.concat(splice(buffered.body, edits)) };
  }

  #editsOf(bytes: Uint8Array, upstream: NamedUpstream): readonly Edit[] {
    const edits: Edit[] = [];
    const scanned = new JsonScanner().finish(bytes, bytes.length);
    if ("reason" in scanned || scanned.root !== "object") return edits;
    const reader = new JsonReader(bytes, scanned.start);
    this.#batch(reader, upstream, edits, true);
    return edits;
  }

  /** Reads the object at the cursor: a batch, or with `mayList` a list with batches in `data`. */
  #batch(reader: JsonReader, upstream: NamedUpstream, edits: Edit[], mayList: boolean): void {
    reader.enter();
    while (reader.nextMember()) {
      const key = decodeString(reader.bytes, reader.keyStart, reader.keyEnd);
      const type = reader.type();
      if (mayList && key === "data" && type === "array") {
        reader.enter();
        while (reader.nextItem()) {
          if (reader.type() === "object") this.#batch(reader, upstream, edits, false);
          else reader.skip();
        }
        continue;
      }
      reader.skip();
      if (key !== "results_url" || type !== "string") continue;
      const { start, end } = reader;
      const url = this.#urlFor(decodeString(reader.bytes, start + 1, end - 1), upstream);
      if (url !== null) edits.push({ start, end, replacement: encodeString(url) });
    }
  }

  /** null if the URL stays. */
  #urlFor(text: string, { origin, basePath }: NamedUpstream): string | null {
    if (this.#publicUrl === null || !URL.canParse(text)) return null;
    const url = new URL(text);
    if (url.origin !== origin) {
      this.#tell("another_origin");
      return null;
    }
    // The base path precedes every forwarded path.
    const { pathname } = url;
    const path = pathname.startsWith(`${basePath}/`) ? pathname.slice(basePath.length) : pathname;
    return this.#publicUrl + path + url.search + url.hash;
  }

  #tell(why: LeadsPast): void {
    if (this.#told.has(why)) return;
    this.#told.add(why);
    this.#leadsPast(why);
  }
}
