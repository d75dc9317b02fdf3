import fc from "fast-check";
import { expect, test } from "vitest";
import { readCredentials } from "../../src/pipeline/caller/authenticate.ts";
import { controlPlaneCall, byokCall } from "../../src/pipeline/upstream/upstream-request.ts";
import { payThroughHeaders, payThroughQuery } from "../../src/exchange/forward-headers.ts";
import type { ProviderAccount } from "../../src/contract/account.ts";

/*
 * No byte sequence of a service key reaches an upstream in headers or target, and a service key that
 * is present is never passed over, whatever the headers: slots × values × case × duplicates × joined
 * values × white space × encodings of `?key=`.
 */

const random = "3f9a0c7be1d24586";
const key = `sk-gw-${random}`;

const account: ProviderAccount = {
  name: "one",
  provider: "one",
  type: "openai",
  origin: "https://api.example.com",
  basePath: "",
  wires: ["chat", "messages"],
  credential: "sk-provider",
  credentialVariable: null,
  models: [],
  apiPath: "/v1",
  query: "",
  credentialHeader: null,
  orgId: null,
  timeoutsMs: { connect: 1, headers: 1, idle: 1 },
  responseBytesMax: 1,
};

/** Some of a text's characters percent-encoded, some of those again. */
const encoded = (text: string): fc.Arbitrary<string> =>
  fc
    .array(fc.integer({ min: 0, max: 3 }), { minLength: text.length, maxLength: text.length })
    .map((depths) =>
      [...text]
        .map((character, i) => {
          const depth = depths[i] ?? 0;
          const hex = character.charCodeAt(0).toString(16).padStart(2, "0");
          return depth === 0 ? character : `%${"25".repeat(depth - 1)}${hex}`;
        })
        .join(""),
    );

const cased = fc.constantFrom(key, key.toUpperCase(), "Sk-Gw-" + random, "sK-gW-" + random);
const space = fc.constantFrom("", " ", "  ", "\t");
const serviceKey = fc
  .tuple(cased, space, space)
  .map(([text, before, after]) => before + text + after);
const providerKey = fc.constantFrom("sk-other", "sk-ant-1", "AIza1", "", " ");

const value = fc.oneof(
  serviceKey,
  providerKey,
  fc.tuple(fc.constantFrom("Bearer ", "bearer  ", "BEARER\t", "Token "), serviceKey).map(join),
  fc.tuple(fc.constantFrom("Bearer ", "Basic "), providerKey).map(join),
  fc.tuple(providerKey, fc.constantFrom(", ", ",", "; "), serviceKey).map(join),
  serviceKey.map((text) => `Basic ${Buffer.from(`user:${text}`).toString("base64")}`),
  serviceKey.map((text) => `Bearer ${text}, Bearer ${text}`),
  cased.chain(encoded),
);

const headerName = fc.constantFrom(
  "authorization",
  "x-api-key",
  "api-key",
  "x-goog-api-key",
  "x-svc-api-key",
  "x-custom",
  "anthropic-beta",
  "idempotency-key",
  "connection",
  "cookie",
  `x-${key}`,
);
const headers = fc.array(fc.tuple(headerName, value), { maxLength: 6 });

const pairName = fc.oneof(fc.constantFrom("key", "KEY", "k", ""), encoded("key"));
const pairValue = fc.oneof(
  cased.chain(encoded),
  providerKey,
  cased.chain(encoded).map((text) => `%zz${text}%`),
);
const query = fc
  .array(fc.tuple(pairName, pairValue), { maxLength: 3 })
  .map((pairs) => pairs.map((pair) => pair.join("=")).join("&"));

function join(parts: readonly string[]): string {
  return parts.join("");
}

/** What any server could make of it by decoding percent signs and base64. */
function readings(text: string): string {
  let decoded = text;
  for (let i = 0; i < 8; i++) {
    decoded = decoded.replace(/%([0-9a-f]{2})/gi, (_, hex: string) =>
      String.fromCharCode(Number.parseInt(hex, 16)),
    );
  }
  const base64 = [...text.matchAll(/basic (\S+)/gi)].map(([, part = ""]) =>
    Buffer.from(part, "base64").toString("latin1"),
  );
  return [text, decoded, ...base64].join("\n").toLowerCase();
}

const parameters = { numRuns: 3_000 };

test("no service key leaves", () => {
  const upstream = { origin: "https://api.example.com", basePath: "/base" };
  fc.assert(
    fc.property(headers, query, (pairs, search) => {
      const head = { method: "POST", path: "/v1/x", query: search, headers: pairs.flat() };
      const own = byokCall(head, upstream, new Uint8Array(0));
      const control = controlPlaneCall(head, upstream);
      const paid = [...payThroughHeaders(head.headers, account, "chat"), payThroughQuery(search)];
      for (const leaving of [
        [...own.headers, own.target],
        [...control.headers, control.target],
        paid,
      ]) {
        expect(readings(leaving.join("\n"))).not.toContain(random);
      }
    }),
    parameters,
  );
});

test("a service key that is present is never passed over", () => {
  fc.assert(
    fc.property(headers, query, fc.boolean(), (pairs, search, hasUpstream) => {
      const upstream = hasUpstream ? ["x-svc-upstream-url", "https://api.example.com"] : [];
      const flat = [...pairs.flat(), ...upstream];
      const read = readCredentials({ method: "POST", path: "/v1/x", query: search, headers: flat });
      if (!read.ok) return;
      const isPresent = readings([...flat, search].join("\n")).includes(random);
      if (read.value.mode === "keyless") expect(isPresent).toBe(false);
      // The one that pays is among those that were sent, and no slot holds another.
      else if (!flat.includes("x-svc-api-key")) {
        expect(readings(read.value.serviceKey)).toContain("sk-gw-");
      }
    }),
    parameters,
  );
});
