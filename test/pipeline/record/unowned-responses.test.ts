import { expect, test } from "vitest";
import { unownedResponsesMax } from "../../../src/contract/limits.ts";
import { UnownedResponses } from "../../../src/pipeline/record/unowned-responses.ts";

const atMs = Date.parse("2026-01-17T09:30:00.000Z");

test("a response is found by its id, also by another thread", () => {
  const responses = new UnownedResponses();
  responses.note("5mUyOhPrRjuCXXcYRSkHKg-12", "chat", 401, "invalid_key", "127.0.0.1", atMs);
  responses.note("5mUyOhPrRjuCXXcYRSkHKg-1", null, 503, null, null, atMs);
  const other = new UnownedResponses(responses.buffer);
  expect(other.find("5mUyOhPrRjuCXXcYRSkHKg-12")).toEqual({
    request_id: "5mUyOhPrRjuCXXcYRSkHKg-12",
    created_at: "2026-01-17T09:30:00.000Z",
    route: "chat",
    http_status: 401,
    error_code: "invalid_key",
    address: "127.0.0.1",
  });
  expect(other.find("5mUyOhPrRjuCXXcYRSkHKg-1")).toMatchObject({ route: null, address: null });
  for (const id of ["5mUyOhPrRjuCXXcYRSkHKg-", "", "x", "é".repeat(80)])
    expect(other.find(id)).toBeNull();
});

test("the oldest makes room", () => {
  const responses = new UnownedResponses();
  for (let i = 0; i <= unownedResponsesMax; i += 1) responses.note(`r-${i}`, null, 401, null, null);
  expect(responses.find("r-0")).toBeNull();
  expect(responses.find("r-1")).not.toBeNull();
  expect(responses.find(`r-${unownedResponsesMax}`)).not.toBeNull();
});

test("what is too long is cut, and harms no neighbour", () => {
  const responses = new UnownedResponses();
  responses.note("a", null, 401, null, null, atMs);
  responses.note("b", "r".repeat(500), 999, "c".repeat(500), "d".repeat(500), atMs);
  responses.note("c", null, 401, null, null, atMs);
  expect(responses.find("b")).toMatchObject({ route: "r".repeat(23), error_code: "c".repeat(39) });
  expect([responses.find("a"), responses.find("c")]).toMatchObject([
    { route: null },
    { route: null },
  ]);
});
