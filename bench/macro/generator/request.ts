import { randomBytes } from "node:crypto";

/**
 * The address at which a subject takes requests, and the headers that bring them to the provider.
 */
export interface Target {
  readonly port: number;
  readonly path: string;
  /** Names and values; `Host`, `Content-Type` and `Content-Length` are added. */
  readonly headers: Readonly<Record<string, string>>;
}

/** Marks the place in a body where each request gets a number of its own. */
export const uniqueMark = "@unique-number@";

/**
 * The number has as many digits as the mark has characters, so that all requests have the same
 * length.
 */
export const uniqueDigits = uniqueMark.length;

/** Text with its `uniqueMark` replaced by a number that no other request of this machine had. */
export class UniqueText {
  readonly #pieces: readonly string[];
  readonly #series = String(randomBytes(4).readUInt32BE() % 1_000_000).padStart(6, "0");
  #count = 0;

  constructor(text: string) {
    this.#pieces = text.split(uniqueMark);
  }

  next(): string {
    if (this.#pieces.length === 1) return this.#pieces[0] ?? "";
    this.#count += 1;
    const number = this.#series + String(this.#count).padStart(uniqueDigits - 6, "0");
    return this.#pieces.join(number);
  }
}

/** The bytes of a POST request. */
export function requestBytes(target: Target, body: string | Buffer): Buffer {
  const bytes = Buffer.from(body);
  return Buffer.concat([Buffer.from(requestHead(target, bytes.length)), bytes]);
}

export function requestHead({ path, headers }: Target, bodyBytes: number): string {
  const lines = Object.entries({
    Host: "127.0.0.1",
    "Content-Type": "application/json",
    ...headers,
    "Content-Length": String(bodyBytes),
  }).map(([name, value]) => `${name}: ${value}\r\n`);
  return `POST ${path} HTTP/1.1\r\n${lines.join("")}\r\n`;
}
