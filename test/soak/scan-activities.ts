import { bearer, maybeLeave, someText, type Client } from "./client.ts";
import type { Seen } from "./wire-client.ts";

const options = [
  { categories: ["prompt_injection"] },
  { categories: ["prompt_injection", "pii", "credential"] },
  { categories: ["pii", "phi"], store_input: false },
  {
    categories: ["prompt_injection", "pii"],
    custom_patterns: [
      { name: "project", regex: "PRJ-[0-9]{1,6}", direction: "both", action: "flag" },
    ],
  },
] as const;

/** What a scan's price is worked out from; both rates are the default ones. */
export type ScanKind = "injection" | "entities" | "both";

interface Item {
  readonly kind: ScanKind;
  readonly body: Readonly<Record<string, unknown>>;
}

const kinds: readonly ScanKind[] = ["injection", "both", "entities", "both"];

function someScan({ random }: Client): Item {
  const index = random.integer(0, options.length - 1);
  const input = random.chance(0.5)
    ? someText(random, 200)
    : [
        { type: "text", text: someText(random, 100) },
        { type: "text", text: someText(random, 100), segment: "tool" },
      ];
  return { kind: kinds[index] ?? "both", body: { ...options[index], input } };
}

export async function restScan(client: Client): Promise<void> {
  const { kind, body } = someScan(client);
  const seen = await client.ask({
    path: "/v1/security/scan",
    headers: bearer(client.secrets.scans),
    body: Buffer.from(JSON.stringify(body)),
    ...maybeLeave(client.random),
  });
  client.witness.note("rest scan", seen, [200]);
  noteScan(client, kind, seen, (answer) => answer);
}

export async function mcpScan(client: Client): Promise<void> {
  const { kind, body } = someScan(client);
  const params = { name: "security_scan", arguments: body };
  const seen = await client.ask({
    path: "/v1/security/mcp",
    headers: {
      ...bearer(client.secrets.scans),
      accept: "application/json, text/event-stream",
      "mcp-protocol-version": "2025-11-25",
    },
    body: Buffer.from(JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params })),
    ...maybeLeave(client.random),
  });
  client.witness.note("mcp scan", seen, [200]);
  noteScan(client, kind, seen, (answer) => {
    const { result } = answer as { readonly result?: { readonly structuredContent?: unknown } };
    return result?.structuredContent;
  });
}

/** Submits a job and asks for it until it has ended. */
export async function batch(client: Client): Promise<void> {
  const { random, secrets, witness, ask } = client;
  const made = Array.from({ length: random.integer(2, 6) }, () => someScan(client));
  const items = made.map(({ body }, i) => ({ id: `item-${i}`, ...body }));
  const headers = bearer(secrets.scans);
  const path = "/v1/security/scan/batch";
  const accepted = await ask({ path, headers, body: Buffer.from(JSON.stringify({ items })) });
  witness.note("batch", accepted, [202]);
  if (accepted.status !== 202) return;
  const { job_id } = JSON.parse(accepted.text) as { readonly job_id: string };
  for (let waitedMs = 0; waitedMs < 60_000; waitedMs += 250) {
    const seen = await ask({ path: `${path}/${job_id}`, headers: bearer(secrets.scans) });
    witness.note("batch status", seen, [200]);
    if (seen.status !== 200) continue;
    const job = JSON.parse(seen.text) as Job;
    if (job.completed_at !== null) {
      for (const [i, { result }] of job.results.entries()) {
        const billableTokens = result?.billable_tokens;
        if (billableTokens === undefined) witness.fault(`batch: ${seen.text.slice(0, 300)}`);
        else {
          const kind = made[i]?.kind ?? "both";
          witness.scans.push({ requestId: `${job_id}/${i}`, kind, billableTokens });
        }
      }
      return;
    }
    await new Promise((resolve) => setTimeout(resolve, 250));
  }
  witness.fault(`batch: ${job_id} did not end in a minute`);
}

interface Job {
  readonly completed_at: string | null;
  readonly results: readonly { readonly result?: { readonly billable_tokens?: number } }[];
}

function noteScan(
  { witness }: Client,
  kind: ScanKind,
  { status, whole, text, headers }: Seen,
  read: (answer: unknown) => unknown,
): void {
  if (status !== 200 || !whole) return;
  const found = read(JSON.parse(text)) as { readonly billable_tokens?: number } | undefined;
  const requestId = headers["x-svc-request-id"];
  if (found?.billable_tokens === undefined || typeof requestId !== "string") {
    // A busy scanner fails a tool's call within the answer.
    if (!text.includes("detector_unavailable")) witness.fault(`scan: ${text.slice(0, 300)}`);
    return;
  }
  witness.scans.push({ requestId, kind, billableTokens: found.billable_tokens });
}
