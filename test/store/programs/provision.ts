// Provisions a store and kills itself at the write with the given number, or never at -1.
import { openStore } from "../../../src/store/embedded/store.ts";
import { provisionFirstRun } from "../../../src/store/embedded/first-run.ts";

const [dataDir = "", fatalWrite = "-1"] = process.argv.slice(2);
const opened = await openStore({ dataDir });
if (!opened.ok) throw new Error(opened.fault);
const { tables } = opened.value;
let writes = 0;
for (const table of Object.values(tables) as { putSync: (...args: unknown[]) => unknown }[]) {
  const putSync = table.putSync.bind(table);
  table.putSync = (...args) => {
    if (writes++ === Number(fatalWrite)) process.kill(process.pid, "SIGKILL");
    return putSync(...args);
  };
}
const provisioned = await provisionFirstRun(opened.value, { operatorKey: null });
console.log(`${writes} writes, ${provisioned.ok ? "done" : provisioned.refusal.code}`);
await opened.value.close();
