// Reaps contents at a given time until it is killed; prints `reaping` as it begins.
import { LmdbContents } from "../../../src/store/embedded/content/lmdb-contents.ts";

const [dataDir = "", now = "0"] = process.argv.slice(2);
const contents = new LmdbContents({
  dataDir,
  retentions: () => [],
  retentionDays: () => null,
  onFailure: (error) => {
    throw error;
  },
  clock: { wallMs: () => Number(now), monotonicMs: () => 0 },
});
// The thread is up.
await contents.erase("none", "none");
const reaped = contents.reap();
console.log("reaping");
await reaped;
setInterval(() => undefined, 60_000);
