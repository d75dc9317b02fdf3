import { expect, test } from "vitest";
import { providerRequestJob, textJob } from "../../../src/pipeline/screen/screen.ts";

test("strangers share no memory of what was scanned: their scans name no organization", () => {
  const policy = { injection: { action: "block", sensitivity: "strict" } } as const;
  const bytes = new Uint8Array(0);
  const scan = { bytes, sensitivity: "strict" };
  const request = { ...scan, kind: "provider_request", format: "json" };
  expect(providerRequestJob(bytes, null, policy, null)).toEqual(request);
  expect(providerRequestJob(bytes, null, policy, "org")).toEqual({ ...request, orgId: "org" });
  expect(textJob(bytes, policy, null)).toEqual({ ...scan, kind: "text" });
  expect(textJob(bytes, policy, "org")).toEqual({ ...scan, kind: "text", orgId: "org" });
});
