import { pathOf } from "../provider/behaviour.ts";
import { noThreads, pathOfWire, providerCredential, type Subject } from "./subject.ts";

/** Nobody between: what the provider and the load generator take by themselves. */
export function direct(providerPort: number): Subject {
  return {
    name: "direct",
    tree: null,
    verbatim: true,
    scanThreads: noThreads,
    target: (behaviour, wire = "chat") => ({
      port: providerPort,
      path: pathOf(behaviour) + pathOfWire[wire],
      headers: { Authorization: `Bearer ${providerCredential}` },
    }),
    model: () => "bench",
  };
}
