import type { Target } from "../generator/request.ts";
import type { ProcessTree } from "../process-tree.ts";
import { pathOf, type Behaviour } from "../provider/behaviour.ts";

/** The gateway or proxy between the load generator and the provider, as the loads use it. */
export interface Subject {
  /** Its name in the report. */
  readonly name: string;
  /** Its processes; null if there is no gateway. */
  readonly tree: ProcessTree | null;
  /** Whether the provider gets exactly the bytes that were sent. */
  readonly verbatim: boolean;
  /** The scan threads, if they are separate from those that serve. */
  readonly scanThreads: ReadonlySet<number>;
  /** The target for requests that get this behaviour of the provider. */
  target(behaviour: Behaviour, wire?: BenchWire): Target;
  /** The value of the body's `model`. */
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

/**
 * A subject that passes requests on unchanged. It uses the provider's own path and needs no set-up.
 */
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
