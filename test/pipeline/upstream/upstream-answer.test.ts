import { expect, test } from "vitest";
import type { Wire } from "../../../src/contract/wire.ts";
import { clientAnswer } from "../../../src/pipeline/upstream/upstream-answer.ts";

/** The code of the refusal, or the status. */
function outcomeOf(body: unknown, wire: Wire | null, status = 200): string | number {
  return outcomeOfText(JSON.stringify(body), wire, status);
}

function outcomeOfText(text: string, wire: Wire | null, status = 200): string | number {
  const buffered = {
    kind: "buffered" as const,
    status,
    headers: ["content-type", "application/json"],
    body: Buffer.from(text),
  };
  const answer = clientAnswer(buffered, "POST", wire, false);
  return answer.ok ? answer.value.status : answer.refusal.code;
}

const chat = { object: "chat.completion", choices: [] };

test.each([
  ["an error object", { error: { message: "Overloaded" } }],
  ["an error's text", { error: "Overloaded" }],
  ["the error of the messages wire", { type: "error", error: { type: "overloaded_error" } }],
  ["an error of that type alone", { type: "error" }],
])("2xx with %s is an error on both wires", (_, body) => {
  expect(outcomeOf(body, "chat")).toBe("upstream_error_in_2xx");
  expect(outcomeOf(body, "messages")).toBe("upstream_error_in_2xx");
  expect(outcomeOf(body, null)).toBe(200);
});

test.each([String.raw`{"\u0065rror":{}}`, String.raw`{"type":"err\u006fr"}`])(
  "%s is an error, though the word is escaped",
  (text) => expect(outcomeOfText(text, "chat")).toBe("upstream_error_in_2xx"),
);

test.each([
  ["no error", chat],
  ["an error that is null", { ...chat, error: null }],
  ["an error without words", { ...chat, error: "" }],
  ["an error elsewhere", { ...chat, choices: [{ error: { message: "no" } }] }],
])("2xx with %s is an answer", (_, body) => {
  expect(outcomeOf(body, "chat")).toBe(200);
  expect(outcomeOf(body, "messages")).toBe(200);
});

test.each([
  [500, "upstream_error"],
  [503, "upstream_error"],
  [504, "upstream_timeout"],
])("a provider's %i is %s on the chat wire, and itself on the other", (status, code) => {
  expect(outcomeOf({}, "chat", status)).toBe(code);
  expect(outcomeOf({}, "messages", status)).toBe(status);
  expect(outcomeOf({}, null, status)).toBe(status);
});
