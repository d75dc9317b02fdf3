import { csvLine } from "../contract/csv.ts";
import { downloadStepCost } from "../contract/limits.ts";
import type { Exchange, FlatHeaders } from "../exchange/exchange.ts";
import { listShare, type TurnStep } from "../runtime/turn-share.ts";

/** The part of an exchange that a streamed download uses. */
export type DownloadExchange = Pick<
  Exchange,
  "head" | "state" | "begin" | "write" | "end" | "cut" | "onDrained" | "onGone"
>;

/** Answers with CSV; `nextPage` as in `streamPages`. */
export function streamCsv(
  exchange: DownloadExchange,
  fileName: string,
  header: readonly string[],
  nextPage: () => string | null,
): Promise<void> {
  let isFirst = true;
  const headers = downloadHeaders("text/csv; charset=utf-8", fileName);
  return streamPages(exchange, headers, () => {
    if (!isFirst) return nextPage();
    isFirst = false;
    return csvLine(header);
  });
}

export function downloadHeaders(contentType: string, fileName: string): FlatHeaders {
  const disposition = `attachment; filename="${fileName}"`;
  return ["Content-Type", contentType, "Content-Disposition", disposition];
}

/**
 * Answers with text, one page at a time. The next page is made when the client has taken the last one and
 * other work has had its turn, so an export of any length keeps one page in memory. `nextPage` returns null
 * when there is no more.
 */
export async function streamPages(
  exchange: DownloadExchange,
  headers: FlatHeaders,
  nextPage: () => string | null,
): Promise<void> {
  let drained: (() => void) | null = null;
  const proceed = (): void => {
    const waiting = drained;
    drained = null;
    waiting?.();
  };
  exchange.onDrained(proceed);
  exchange.onGone(proceed);
  exchange.begin(200, headers);
  const step = (): TurnStep<"goes on" | "is full" | "is over"> => {
    const page = exchange.state === "streaming" ? nextPage() : null;
    if (page === null) return { value: "is over", cost: 0 };
    const hasRoom = exchange.write(Buffer.from(page));
    return { value: hasRoom ? "goes on" : "is full", cost: page.length + downloadStepCost };
  };
  // The answer to a HEAD has no body to make.
  let isOver = exchange.head.method === "HEAD";
  while (!isOver) {
    const client = await listShare.run(step);
    isOver = client === "is over";
    if (client === "is full") await new Promise<void>((resolve) => (drained = resolve));
  }
  exchange.end();
}

/**
 * The same of pages that something else makes meanwhile; "cut" ends the answer so that the client sees that it is
 * not whole.
 */
export async function streamAsked(
  exchange: DownloadExchange,
  headers: FlatHeaders,
  nextPage: () => Promise<string | null>,
): Promise<void> {
  let drained: (() => void) | null = null;
  const proceed = (): void => {
    const waiting = drained;
    drained = null;
    waiting?.();
  };
  exchange.onDrained(proceed);
  exchange.onGone(proceed);
  exchange.begin(200, headers);
  // The answer to a HEAD has no body to make.
  const isOpen = (): boolean => exchange.head.method !== "HEAD" && exchange.state === "streaming";
  while (isOpen()) {
    const page = await nextPage();
    if (page === null) break;
    if (page === "cut") {
      exchange.cut();
      return;
    }
    for (let at = 0; at < page.length && isOpen(); at += downloadPieceCharacters) {
      const piece = Buffer.from(page.slice(at, at + downloadPieceCharacters));
      const hasRoom = await listShare.run(() => ({
        value: exchange.write(piece),
        cost: piece.length + downloadStepCost,
      }));
      if (!hasRoom) await new Promise<void>((resolve) => (drained = resolve));
    }
  }
  exchange.end();
}

/** Encoded and written in one step. */
const downloadPieceCharacters = 65_536;
