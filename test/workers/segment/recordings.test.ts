import { describe, expect, it } from "vitest";
import { bodyShapeOfPath } from "../../../src/contract/endpoints/by-path.ts";
import { formatOfWire } from "../../../src/contract/wire.ts";
import type { BodyFormat } from "../../../src/workers/pool/scan-job.ts";
import { recordedClients, recordingOf } from "../../agents/recording/recordings.ts";
import { collect } from "./collect.ts";

function formatOf(url: string): BodyFormat | null {
  const shape = bodyShapeOfPath(new URL(url, "http://h").pathname);
  if (shape === null) return null;
  return shape === "responses" ? shape : formatOfWire[shape];
}

/** What ids and parameters of these clients look like; in prose nothing does. */
const ids =
  /\b(?:msg_|toolu_|call_|rs_|fc_|resp_|gAAAA)[A-Za-z0-9]{12,}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/;

describe.each(recordedClients())("what %s sends", (client) => {
  const requests = recordingOf(client).sessions.flatMap((session) => session.requests);

  it("has no member that the scan does not know", () => {
    const unknown = new Set<string>();
    for (const { url, body } of requests) {
      const format = formatOf(url);
      if (format === null) continue;
      // Names are leaves where nobody knows them; those of tools and of calls' inputs are data anyway.
      for (const { form, segment, text, location } of collect(body, format).leaves) {
        const isTool = location.source === "tools" || location.path?.includes("tools") === true;
        if (form === "key" && segment !== null && !isTool) {
          unknown.add(`${location.source} ${JSON.stringify(location.path)} ${text}`);
        }
      }
    }
    expect([...unknown]).toEqual([]);
  });

  it("has no id in a user's text", () => {
    for (const { url, body } of requests) {
      const format = formatOf(url);
      if (format === null) continue;
      for (const { form, segment, text } of collect(body, format).leaves) {
        if (form === "string" && segment === "user" && !/\s/.test(text.trim())) {
          expect(text).not.toMatch(ids);
        }
      }
    }
  });
});
