import { join } from "node:path";
import { nodeFlags } from "../../launch.ts";
import { freePort, pidOf, until, type Children } from "../children.ts";
import { ProcessTree } from "../process-tree.ts";
import { isAnswered } from "./is-answered.ts";
import { plainSubject, type Subject } from "./subject.ts";

/** The HTTP client of a bare proxy: undici, or Weir's own over `node:net`. */
export type BareClient = "undici" | "net";

/** Starts `bare-proxy.ts`, which shows the cost of Weir's libraries alone. */
export async function startBare(
  children: Children,
  providerPort: number,
  client: BareClient,
): Promise<Subject> {
  const port = await freePort();
  const program = join(import.meta.dirname, "bare-proxy.ts");
  const args = [...nodeFlags, program, String(port), String(providerPort), client];
  const child = children.spawn(process.execPath, args);
  await until(child, "the bare proxy", () => isAnswered(port, "/json/0/0/v1/models"));
  return plainSubject(`uWS + ${client}`, port, new ProcessTree(pidOf(child)));
}
