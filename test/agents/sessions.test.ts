import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { AuditApi } from "../support/audit-api.ts";
import type { AgentClient } from "./client.ts";
import { recorded } from "./clients.ts";
import { claudeCode } from "./clients/claude-code.ts";
import { codex, codexBuiltIn } from "./clients/codex.ts";
import { expectGoodSession, modelRequests } from "./expectations.ts";
import { runSession } from "./session.ts";

/** Several turns with tools of every client, in both modes, under the default policy. */

const sessions = recorded.flatMap(({ client }) =>
  client.modes.map((mode) => [client.name, mode, client] as const),
);

describe.each(sessions)("%s, %s", (_name, mode, client: AgentClient) => {
  test("reads, writes and answers", async () => {
    const session = await runSession(client, mode);
    try {
      await expectGoodSession(session, mode);
      expect(modelRequests(session).length).toBeGreaterThanOrEqual(3);
      expect(session.runs[0]?.stdout).toContain("The notes hold seven words.");
      const copy = join(session.setting.project, "copy.md");
      if (client.writes)
        expect(existsSync(copy) && readFileSync(copy, "utf8")).toBe("Seven words.\n");
    } finally {
      await session.close();
    }
  });
});

test("Codex with its built-in provider goes on over HTTP after one try of a WebSocket", async () => {
  const session = await runSession(codexBuiltIn, "pay-through");
  try {
    await expectGoodSession(session, "pay-through");
    const tries = session.lab.tap.exchanges.filter(({ method }) => method === "GET");
    expect(tries.map(({ url, status }) => [url, status])).toEqual([["/v1/responses", 426]]);
    expect(session.runs[0]?.stdout).toContain("The notes hold seven words.");
  } finally {
    await session.close();
  }
});

/** Claude Code has every part of a session counted, some two dozen. */
test.each(["own keys", "pay-through"] as const)("Claude Code's /context, %s", async (mode) => {
  const session = await runSession(claudeCode, mode, { prompts: ["/context"] });
  try {
    await expectGoodSession(session, mode);
    const urls = new Set(modelRequests(session).map(({ url }) => url));
    expect([...urls]).toEqual(["/v1/messages/count_tokens?beta=true"]);
    expect(modelRequests(session).length).toBeGreaterThan(10);
    expect(session.runs[0]?.stdout).toContain("Context Usage");
  } finally {
    await session.close();
  }
});

/** Codex leaves with the terminal event, whether the provider has closed or not. */
test.each(["own keys", "pay-through"] as const)(
  "a Responses stream that stays open behind its terminal event is whole, %s",
  async (mode) => {
    const session = await runSession(codex, mode, { lingerMs: 3000 });
    try {
      expect(session.runs[0]?.code).toBe(0);
      const audit = new AuditApi({
        url: session.lab.gateway.url,
        operatorKey: session.lab.operatorKey,
      });
      for (const { answerHeaders } of modelRequests(session)) {
        const { event_type, data } = await audit.eventOf(String(answerHeaders["x-svc-request-id"]));
        expect({ event_type, ...data }).toMatchObject({
          event_type: "request.completed",
          end: "complete",
          cost_status: mode === "own keys" ? "byok" : "calculated",
        });
      }
    } finally {
      await session.close();
    }
  },
);
