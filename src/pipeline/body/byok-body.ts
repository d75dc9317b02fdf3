import { refuse } from "../../contract/errors.ts";
import { accept, type Outcome } from "../../contract/outcome.ts";
import { bodyShapeOfPath, shapeOfPath } from "../../contract/endpoints/by-path.ts";
import { formatOfWire, type Wire } from "../../contract/wire.ts";
import * as ascii from "../../json/ascii.ts";
import { JsonScanner } from "../../json/scanner.ts";
import type { BodyFormat } from "../../workers/pool/scan-job.ts";
import { readsAsUtf8, utf8Of } from "./charset.ts";
import type { FlatHeaders, RequestHead } from "../../exchange/exchange.ts";
import { formText } from "./form-text.ts";
import { Inspection } from "./inspect.ts";
import { multipartText } from "./multipart-text.ts";
import type { RequestBody, ScannedBytes } from "./request-body.ts";

/**
 * How an own-keys body is read. It is read as a provider's request if the path says which one, else as JSON if
 * it is JSON, else as text. The address is scanned too, unless the path belongs to a known wire, because no
 * model reads such an address.
 */
export interface ByokReading {
  readonly head: RequestHead;
  /** The content type; "" if none is given. */
  readonly type: string;
  /** The wire that the path names. */
  readonly shape: Wire | null;
  /** Looks at the body while it arrives; null if the head does not say that it is JSON. */
  readonly observer: Inspection | null;
}

/** Errors: `invalid_request` for two content types. */
export function byokReading(head: RequestHead): Outcome<ByokReading> {
  const declared = contentTypeOf(head.headers);
  if (!declared.ok) return declared;
  const type = declared.value;
  const shape = head.method === "POST" ? shapeOfPath(head.path) : null;
  const observer = shape !== null || isJsonType(type) ? new Inspection() : null;
  return accept({ head, type, shape, observer });
}

/**
 * The whole body with the bytes to scan. Errors: `invalid_request` for a body that claims to be JSON and is
 * not, is ambiguous, or is in a charset that the gateway can't read.
 */
export function readByokBody(
  { head, type, shape, observer }: ByokReading,
  bytes: Uint8Array,
): Outcome<RequestBody> {
  const { method, path, query } = head;
  const words = shape === null ? addressText(path, query) : "";
  const address = words === "" ? null : textOfBytes(Buffer.from(words));
  const unread = { bytes, inspected: null, address };
  if (bytes.length === 0 && shape === null) return accept({ ...unread, scanned: null });
  const kind = observer === null ? jsonKind(bytes) : "json";
  if (kind === null) {
    const text = textOf(bytes, type);
    return text === null ? unreadable : accept({ ...unread, scanned: textOfBytes(text) });
  }
  if (!readsAsUtf8(type)) return unreadable;
  const format = formatOf(method === "POST" ? bodyShapeOfPath(path) : null);
  const scanned = { kind: "provider_request", format, bytes } as const;
  // Only a provider's request must be an object.
  if (shape === null && firstByte(bytes) !== ascii.openBrace && isJson(bytes)) {
    return accept({ ...unread, scanned });
  }
  const inspected = (observer ?? new Inspection()).finish(bytes);
  if (!inspected.ok) return inspected;
  return accept({ bytes, scanned, inspected: inspected.value, address });
}

function formatOf(shape: Wire | null): BodyFormat {
  return shape === null ? "json" : formatOfWire[shape];
}

function textOfBytes(bytes: Uint8Array): ScannedBytes {
  return { kind: "text", bytes };
}

/** The most words that the name of a model or a method has. */
const pathNameWordsMax = 4;

const unreadable = refuse(
  "invalid_request",
  "The body's charset, or a part's transfer encoding, is not known, or it has too many parts.",
);

/** If there were two, the gateway might read the body by one and the upstream by the other. */
function contentTypeOf(headers: FlatHeaders): Outcome<string> {
  const types = headers.filter((_, i) => i % 2 === 1 && headers[i - 1] === "content-type");
  const [type = "", ...more] = types;
  if (more.length === 0) return accept(type);
  return refuse("invalid_request", "The header content-type stands more than once.");
}

/** `application/json` and types that end in `+json`. Parameters are ignored. */
function isJsonType(type: string): boolean {
  return /^\s*(?:application|text)\/json\s*(?:;|$)|^[^;]*\+json\s*(?:;|$)/i.test(type);
}

/** JSON without a JSON content type is read as JSON too. As text, its escapes would hide words. */
function jsonKind(bytes: Uint8Array): "json" | null {
  const first = firstByte(bytes);
  const mayBe = first === ascii.openBrace || first === ascii.openBracket || first === ascii.quote;
  return mayBe && isJson(bytes) ? "json" : null;
}

function isJson(bytes: Uint8Array): boolean {
  return !("reason" in new JsonScanner().finish(bytes, bytes.length));
}

function firstByte(bytes: Uint8Array): number | undefined {
  return bytes.find((byte) => byte !== 0x20 && byte !== 0x0a && byte !== 0x0d && byte !== 0x09);
}

function textOf(bytes: Uint8Array, type: string): Uint8Array | null {
  if (/^\s*multipart\//i.test(type)) return multipartText(bytes, type);
  if (/^\s*application\/x-www-form-urlencoded\b/i.test(type)) {
    if (!readsAsUtf8(type)) return null;
    return formText(bytes);
  }
  return utf8Of(bytes, type);
}

/** The part of an address that may be text from a person, line by line: words in the path, and the query. */
function addressText(path: string, query: string): string {
  const segments = path.split("/").map(segmentDecoded).filter(holdsWords);
  return [...segments, ...(query === "" ? [] : [formDecoded(query)])].join("\n");
}

function formDecoded(form: string): string {
  return Buffer.from(formText(Buffer.from(form))).toString();
}

/** Decodes the segment like a form's value, because that decoding accepts every byte sequence. */
function segmentDecoded(segment: string): string {
  return new URLSearchParams(`=${segment.replaceAll("&", "%26")}`).get("") ?? "";
}

/** False for names and ids, which most paths consist of: they have no meaning but look like text. */
function holdsWords(segment: string): boolean {
  if (/[\s\u0080-\uffff]/.test(segment)) return true;
  return (segment.match(/[a-z]{2,}/gi)?.length ?? 0) > pathNameWordsMax;
}
