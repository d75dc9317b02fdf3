import { accept } from "../../src/contract/outcome.ts";
import { CustomPatternCache } from "../../src/detectors/custom-pattern-cache.ts";
import { policyRecord } from "../../src/pipeline/record/policy-record.ts";
import type { SearchSteps } from "../../src/pipeline/policy/stream-gate.ts";
import { streamRules } from "../../src/pipeline/policy/stream-rules.ts";
import { entityScans } from "../../src/workers/report/entity-scan.ts";
import type { PolicyRules } from "../../src/workers/redact/rules.ts";
import { searchStep } from "../../src/workers/redact/step-search.ts";
import { TextSearch } from "../../src/workers/redact/text-search.ts";
import type { OpenSuite, Suite } from "./suite.ts";
import { chatEvents } from "./texts.ts";
import { time } from "./timing.ts";

/**
 * A policy's rules on a stream, searched in this thread, so without the cost of a hop for each
 * step.
 */
export const policySuite: Suite = { id: "policy", group: "A policy on a stream", open };

const pattern = { regex: String.raw`\bcode-[0-9]{6}\b`, redactionToken: "[X]" } as const;
const rules: Readonly<Record<"redact" | "flag", PolicyRules>> = {
  redact: { entities: [], patterns: [{ ...pattern, action: "redact" }] },
  flag: { entities: [], patterns: [{ ...pattern, action: "flag" }] },
};

function open(): OpenSuite {
  const tools = { cache: new CustomPatternCache(), entities: entityScans() };
  const search: SearchSteps = ({ steps, rules: asked }) => {
    const texts = new TextSearch(asked, tools);
    return Promise.resolve(accept(steps.map((step) => searchStep(step, texts))));
  };
  const events = chatEvents(100);
  const burst = [Buffer.concat(events)];
  const per = events.length;
  const gate = (output: PolicyRules, chunks: readonly Buffer[]) => () =>
    gated(output, search, chunks);
  const pieces = [
    time(
      "redact",
      { label: "Redact by one pattern, an event a chunk", per },
      gate(rules.redact, events),
    ),
    time(
      "redact/burst",
      { label: "Redact by one pattern, 100 a chunk", per },
      gate(rules.redact, burst),
    ),
    time(
      "flag",
      { label: "Watch for one pattern, an event a chunk", per },
      gate(rules.flag, events),
    ),
  ];
  return { pieces };
}

/** Resolves when the whole stream has passed the gate. */
function gated(output: PolicyRules, search: SearchSteps, chunks: readonly Buffer[]): Promise<void> {
  const policy = {
    id: "policy_bench",
    version: 1,
    injection: { action: "block", sensitivity: "balanced" },
    dryRun: false,
    input: null,
    output,
  } as const;
  return new Promise((resolve, reject) => {
    const gate = streamRules(policy, search, policyRecord(policy))?.open("chat", {
      write: () => undefined,
      roomAgain: () => undefined,
      blocked: ({ message }) => reject(new Error(message)),
      finished: resolve,
    });
    const feed = async (): Promise<void> => {
      for (const chunk of chunks) {
        gate?.push(chunk);
        // The work of one chunk ends before the next chunk comes.
        await new Promise((turn) => setImmediate(turn));
      }
      gate?.finish();
    };
    feed().catch(reject);
  });
}
