import { unownedResponsesMax } from "../../contract/limits.ts";

/** A response that belongs to no organization, so that no event tells of it. */
export interface UnownedResponse {
  readonly request_id: string;
  readonly created_at: string;
  /** null: it was refused before its route was looked up. */
  readonly route: string | null;
  readonly http_status: number;
  readonly error_code: string | null;
  /** Of the client's socket. */
  readonly address: string | null;
}

/**
 * The last `unownedResponsesMax` responses without an organization, in memory that all proxy threads share: a
 * missing or wrong key, keyless passthrough, a refusal for overload. The contract says that every request id can
 * be looked up. A new one takes the place of the oldest; a restart forgets them. Writing one allocates nothing.
 */
export class UnownedResponses {
  /** For the other threads. */
  readonly buffer: SharedArrayBuffer;
  readonly #written: Int32Array;
  readonly #bytes: Buffer;
  readonly #view: DataView;

  constructor(buffer = new SharedArrayBuffer(headBytes + unownedResponsesMax * slotBytes)) {
    this.buffer = buffer;
    this.#written = new Int32Array(buffer, 0, 1);
    this.#bytes = Buffer.from(buffer, headBytes);
    this.#view = new DataView(buffer, headBytes);
  }

  note(
    requestId: string,
    route: string | null,
    status: number,
    code: string | null,
    address: string | null,
    atMs = Date.now(),
  ): void {
    const number = Atomics.add(this.#written, 0, 1) >>> 0;
    const at = (number % unownedResponsesMax) * slotBytes;
    // Whoever reads meanwhile finds no time.
    this.#view.setFloat64(at, 0);
    this.#view.setUint16(at + statusAt, status);
    this.#text(at + idAt, requestId, idCharactersMax);
    this.#text(at + routeAt, route ?? "", routeCharactersMax);
    this.#text(at + codeAt, code ?? "", codeCharactersMax);
    this.#text(at + addressAt, address ?? "", addressCharactersMax);
    this.#view.setFloat64(at, atMs);
  }

  /** null: there is none, or not any more. It looks at all of them, in a millisecond or two. */
  find(requestId: string): UnownedResponse | null {
    if (requestId.length === 0 || requestId.length > idCharactersMax) return null;
    const wanted = Buffer.from(`${String.fromCharCode(requestId.length)}${requestId}`, "latin1");
    const last = wanted.length - 1;
    for (let at = 0; at < this.#bytes.length; at += slotBytes) {
      // Most differ in their last characters.
      if (this.#bytes[at + idAt + last] !== wanted[last]) continue;
      const atMs = this.#view.getFloat64(at);
      const id = this.#bytes.subarray(at + idAt, at + idAt + wanted.length);
      if (atMs === 0 || !wanted.equals(id)) continue;
      return {
        request_id: requestId,
        created_at: new Date(atMs).toISOString(),
        route: this.#read(at + routeAt),
        http_status: this.#view.getUint16(at + statusAt),
        error_code: this.#read(at + codeAt),
        address: this.#read(at + addressAt),
      };
    }
    return null;
  }

  /** Its length, then its characters. What we write is ASCII. */
  #text(at: number, text: string, charactersMax: number): void {
    const length = Math.min(text.length, charactersMax);
    this.#view.setUint8(at, length);
    for (let i = 0; i < length; i += 1) this.#view.setUint8(at + 1 + i, text.charCodeAt(i));
  }

  #read(at: number): string | null {
    const length = this.#view.getUint8(at);
    return length === 0 ? null : this.#bytes.toString("latin1", at + 1, at + 1 + length);
  }
}

const headBytes = 8;
const idCharactersMax = 63;
const routeCharactersMax = 23;
const codeCharactersMax = 39;
const addressCharactersMax = 45;
const statusAt = 8;
const idAt = 10;
const routeAt = idAt + 1 + idCharactersMax;
const codeAt = routeAt + 1 + routeCharactersMax;
const addressAt = codeAt + 1 + codeCharactersMax;
const slotBytes = 8 * Math.ceil((addressAt + 1 + addressCharactersMax) / 8);
