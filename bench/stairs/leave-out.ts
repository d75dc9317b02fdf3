// Loaded into a gateway before its program (`node --import …/leave-out.ts?part=N`). It replaces one part of
// the program with another module. Only the bench can do this.
import { registerHooks } from "node:module";
import { parts } from "./parts.ts";

const number = new URL(import.meta.url).searchParams.get("part");
const part = parts[Number(number ?? Number.NaN)];
if (part === undefined) throw new Error(`there is no part ${number ?? ""}`);
const { module, source } = part;

registerHooks({
  load: (url, context, next) =>
    url.endsWith(module) ? { format: "module", source, shortCircuit: true } : next(url, context),
});
