import type { Target } from "../generator/request.ts";
import type { ProcessTree } from "../process-tree.ts";
import { pathOf, type Behaviour } from "../provider/behaviour.ts";

/** Whoever stands between the load generator and the provider, as the loads see it. */
export interface Subject {
  /** As the report names it. */
  readonly name: string;
  /** Its processes; null where nobody stands between. */
  readonly tree: ProcessTree | null;
  /** Whether the provider gets the very bytes that were sent. */
  readonly verbatim: boolean;
  /** Threads that scan, where they are apart from those that serve. */
  readonly scanThreads: ReadonlySet<number>;
  /** What a request has to look like so that the provider behaves like this. */
  target(behaviour: Behaviour, wire?: BenchWire): Target;
  /** What the body's `model` has to say. */
  model(behaviour: Behaviour): string;
}

/** The wires that the bench speaks. */
export type BenchWire = "chat" | "messages";

export const pathOfWire: Readonly<Record<BenchWire, string>> = {
  chat: "/v1/chat/completions",
  messages: "/v1/messages",
};

/** The provider's own credential in every request that is not paid through a service. */
export const providerCredential = "provider-bench-credential";

export const noThreads: ReadonlySet<number> = new Set();

/** Whoever passes a request on as it is: the provider's own path, and nobody is asked for anything. */
export function plainSubject(name: string, port: number, tree: ProcessTree | null): Subject {
  return {
    name,
    tree,
    verbatim: true,
    scanThreads: noThreads,
    target: (behaviour, wire = "chat") => ({
      port,
      path: pathOf(behaviour) + pathOfWire[wire],
      headers: { Authorization: `Bearer ${providerCredential}` },
    }),
    model: () => "bench",
  };
}
