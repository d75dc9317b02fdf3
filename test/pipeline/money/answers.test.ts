import { describe, expect, test } from "vitest";
import { costOf } from "../../../src/billing/cost.ts";
import { noUsage, type UsageReport } from "../../../src/contract/usage.ts";
import { readJsonAnswerUsage } from "../../../src/pipeline/money/usage-reader.ts";
import { UsageTap } from "../../../src/pipeline/money/usage-tap.ts";
import { answers, type AnswerRow } from "../../billing/answers.ts";
import { configured, noon } from "../../billing/rates.ts";

function reportOf({ wire, answer }: AnswerRow): UsageReport {
  if (typeof answer === "string") return readJsonAnswerUsage(wire, Buffer.from(answer));
  const tap = new UsageTap(wire);
  for (const payload of answer) tap.push(Buffer.from(payload));
  return tap.finish();
}

describe("what providers' answers have used, and what it costs", () => {
  test.each(answers)("$name", (row) => {
    const report = reportOf(row);
    expect(report.buckets).toEqual(row.buckets === null ? null : { ...noUsage, ...row.buckets });
    const cost = costOf(report, configured(row.price), noon);
    expect({ status: cost.status, microUsd: cost.costMicroUsd }).toEqual({
      status: row.status,
      microUsd: row.microUsd,
    });
  });
});
