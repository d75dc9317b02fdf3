import { describe, expect, it } from "vitest";
import { refuse } from "../../../src/contract/errors.ts";
import { rememberedBodyBytesMax } from "../../../src/contract/limits.ts";
import { accept, type Outcome } from "../../../src/contract/outcome.ts";
import { judge } from "../../../src/detectors/injection/verdict.ts";
import { RememberedScans } from "../../../src/workers/pool/remembered-scans.ts";
import type {
  ProviderRequestJob,
  ScanJob,
  ScanResult,
} from "../../../src/workers/pool/scan-job.ts";

const body = Buffer.from('{"messages":[{"role":"user","content":"hello"}]}');

const job = {
  kind: "provider_request",
  format: "openai",
  bytes: body,
  sensitivity: "balanced",
} as const;

function chat(changes: Partial<ProviderRequestJob> = {}): ScanJob {
  return { ...job, orgId: "org_1", ...changes };
}

/** A pool whose scans have this score, or fail. */
function poolOf(score: number | null | "fails") {
  const pool = {
    score,
    asked: 0,
    submit(job: ScanJob, answer: (outcome: Outcome<ScanResult>) => void): void {
      pool.asked += 1;
      if (pool.score === "fails") return answer(refuse("detector_unavailable", "Full."));
      const injection = judge(pool.score, job.sensitivity);
      setImmediate(() => answer(accept({ kind: "verdict", injection, leaves: 1, worst: null })));
    },
  };
  return pool;
}

describe("RememberedScans", () => {
  it("asks no thread for what was sent before, and says the same of it", async () => {
    const pool = poolOf(0.73);
    const scans = new RememberedScans(pool);
    const first = await scans.scan(chat());
    // Elsewhere in memory, as every request's body is.
    const again = await scans.scan(chat({ bytes: Buffer.from(body) }));
    expect(pool.asked).toBe(1);
    expect(first).toMatchObject({ value: { injection: { verdict: "flag", score: 0.73 } } });
    expect(again).toMatchObject({
      value: { injection: first.ok && first.value.injection, queuedMs: 0 },
    });
  });

  it("asks again where what was sent before is held back, for it must say where", async () => {
    const pool = poolOf(0.83);
    const scans = new RememberedScans(pool);
    await scans.scan(chat());
    const again = await scans.scan(chat({ bytes: Buffer.from(body) }));
    expect(pool.asked).toBe(2);
    expect(again).toMatchObject({ value: { injection: { verdict: "block", score: 0.83 } } });
  });

  it("judges a remembered score at the sensitivity that is asked for", async () => {
    const scans = new RememberedScans(poolOf(0.83));
    await scans.scan(chat());
    const outcomes = [
      await scans.scan(chat({ sensitivity: "permissive" })),
      await scans.scan(chat({ sensitivity: "strict" })),
    ];
    expect(outcomes.map(({ ok }) => ok)).toEqual([true, true]);
    expect(outcomes).toMatchObject([
      { value: { injection: { verdict: "flag", score: 0.83 } } },
      { value: { injection: { verdict: "block", score: 0.83 } } },
    ]);
  });

  it.each<[string, Partial<ProviderRequestJob> | ScanJob]>([
    ["another organization's", { orgId: "org_2" }],
    ["one read as another format", { format: "anthropic" }],
    ["one read as text", { kind: "text", bytes: body, sensitivity: "balanced", orgId: "org_1" }],
    ["one that differs in a byte", { bytes: Buffer.from(body.toString().replace("o", "0")) }],
  ])("scans %s", async (_name, changes) => {
    const pool = poolOf(0.1);
    const scans = new RememberedScans(pool);
    await scans.scan(chat());
    await scans.scan({ ...chat(), ...changes } as ScanJob);
    expect(pool.asked).toBe(2);
  });

  it.each<[string, ScanJob, number]>([
    ["a stranger's", job, 2],
    ["a long one", chat({ bytes: Buffer.alloc(rememberedBodyBytesMax + 1, " ") }), 2],
    ["one just short enough", chat({ bytes: Buffer.alloc(rememberedBodyBytesMax, " ") }), 1],
  ])("remembers by length and sender: %s", async (_name, sent, asked) => {
    const pool = poolOf(0.1);
    const scans = new RememberedScans(pool);
    await scans.scan(sent);
    await scans.scan(sent);
    expect(pool.asked).toBe(asked);
  });

  it("tries again what was refused and what had no score", async () => {
    const pool = poolOf("fails");
    const scans = new RememberedScans(pool);
    expect(await scans.scan(chat())).toMatchObject({ ok: false });
    pool.score = null;
    expect(await scans.scan(chat())).toMatchObject({ value: { injection: { verdict: "block" } } });
    pool.score = 0.1;
    expect(await scans.scan(chat())).toMatchObject({ value: { injection: { verdict: "allow" } } });
    expect(pool.asked).toBe(3);
  });

  it("keeps one score of a body that is scanned twice at once", async () => {
    const pool = poolOf(0.1);
    const scans = new RememberedScans(pool);
    await Promise.all([scans.scan(chat()), scans.scan(chat())]);
    await scans.scan(chat());
    expect(pool.asked).toBe(2);
  });
});
