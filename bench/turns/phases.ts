import { setTimeout as passed } from "node:timers/promises";
import type { Caller } from "./caller.ts";

/** The gateway's addresses, and the keys for it. */
export interface Site {
  readonly caller: Caller;
  readonly gateway: string;
  readonly keysApi: string;
  readonly operatorKey: string;
  /** The secrets of keys; each organization has ten keys. */
  readonly secrets: readonly string[];
  /** A provider that callers name. */
  readonly upstream: string;
  /** The time after which the uses of keys are written. */
  readonly usesWrittenMs: number;
}

export interface Phase {
  /** The gateway's work in this phase. */
  readonly name: string;
  readonly run: (site: Site) => Promise<void>;
}

const words =
  "The letter lies beside the window, and the river runs below the garden of the station. ";
/** Under the cap of 25 MiB. */
const batchBytes = 25_000_000;

function text(bytes: number, i: number): string {
  return `${i}: ${words.repeat(Math.ceil(bytes / words.length))}`.slice(0, bytes);
}

function submission(items: number): string {
  const input = (i: number): string => text(Math.floor(batchBytes / items) - 40, i);
  return JSON.stringify({
    items: Array.from({ length: items }, (_, i) => ({ id: `${i}`, input: input(i) })),
  });
}

async function submit(site: Site, items: number): Promise<void> {
  const [key = ""] = site.secrets;
  const url = `${site.gateway}/v1/security/scan/batch`;
  await site.caller.ask(url, { key, body: submission(items) });
}

async function useKeys(site: Site, count: number): Promise<void> {
  const secrets = site.secrets.slice(0, count);
  await site.caller.each(secrets, (key) => site.caller.ask(`${site.gateway}/v1/me`, { key }));
}

function manage(site: Site, path: string, body?: unknown, method?: string): Promise<string> {
  const more = method === undefined ? {} : { method };
  const { keysApi, operatorKey: key } = site;
  return site.caller.ask(`${keysApi}/${path}`, { key, body, ...more });
}

/** A page of large rows ends early. */
async function pages(site: Site, path: string): Promise<void> {
  for (let cursor: string | null = ""; cursor !== null;) {
    const page = await manage(site, cursor === "" ? path : `${path}&cursor=${cursor}`);
    cursor = (JSON.parse(page) as { readonly nextCursor: string | null }).nextCursor;
  }
}

function made(answer: string): string {
  return (JSON.parse(answer) as { readonly data: { readonly id: string } }).data.id;
}

function policy(orgId: string, name: string): unknown {
  const customPatterns = Array.from({ length: 50 }, (_, i) => ({
    name: `pattern ${i}`,
    regex: `${"(?:[a-z]{1,3}[0-9])?".repeat(25)}x${i}`,
    direction: "both",
    action: "flag",
  }));
  return { orgId, name, customPatterns };
}

const burst = 200;
const allowedModels = Array.from({ length: 1_024 }, (_, i) => `provider/model-${i}`);

async function makeKeys(site: Site): Promise<void> {
  const orgId = made(await manage(site, "orgs", { name: "start", plan: "paid" }));
  await site.caller.each(Array.from({ length: burst }).keys(), async (i) => {
    await manage(site, "api-keys", { orgId, name: `${i}`, allowedModels });
  });
}

/** Changes managed records while a batch is written, so that the store's writer is busy. */
async function administer(site: Site): Promise<void> {
  const submitted = submit(site, 1_000);
  const orgId = made(await manage(site, "orgs", { name: "burst", plan: "paid" }));
  await site.caller.each(Array.from({ length: burst }).keys(), async (i) => {
    const id = made(await manage(site, "api-keys", { orgId, name: `${i}`, allowedModels }));
    await manage(site, `api-keys/${id}`, { rateLimit: i + 1 }, "PATCH");
    await manage(site, `api-keys/${id}/rotate`, {});
    await manage(site, `orgs/${orgId}/top-ups`, { amountUsd: "1", idempotencyKey: `${i}` });
    await manage(site, `api-keys/${id}`, undefined, "DELETE");
  });
  for (let i = 0; i < 100; i += 1) await manage(site, "policies", policy(orgId, `${i}`));
  await submitted;
}

/** The phases in their order. The next phases find the data that the earlier ones leave. */
export const phases: readonly Phase[] = [
  // At this time no code is compiled yet, and each connection has a request in the same turn.
  { name: "makes keys of 1,024 models right after its start", run: makeKeys },
  { name: "rests", run: () => passed(5_000) },
  { name: "takes a batch of 25 MB, 1,000 items", run: (site) => submit(site, 1_000) },
  { name: "takes a batch of 25 MB, 7 items", run: (site) => submit(site, 7) },
  { name: "runs their items", run: () => passed(10_000) },
  { name: "is asked with 1,000 keys", run: (site) => useKeys(site, 1_000) },
  { name: "writes uses of 1,000 keys", run: (site) => passed(site.usesWrittenMs) },
  { name: "is asked with 10,000 keys", run: (site) => useKeys(site, 10_000) },
  { name: "writes uses of 10,000 keys", run: (site) => passed(site.usesWrittenMs) },
  { name: "is administered beside a batch", run: administer },
  {
    name: "lists 1,000 keys",
    run: async (site) => {
      for (let i = 0; i < 5; i += 1) await manage(site, "api-keys?limit=1000");
    },
  },
  {
    name: "lists 100 large policies",
    run: async (site) => {
      for (let i = 0; i < 5; i += 1) await pages(site, "policies?limit=1000");
    },
  },
  {
    name: "lists 1,000 organizations",
    run: async (site) => {
      for (let i = 0; i < 5; i += 1) await manage(site, "orgs?limit=1000");
    },
  },
  {
    name: "takes a management body of 10 MB",
    run: async (site) => {
      const body = { name: "much", plan: "paid", padding: "x".repeat(10_000_000) };
      await manage(site, "orgs", body).catch(() => "it is refused for its padding");
    },
  },
  {
    name: "forwards a body of 25 MB",
    run: async (site) => {
      const [key = ""] = site.secrets;
      await site.caller.ask(`${site.gateway}/v1/chat/completions`, {
        key: "sk-of-the-caller",
        headers: { "x-svc-api-key": key, "x-svc-upstream-url": site.upstream },
        body: { model: "m", messages: messages(batchBytes) },
      });
    },
  },
  {
    name: "lists 1,000 audit events",
    run: async (site) => {
      const { caller, gateway, operatorKey: key } = site;
      for (let i = 0; i < 5; i += 1)
        await caller.ask(`${gateway}/v1/audit/events?limit=1000`, { key });
    },
  },
];

function messages(bytes: number): unknown {
  const each = 100_000;
  return Array.from({ length: bytes / each }, (_, i) => ({
    role: i % 2 === 0 ? "user" : "assistant",
    content: text(each - 60, i),
  }));
}
