import { expect, test } from "vitest";
import { controlPlaneCall, byokCall } from "../../../src/pipeline/upstream/upstream-request.ts";

const head = { method: "POST", path: "/v1/chat/completions", query: "", headers: [] };
const upstream = { origin: "https://api.example.com", basePath: "" };

test("with own keys the gateway waits as long as the SDKs do", () => {
  const { timeoutsMs } = byokCall(head, upstream, Buffer.from("{}"));
  expect(timeoutsMs).toEqual({ connect: 5_000, headers: 600_000, idle: 300_000 });
  expect(controlPlaneCall(head, upstream).timeoutsMs.headers).toBe(120_000);
});
