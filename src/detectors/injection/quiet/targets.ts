import { hashByte, hashSeed } from "./words.ts";

/** The most targets of a text that are remembered. */
export const targetsMax = 256;

export const targetKind = {
  url: 1,
  email: 2,
  address: 4,
  host: 8,
  account: 16,
  query: 32,
} as const;

/** A token is read no further than this. */
const tokenBytesMax = 256;

/** The targets that a text names: URLs, mail addresses, hosts and accounts, each with its sentence. */
export class Targets {
  count = 0;
  readonly kinds = new Uint8Array(targetsMax);
  /** Hashes of the registered domains, or of the accounts. */
  readonly hashes = new Int32Array(targetsMax);
  readonly sentences = new Int32Array(targetsMax);
  readonly #tlds = new Set(topLevel.split(" "));

  clear(): void {
    this.count = 0;
  }

  /** The end of a target that begins with the word from `start` to `at`; 0 if none does. */
  read(utf8: Buffer, start: number, at: number, next: number, sentence: number): number {
    switch (next) {
      case 0x3a:
        return utf8[at + 1] === 0x2f && utf8[at + 2] === 0x2f
          ? this.#url(utf8, at + 3, sentence)
          : 0;
      case 0x40:
        return this.#host(utf8, at + 1, targetKind.email, sentence);
      case 0x2e:
        return this.#dotted(utf8, start, at, sentence);
      default:
        return at - start >= 12 || (at - start === 4 && next === 0x20)
          ? this.#account(utf8, start, at, sentence)
          : 0;
    }
  }

  #url(utf8: Buffer, from: number, sentence: number): number {
    const end = tokenEnd(utf8, from, isUrl);
    let host = from;
    for (let at = from; at < end && isHost(utf8[at] ?? 0); at++) host = at + 1;
    if (utf8[host] === 0x40) return this.#host(utf8, host + 1, targetKind.url, sentence);
    let kind: number = isNumeric(utf8, from, host) ? targetKind.address : targetKind.url;
    for (let at = host; at < end; at++) {
      const byte = utf8[at];
      if (byte === 0x3d || byte === 0x7b || byte === 0x24) kind |= targetKind.query;
    }
    this.#add(kind, domainHash(utf8, from, host), sentence);
    return Math.max(end, from);
  }

  #host(utf8: Buffer, from: number, kind: number, sentence: number): number {
    let end = tokenEnd(utf8, from, isHost);
    while (end > from && utf8[end - 1] === 0x2e) end--;
    const dot = utf8.indexOf(0x2e, from);
    if (dot < 0 || dot >= end) return 0;
    this.#add(kind, domainHash(utf8, from, end), sentence);
    return end;
  }

  #dotted(utf8: Buffer, start: number, at: number, sentence: number): number {
    if (!isHost(utf8[at + 1] ?? 0) || utf8[at + 1] === 0x2e) return 0;
    let end = tokenEnd(utf8, at, isHost);
    if (utf8[end] === 0x40) return this.#host(utf8, end + 1, targetKind.email, sentence);
    while (end > at && (utf8[end - 1] === 0x2e || utf8[end - 1] === 0x2d)) end--;
    if (isNumeric(utf8, start, end)) {
      let dots = 0;
      for (let i = start; i < end; i++) if (utf8[i] === 0x2e) dots++;
      if (dots !== 3) return 0;
      this.#add(targetKind.address, domainHash(utf8, start, end), sentence);
      return end;
    }
    const last = utf8.lastIndexOf(0x2e, end - 1);
    if (end - last > 12 || !this.#tlds.has(utf8.toString("latin1", last + 1, end).toLowerCase()))
      return 0;
    this.#add(targetKind.host, domainHash(utf8, start, end), sentence);
    return end;
  }

  /** An IBAN, a wallet, or another long number. */
  #account(utf8: Buffer, start: number, at: number, sentence: number): number {
    let digits = 0;
    let letters = 0;
    for (let i = start; i < at; i++) {
      const byte = utf8[i] ?? 0;
      if (byte >= 0x30 && byte <= 0x39) digits++;
      else if (byte >= 0x41 && byte <= 0x7a) letters++;
      else return 0;
    }
    const isIban =
      letters >= 2 &&
      digits >= 2 &&
      isUpper(utf8[start] ?? 0) &&
      isUpper(utf8[start + 1] ?? 0) &&
      isDigit(utf8[start + 2] ?? 0) &&
      isDigit(utf8[start + 3] ?? 0);
    if (at - start === 4) {
      if (!isIban || !isDigit(utf8[at + 1] ?? 0)) return 0;
    } else if (!isIban && !(digits >= 4 && letters >= 4 && at - start >= 24)) return 0;
    let hash = hashSeed;
    for (let i = start; i < at; i++) hash = hashByte(hash, utf8[i] ?? 0);
    this.#add(targetKind.account, hash, sentence);
    return at - start === 4 ? tokenEnd(utf8, at, isIbanByte) : at;
  }

  #add(kind: number, hash: number, sentence: number): void {
    if (this.count === targetsMax) return;
    const index = this.count++;
    this.kinds[index] = kind;
    this.hashes[index] = hash;
    this.sentences[index] = sentence;
  }
}

function tokenEnd(utf8: Buffer, from: number, is: (byte: number) => boolean): number {
  const most = Math.min(utf8.length, from + tokenBytesMax);
  let at = from;
  while (at < most && is(utf8[at] ?? 0)) at++;
  return at;
}

/**
 * Labels that belong to the ending of a host if they stand before the last label, as in co.uk or
 * github.io.
 */
const shared = new Set([
  "co",
  "com",
  "org",
  "net",
  "ac",
  "gov",
  "edu",
  "example",
  "github",
  "gitlab",
]);

/** The hash of the registered part of a host. */
function domainHash(utf8: Buffer, from: number, until: number): number {
  const labels = utf8.toString("latin1", from, until).toLowerCase().split(".");
  let kept = Math.min(labels.length, 2);
  const second = labels.at(-2) ?? "";
  if (labels.length > 2 && shared.has(second) && labels.at(-1) !== second) kept = 3;
  if (isNumeric(utf8, from, until)) kept = labels.length;
  let hash = hashSeed;
  for (const label of labels.slice(-kept)) {
    for (let at = 0; at < label.length; at++) hash = hashByte(hash, label.charCodeAt(at));
    hash = hashByte(hash, 0x2e);
  }
  return hash;
}

function isNumeric(utf8: Buffer, from: number, until: number): boolean {
  for (let at = from; at < until; at++) {
    const byte = utf8[at] ?? 0;
    if (!isDigit(byte) && byte !== 0x2e) return false;
  }
  return until > from;
}

function isDigit(byte: number): boolean {
  return byte >= 0x30 && byte <= 0x39;
}
function isUpper(byte: number): boolean {
  return byte >= 0x41 && byte <= 0x5a;
}
function isHost(byte: number): boolean {
  return (
    isDigit(byte) ||
    isUpper(byte) ||
    (byte >= 0x61 && byte <= 0x7a) ||
    byte === 0x2d ||
    byte === 0x2e ||
    byte === 0x5f
  );
}
function isUrl(byte: number): boolean {
  return (
    byte > 0x20 &&
    byte !== 0x22 &&
    byte !== 0x27 &&
    byte !== 0x3c &&
    byte !== 0x3e &&
    byte !== 0x60 &&
    byte !== 0x29 &&
    byte !== 0x7c &&
    byte < 0x80
  );
}
function isIbanByte(byte: number): boolean {
  return byte === 0x20 || isDigit(byte) || isUpper(byte);
}

const topLevel =
  "com org net edu gov io dev app info biz co me eu uk de fr es it nl pl pt ch at be se no dk fi ru cn jp kr in br mx ar au ca us tr ua cz xyz top site online cloud ai tech store shop live link click example test invalid local internal";
