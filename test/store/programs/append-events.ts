// Appends numbered audit events without end, going on behind the last one. Prints `event N` once event N is acknowledged, and every checkpoint
// that it reads, in base64.
import { canonicalEvent, readEvent } from "../../../src/contract/audit.ts";
import { openLedger } from "../../../src/store/embedded/ledger/open-ledger.ts";
import { openStore } from "../../../src/store/embedded/store.ts";

const [dataDir = ""] = process.argv.slice(2);
const opened = await openStore({ dataDir });
if (!opened.ok) throw new Error(opened.fault);
const books = await openLedger(opened.value, {
  billingUrl: () => "",
  onFailure: (error) => {
    throw error;
  },
});
if (!books.ok) throw new Error(books.refusal.message);
const { journal, auditLog } = books.value;
const [newest] = auditLog.list({
  limit: 1,
  before: null,
  scannedMax: 1_000_000,
  substrings: ["request.completed"],
  matches: () => true,
  since: null,
  until: null,
}).events;
let count = newest === undefined ? 0 : Number(readEvent(newest.line).data["number"]) + 1;

function append(events: number): void {
  for (let i = 0; i < events; i += 1) {
    const about = { orgId: "org_1", requestId: `request-${count}`, data: { number: count } };
    const event = { eventType: "request.completed", message: "A request.", ...about } as const;
    journal.append([canonicalEvent(event, new Date().toISOString())]);
    count += 1;
  }
}

for (let round = 1; ; round += 1) {
  append((round * 37) % 400);
  const last = count - 1;
  // Some are appended while a flush is under way.
  const flushed = journal.flushedAll(null);
  await new Promise((resolve) => setImmediate(resolve));
  append(round % 5);
  await flushed;
  console.log(`event ${last}`);
  if (round % 7 !== 0) continue;
  const note = await auditLog.checkpoint();
  if (!note.ok) throw new Error(note.refusal.message);
  console.log(`checkpoint ${Buffer.from(note.value).toString("base64")}`);
}
