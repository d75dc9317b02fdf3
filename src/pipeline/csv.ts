import type { Exchange } from "./exchange.ts";

/**
 * One line. Cells that a spreadsheet would run as a formula are neutralized (design section 7,
 * `/v1/audit`); null is an empty cell.
 */
export function csvLine(cells: readonly (string | number | null)[]): string {
  return `${cells.map(cell).join(",")}\r\n`;
}

function cell(value: string | number | null): string {
  if (value === null) return "";
  if (typeof value === "number") return String(value);
  const safe = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/**
 * Answers with CSV, a page at a time: the next one is made when the client has taken the last, so an
 * export of any length keeps one page in memory. `nextPage` gives null when there is no more.
 */
export async function streamCsv(
  exchange: Exchange,
  fileName: string,
  header: readonly string[],
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
  exchange.begin(200, [
    "Content-Type",
    "text/csv; charset=utf-8",
    "Content-Disposition",
    `attachment; filename="${fileName}"`,
  ]);
  let page: string | null = csvLine(header);
  while (page !== null && exchange.state === "streaming") {
    const roomLeft = exchange.write(Buffer.from(page));
    if (!roomLeft) await new Promise<void>((resolve) => (drained = resolve));
    // Other requests get their turn between two pages.
    else await new Promise((resolve) => setImmediate(resolve));
    page = nextPage();
  }
  exchange.end();
}
