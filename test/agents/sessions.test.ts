import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { AuditApi } from "../support/audit-api.ts";
import type { AgentClient } from "./client.ts";
import { recorded } from "./clients.ts";
import { codex } from "./clients/codex.ts";
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

/** Codex leaves with the terminal event, whether the provider has closed or not. */
test("a Responses stream that stays open behind its terminal event is whole", async () => {
  const session = await runSession(codex, "own keys", { lingerMs: 3000 });
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
      });
    }
  } finally {
    await session.close();
  }
});
