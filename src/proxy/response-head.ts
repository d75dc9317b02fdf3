import { STATUS_CODES } from "node:http";
import type { FlatHeaders } from "../pipeline/exchange.ts";
import type { ResponseSocket } from "./last-response.ts";

const headerName = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
const headerValue = /^[\t\x20-\x7e\x80-\xff]*$/;
const statusLines = new Map(
  Object.entries(STATUS_CODES).map(([code, phrase]) => [Number(code), `${code} ${phrase ?? ""}`]),
);

/**
 * Writes an answer's status and headers. `kept` stand before `headers`, and in place of those of the
 * same name. For the responder, in a cork.
 */
export function writeHead(
  res: ResponseSocket,
  requestId: string,
  status: number,
  kept: FlatHeaders,
  headers: FlatHeaders,
): void {
  res.writeStatus(statusLines.get(status) ?? `${status} Unknown`);
  const keptNames = kept.length === 0 ? null : namesTaken(kept);
  // uWS writes a value as it is, and a call into it costs more than putting its text together: so all
  // header lines go as one value, each of them checked.
  const lines = headerLines(res, kept, null) + headerLines(res, headers, keptNames);
  res.writeHeader("X-Svc-Request-Id", requestId + lines);
}

/** Header lines, each behind a line break; one that is not ASCII is written here and now. */
function headerLines(
  res: ResponseSocket,
  headers: FlatHeaders,
  except: ReadonlySet<string> | null,
): string {
  let lines = "";
  for (let i = 0; i + 1 < headers.length; i += 2) {
    const name = headers[i] ?? "";
    if (except?.has(name.toLowerCase()) === true) continue;
    const value = headers[i + 1] ?? "";
    // uWS writes what it is given: a line break in a value would start a header of its own.
    if (!headerName.test(name) || !headerValue.test(value)) continue;
    if (isAscii(value)) lines += `\r\n${name}: ${value}`;
    else res.writeHeader(name, Buffer.from(value, "latin1"));
  }
  return lines;
}

function isAscii(value: string): boolean {
  for (let i = 0; i < value.length; i++) {
    if (value.charCodeAt(i) > 0x7e) return false;
  }
  return true;
}

function namesTaken(kept: FlatHeaders): ReadonlySet<string> {
  return new Set(kept.filter((_, i) => i % 2 === 0).map((name) => name.toLowerCase()));
}
