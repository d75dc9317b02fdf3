// Keeps so many contents of an organization, prints `kept`, erases all of them and prints `erased`.
import { LmdbContents } from "../../../src/store/embedded/content/lmdb-contents.ts";
import { LmdbErasures } from "../../../src/store/embedded/content/lmdb-erasures.ts";
import { openLedger } from "../../../src/store/embedded/ledger/open-ledger.ts";
import { openStore } from "../../../src/store/embedded/store.ts";

const [dataDir = "", orgId = "", count = "0"] = process.argv.slice(2);
const onFailure = (error: unknown): never => {
  throw error;
};
const opened = await openStore({ dataDir });
if (!opened.ok) throw new Error(opened.fault);
const books = await openLedger(opened.value, { billingUrl: () => "", onFailure });
if (!books.ok) throw new Error(books.refusal.message);
const contents = new LmdbContents({
  dataDir,
  retentions: () => [],
  retentionDays: () => null,
  onFailure,
});
const { journal } = books.value;
const tables = opened.value.journal;
const erasures = new LmdbErasures({ journal, contents, tables, onFailure });
const bytes = Buffer.from("x");
for (let i = 0; i < Number(count); i += 1) {
  contents.keep(orgId, `r-${i}`, { request: { bytes, length: 1 }, response: null, salt: null });
}
await contents.flush();
console.log("kept");
const id = `delete ${orgId}`;
const what = { id, orgId, requestId: null, index: null, byKeyId: "key_1" };
const erased = await erasures.erase(what);
console.log(erased.ok ? "erased" : erased.refusal.message);
setInterval(() => undefined, 60_000);
