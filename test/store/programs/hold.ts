// Opens a store and keeps it until killed.
import { openStore } from "../../../src/store/embedded/store.ts";

const [dataDir = ""] = process.argv.slice(2);
const opened = await openStore({ dataDir });
console.log(opened.ok ? "open" : opened.fault);
setInterval(() => undefined, 60_000);
