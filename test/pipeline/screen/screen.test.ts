import { expect, test } from "vitest";
import { scanJob } from "../../../src/pipeline/screen/screen.ts";

test("strangers share no memory of what was scanned: their scans name no organization", () => {
  const policy = { injection: { action: "block", sensitivity: "strict" } } as const;
  const request = { kind: "provider_request", format: "json", bytes: new Uint8Array(0) } as const;
  const text = { kind: "text", bytes: request.bytes } as const;
  const sensitivity = "strict";
  expect(scanJob(request, policy, null)).toEqual({ ...request, sensitivity });
  expect(scanJob(request, policy, "org")).toEqual({ ...request, sensitivity, orgId: "org" });
  expect(scanJob(text, policy, null)).toEqual({ ...text, sensitivity });
  expect(scanJob(text, policy, "org")).toEqual({ ...text, sensitivity, orgId: "org" });
});

test("harmful results are replaced in provider requests alone, where the policy says so", () => {
  const policy = { injection: { action: "replace", sensitivity: "strict" } } as const;
  const request = { kind: "provider_request", format: "json", bytes: new Uint8Array(0) } as const;
  expect(scanJob(request, policy, null)).toMatchObject({ replaces: true });
  expect(scanJob({ ...request, kind: "text" }, policy, null)).not.toHaveProperty("replaces");
});
