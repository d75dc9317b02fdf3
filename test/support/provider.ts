import {
  startDemoProvider,
  type DemoProvider,
  type ReceivedRequest,
} from "../../src/demo-provider/server.ts";

export interface ObservedProvider {
  readonly demo: DemoProvider;
  /** The received requests, byte for byte. */
  readonly received: ReceivedRequest[];
  /** A configured account that calls it; `more` overrides members. */
  account(name: string, more?: Readonly<Record<string, unknown>>): unknown;
}

/** A provider that keeps its requests. It is configured like a real account. */
export async function startObservedProvider(
  aliases: ReadonlyMap<string, string> = new Map(),
): Promise<ObservedProvider> {
  const received: ReceivedRequest[] = [];
  const demo = await startDemoProvider({ aliases, onRequest: (request) => received.push(request) });
  return {
    demo,
    received,
    account: (name, more = {}) => ({
      name,
      type: "openai",
      baseUrl: demo.origin,
      wires: ["chat", "messages"],
      models: ["echo"],
      ...more,
    }),
  };
}

/** The value of a header in a raw list, or undefined. */
export function rawHeader(rawHeaders: readonly string[], name: string): string | undefined {
  const at = rawHeaders.findIndex((header, i) => i % 2 === 0 && header.toLowerCase() === name);
  return at < 0 ? undefined : rawHeaders[at + 1];
}
