import { afterEach, describe, expect, it } from "vitest";
import { envelope } from "../../../src/contract/errors.ts";
import { policyWholeTextBytesMax } from "../../../src/contract/limits.ts";
import type { Outcome } from "../../../src/contract/outcome.ts";
import type { BodyVerdict } from "../../../src/workers/redact/body-edits.ts";
import type { PatternRule } from "../../../src/workers/redact/rules.ts";
import {
  RedactionPool,
  type RedactionPoolBounds,
} from "../../../src/workers/redact/redaction-pool.ts";

const workerUrl = new URL("./slow-worker.ts", import.meta.url);
let pool: RedactionPool;

function open(bounds: Partial<RedactionPoolBounds>): void {
  pool = new RedactionPool({ threads: 1, bounds, workerUrl });
}

afterEach(() => pool.close());

/** Nobody says how long a match may be, so it is searched in a whole text or not at all. */
const unbounded: PatternRule = { regex: "PRJ-[0-9]+", action: "redact", redactionToken: "[X]" };

function search(format: "json" | "text" = "json"): Promise<Outcome<BodyVerdict>> {
  const rules = { entities: [], patterns: [] };
  return pool.body({ kind: "request", format, bytes: Buffer.from("{}"), rules });
}

const searches = (count: number): Promise<Outcome<BodyVerdict>[]> =>
  Promise.all(Array.from({ length: count }, () => search()));

describe("RedactionPool", () => {
  it("counts a task's time from when it begins, not from when it comes", async () => {
    open({ taskMsMax: 3_000 });
    const found = await searches(8);
    expect(found.map(({ ok }) => ok)).toEqual(Array.from({ length: 8 }, () => true));
  });

  it("refuses what has waited too long, and goes on", async () => {
    open({ waitMsMax: 1 });
    const [first, ...others] = await searches(3);
    expect(first).toMatchObject({ ok: true });
    for (const other of others) {
      expect(other).toMatchObject({
        refusal: { code: "detector_unavailable", retryAfterSeconds: 1 },
      });
    }
    expect(await search()).toMatchObject({ ok: true });
  });

  it("asks for no other try where the content takes too long to search", async () => {
    open({});
    const found = await search("text");
    if (found.ok) throw new Error("not refused");
    expect(found.refusal.retryAfterSeconds).toBeUndefined();
    expect(found.refusal.headers).toEqual(["X-Should-Retry", "false"]);
    expect(JSON.parse(envelope(found.refusal))).toMatchObject({
      error: { code: "detector_unavailable", retryable: false },
    });
  });

  it.each([
    ["as long as may be", 0],
    ["a byte longer", 1],
  ])(
    "blocks what is more than a rule may search, at any time: %s",
    { timeout: 120_000 },
    async (_name, more) => {
      // On a machine under load the search itself may take longer than it is given.
      pool = new RedactionPool({ threads: 1, bounds: { taskMsMax: 60_000, waitMsMax: 60_000 } });
      const rules = { entities: [], patterns: [unbounded] };
      const text = "PRJ-1".padEnd(policyWholeTextBytesMax + more);
      const bytes = Buffer.from(JSON.stringify({ messages: [{ role: "user", content: text }] }));
      const body = await pool.body({ kind: "request", format: "openai", bytes, rules });
      const action = more > 0 ? "block" : "redact";
      expect(body).toMatchObject({ ok: true, value: { kind: "verdict", action } });
      const step = { form: "plain", text, from: [], ended: true, isWhole: true } as const;
      const steps = await pool.steps({ kind: "steps", rules, steps: [step] });
      if (steps.ok) expect([more, steps.value[0]?.findings.length]).toEqual([0, 1]);
      else expect([more, steps.refusal.code]).toEqual([1, "security_blocked"]);
    },
  );
});
